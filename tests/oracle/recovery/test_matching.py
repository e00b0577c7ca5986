"""Assignments of poles to heads against all permutations and all maps."""

from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.oracle.recovery.matching import Contradiction, Shifted, match_first
from headproof.symbolic.errors import Degenerate

P = 10007


@given(st.integers(1, 4), st.data())
def test_first_row_against_all_permutations(H: int, data: st.DataObject) -> None:
    def distinct(least: int, most: int) -> Any:
        return data.draw(st.lists(st.integers(least, most), min_size=H, max_size=H, unique=True))

    first, second = distinct(0, 9), distinct(0, 9)
    c = data.draw(st.lists(st.integers(1, 2), min_size=H, max_size=H))
    e = data.draw(st.lists(st.integers(1, 2), min_size=H, max_size=H))
    double: dict[int, int] = {}
    for a, b, r, s in zip(first, second, c, e, strict=True):
        double[a + b] = r + s
    if len(double) < H:
        return
    heads, single = list(zip(first, c, strict=True)), dict(zip(second, e, strict=True))
    fits = [
        list(order)
        for order in permutations(single.items())
        if {a + b: r + s for (a, r), (b, s) in zip(heads, order, strict=True)} == double
    ]
    if len(fits) == 1:
        assert match_first(heads, single, double, P) == fits[0]
    else:
        with pytest.raises(Degenerate):
            match_first(heads, single, double, P)


def seen(places: tuple[int, ...], c: list[int]) -> dict[int, int]:
    sums: dict[int, int] = {}
    for p, r in zip(places, c, strict=True):
        sums[p] = (sums.get(p, 0) + r) % P
    return {p: r for p, r in sums.items() if r}


@given(st.integers(1, 3), st.data())
def test_later_rows_against_all_maps(H: int, data: st.DataObject) -> None:
    shifts = data.draw(st.lists(st.integers(0, 9), min_size=H, max_size=H))
    c = data.draw(st.lists(st.integers(-2, 2), min_size=H, max_size=H))
    e = data.draw(st.lists(st.integers(-2, 2), min_size=H, max_size=H))
    truth = tuple(data.draw(st.lists(st.integers(0, 3), min_size=H, max_size=H)))

    def both(places: tuple[int, ...]) -> tuple[dict[int, int], dict[int, int]]:
        return seen(places, c), seen(tuple(p + s for p, s in zip(places, shifts, strict=True)), e)

    poles, moved = both(truth)
    fits = [p for p in product(range(-10, 14), repeat=H) if both(p) == (poles, moved)]
    try:
        found = Shifted(poles, moved, shifts, c, e, P).assign()
    except Degenerate:
        assert len(fits) > 1
    except Contradiction:
        # A head that is invisible in both pairs stands nowhere; the schedule avoids it.
        assert any(not r and not s for r, s in zip(c, e, strict=True)) or len(fits) > 1
    else:
        assert tuple(found) in fits


def test_no_assignment_is_a_contradiction() -> None:
    with pytest.raises(Contradiction):
        match_first([(5, 1), (3, 2)], {7: 10, 1: 20}, {12: 11, 5: 22}, P)
    with pytest.raises(Contradiction):
        Shifted({4: 3}, {5: 1, 7: 2}, [1, 2], [1, 2], [1, 2], P).assign()
    with pytest.raises(Contradiction):
        Shifted({4: 3}, {5: 1, 6: 1}, [1, 2], [1, 2], [1, 2], P).assign()
    with pytest.raises(Contradiction):
        Shifted({4: 3, 9: 1}, {5: 1, 6: 2}, [1, 2], [1, 2], [1, 2], P).assign()


def test_a_missing_pole_is_no_contradiction() -> None:
    with pytest.raises(Degenerate):
        match_first([(5, 1), (3, 2)], {7: 10}, {12: 11, 5: 22}, P)
    assert match_first([(5, 1), (3, 2)], {7: 10}, {12: 11, 5: 2}, P) == [(7, 10), (2, 0)]
    assert match_first([(5, 1), (3, 2)], {7: 10, 1: P - 2}, {12: 11}, P) == [(7, 10), (1, P - 2)]


def test_poles_that_cancel_are_inferred() -> None:
    # Both heads stand at 4 with residues 1 and -1: the one pair shows nothing.
    assert Shifted({}, {5: 1, 6: P - 1}, [1, 2], [1, -1], [1, -1], P).assign() == [4, 4]


def test_a_search_that_grows_gives_up() -> None:
    n = 16
    poles = dict.fromkeys(range(n), 1)
    with pytest.raises(Degenerate):
        Shifted(poles, poles, [0] * n, [1] * n, [1] * n, P).assign()
