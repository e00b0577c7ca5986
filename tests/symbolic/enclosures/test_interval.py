"""Intervals with derivatives: what they enclose, against exact values at many points."""

from fractions import Fraction
from itertools import product

import pytest

from headproof.symbolic.enclosures.ball import precision
from headproof.symbolic.enclosures.interval import Interval, NoValue, constant, coordinate, exactly

SIDES = [(-2, -1), (-1, 0), (0, 1), (-1, 2), (1, 3), (Fraction(-1, 3), Fraction(1, 7))]


def inside(low: Fraction, high: Fraction) -> list[Fraction]:
    return [low + Fraction(high - low) * k / 4 for k in range(5)]


def contains(found: Interval, value: Fraction) -> bool:
    return exactly(found.ends[0]) <= value <= exactly(found.ends[1])


@pytest.mark.parametrize("sides", list(product(SIDES, SIDES)))
def test_operations_enclose_every_value(sides: tuple[tuple[Fraction, Fraction], ...]) -> None:
    with precision(40):
        x, y = (coordinate(*side, i) for i, side in enumerate(sides))
        found = [x + y, x - y, x * y, x.power(2), x.power(3), abs(x), x.largest(y), x.smallest(y)]
        for a, b in product(*(inside(*side) for side in sides)):
            values = [a + b, a - b, a * b, a**2, a**3, abs(a), max(a, b), min(a, b)]
            assert all(contains(f, v) for f, v in zip(found, values, strict=True))
            if not (sides[1][0] <= 0 <= sides[1][1]):
                assert contains(x / y, a / b)
                assert contains(y.power(-2), b**-2)


def test_difference_quotients_lie_between_the_slopes() -> None:
    """Mean value theorem: whatever the two points, also across a kink."""
    sides = ((Fraction(-1, 2), Fraction(1, 2)), (Fraction(1), Fraction(3, 2)))
    with precision(60):
        x, y = (coordinate(*side, i) for i, side in enumerate(sides))
        one = constant(1)

        def f(x: Interval, y: Interval) -> Interval:
            return abs(x) * y / (one + x.power(2)) + x.largest(y - one).smallest(x * y)

        slopes = f(x, y).slopes
        for b in inside(*sides[1]):
            points = inside(*sides[0])
            values = [f(constant(a), constant(b)).ends for a in points]
            for i in range(5):
                for j in range(i):
                    rise = exactly(values[i][1]) - exactly(values[j][0])
                    fall = exactly(values[i][0]) - exactly(values[j][1])
                    run = points[i] - points[j]
                    assert exactly(slopes[0][0]) <= rise / run
                    assert fall / run <= exactly(slopes[0][1])


def test_exp_and_log_are_inverse() -> None:
    with precision(60):
        x = coordinate(1, 2, 0)
        assert contains(x.exp().log(), Fraction(3, 2))
        assert [float(end) for end in constant(0).exp().ends] == [1.0, 1.0]
        assert [float(end) for end in constant(1).log().ends] == [0.0, 0.0]


@pytest.mark.parametrize(
    "undefined",
    [
        lambda x: constant(1) / x,
        lambda x: x.log(),
        lambda x: x.power(-1),
        lambda x: (x * constant(10**30)).exp(),
    ],
)
def test_no_value(undefined: object) -> None:
    assert callable(undefined)
    with pytest.raises(NoValue):
        undefined(coordinate(0, 1, 0))
