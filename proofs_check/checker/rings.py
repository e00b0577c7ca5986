"""Three commutative rings (one is a semiring) in which an expression can be evaluated.

Polynomials give the normal form, Numbers the value at a point of a grid, and Degrees, with the
maximum for + and the sum for *, a bound on the degree in every indeterminate.
"""

from __future__ import annotations

from operator import add
from typing import Any, Protocol, TypeAlias

from .budget import Budget, Rational
from .errors import Unreadable

Element: TypeAlias = Any
Monomial: TypeAlias = tuple[int, ...]
Polynomial: TypeAlias = dict[Monomial, Rational]

TERMS = 100_000


class Ring(Protocol):
    """What evaluation needs; elements are never changed in place."""

    def constant(self, value: Rational) -> Element:
        """A rational number as an element."""

    def indeterminate(self, i: int) -> Element:
        """The i-th indeterminate as an element."""

    def add(self, a: Element, b: Element) -> Element:
        """The sum a + b."""

    def multiply(self, a: Element, b: Element) -> Element:
        """The product a b."""


class Polynomials:
    """Polynomials over Q as dictionaries from exponents to nonzero coefficients."""

    def __init__(self, count: int, budget: Budget) -> None:
        """In so many indeterminates."""
        self._count = count
        self._budget = budget

    def constant(self, value: Rational) -> Polynomial:
        """A constant polynomial; the zero polynomial is empty."""
        self._budget.spend(1 + self._count // 32)
        return {(0,) * self._count: value} if value else {}

    def indeterminate(self, i: int) -> Polynomial:
        """The i-th indeterminate."""
        self._budget.spend(1 + self._count // 8)
        return {tuple(int(k == i) for k in range(self._count)): 1}

    def add(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """The sum a + b."""
        self._budget.spend(1 + len(a) + len(b))
        result = dict(a)
        for monomial, coefficient in b.items():
            self._put(result, monomial, coefficient)
        return result

    def multiply(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """The product a b."""
        self._budget.spend(1 + len(a) * len(b) * (2 + self._count // 8))
        result: Polynomial = {}
        for m, x in a.items():
            for n, y in b.items():
                self._put(result, tuple(map(add, m, n)), self._budget.sized(x * y))
            if len(result) > TERMS:
                raise Unreadable(f"too large: a polynomial of more than {TERMS:,} terms")
        return result

    def _put(self, result: Polynomial, monomial: Monomial, coefficient: Rational) -> None:
        total = self._budget.sized(result.get(monomial, 0) + coefficient)
        if total:
            result[monomial] = total
        else:
            result.pop(monomial, None)


class Degrees:
    """Upper bounds on the degree in every indeterminate."""

    def __init__(self, count: int, budget: Budget) -> None:
        """In so many indeterminates."""
        self._count = count
        self._budget = budget

    def constant(self, value: Rational) -> Monomial:
        """Degree 0, for the zero polynomial too: an upper bound."""
        return (0,) * self._count

    def indeterminate(self, i: int) -> Monomial:
        """Degree 1 in one indeterminate."""
        self._budget.spend(1 + self._count // 8)
        return tuple(int(k == i) for k in range(self._count))

    def add(self, a: Monomial, b: Monomial) -> Monomial:
        """The degree of a sum is at most the larger one."""
        self._budget.spend(1 + self._count // 4)
        return tuple(map(max, a, b))

    def multiply(self, a: Monomial, b: Monomial) -> Monomial:
        """The degree of a product is at most the sum."""
        self._budget.spend(1 + self._count // 4)
        return tuple(map(add, a, b))


class Numbers:
    """The rational numbers, with the indeterminates set to given ones."""

    def __init__(self, point: tuple[Rational, ...], budget: Budget) -> None:
        """At a point."""
        self._point = point
        self._budget = budget

    def constant(self, value: Rational) -> Rational:
        """The number itself."""
        return value

    def indeterminate(self, i: int) -> Rational:
        """A coordinate of the point."""
        return self._point[i]

    def add(self, a: Rational, b: Rational) -> Rational:
        """The sum a + b."""
        self._budget.spend(2)
        return self._budget.sized(a + b)

    def multiply(self, a: Rational, b: Rational) -> Rational:
        """The product a b."""
        self._budget.spend(2)
        return self._budget.sized(a * b)
