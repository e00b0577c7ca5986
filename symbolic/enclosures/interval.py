"""Interval arithmetic with derivatives, the ends of the intervals computed by Arb.

Arb's own balls, a midpoint and a radius, are made for narrow enclosures: the product of two balls
[0, 1] is [-1/2, 1]. Over a box of parameters the ends matter, so here an interval is a pair of
exact dyadic numbers, each rounded outwards by Arb at the precision in force (`ball.precision`).
With each interval go enclosures of the derivatives by the coordinates of the box (forward
differentiation). Cost: a few Arb operations for the value, as many again for each derivative.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from flint import arb, fmpq

from ..rational import Rational

Ends: TypeAlias = tuple[arb, arb]
"""The lower and the upper end, both of radius 0."""

_ZERO, _ONE = arb(0), arb(1)
_NOTHING = (_ZERO, _ZERO)
_EITHER = (-_ONE, _ONE)
_LARGEST_EXPONENT = arb(200_000)


class NoValue(ArithmeticError):
    """An operation is not defined, or not decided to be, on the whole interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An enclosure of a function's values on a box, and of its derivatives there.

    Args:
        ends: lower and upper end of the values.
        slopes: the number of a coordinate -> lower and upper end of the derivative by it; a
            coordinate that is missing has derivative 0.

    Example:
        >>> x = coordinate(0, 1, 0)
        >>> y = x * x - x
        >>> [float(end) for end in (*y.ends, *y.slopes[0])]
        [-1.0, 1.0, -1.0, 1.0]
    """

    ends: Ends
    slopes: Mapping[int, Ends] = field(default_factory=dict)

    def __add__(self, other: Interval) -> Interval:
        """The sum."""
        return Interval(_add(self.ends, other.ends), _total(self.slopes, other.slopes))

    def __neg__(self) -> Interval:
        """The negative."""
        return Interval(_negative(self.ends), {i: _negative(s) for i, s in self.slopes.items()})

    def __sub__(self, other: Interval) -> Interval:
        """The difference."""
        return self + (-other)

    def __mul__(self, other: Interval) -> Interval:
        """The product."""
        slopes = _total(_times(other.ends, self.slopes), _times(self.ends, other.slopes))
        return Interval(_multiply(self.ends, other.ends), slopes)

    def __truediv__(self, other: Interval) -> Interval:
        """The quotient q, with q' = (a' - q b') / b.

        Raises:
            NoValue: the divisor may be zero.
        """
        value = _divide(self.ends, other.ends)
        upper = _total(self.slopes, _times(_negative(value), other.slopes))
        return Interval(value, {i: _divide(s, other.ends) for i, s in upper.items()})

    def power(self, exponent: int) -> Interval:
        """The integer power, with (a^n)' = n a^(n-1) a'.

        Raises:
            NoValue: the exponent is negative and the base may be zero.
        """
        if exponent == 0:
            return constant(1)
        value = _power(self.ends, exponent)
        if not self.slopes:
            return Interval(value)
        steep = _multiply(constant(exponent).ends, _power(self.ends, exponent - 1))
        return Interval(value, _times(steep, self.slopes))

    def exp(self) -> Interval:
        """The exponential.

        Raises:
            NoValue: the argument may exceed 200,000.
        """
        if not self.ends[1] < _LARGEST_EXPONENT:
            raise NoValue("a value beyond the range of the checker's numbers")
        value = (self.ends[0].exp().lower(), self.ends[1].exp().upper())
        return Interval((max(_ZERO, value[0]), value[1]), _times(value, self.slopes))

    def log(self) -> Interval:
        """The natural logarithm.

        Raises:
            NoValue: the argument may be zero or less.
        """
        if not self.ends[0] > 0:
            raise NoValue("the argument of a logarithm may be zero or less")
        value = (self.ends[0].log().lower(), self.ends[1].log().upper())
        return Interval(value, {i: _divide(s, self.ends) for i, s in self.slopes.items()})

    def __abs__(self) -> Interval:
        """The absolute value; around 0 its derivative is some multiple of a' from -1 to 1."""
        low, high = self.ends
        if low >= 0:
            return self
        if high <= 0:
            return -self
        return Interval((_ZERO, max(-low, high)), _times(_EITHER, self.slopes))

    def largest(self, other: Interval) -> Interval:
        """The larger of the two."""
        (a, b), (c, d) = self.ends, other.ends
        return _one_of(self, other, (max(a, c), max(b, d)), a >= d, c >= b)

    def smallest(self, other: Interval) -> Interval:
        """The smaller of the two."""
        (a, b), (c, d) = self.ends, other.ends
        return _one_of(self, other, (min(a, c), min(b, d)), b <= c, d <= a)


