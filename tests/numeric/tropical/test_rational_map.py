"""tropical.rational-map in floats: within its own bound of the mpmath value, and never outside."""

from fractions import Fraction
from random import Random

import pytest
import torch

from headproof.numeric.tropical.rational_map import (
    deviation,
    deviation_error,
    deviation_mp,
    fixed_value_limit,
)


def test_within_the_stated_bound() -> None:
    random = Random(5)
    for _ in range(40):
        n, tau = random.randint(1, 7), 10.0 ** random.randint(-2, 2)
        s = torch.tensor([random.uniform(-30, 30) for _ in range(n)], dtype=torch.float64)
        u = torch.tensor([[random.uniform(-30, 30)] for _ in range(n)], dtype=torch.float64)
        found = Fraction(deviation(s, u, tau).item())
        bound = Fraction(deviation_error(s, u, tau).item())
        truth = deviation_mp(s.tolist(), u.flatten().tolist(), tau, 60)
        assert abs(found - truth) <= bound
        assert bound < 1e-11 * max(1, tau)


def test_float32_inputs_are_other_inputs() -> None:
    """A perturbation of the inputs by 1e-7 is outside the bound: the bound can fail."""
    s = torch.tensor([0.1, 0.7, -0.3], dtype=torch.float64)
    u = torch.tensor([[0.2], [0.4], [0.9]], dtype=torch.float64)
    truth = deviation_mp(s.tolist(), u.flatten().tolist(), 0.7, 60)
    off = deviation(s.float(), u.float(), 0.7).item()
    assert abs(Fraction(off) - truth) > Fraction(deviation_error(s, u, 0.7).item())


def test_shapes_and_hand_values() -> None:
    s = torch.tensor([[0.0, 1.0], [2.0, 0.0]])
    u = torch.tensor([[1.0, 0.0, 5.0], [0.0, 3.0, 5.0]]).expand(2, 2, 3)
    assert deviation(s, u, 1.0).shape == (2, 3)
    assert bool((deviation(s, u, 1.0)[:, 2] == 0).all())  # equal values: the output is that value
    assert fixed_value_limit(s, u).tolist() == [[0.0, 3.0, 5.0], [1.0, 0.0, 5.0]]
    tie = fixed_value_limit(torch.tensor([1.0, 1.0, 0.0]), torch.tensor([[1.0], [2.0], [9.0]]))
    assert tie.tolist() == [1.5]


@pytest.mark.parametrize(
    ("scores", "values", "tau"),
    [
        (torch.zeros(2), torch.zeros(3, 1), 1.0),
        (torch.zeros(0), torch.zeros(0, 1), 1.0),
        (torch.zeros(2), torch.zeros(2, 1), 0.0),
        (torch.tensor([0.0, torch.nan]), torch.zeros(2, 1), 1.0),
    ],
)
def test_wrong_input_is_refused(scores: torch.Tensor, values: torch.Tensor, tau: float) -> None:
    with pytest.raises(ValueError, match="expected"):
        deviation(scores, values, tau)
    with pytest.raises((ValueError, OverflowError)):
        deviation_mp(scores.tolist(), values.flatten().tolist(), tau, 50)
