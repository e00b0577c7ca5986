"""Attention in floats: by hand, against exact values within the bound, and what is refused."""

from fractions import Fraction
from random import Random

import pytest
import torch
from torch import Tensor

from headproof.numeric.recovery.attention import value, value_error, value_mp
from headproof.oracle.ball import BallOracle
from headproof.oracle.model import Head


def drawn(seed: int) -> tuple[Tensor, Tensor, Tensor]:
    random = torch.Generator().manual_seed(seed)
    H, d, n = (int(torch.randint(1, 5, (), generator=random)) for _ in range(3))
    shapes = ((H, d, d), (H, d), (n, d))
    W, v, t = (torch.randn(*s, generator=random, dtype=torch.float64) for s in shapes)
    return W * 2, v, t


def test_by_hand() -> None:
    W, v = torch.tensor([[[1.0]]]), torch.tensor([[2.0]])
    tokens = torch.tensor([[0.0], [1.0]])  # scores 0 and 1, values 0 and 2
    assert value(W, v, tokens).item() == pytest.approx(2 * 0.7310585786300049, rel=1e-15)


@pytest.mark.parametrize("seed", range(20))
def test_within_the_bound_of_mpmath_and_of_balls(seed: int) -> None:
    W, v, t = drawn(seed)
    found, bound = Fraction(value(W, v, t).item()), Fraction(value_error(W, v, t).item())
    exact = value_mp(W.tolist(), v.tolist(), t.tolist(), 40)
    assert abs(found - exact) <= bound < Fraction(1, 10**10)
    heads = [
        Head(
            tuple(tuple(Fraction(e) for e in row) for row in form),
            tuple(Fraction(e) for e in functional),
        )
        for form, functional in zip(W.tolist(), v.tolist(), strict=True)
    ]
    ball = BallOracle(heads, bits=200)(tuple(tuple(map(Fraction, row)) for row in t.tolist()))
    assert abs(float(ball.mid()) - float(exact)) < 1e-14 * max(1, abs(float(exact)))


def test_far_scores_do_not_overflow() -> None:
    W, v = torch.tensor([[[1000.0]]]), torch.tensor([[1.0]])
    tokens = torch.tensor([[3.0], [-5.0], [2.0]])
    assert value(W, v, tokens).item() == 3.0
    assert abs(value_mp([[[1000]]], [[1]], [[3], [-5], [2]], 30) - 3) < Fraction(1, 10**30)


def test_the_twin_has_the_digits_that_are_asked_for() -> None:
    random = Random(5)
    model = ([[[random.randint(-3, 3)]]], [[1]], [[random.randint(-3, 3)] for _ in range(4)])
    assert abs(value_mp(*model, 30) - value_mp(*model, 60)) < Fraction(1, 10**29)


@pytest.mark.parametrize(
    ("W", "v", "t"),
    [
        (torch.zeros(1, 2, 2), torch.zeros(1, 2), torch.zeros(0, 2)),
        (torch.zeros(1, 2, 2), torch.zeros(2, 2), torch.zeros(1, 2)),
        (torch.zeros(1, 2, 3), torch.zeros(1, 2), torch.zeros(1, 2)),
        (torch.full((1, 1, 1), torch.nan), torch.zeros(1, 1), torch.zeros(1, 1)),
    ],
)
def test_bad_shapes_and_numbers(W: Tensor, v: Tensor, t: Tensor) -> None:
    with pytest.raises(ValueError, match="expected"):
        value(W, v, t)
