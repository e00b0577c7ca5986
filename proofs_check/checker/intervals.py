"""Enclosures of real numbers between two decimals, for exp and log and for boxes.

The ends are ``decimal.Decimal``: its sums, products and quotients are correctly rounded in the
direction that its context asks for, and `exp` and `ln` are correctly rounded half-even whatever
the context says, so that one unit in the last place on either side makes them enclosures. The
contexts are this module's own; the thread's current context is neither read nor changed.

Exponents are bounded (E): an end that would exceed 10^E raises, one that is smaller than
10^-E in absolute value is rounded outward to zero or to the smallest number.
"""

from __future__ import annotations

import decimal
from decimal import Context, Decimal
from typing import TypeAlias

from .budget import Budget, Rational
from .errors import Rejected, Unreadable

Interval: TypeAlias = tuple[Decimal, Decimal]

_E = 100_000
_ZERO = Decimal(0)
_ONE = Decimal(1)
_TRAPS = [decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow]
POWERS = 1_000_000


class Intervals:
    """Interval arithmetic with a fixed number of decimal digits.

    Every method takes and returns enclosures: for all real numbers in the arguments the exact
    result lies in the value returned.
    """

    def __init__(self, digits: int, budget: Budget) -> None:
        """Arithmetic with so many digits, which spends from the budget."""
        self.digits = digits
        self._budget = budget
        self._down, self._near, self._up = (
            Context(prec=digits, rounding=rounding, Emin=-_E, Emax=_E, clamp=0, traps=_TRAPS)
            for rounding in (
                decimal.ROUND_FLOOR,
                decimal.ROUND_HALF_EVEN,
                decimal.ROUND_CEILING,
            )
        )
        self._cost = 1 + digits // 100
        self._transcendental = 10 + digits * digits // 500

    def undecided(self, why: str) -> Rejected:
        """The exception for what these digits do not decide."""
        return Rejected(f"undecided at {self.digits} digits: {why}")

    def enclose(self, value: Rational) -> Interval:
        """The narrowest enclosure of a rational."""
        self._budget.spend(self._cost + value.numerator.bit_length() // 64)
        numerator, denominator = Decimal(value.numerator), Decimal(value.denominator)
        return self._down.divide(numerator, denominator), self._up.divide(numerator, denominator)

    def compare(self, relation: str, a: Interval, b: Interval) -> bool | None:
        """Whether a relation holds for all numbers in the enclosures, for none, or neither."""
        return compare(relation, a, b)

    def add(self, a: Interval, b: Interval) -> Interval:
        """The sum a + b."""
        self._budget.spend(self._cost)
        return self._down.add(a[0], b[0]), self._up.add(a[1], b[1])

    def subtract(self, a: Interval, b: Interval) -> Interval:
        """The difference a - b."""
        return self.add(a, self.negate(b))

    def negate(self, a: Interval) -> Interval:
        """The negative of a."""
        return a[1].copy_negate(), a[0].copy_negate()

    def multiply(self, a: Interval, b: Interval) -> Interval:
        """The product a b."""
        self._budget.spend(2 * self._cost)
        pairs = [(x, y) for x in a for y in b]
        return (
            min(self._down.multiply(x, y) for x, y in pairs),
            max(self._up.multiply(x, y) for x, y in pairs),
        )

    def divide(self, a: Interval, b: Interval) -> Interval:
        """The quotient a / b."""
        self._budget.spend(2 * self._cost)
        if b[0] == b[1] == 0:
            raise Rejected("division by zero")
        if b[0] <= 0 <= b[1]:
            raise self.undecided("a divisor may be zero")
        pairs = [(x, y) for x in a for y in b]
        return (
            min(self._down.divide(x, y) for x, y in pairs),
            max(self._up.divide(x, y) for x, y in pairs),
        )

    def power(self, a: Interval, exponent: int) -> Interval:
        """The integer power of a; an even power of an interval around 0 starts at 0."""
        if abs(exponent) > POWERS:
            raise Unreadable(f"too large: an exponent beyond {POWERS:,}")
        if exponent < 0:
            return self.divide((_ONE, _ONE), self.power(a, -exponent))
        low, high = a
        if exponent % 2 == 0:
            near = _ZERO if low <= 0 <= high else min(low.copy_abs(), high.copy_abs())
            far = max(low.copy_abs(), high.copy_abs())
            return self._grow(near, exponent, self._down), self._grow(far, exponent, self._up)
        return self._odd(low, exponent, self._down, self._up), self._odd(
            high, exponent, self._up, self._down
        )

    def _odd(self, x: Decimal, exponent: int, toward: Context, away: Context) -> Decimal:
        if x >= 0:
            return self._grow(x, exponent, toward)
        return self._grow(x.copy_negate(), exponent, away).copy_negate()

    def _grow(self, base: Decimal, exponent: int, context: Context) -> Decimal:
        """A power of a number >= 0: every factor rounded one way rounds the product that way."""
        result = _ONE
        while exponent:
            self._budget.spend(2 * self._cost)
            if exponent % 2:
                result = context.multiply(result, base)
            exponent //= 2
            if exponent:
                base = context.multiply(base, base)
        return result

    def exp(self, a: Interval) -> Interval:
        """The exponential, increasing."""
        self._budget.spend(2 * self._transcendental)
        return self._exp_end(a[0])[0], self._exp_end(a[1])[1]

    def _exp_end(self, x: Decimal) -> Interval:
        if x == 0:
            return _ONE, _ONE
        value = self._near.exp(x)
        return max(_ZERO, self._near.next_minus(value)), self._near.next_plus(value)

    def log(self, a: Interval) -> Interval:
        """The natural logarithm, increasing, of positive numbers."""
        self._budget.spend(2 * self._transcendental)
        if a[1] <= 0:
            raise Rejected("logarithm of a number that is not positive")
        if a[0] <= 0:
            raise self.undecided("the argument of a logarithm may be zero or less")
        return self._log_end(a[0])[0], self._log_end(a[1])[1]

    def _log_end(self, x: Decimal) -> Interval:
        if x == 1:
            return _ZERO, _ZERO
        value = self._near.ln(x)
        return self._near.next_minus(value), self._near.next_plus(value)

    def absolute(self, a: Interval) -> Interval:
        """The absolute value."""
        if a[0] >= 0:
            return a
        if a[1] <= 0:
            return self.negate(a)
        return _ZERO, max(a[0].copy_negate(), a[1])

    def largest(self, a: Interval, b: Interval) -> Interval:
        """The larger one."""
        self._budget.spend(1)
        return max(a[0], b[0]), max(a[1], b[1])

    def smallest(self, a: Interval, b: Interval) -> Interval:
        """The smaller one."""
        self._budget.spend(1)
        return min(a[0], b[0]), min(a[1], b[1])


def compare(relation: str, a: Interval, b: Interval) -> bool | None:
    """Whether a relation holds for all numbers in the enclosures, for none, or neither."""
    if relation == "<=":
        return True if a[1] <= b[0] else False if a[0] > b[1] else None
    if relation == "<":
        return True if a[1] < b[0] else False if a[0] >= b[1] else None
    if relation in (">=", ">"):
        return compare("<=" if relation == ">=" else "<", b, a)
    equal = True if a[0] == a[1] == b[0] == b[1] else None
    if a[1] < b[0] or b[1] < a[0]:
        equal = False
    if relation == "=":
        return equal
    return None if equal is None else not equal