def constant(value: Rational) -> Interval:
    """A rational number, whose derivatives are 0."""
    exact = arb(fmpq(value.numerator, value.denominator))
    return Interval((exact.lower(), exact.upper()))


def coordinate(low: Rational, high: Rational, number: int) -> Interval:
    """The coordinate of that number, between two rational ends."""
    ends = (constant(low).ends[0], constant(high).ends[1])
    return Interval(ends, {number: (_ONE, _ONE)} if low < high else {})


def exactly(end: arb) -> Fraction:
    """The rational number that an end is."""
    mantissa, exponent = (int(part) for part in end.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _add(a: Ends, b: Ends) -> Ends:
    return (a[0] + b[0]).lower(), (a[1] + b[1]).upper()


def _negative(a: Ends) -> Ends:
    return -a[1], -a[0]


def _multiply(a: Ends, b: Ends) -> Ends:
    (p, q), (r, s) = a, b
    if p >= 0:
        low, high = (q if r < 0 else p) * r, (q if s >= 0 else p) * s
    elif q <= 0:
        low, high = (p if s >= 0 else q) * s, (p if r < 0 else q) * r
    elif r >= 0:
        low, high = p * s, q * s
    elif s <= 0:
        low, high = q * r, p * r
    else:
        return min((p * s).lower(), (q * r).lower()), max((p * r).upper(), (q * s).upper())
    return low.lower(), high.upper()


def _divide(a: Ends, b: Ends) -> Ends:
    """The quotient, not by way of 1/b: 3/3 is to be 1 exactly."""
    if b[1] < 0:
        a, b = _negative(a), _negative(b)
    if not b[0] > 0:
        raise NoValue("a divisor may be zero")
    low, high = a[0] / (b[1] if a[0] >= 0 else b[0]), a[1] / (b[0] if a[1] >= 0 else b[1])
    return low.lower(), high.upper()


def _power(a: Ends, exponent: int) -> Ends:
    if exponent < 0:
        return _divide((_ONE, _ONE), _power(a, -exponent))
    low, high = a
    if exponent % 2 == 0:
        low, high = abs(a[0]), abs(a[1])
        near = _ZERO if a[0] <= 0 <= a[1] else min(low, high)
        low, high = near, max(low, high)
    return (low**exponent).lower(), (high**exponent).upper()


def _times(factor: Ends, slopes: Mapping[int, Ends]) -> dict[int, Ends]:
    return {i: _multiply(factor, s) for i, s in slopes.items()}


def _total(a: Mapping[int, Ends], b: Mapping[int, Ends]) -> Mapping[int, Ends]:
    if not (a and b):
        return a or b
    total = dict(a)
    for i, slope in b.items():
        total[i] = _add(total[i], slope) if i in total else slope
    return total


def _one_of(a: Interval, b: Interval, ends: Ends, first: bool, second: bool) -> Interval:
    if first or second:
        return Interval(ends, (a if first else b).slopes)
    slopes = {}
    for i in a.slopes.keys() | b.slopes.keys():
        s, t = a.slopes.get(i, _NOTHING), b.slopes.get(i, _NOTHING)
        slopes[i] = min(s[0], t[0]), max(s[1], t[1])
    return Interval(ends, slopes)
