"""Recovery in floats against planted heads, and kappa against the independent one in balls."""

from fractions import Fraction
from itertools import permutations
from random import Random

import pytest
import torch
from torch import Tensor

from headproof.numeric.recovery.attention import value
from headproof.numeric.recovery.conditioning import kappa
from headproof.numeric.recovery.interpolation import interpolate, slopes, values
from headproof.numeric.recovery.recovery import Found, recover
from headproof.oracle.model import Head
from headproof.oracle.recovery import conditioning
from headproof.oracle.recovery.ball import drawing
from headproof.oracle.recovery.ball_attempt import SCALE

SIZES = [(1, 1), (2, 1), (3, 1), (1, 2), (2, 2), (3, 2), (1, 3), (2, 3)]
ANSWERS = 1e-14


def planted(d: int, H: int, seed: int) -> tuple[Tensor, Tensor]:
    random = torch.Generator().manual_seed(100 * seed + 10 * d + H)
    W = torch.randn(H, d, d, generator=random, dtype=torch.float64)
    return W, torch.randn(H, d, generator=random, dtype=torch.float64)


def distance(found: Found, W: Tensor, v: Tensor) -> float:
    """The largest error of an entry, heads in the best order."""
    each = [
        max(
            (found.forms[list(order)] - W).abs().max().item(),
            (found.functionals[list(order)] - v).abs().max().item(),
        )
        for order in permutations(range(len(v)))
    ]
    return min(each)


@pytest.mark.parametrize(("d", "H"), SIZES)
def test_planted_heads_within_the_bound(d: int, H: int) -> None:
    W, v = planted(d, H, 0)
    found = recover(lambda t: value(W, v, t), d, H, answer_error=ANSWERS)
    assert distance(found, W, v) <= found.error < 1e-3
    assert (found.queries, found.longest) == (4 * H * d**2 - 2 * H + 1, 2 * H + 1)


def test_a_bound_that_is_too_small_is_seen() -> None:
    W, v = planted(2, 2, 0)
    found = recover(lambda t: value(W, v, t) + 1e-9 * len(t), 2, 2, answer_error=1e-16)
    assert distance(found, W, v) > found.error


def test_kappa_does_not_cover_the_pairs_that_name() -> None:
    """Noise at kappa's threshold may spoil a pair of which no number is used, and only that."""
    W = torch.tensor([[[-0.375, 2.0], [-1.0, 0.25]]], dtype=torch.float64)
    v = torch.tensor([[-1.0, -1.25]], dtype=torch.float64)
    eps, random = 1.2e-8, Random(1)

    def noisy(tokens: Tensor) -> Tensor:
        return value(W, v, tokens) + random.choice((-1, 1)) * eps

    with pytest.raises(ValueError, match="poles on the negative axis"):
        recover(noisy, 2, 1, answer_error=eps, seed=663968655)
    for _ in range(20):
        found = recover(
            noisy,
            2,
            1,
            answer_error=eps,
            seed=663968655,
            naming_oracle=lambda tokens: value(W, v, tokens),
        )
        assert 1e-3 / found.kappa == pytest.approx(eps, rel=0.05)
        assert distance(found, W, v) <= found.error


@pytest.mark.parametrize(("d", "H"), SIZES)
def test_kappa_is_that_of_the_balls(d: int, H: int) -> None:
    W, v = planted(d, H, 1)
    x, w = drawing(d, 1)
    heads = [
        Head(
            tuple(tuple(map(Fraction, row)) for row in form),
            tuple(map(Fraction, functional)),
        )
        for form, functional in zip(W.tolist(), v.tolist(), strict=True)
    ]
    exact = conditioning.kappa(heads, x, w)
    X, Y = (torch.tensor(rows, dtype=torch.float64) / SCALE for rows in (x, w))
    ours = kappa(W, v, X, Y)
    # The Jacobian is inverted in floats: its own condition is about kappa.
    assert abs(ours - exact) <= exact * min(0.5, 1e-14 * exact + 1e-9)
    assert not abs(kappa(W, 2 * v, X, Y) - exact) <= exact * 1e-9


@pytest.mark.parametrize("H", [1, 2, 3])
def test_interpolation_and_its_bound(H: int) -> None:
    random = torch.Generator().manual_seed(H)
    L = torch.randn(H, generator=random, dtype=torch.float64).sort().values
    c = torch.randn(H, generator=random, dtype=torch.float64)
    found = interpolate(values(L, c), 1e-16)
    off = max((found.scores - L).abs().max().item(), (found.residues - c).abs().max().item())
    assert off <= found.error < 1e-2
    assert interpolate(values(L, c), 1e-10).error > 1e3 * found.error


def test_slopes_are_differences() -> None:
    L, c = torch.tensor([[0.3, -0.4], [1.0, 2.0]], dtype=torch.float64)
    step = 1e-6
    moved = torch.tensor([step, 0.0], dtype=torch.float64)
    by_score = (values(L + moved, c) - values(L - moved, c)) / (2 * step)
    by_residue = (values(L, c + moved) - values(L, c - moved)) / (2 * step)
    J = slopes(L, c)
    assert (J[:, 0] - by_score).abs().max().item() < 1e-9
    assert (J[:, 2] - by_residue).abs().max().item() < 1e-9


def test_refusals() -> None:
    with pytest.raises(ValueError, match="even number"):
        interpolate(torch.ones(3), 0.0)
    with pytest.raises(ValueError, match="expected"):
        interpolate(torch.zeros(4), 0.0)
    with pytest.raises(ValueError, match="negative axis"):
        interpolate(torch.tensor([1.0, 2.0], dtype=torch.float64), 0.0)  # a pole at 3
    with pytest.raises(ValueError, match="expected d >= 1"):
        recover(lambda t: 0.0, 0, 1, answer_error=0.0)
    W, v = planted(2, 1, 0)
    with pytest.raises(ValueError, match="expected"):
        recover(lambda t: value(W, v, t), 2, 4, answer_error=ANSWERS)
