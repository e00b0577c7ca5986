"""Enclosures of a value together with its first derivatives, for the mean value form of kind ball.

Forward differentiation: every method takes and returns pairs of an enclosure and, for each
coordinate of the box, an enclosure of the derivative (none means 0). The methods are those of
`intervals.Intervals`, so that the same translated formula runs on either. Where `abs`, `max` and
`min` change from one argument to another the hull of the arguments' derivatives is taken: along a
segment such a function is Lipschitz, and wherever it is differentiable its derivative is that of
an argument that attains the value. Cost: about one evaluation more for each coordinate.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import TypeAlias

from . import intervals
from .budget import Rational
from .intervals import Interval, Intervals
from .logic import Truth

Slopes: TypeAlias = dict[int, Interval]
Graded: TypeAlias = tuple[Interval, Slopes]
"""An enclosure of a value and those of its derivatives by the number of the coordinate."""

_NOTHING = (Decimal(0), Decimal(0))
_EITHER = (Decimal(-1), Decimal(1))
_ONE = (Decimal(1), Decimal(1))


class Gradients:
    """Arithmetic of values with derivatives, on top of interval arithmetic."""

    def __init__(self, arithmetic: Intervals) -> None:
        """Values with derivatives, enclosed by this interval arithmetic."""
        self._on = arithmetic

    def coordinate(self, value: Interval, number: int) -> Graded:
        """The coordinate of that number, whose values lie in the interval."""
        return value, {number: _ONE}

    def enclose(self, value: Rational) -> Graded:
        """A constant."""
        return self._on.enclose(value), {}

    def compare(self, relation: str, a: Graded, b: Graded) -> Truth:
        """Whether a relation holds for all values, for none, or neither."""
        return intervals.compare(relation, a[0], b[0])

    def add(self, a: Graded, b: Graded) -> Graded:
        """The sum a + b."""
        return self._on.add(a[0], b[0]), self._total(a[1], b[1])

    def subtract(self, a: Graded, b: Graded) -> Graded:
        """The difference a - b."""
        return self.add(a, self.negate(b))

    def negate(self, a: Graded) -> Graded:
        """The negative of a."""
        return self._on.negate(a[0]), {i: self._on.negate(s) for i, s in a[1].items()}

    def multiply(self, a: Graded, b: Graded) -> Graded:
        """The product: (a b)' = b a' + a b'."""
        slopes = self._total(self._times(b[0], a[1]), self._times(a[0], b[1]))
        return self._on.multiply(a[0], b[0]), slopes

    def divide(self, a: Graded, b: Graded) -> Graded:
        """The quotient q = a / b: q' = (a' - q b') / b."""
        quotient = self._on.divide(a[0], b[0])
        upper = self._total(a[1], self._times(self._on.negate(quotient), b[1]))
        return quotient, {i: self._on.divide(s, b[0]) for i, s in upper.items()}

    def power(self, a: Graded, exponent: int) -> Graded:
        """The integer power: (a^n)' = n a^(n-1) a'."""
        value = self._on.power(a[0], exponent)
        if exponent == 0 or not a[1]:
            return value, {}
        factor = self._on.multiply(self._on.enclose(exponent), self._on.power(a[0], exponent - 1))
        return value, self._times(factor, a[1])

    def exp(self, a: Graded) -> Graded:
        """The exponential, which is its own derivative."""
        value = self._on.exp(a[0])
        return value, self._times(value, a[1])

    def log(self, a: Graded) -> Graded:
        """The natural logarithm: (log a)' = a' / a."""
        value = self._on.log(a[0])
        return value, {i: self._on.divide(s, a[0]) for i, s in a[1].items()}

    def absolute(self, a: Graded) -> Graded:
        """The absolute value; around 0 its derivative is some multiple of a' from -1 to 1."""
        low, high = a[0]
        if low >= 0:
            return a
        if high <= 0:
            return self.negate(a)
        return self._on.absolute(a[0]), self._times(_EITHER, a[1])

    def largest(self, a: Graded, b: Graded) -> Graded:
        """The larger one."""
        return self._one_of(a, b, self._on.largest, a[0][0] >= b[0][1], b[0][0] >= a[0][1])

    def smallest(self, a: Graded, b: Graded) -> Graded:
        """The smaller one."""
        return self._one_of(a, b, self._on.smallest, a[0][1] <= b[0][0], b[0][1] <= a[0][0])

    def _one_of(
        self,
        a: Graded,
        b: Graded,
        choose: Callable[[Interval, Interval], Interval],
        first: bool,
        second: bool,
    ) -> Graded:
        value = choose(a[0], b[0])
        if first or second:
            return value, (a if first else b)[1]
        slopes = {}
        for i in a[1].keys() | b[1].keys():
            s, t = a[1].get(i, _NOTHING), b[1].get(i, _NOTHING)
            slopes[i] = min(s[0], t[0]), max(s[1], t[1])
        return value, slopes

    def _total(self, a: Slopes, b: Slopes) -> Slopes:
        if not (a and b):
            return a or b
        return {
            i: self._on.add(a[i], b[i]) if i in a and i in b else a[i] if i in a else b[i]
            for i in a.keys() | b.keys()
        }

    def _times(self, factor: Interval, slopes: Slopes) -> Slopes:
        return {i: self._on.multiply(factor, s) for i, s in slopes.items()}
