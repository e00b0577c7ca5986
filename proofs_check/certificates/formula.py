r"""Formulas, written with Python's operators, as JSON for certificates and as LaTeX for reports.

    k, x = "k", "x"
    score = sum_over("c", length(x), at(k, var("j"), var("c")) * at(x, var("c")))
    winner = score >= max_over("j", length(k), score)

Numbers are ints and Fractions. ``<=``, ``<``, ``>=`` and ``>`` give conditions; so do `equal` and
`different`, because ``==`` compares the formulas themselves. A condition has no truth value here:
it is a sentence for the checker, and ``if`` or a chain like ``0 <= x <= 1`` raises TypeError.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, Union

from ...symbolic.rational import Rational, write
from ..evidence import Json
from .notation import latex

Part: TypeAlias = Union["Expression", "Condition", str]
Number: TypeAlias = Union["Expression", int, Fraction]


@dataclass(frozen=True)
class _Node:
    """An operator with its arguments; a literal has no arguments."""

    head: str
    parts: tuple[Part, ...] = ()
    value: Rational = 0

    def json(self) -> Json:
        """The formula as certificates carry it."""
        if self.head == "number":
            return write(self.value)
        return [self.head, *(p if isinstance(p, str) else p.json() for p in self.parts)]

    def latex(self) -> str:
        """The formula as LaTeX, without dollar signs."""
        return latex(self.json())


class Expression(_Node):
    """A number: a literal, a variable, or an operation on numbers."""

    def __add__(self, other: Number) -> Expression:
        """The sum; chains become one sum."""
        return Expression("+", (*_chain(self, "+"), _number(other)))

    def __radd__(self, other: Number) -> Expression:
        """The sum."""
        return _number(other) + self

    def __sub__(self, other: Number) -> Expression:
        """The difference."""
        return Expression("-", (self, _number(other)))

    def __rsub__(self, other: Number) -> Expression:
        """The difference."""
        return _number(other) - self

    def __neg__(self) -> Expression:
        """The negative."""
        return Expression("-", (self,))

    def __mul__(self, other: Number) -> Expression:
        """The product; chains become one product."""
        return Expression("*", (*_chain(self, "*"), _number(other)))

    def __rmul__(self, other: Number) -> Expression:
        """The product."""
        return _number(other) * self

    def __truediv__(self, other: Number) -> Expression:
        """The quotient."""
        return Expression("/", (self, _number(other)))

    def __rtruediv__(self, other: Number) -> Expression:
        """The quotient."""
        return _number(other) / self

    def __pow__(self, exponent: Number) -> Expression:
        """An integer power."""
        return Expression("^", (self, _number(exponent)))

    def __abs__(self) -> Expression:
        """The absolute value."""
        return Expression("abs", (self,))

    def __le__(self, other: Number) -> Condition:
        """The condition <=."""
        return Condition("<=", (self, _number(other)))

    def __lt__(self, other: Number) -> Condition:
        """The condition <."""
        return Condition("<", (self, _number(other)))

    def __ge__(self, other: Number) -> Condition:
        """The condition >=."""
        return Condition(">=", (self, _number(other)))

    def __gt__(self, other: Number) -> Condition:
        """The condition >."""
        return Condition(">", (self, _number(other)))


class Condition(_Node):
    """A sentence that is true or false at an instance."""

    def __and__(self, other: Condition) -> Condition:
        """Both."""
        return every(self, other)

    def __or__(self, other: Condition) -> Condition:
        """One of them at least."""
        return some(self, other)

    def __invert__(self) -> Condition:
        """The negation."""
        return Condition("not", (self,))

    def __bool__(self) -> bool:
        """Refuse: only an instance makes it true or false."""
        raise TypeError("a condition has no truth value of its own; join conditions by & | ~")


def _number(value: Number) -> Expression:
    if isinstance(value, Expression):
        return value
    write(value)  # refuses what is not exact
    return Expression("number", (), value)


def _chain(value: Expression, head: str) -> tuple[Part, ...]:
    return value.parts if value.head == head else (value,)


def number(value: Rational) -> Expression:
    """A literal."""
    return _number(value)


def var(name: str) -> Expression:
    """A variable, or the index of an enclosing range."""
    return Expression("var", (name,))


def at(name: str, *indices: Number) -> Expression:
    """An entry of an array."""
    return Expression("at", (name, *map(_number, indices)))


def length(name: str, *indices: Number) -> Expression:
    """The length of an array, or of the row that the indices lead to."""
    return Expression("len", (name, *map(_number, indices)))


def exp(value: Number) -> Expression:
    """The exponential."""
    return Expression("exp", (_number(value),))


def log(value: Number) -> Expression:
    """The natural logarithm."""
    return Expression("log", (_number(value),))


def maximum(*values: Number) -> Expression:
    """The largest of the values."""
    return Expression("max", tuple(map(_number, values)))


def minimum(*values: Number) -> Expression:
    """The smallest of the values."""
    return Expression("min", tuple(map(_number, values)))


def sum_over(index: str, count: Number, body: Number) -> Expression:
    """The sum of the body over index = 0, ..., count - 1."""
    return Expression("sum", (index, _number(count), _number(body)))


def max_over(index: str, count: Number, body: Number) -> Expression:
    """The largest value of the body over index = 0, ..., count - 1."""
    return Expression("maxover", (index, _number(count), _number(body)))


def min_over(index: str, count: Number, body: Number) -> Expression:
    """The smallest value of the body over index = 0, ..., count - 1."""
    return Expression("minover", (index, _number(count), _number(body)))


def count_over(index: str, count: Number, body: Condition) -> Expression:
    """For how many index = 0, ..., count - 1 the condition holds."""
    return Expression("countover", (index, _number(count), body))


def equal(left: Number, right: Number) -> Condition:
    """The condition =."""
    return Condition("=", (_number(left), _number(right)))


def different(left: Number, right: Number) -> Condition:
    """The condition !=."""
    return Condition("!=", (_number(left), _number(right)))


def every(*conditions: Condition) -> Condition:
    """All of them."""
    return Condition("and", conditions)


def some(*conditions: Condition) -> Condition:
    """One of them at least."""
    return Condition("or", conditions)


def implies(hypothesis: Condition, conclusion: Condition) -> Condition:
    """The conclusion whenever the hypothesis."""
    return Condition("implies", (hypothesis, conclusion))


def iff(left: Condition, right: Condition) -> Condition:
    """Both or neither."""
    return Condition("iff", (left, right))


def forall(index: str, count: Number, body: Condition) -> Condition:
    """The body for all index = 0, ..., count - 1."""
    return Condition("forall", (index, _number(count), body))


def exists(index: str, count: Number, body: Condition) -> Condition:
    """The body for some index = 0, ..., count - 1."""
    return Condition("exists", (index, _number(count), body))
