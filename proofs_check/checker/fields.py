"""Access to the parts of a certificate that insists on their form.

``type(x) is int`` and the like are meant: a JSON ``true`` is an ``int`` to ``isinstance``.
"""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from .budget import Rational
from .errors import Rejected, Unreadable, show
from .rationals import parse

Json: TypeAlias = Any

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}")
"""The names of variables."""


def members(
    value: Json, where: str, required: tuple[str, ...], optional: tuple[str, ...] = ()
) -> dict[str, Json]:
    """An object with exactly the required keys and perhaps the optional ones.

    Raises:
        Unreadable: it is something else, a key is missing, or one is unknown.
    """
    if type(value) is not dict:
        raise Unreadable(f"{where}: expected an object, found {show(value)}")
    for key in required:
        if key not in value:
            raise Unreadable(f"{where}: key {key!r} is missing")
    for key in value:
        if key not in required and key not in optional:
            raise Unreadable(f"{where}: unknown key {show(key)}")
    return value


def items(value: Json, where: str, least: int = 0) -> list[Json]:
    """A list of at least so many items.

    Raises:
        Unreadable: it is something else or shorter.
    """
    if type(value) is not list:
        raise Unreadable(f"{where}: expected a list, found {show(value)}")
    if len(value) < least:
        raise Unreadable(f"{where}: expected at least {least} items, found {len(value)}")
    return value


def vector(value: Json, where: str, length: int | None = None) -> list[Rational]:
    """A list of numbers, of the given length if there is one.

    Raises:
        Unreadable: it is something else.
    """
    numbers = [parse(entry, f"{where}[{i}]") for i, entry in enumerate(items(value, where))]
    if length is not None and len(numbers) != length:
        raise Unreadable(f"{where}: expected {length} numbers, found {len(numbers)}")
    return numbers


def integer(value: Json, where: str, least: int, most: int | None = None) -> int:
    """A JSON integer in a range.

    Raises:
        Unreadable: it is something else or outside.
    """
    if type(value) is not int:
        raise Unreadable(f"{where}: expected an integer, found {show(value)}")
    if value < least or (most is not None and value > most):
        upper = "" if most is None else f" to {most}"
        raise Unreadable(f"{where}: expected an integer from {least}{upper}, found {show(value)}")
    return value


def index(value: Json, where: str, count: int, of_what: str) -> int:
    """An index below a count.

    Raises:
        Unreadable: it is no integer, or negative.
        Rejected: there is no such item.
    """
    position = integer(value, where, 0)
    if position >= count:
        raise Rejected(f"{where}: there is no {of_what} {show(position)}, only {count}")
    return position


def flag(value: Json, where: str) -> bool:
    """A JSON boolean.

    Raises:
        Unreadable: it is something else.
    """
    if type(value) is not bool:
        raise Unreadable(f"{where}: expected true or false, found {show(value)}")
    return value


def name(value: Json, where: str) -> str:
    """A variable's name.

    Raises:
        Unreadable: it is something else.
    """
    if type(value) is not str or NAME.fullmatch(value) is None:
        raise Unreadable(f"{where}: expected a name of letters and digits, found {show(value)}")
    return value


def count(data: dict[str, Json], found: int, of_what: str) -> None:
    """Compare the number that the certificate states with the one counted.

    Raises:
        Rejected: they differ.
    """
    stated = integer(data["count"], "count", 0)
    if stated != found:
        raise Rejected(f"count: {show(stated)} {of_what} stated, {found} counted")
