"""Formulas as functions of an instance, and what their operators are (CERTIFICATES.md, Formulas).

Exact parts have values ``int | Fraction``, enclosed ones pairs of decimals; conditions are true,
false, or None for undecided. `translator` makes these functions from JSON lists.
"""

from __future__ import annotations

import decimal
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from .budget import Budget
from .errors import Rejected
from .fields import Json, integer
from .intervals import Intervals
from .logic import Truth
from .values import Value

Environment: TypeAlias = dict[str, Value]
Condition: TypeAlias = Callable[[Environment], Truth]

RELATIONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "=": operator.eq,
    "!=": operator.ne,
}
METHODS: Mapping[str, str] = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "max": "largest",
    "min": "smallest",
    "abs": "absolute",
    "exp": "exp",
    "log": "log",
    "sum": "add",
    "maxover": "largest",
    "minover": "smallest",
}
_MANY = 1_000_000
ARITY: Mapping[str, tuple[int, int]] = {
    "+": (1, _MANY),
    "*": (1, _MANY),
    "max": (1, _MANY),
    "min": (1, _MANY),
    "-": (1, 2),
    "/": (2, 2),
    "exp": (1, 1),
    "log": (1, 1),
    "abs": (1, 1),
}
RANGES = ("sum", "maxover", "minover", "countover", "forall", "exists")
DIGITS = (10, 1000)


@dataclass(frozen=True)
class Term:
    """A translated number: whether its values are exact, and the function that gives them."""

    exact: bool
    at: Callable[[Environment], Any]


def digits(value: Json, budget: Budget) -> Intervals:
    """The interval arithmetic for the digits that a certificate asks for."""
    return Intervals(integer(value, "digits", *DIGITS), budget)


def weight(node: Json) -> int:
    """A lower estimate of the steps: the nodes, those under a range with a fixed bound often."""
    if type(node) is not list:
        return 1
    inner = 1 + sum(map(weight, node[1:]))
    if len(node) == 4 and node[0] in RANGES and type(node[2]) is int:
        return inner * max(1, node[2])
    return inner


def evaluate(function: Callable[[Environment], Any], env: Mapping[str, Value]) -> Any:
    """The value at an instance.

    Raises:
        Rejected: the formula has no value there, or one beyond the range of the enclosures.
        Unreadable: it takes too many steps.
    """
    try:
        return function(dict(env))
    except decimal.DecimalException:
        raise Rejected("a value beyond the range of the enclosures (overflow)") from None
