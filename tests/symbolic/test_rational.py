from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.errors import InputError
from headproof.symbolic.rational import integer_rows, matrix, parse, primitive, vector, write

HUGE = st.integers(-(10**5000), 10**5000)
NUMBERS = st.one_of(st.integers(), HUGE, st.fractions(), st.builds(Fraction, HUGE, st.just(7)))


@given(NUMBERS)
def test_what_is_written_is_read_back(number: int | Fraction) -> None:
    assert parse(write(number)) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("-3/7", Fraction(-3, 7)),
        ("12", 12),
        ("0", 0),
        ("0x1f", 31),
        ("-0x10/0x11", Fraction(-16, 17)),
        (np.int64(5), 5),
        (Fraction(4, 2), 2),
    ],
)
def test_accepted(text: object, number: int | Fraction) -> None:
    assert parse(text) == number
    assert isinstance(parse(text), type(number))


@pytest.mark.parametrize(
    "value",
    [
        *(0.5, 1.0, float("nan"), float("inf"), np.float64(2), True, None, 1j, [], {}, b"1"),
        *("", " 1", "1 ", "+1", "01", "-0", "1/0", "0/1", "3/1", "2/4", "-2/-4", "1/2/3"),
        *("1e3", "0.5", "1_000", "٣", "0X1f", "0x", "1\n", "inf", "1" * 4001),
    ],
)
def test_refused_with_the_place(value: object) -> None:
    with pytest.raises(InputError, match=r"^points\[3\]\[1\]: expected .+, found ") as caught:
        parse(value, "points[3][1]")
    assert len(str(caught.value)) < 250


def test_long_integers_are_hexadecimal() -> None:
    assert write(10**4000 - 1) == 10**4000 - 1
    assert write(-(10**4000)) == hex(-(10**4000))


def test_shapes() -> None:
    assert vector((1, "1/2")) == (1, Fraction(1, 2))
    assert matrix([]) == ()
    for call in (
        lambda: vector("12"),
        lambda: vector([1], dimension=2),
        lambda: matrix([[1], [1, 2]]),
        lambda: matrix([[1]], columns=2),
        lambda: matrix([], least_rows=1),
        lambda: matrix([1, 2]),
    ):
        with pytest.raises(InputError):
            call()


@given(st.lists(st.lists(st.fractions(), min_size=2, max_size=2), max_size=4))
def test_common_denominator(rows: list[list[Fraction]]) -> None:
    whole, common = integer_rows(rows)
    assert [[Fraction(entry, common) for entry in row] for row in whole] == rows
    assert all(type(entry) is int for row in whole for entry in row)


def test_primitive() -> None:
    assert primitive([0, -4, 6]) == (0, -2, 3)
    assert primitive([0, 0]) == (0, 0)
    assert primitive([]) == ()
