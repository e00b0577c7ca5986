"""tropical.power-diagram in floats: candidates contain the exact argmax, on both sides."""

from collections.abc import Callable
from fractions import Fraction

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st
from torch import Tensor

from headproof.numeric.tropical.power_diagram import (
    nearest,
    power_distances,
    power_distances_error,
    power_distances_mp,
    power_weights,
    scores,
    scores_error,
    scores_mp,
    winners,
)

numbers = st.sampled_from([0.0, 1.0, -1.0, 0.1, 1 / 3, 2.5e7]) | st.floats(-9, 9)
Head = tuple[list[list[float]], list[float], list[float]]


@st.composite
def heads(draw: st.DrawFn) -> Head:
    d, N = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    row = st.lists(numbers, min_size=d, max_size=d)
    keys = draw(st.lists(row, min_size=N, max_size=N))
    return keys, draw(st.lists(numbers, min_size=N, max_size=N)), draw(row)


def tensors(head: Head) -> tuple[Tensor, Tensor, Tensor]:
    keys, biases, x = (torch.tensor(part, dtype=torch.float64) for part in head)
    return keys, biases, x.unsqueeze(0)


def exact_scores(head: Head) -> list[Fraction]:
    return [
        sum((Fraction(a) * Fraction(t) for a, t in zip(key, head[2], strict=True)), Fraction(b))
        for key, b in zip(head[0], head[1], strict=True)
    ]


def exact_distances(head: Head) -> list[Fraction]:
    return [
        sum(
            (
                (Fraction(t) - Fraction(a)) ** 2 - Fraction(a) ** 2
                for a, t in zip(key, head[2], strict=True)
            ),
            -2 * Fraction(b),
        )
        for key, b in zip(head[0], head[1], strict=True)
    ]


TIE: Head = ([[0.1], [0.2], [0.3]], [0.3, 0.2, 0.1], [1.0])


@given(heads())
@example(TIE)
@settings(max_examples=150, deadline=None)
def test_error_bounds_and_candidates(head: Head) -> None:
    keys, biases, x = tensors(head)
    s, d = exact_scores(head), exact_distances(head)
    weights = power_weights(keys, biases)
    for j in range(len(s)):
        off = abs(Fraction(scores(keys, biases, x)[0, j].item()) - s[j])
        assert off <= Fraction(scores_error(keys, biases, x)[0, j].item())
        off = abs(Fraction(power_distances(keys, weights, x)[0, j].item()) - d[j])
        assert off <= Fraction(power_distances_error(keys, biases, x)[0, j].item())
    for found, best in (
        (winners(keys, biases, x), {j for j in range(len(s)) if s[j] == max(s)}),
        (nearest(keys, biases, x), {j for j in range(len(d)) if d[j] == min(d)}),
    ):
        candidates = set(found.mask[0].nonzero().flatten().tolist())
        assert best <= candidates
        assert not bool(found.decided[0]) or best == candidates
        assert (len(best) > 1) <= (not bool(found.decided[0]))


@given(heads())
@settings(max_examples=60, deadline=None)
def test_mpmath_twins(head: Head) -> None:
    s, d = exact_scores(head), exact_distances(head)
    size = Fraction(10) ** 20
    for found, exact in zip(scores_mp(*head, 50), s, strict=True):
        assert abs(found - exact) <= size / 10**50
    for found, exact in zip(power_distances_mp(*head, 50), d, strict=True):
        assert abs(found - exact) <= size / 10**50


@pytest.mark.parametrize(
    "wrong",
    [
        lambda k, b: 2 * b,  # without |kappa|^2
        lambda k, b: (k * k).sum(-1) + b,  # b once
        lambda k, b: (k * k).sum(-1) - 2 * b,
    ],
)
def test_wrong_weights_disagree(wrong: Callable[[Tensor, Tensor], Tensor]) -> None:
    generator = torch.Generator().manual_seed(3)
    keys = torch.randn(6, 2, dtype=torch.float64, generator=generator)
    biases = torch.randn(6, dtype=torch.float64, generator=generator)
    x = torch.randn(50, 2, dtype=torch.float64, generator=generator)
    best = winners(keys, biases, x).mask
    right = power_distances(keys, power_weights(keys, biases), x).argmin(-1)
    assert bool(best.gather(-1, right.unsqueeze(-1)).all())
    other = power_distances(keys, wrong(keys, biases), x).argmin(-1)
    assert not bool(best.gather(-1, other.unsqueeze(-1)).all())


def test_batched_over_heads() -> None:
    generator = torch.Generator().manual_seed(4)
    keys = torch.randn(2, 3, 6, 4, dtype=torch.float64, generator=generator)
    biases = torch.randn(2, 3, 6, dtype=torch.float64, generator=generator)
    x = torch.randn(2, 3, 5, 4, dtype=torch.float64, generator=generator)
    found = winners(keys, biases, x)
    assert found.mask.shape == (2, 3, 5, 6)
    assert found.decided.shape == found.margin.shape == (2, 3, 5)
    assert bool(found.decided.all())
    assert torch.equal(found.mask, nearest(keys, biases, x).mask)
    one = winners(keys[1, 2], biases[1, 2], x[1, 2])
    assert torch.equal(found.mask[1, 2], one.mask)


@pytest.mark.parametrize(
    ("keys", "biases", "points"),
    [((3, 2), (2,), (1, 2)), ((3, 2), (3,), (1, 3)), ((3,), (3,), (1, 1)), ((0, 2), (0,), (1, 2))],
)
def test_bad_shapes(
    keys: tuple[int, ...], biases: tuple[int, ...], points: tuple[int, ...]
) -> None:
    with pytest.raises(ValueError, match="expected keys"):
        winners(torch.ones(keys), torch.ones(biases), torch.ones(points))


def test_not_finite() -> None:
    with pytest.raises(ValueError, match="biases: expected finite"):
        scores(torch.ones(1, 1), torch.tensor([float("inf")]), torch.ones(1, 1))
