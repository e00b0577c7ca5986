"""Rational numbers at the border: what is accepted, how it is written, a common denominator.

Exact answers need exact questions, so a float is refused wherever exactness is claimed: 0.1 is not
1/10, and a silent conversion would certify a statement about another number. Text is parsed by one
regular expression and never by ``Fraction(str)``, which accepts exponents ("1e999999999") and with
them unbounded work. Integers of more than 4,000 digits are written in hexadecimal, because Python
refuses to read or print longer decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from numbers import Integral
from typing import Any, TypeAlias

from .errors import InputError

Rational: TypeAlias = int | Fraction
"""An exact rational number."""

Vector: TypeAlias = tuple[Rational, ...]
"""A point or a functional, one entry a coordinate."""

LONGEST_DECIMAL = 4000
"""Integers with more decimal digits are written in hexadecimal."""

_FIRST_IN_HEXADECIMAL = 10**LONGEST_DECIMAL
_INTEGER = r"(-?)(0|[1-9][0-9]*|0x[0-9a-f]+)"
_NUMBER = re.compile(rf"{_INTEGER}(?:/(0|[1-9][0-9]*|0x[0-9a-f]+))?")
_EXPECTED = 'an integer or a reduced string "p/q"'


def parse(value: Any, where: str = "") -> Rational:
    """Read one rational number: an integer, a Fraction, or a reduced string "p/q".

    Args:
        value: what stands in the input.
        where: its place, for the message, such as ``points[3][1]``.

    Returns:
        An int if the number is an integer, a Fraction otherwise.

    Raises:
        InputError: a float, a truth value, None, an unreduced or malformed string.

    Example:
        >>> parse("-3/7"), parse(4)
        (Fraction(-3, 7), 4)
        >>> parse(0.5, "points[3][1]")
        Traceback (most recent call last):
            ...
        headproof.symbolic.errors.InputError: points[3][1]: expected an integer or a reduced \
