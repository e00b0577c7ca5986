"""What all certificates have in common: the envelope, and how numbers are written."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from ...symbolic.errors import InputError

Json: TypeAlias = Any
Rational: TypeAlias = int | Fraction
Array: TypeAlias = Any
"""A rational, or sequences of them nested to one depth."""

FORMAT = "headproof-certificate/1"
_FIRST_HEXADECIMAL = 10**4000


def envelope(kind: str, claim: str, data: Mapping[str, Json]) -> dict[str, Json]:
    """A certificate of a kind with its data.

    Example:
        >>> envelope("hull", "tropical.cells", {})["format"]
        'headproof-certificate/1'
    """
    return {"format": FORMAT, "kind": kind, "claim": claim, "data": dict(data)}


def write(value: Rational) -> int | str:
    """A rational as JSON: an integer, ``"p/q"``, or hexadecimal beyond 4,000 digits.

    Raises:
        InputError: it is no exact rational (a float, a boolean).

    Example:
        >>> write(Fraction(-3, 6)), write(7)
        ('-1/2', 7)
    """
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
        raise InputError("an int or a Fraction", f"{value!r} of type {type(value).__name__}")
    whole = int(value.numerator)
    if value.denominator == 1:
        return whole if abs(whole) < _FIRST_HEXADECIMAL else hex(whole)
    return f"{_digits(whole)}/{_digits(value.denominator)}"


def _digits(value: int) -> str:
    return str(value) if abs(value) < _FIRST_HEXADECIMAL else hex(value)


def write_array(value: Array) -> Json:
    """A number or nested sequences of numbers as JSON.

    Example:
        >>> write_array([(1, Fraction(1, 2)), (0, 0)])
        [[1, '1/2'], [0, 0]]
    """
    if isinstance(value, (list, tuple)):
        return [write_array(entry) for entry in value]
    return write(value)


def write_instance(instance: Mapping[str, Array]) -> dict[str, Json]:
    """Numbers and arrays by name as JSON."""
    return {name: write_array(value) for name, value in instance.items()}
