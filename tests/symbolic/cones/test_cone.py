"""The exact decision, from every start: a float proposal must not be able to change an answer."""

from collections.abc import Sequence

import pytest
from flint import fmpz_mat
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.symbolic.cones.cone import (
    Alternative,
    combination,
    decide,
    independent,
    satisfies,
    shorten,
)

ENTRIES = st.one_of(
    st.integers(-2, 2), st.integers(-9, 9), st.integers(-(10**30), 10**30), st.just(10**40)
)


@st.composite
def systems(draw: st.DrawFn) -> tuple[list[list[int]], list[bool], list[int]]:
    n = draw(st.integers(0, 4))
    m = draw(st.integers(0, 8))
    row = st.lists(ENTRIES, min_size=n, max_size=n)
    rows = draw(st.lists(row, min_size=m, max_size=m))
    strict = draw(st.lists(st.booleans(), min_size=m, max_size=m))
    start = draw(st.lists(st.sampled_from(range(m)), max_size=n + 2)) if m else []
    return rows, strict, start


def proves(rows: Sequence[Sequence[int]], strict: Sequence[bool], found: Alternative) -> bool:
    """Whether an alternative is what it claims to be, by the definition."""
    if found.witness is not None:
        values = [sum(a * u for a, u in zip(row, found.witness, strict=True)) for row in rows]
        return found.multipliers is None and all(
            v > 0 if s else v >= 0 for v, s in zip(values, strict, strict=True)
        )
    y = found.multipliers or {}
    n = len(rows[0])
    return (
        all(weight > 0 for weight in y.values())
        and any(strict[i] for i in y)
        and all(sum(weight * rows[i][k] for i, weight in y.items()) == 0 for k in range(n))
    )


@given(systems())
@example(([[0, 0], [1, 0]], [True, True], []))
@example(([[1], [-1]], [False, False], [0, 1]))
def test_one_alternative_is_proved(case: tuple[list[list[int]], list[bool], list[int]]) -> None:
    rows, strict, start = case
    found = decide(rows, strict=strict, start=start, dimension=len(rows[0]) if rows else 3)
    assert proves(rows, strict, found)


def test_the_proof_test_rejects() -> None:
    rows, strict = [[1, 0], [-1, 0]], [True, False]
    assert not proves(rows, strict, Alternative(witness=(1, 0)))
    assert not proves(rows, strict, Alternative(multipliers={1: 1}))
    assert not proves(rows, strict, Alternative(multipliers={0: 1, 1: 2}))
    assert proves(rows, strict, Alternative(multipliers={0: 1, 1: 1}))


def test_a_margin_that_no_float_sees() -> None:
    tiny = [[10**40, 1], [-(10**40), 1]]
    assert decide(tiny).witness is not None
    assert decide([*tiny, [0, -1]]).multipliers is not None


def test_combination_wants_one_relation_of_one_sign() -> None:
    assert combination([[1, 0], [-3, 0]]) == [3, 1]
    assert combination([[1, 0], [3, 0]]) is None
    assert combination([[1, 0], [0, 1]]) is None
    assert combination([[1, 0], [-1, 0], [2, 0]]) is None
    assert combination([]) is None


def test_independent() -> None:
    assert independent([[0, 0], [1, 1], [2, 2], [0, 5]]) == [1, 3]
    assert independent([]) == []


@given(st.lists(st.integers(-(10**30), 10**30), min_size=2, max_size=2))
def test_a_short_witness_still_is_one(u: list[int]) -> None:
    rows = [[a, b] for a in (-1, 0, 1, 5) for b in (-1, 1) if a * u[0] + b * u[1] > 0]
    short = shorten(rows, [True] * len(rows), u)
    assert not rows or satisfies(fmpz_mat(rows), [True] * len(rows), short)


@pytest.mark.parametrize("size", [1, 10**60])
def test_scale_does_not_matter(size: int) -> None:
    assert decide([[size, 1], [-1, size]]).witness is not None