string "p/q", found the float 0.5; write it as "1/2" if that is the exact value
    """
    if type(value) is int:
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else value
    if isinstance(value, str):
        return _from_text(value, where)
    if isinstance(value, bool):
        raise InputError(_EXPECTED, f"the truth value {value}", where=where)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, float):
        raise InputError(_EXPECTED, f"the float {value!r}", where=where, remedy=_exact_value(value))
    raise InputError(_EXPECTED, f"{_short(value)} of type {type(value).__name__}", where=where)


def _exact_value(value: float) -> str:
    """What to write instead of a float."""
    if value != value or value in (float("inf"), float("-inf")):
        return "only finite numbers are rational"
    exact = Fraction(value)
    if exact.denominator < 10**6 and abs(exact.numerator) < 10**6:
        text = f'"{exact}"' if exact.denominator > 1 else str(exact)
        return f"write it as {text} if that is the exact value"
    return "write the exact rational that is meant"


def _from_text(text: str, where: str) -> Rational:
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise InputError(_EXPECTED, _short(text), where=where)
    sign, above, below = match.groups()
    numerator = _natural(above, where)
    if sign and not numerator:
        raise InputError(_EXPECTED, _short(text), where=where, remedy="write 0")
    signed = -numerator if sign else numerator
    if below is None:
        return signed
    denominator = _natural(below, where)
    if denominator < 2 or gcd(numerator, denominator) != 1:
        remedy = "a denominator of zero is no number"
        if denominator:
            remedy = f"write {_short(write(Fraction(signed, denominator)))}"
        raise InputError(_EXPECTED, f"{_short(text)}, not reduced", where=where, remedy=remedy)
    return Fraction(signed, denominator)


def _natural(digits: str, where: str) -> int:
    if digits.startswith("0x"):
        return int(digits, 16)
    if len(digits) > LONGEST_DECIMAL:
        raise InputError(
            f"at most {LONGEST_DECIMAL} decimal digits",
            f"{len(digits)} digits",
            where=where,
            remedy='write the integer in hexadecimal, "0x..."',
        )
    return int(digits)


def _short(value: Any) -> str:
    """The value as it is shown in a message, never longer than a line."""
    text = repr(value) if not isinstance(value, int) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def vector(values: Any, where: str = "", *, dimension: int | None = None) -> Vector:
    """Read a list of rational numbers.

    Args:
        values: the list.
        where: its place, for the message.
        dimension: the number of entries that it must have; any if None.

    Raises:
        InputError: no list, an entry that is no rational number, or a wrong number of entries.

    Example:
        >>> vector([1, "1/2"])
        (1, Fraction(1, 2))
    """
    entries = _entries(values, "a list of numbers", where)
    if dimension is not None and len(entries) != dimension:
        plural = "" if dimension == 1 else "s"
        raise InputError(f"{dimension} number{plural}", f"{len(entries)}", where=where)
    return tuple(parse(entry, f"{where}[{i}]") for i, entry in enumerate(entries))


def matrix(
    rows: Any, where: str = "", *, columns: int | None = None, least_rows: int = 0
) -> tuple[Vector, ...]:
    """Read a list of vectors of one dimension.

    Args:
        rows: the list of lists.
        where: its place, for the message.
        columns: the number of entries of each row; that of the first row if None.
        least_rows: the number of rows that it must have at least.

    Raises:
        InputError: no list of lists, an entry that is no rational number, too few rows, or rows
            of different lengths.

    Example:
        >>> matrix([[0, 1], ["1/2", 3]])
        ((0, 1), (Fraction(1, 2), 3))
    """
    lists = _entries(rows, "a list of lists of numbers", where)
    if len(lists) < least_rows:
        plural = "" if least_rows == 1 else "s"
        raise InputError(f"at least {least_rows} row{plural}", f"{len(lists)}", where=where)
    found: list[Vector] = []
    for i, row in enumerate(lists):
        found.append(vector(row, f"{where}[{i}]", dimension=columns))
        columns = len(found[0])
    return tuple(found)


def _entries(values: Any, expected: str, where: str) -> Sequence[Any]:
    if isinstance(values, (str, bytes, dict)) or not isinstance(values, Iterable):
        raise InputError(expected, f"{_short(values)} of type {type(values).__name__}", where=where)
    return values if isinstance(values, (list, tuple)) else list(values)


def write(value: Rational) -> int | str:
    """Write a rational number as certificates and results carry it.

    An integer stays a JSON integer, a fraction becomes a reduced string, and an integer of more
    than 4,000 digits becomes a hexadecimal string. ``parse`` reads each of them back.

    Raises:
        InputError: it is no exact rational (a float, a truth value).

    Example:
        >>> write(Fraction(6, -4)), write(3), write(1 << 14000)[:6]
        ('-3/2', 3, '0x1000')
    """
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise InputError("an int or a Fraction", f"{_short(value)} of type {type(value).__name__}")
    whole = value.numerator
    if value.denominator == 1:
        return whole if abs(whole) < _FIRST_IN_HEXADECIMAL else hex(whole)
    return f"{_digits(whole)}/{_digits(value.denominator)}"


def _digits(value: int) -> str:
    return str(value) if abs(value) < _FIRST_IN_HEXADECIMAL else hex(value)


def integer_rows(rows: Sequence[Sequence[Rational]]) -> tuple[list[list[int]], int]:
    """Bring all entries to one denominator D: ``rows = integers / D``.

    Args:
        rows: rational vectors, as `matrix` returns them.

    Returns:
        The integers and D >= 1, the least that serves.

    Example:
        >>> integer_rows([(1, Fraction(1, 2)), (Fraction(2, 3), 0)])
        ([[6, 3], [4, 0]], 6)
    """
    common = lcm(*{entry.denominator for row in rows for entry in row})
    if common == 1:
        return [[int(entry) for entry in row] for row in rows], 1
    return [
        [entry.numerator * (common // entry.denominator) for entry in row] for row in rows
    ], common


def primitive(integers: Sequence[int]) -> tuple[int, ...]:
    """Divide integers by their greatest common divisor.

    Example:
        >>> primitive([4, -6, 0])
        (2, -3, 0)
    """
    divisor = gcd(*integers)
    return tuple(entry // divisor for entry in integers) if divisor > 1 else tuple(integers)


def plain(value: Rational) -> Rational:
    """An int where the number is whole, so that equal numbers are written alike.

    Example:
        >>> plain(Fraction(4, 2)), plain(Fraction(1, 2))
        (2, Fraction(1, 2))
    """
    return value.numerator if value.denominator == 1 else value


def from_fmpq(value: Any) -> Rational:
    """A rational of python-flint as this library passes numbers on.

    Args:
        value: a ``flint.fmpq``.

    Example:
        >>> from flint import fmpq
        >>> from_fmpq(fmpq(4, 2)), from_fmpq(fmpq(1, 2))
        (2, Fraction(1, 2))
    """
    numerator, denominator = int(value.p), int(value.q)
    return numerator if denominator == 1 else Fraction(numerator, denominator)


def inner(u: Sequence[Rational], v: Sequence[Rational]) -> Rational:
    """The inner product <u, v>.

    Raises:
        ValueError: they have different numbers of entries.

    Example:
        >>> inner((1, Fraction(1, 2)), (2, 2))
        Fraction(3, 1)
    """
    return sum((a * b for a, b in zip(u, v, strict=True)), 0)
