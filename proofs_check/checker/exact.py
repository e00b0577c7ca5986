"""Exact rational arithmetic, with the operations that formulas have and a bound on the work."""

from __future__ import annotations

from fractions import Fraction

from .budget import Budget, Rational
from .errors import Rejected


class Exact:
    """The operations on ``int | Fraction``, each of which spends from the budget."""

    def __init__(self, budget: Budget) -> None:
        """Arithmetic that spends from the budget."""
        self._budget = budget

    def add(self, a: Rational, b: Rational) -> Rational:
        """The sum a + b."""
        self._budget.spend(1)
        return self._budget.sized(a + b)

    def subtract(self, a: Rational, b: Rational) -> Rational:
        """The difference a - b."""
        self._budget.spend(1)
        return self._budget.sized(a - b)

    def negate(self, a: Rational) -> Rational:
        """The negative of a."""
        return -a

    def multiply(self, a: Rational, b: Rational) -> Rational:
        """The product a b."""
        self._budget.spend(1)
        return self._budget.sized(a * b)

    def divide(self, a: Rational, b: Rational) -> Rational:
        """The quotient a / b.

        Raises:
            Rejected: b is 0.
        """
        self._budget.spend(2)
        if b == 0:
            raise Rejected("division by zero")
        return self._budget.sized(Fraction(a) / b)

    def power(self, base: Rational, exponent: int) -> Rational:
        """An integer power; 0 to the power 0 is 1.

        Raises:
            Rejected: 0 to a negative power.
        """
        self._budget.spend(2)
        if base == 0 and exponent < 0:
            raise Rejected("division by zero: 0 to a negative power")
        return self._budget.power(base, exponent)

    def absolute(self, a: Rational) -> Rational:
        """The absolute value."""
        return a if a >= 0 else -a

    def largest(self, a: Rational, b: Rational) -> Rational:
        """The larger one."""
        self._budget.spend(1)
        return max(a, b)

    def smallest(self, a: Rational, b: Rational) -> Rational:
        """The smaller one."""
        self._budget.spend(1)
        return min(a, b)
