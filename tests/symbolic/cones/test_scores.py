import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.symbolic.cones.scores import Points

NUMBERS = st.one_of(
    st.integers(-9, 9),
    st.integers(-(2**31), 2**31),
    st.integers(-(2**62), 2**62),
    st.integers(-(10**40), 10**40),
)
ROWS = st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=1, max_size=5)


@given(ROWS, ROWS)
@example([[2**31, 2**31, 2**31]], [[2**31, 2**31, 2**31]])
@example([[2**62, 0, 0]], [[2, 0, 0]])
@example([[-(2**63), 0, 0]], [[1, 0, 0]])
def test_scores_are_exact_at_every_size(rows: list[list[int]], us: list[list[int]]) -> None:
    expected = [[sum(a * b for a, b in zip(u, p, strict=True)) for p in rows] for u in us]
    points = Points(rows)
    assert points.scores(us).tolist() == expected
    assert [row.tolist() for row in points.each(us)] == expected


@pytest.mark.parametrize(("largest", "dtype"), [(2**29, "int64"), (2**30, "object")])
def test_int64_only_where_it_is_proved(largest: int, dtype: str) -> None:
    # 4 * 2^29 * (2^31 - 1) < 2^62 <= 4 * 2^30 * 2^30.
    functional = [[2**31 - 1, 0, 0, 0]] if largest == 2**29 else [[2**30, 0, 0, 0]]
    assert Points([[largest, 0, 0, 0]]).scores(functional).dtype == dtype


def test_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headproof.symbolic.cones.scores._ENTRIES", 3)
    rows = [[1, 2], [3, 4]]
    us = [[1, 0], [0, 1], [1, 1]]
    assert [row.tolist() for row in Points(rows).each(us)] == [[1, 3], [2, 4], [3, 7]]
    assert list(Points(rows).each([])) == []
