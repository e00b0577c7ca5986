"""Soft attention and its derivative in floats: within their bounds of Arb, and of mpmath."""

from fractions import Fraction
from random import Random

import pytest
import torch

from headproof.numeric.tropical import stability as floats
from headproof.symbolic.tropical import stability_bounds as exact


def case(seed: int) -> tuple[list[float], list[float], list[float], float]:
    random = Random(seed)
    count = random.randint(1, 9)
    s, v, k = ([random.uniform(-5, 5) for _ in range(count)] for _ in range(3))
    if seed % 3 == 0:
        v = [1e6 + value for value in v]  # values large against their differences
    return s, v, k, 2.0 ** random.randint(-6, 3)


@pytest.mark.parametrize("seed", range(30))
def test_within_the_bounds(seed: int) -> None:
    s, v, k, tau = case(seed)
    scores = torch.tensor(s, dtype=torch.float64)
    values, keys = (torch.tensor([row], dtype=torch.float64).T for row in (v, k))
    truth = exact.attention(s, v, Fraction(tau))
    found = floats.attention(scores, values, tau).item()
    error = Fraction(floats.attention_error(scores, values, tau).item())
    assert truth.distance(Fraction(found)) <= error
    assert truth.distance(floats.attention_mp(s, v, tau, 50)) <= Fraction(1, 10**42)
    slope = exact.pair_sum(s, v, k, Fraction(tau))
    found = floats.pair_gradient(scores, values, keys, tau).item()
    error = Fraction(floats.pair_gradient_error(scores, values, keys, tau).item())
    assert slope.distance(Fraction(found)) <= error
    assert slope.distance(floats.pair_gradient_mp(s, v, k, tau, 50)) <= Fraction(1, 10**40)


def test_autograd_agrees() -> None:
    generator = torch.Generator().manual_seed(5)
    keys, values = (torch.randn(6, 3, dtype=torch.float64, generator=generator) for _ in range(2))
    x = torch.randn(3, dtype=torch.float64, generator=generator, requires_grad=True)

    def head(query: torch.Tensor) -> torch.Tensor:
        return torch.softmax(keys @ query / 0.5, 0) @ values

    jacobian = torch.autograd.functional.jacobian(head, x)  # type: ignore[no-untyped-call]
    found = floats.pair_gradient((keys @ x).detach(), values, keys, 0.5)
    assert (jacobian - found).abs().max() < 1e-13


def test_the_covariance_form_cancels() -> None:
    s = torch.tensor([30.0, -30.0], dtype=torch.float64)
    one = torch.tensor([[1.0], [-1.0]], dtype=torch.float64)
    truth = exact.pair_sum([30, -30], [1, -1], [1, -1], Fraction(1))
    pairs, covariance = (f(s, one, one, 1.0) for f in (
        floats.pair_gradient, floats.covariance_gradient
    ))  # fmt: skip
    assert truth.distance(Fraction(pairs.item())) < truth.lower / 10**12
    assert covariance.item() == 0


@pytest.mark.parametrize(
    ("scores", "values", "tau"),
    [
        (torch.zeros(2), torch.zeros(3, 1), 1.0),
        (torch.zeros(2), torch.zeros(2), 1.0),
        (torch.zeros(2, 2), torch.zeros(2, 1), 1.0),
        (torch.zeros(2), torch.zeros(2, 1), 0.0),
        (torch.tensor([float("nan")]), torch.zeros(1, 1), 1.0),
    ],
)
def test_bad_input(scores: torch.Tensor, values: torch.Tensor, tau: float) -> None:
    with pytest.raises(ValueError, match="expected"):
        floats.attention(scores, values, tau)
