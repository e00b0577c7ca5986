"""The values that formulas speak about: numbers and arrays, and how deep they are nested."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from .budget import Rational
from .errors import Rejected, Unreadable, show
from .fields import Json, items, name
from .rationals import parse

Value: TypeAlias = Any
"""A number, or lists of numbers nested to one depth (numbers may be enclosures)."""

DEPTH = 3


def named(value: Json, where: str, leaf: Callable[[Json, str], Value]) -> dict[str, Value]:
    """An object that gives each variable a number or an array.

    Args:
        value: as read.
        where: its place.
        leaf: reads one entry.

    Raises:
        Unreadable: it is malformed.
    """
    if type(value) is not dict:
        raise Unreadable(f"{where}: expected an object, found {show(value)}")
    return {name(key, where): nested(entry, f"{where}.{key}", leaf) for key, entry in value.items()}


def nested(value: Json, where: str, leaf: Callable[[Json, str], Value], depth: int = 0) -> Value:
    """An array of entries that ``leaf`` reads; it gets whatever is not a list of lists.

    Raises:
        Unreadable: it is malformed, or nested to different depths.
    """
    if type(value) is not list or not _is_array(value, leaf):
        return leaf(value, where)
    if depth == DEPTH:
        raise Unreadable(f"{where}: expected at most {DEPTH} axes")
    rows = [nested(row, f"{where}[{i}]", leaf, depth + 1) for i, row in enumerate(value)]
    if len({rank(row) for row in rows}) > 1:
        raise Unreadable(f"{where}: its entries are nested to different depths")
    return rows


def _is_array(value: list[Json], leaf: Callable[[Json, str], Value]) -> bool:
    return leaf is not interval or not value or type(value[0]) is list


def number(value: Json, where: str) -> Rational:
    """An entry that is an exact number."""
    return parse(value, where)


def interval(value: Json, where: str) -> tuple[Rational, Rational]:
    """An entry that is an interval, a list of two numbers.

    Raises:
        Unreadable: it is malformed.
        Rejected: the interval is empty.
    """
    ends = items(value, where)
    if len(ends) != 2:
        raise Unreadable(f"{where}: expected an interval [lower, upper], found {show(value)}")
    low, high = parse(ends[0], f"{where}[0]"), parse(ends[1], f"{where}[1]")
    if low > high:
        raise Rejected(f"{where}: the interval from {show(low)} to {show(high)} is empty")
    return low, high


def rank(value: Value) -> int:
    """How many indices lead to a number; enclosures are tuples, arrays lists."""
    depth = 0
    while type(value) is list:
        depth += 1
        if not value:
            break
        value = value[0]
    return depth


def ranks(instance: dict[str, Value]) -> dict[str, int]:
    """The rank of every variable."""
    return {key: rank(value) for key, value in instance.items()}
