"""Claim tropical.routing-limit, the exact side."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.errors import InputError
from headproof.symbolic.tropical.routing_limit import (
    deviation,
    deviation_bounds,
    limit,
    weight_enclosures,
    weights,
)

SCORES = st.lists(st.integers(-6, 6), min_size=1, max_size=7)


def total_variation(p: tuple[Fraction, ...], q: tuple[Fraction, ...]) -> Fraction:
    return sum((abs(a - b) for a, b in zip(p, q, strict=True)), Fraction(0)) / 2


@given(SCORES, st.integers(1, 40))
def test_base_two(scores: list[int], k: int) -> None:
    found, goal, far = (
        weights(scores, inverse_temperature=k),
        limit(scores),
        deviation(scores, inverse_temperature=k),
    )
    assert sum(found) == sum(goal) == 1
    powers = [Fraction(2) ** (k * s) for s in scores]
    assert found == tuple(p / sum(powers) for p in powers)
    assert total_variation(found, goal) == far.distance <= far.bound
    assert (far.distance == 0) == (len(set(scores)) == 1)
    assert deviation(scores, inverse_temperature=k + 1).distance <= far.distance


@given(SCORES, st.builds(Fraction, st.integers(1, 9), st.integers(1, 9)))
def test_base_e(scores: list[int], tau: Fraction) -> None:
    found, goal, far = weight_enclosures(scores, tau), limit(scores), deviation_bounds(scores, tau)
    assert sum(w.lower for w in found) <= 1 <= sum(w.upper for w in found)
    off = [w for w, share in zip(found, goal, strict=True) if not share]
    assert sum(w.lower for w in off) <= far.distance.upper
    assert far.distance.lower <= sum(w.upper for w in off)
    # R / (m + R) < R / m <= the bound, so the enclosures separate unless all scores tie.
    assert far.distance.upper < far.bound.lower or not off


def test_the_limit_is_uniform_on_the_argmax_set_not_one_member() -> None:
    assert limit([3, 3, 1]) == (Fraction(1, 2), Fraction(1, 2), Fraction(0))
    one = (Fraction(1), Fraction(0), Fraction(0))
    near = weights([3, 3, 1], inverse_temperature=60)
    assert total_variation(near, limit([3, 3, 1])) < Fraction(1, 2**100)
    assert total_variation(near, one) > Fraction(49, 100)


def test_huge_scores_and_low_temperatures() -> None:
    first, second = weight_enclosures([10**30, 0], Fraction(1, 10**30))
    assert first.contains(1)
    assert second.lower == 0
    assert second.upper < Fraction(1, 10**4000)
    assert weights([10**30, 10**30 - 1]) == (Fraction(2, 3), Fraction(1, 3))


@pytest.mark.parametrize(
    ("scores", "k", "message"),
    [
        ([Fraction(1, 2), 0], 1, r"scores\[1\]: .*difference of 1/2"),
        ([10**30, 0], 1, "weight_enclosures"),
        ([0.5], 1, "float"),
        ([], 1, "at least one score"),
        ([1], 0, "inverse_temperature"),
        ([1], True, "inverse_temperature"),
    ],
)
def test_wrong_input_is_refused(scores: list[int], k: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        weights(scores, inverse_temperature=k)
    with pytest.raises(InputError, match=message):
        deviation(scores, inverse_temperature=k)
