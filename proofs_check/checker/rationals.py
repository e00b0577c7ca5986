"""Rational numbers as certificates write them, and nothing else.

``Fraction(text)`` is not used: it accepts decimals, exponents and underscores, and "1e9999999"
makes it fill the memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

from .budget import BITS, Budget, Rational, bits
from .errors import Unreadable, show

DIGITS = 4000
"""Longer integers are hexadecimal."""

_DECIMAL = rf"(?:0|[1-9][0-9]{{0,{DIGITS - 1}}})"
_HEXADECIMAL = rf"0x[1-9a-f][0-9a-f]{{0,{BITS // 4 - 1}}}"
_RATIONAL = re.compile(rf"(-?)({_DECIMAL}|{_HEXADECIMAL})(?:/({_DECIMAL}|{_HEXADECIMAL}))?")
_FIRST_HEXADECIMAL = 10**DIGITS
_TOTAL_BITS = 2**31


def parse_decimal(digits: str) -> int:
    """An integer token of JSON.

    Raises:
        Unreadable: it has more digits than a decimal integer may have.
    """
    if len(digits) > DIGITS + 1 or (len(digits) > DIGITS and digits[0] != "-"):
        raise Unreadable(f'an integer of {len(digits):,} digits: over {DIGITS:,} write "0x..."')
    try:
        return int(digits)
    except ValueError:
        raise Unreadable(
            f"this Python is set to refuse integers of {len(digits)} digits: "
            "unset PYTHONINTMAXSTRDIGITS"
        ) from None


def parse(value: object, where: str) -> Rational:
    """A number of a certificate: a JSON integer or a string ``"p/q"`` in lowest terms.

    Args:
        value: as ``json`` read it.
        where: the place in the certificate, for the message.

    Raises:
        Unreadable: it is anything else.

    Example:
        >>> parse("-2/3", "bound")
        Fraction(-2, 3)
    """
    if type(value) is int:
        return value
    if type(value) is not str:
        raise Unreadable(f'{where}: expected an integer or "p/q", found {show(value)}')
    match = _RATIONAL.fullmatch(value)
    if match is None:
        raise Unreadable(f'{where}: expected an integer or "p/q", found {show(value)}')
    sign, upper, lower = match.groups()
    numerator = _part(upper, where)
    if sign:
        if numerator == 0:
            raise Unreadable(f"{where}: expected 0 without a sign, found {show(value)}")
        numerator = -numerator
    if lower is None:
        return numerator
    denominator = _part(lower, where)
    if denominator < 2 or gcd(numerator, denominator) != 1:
        raise Unreadable(f"{where}: expected lowest terms p/q with q > 1, found {show(value)}")
    return Fraction(numerator, denominator)


def _part(digits: str, where: str) -> int:
    if not digits.startswith("0x"):
        return parse_decimal(digits)
    value = int(digits, 16)
    if value < _FIRST_HEXADECIMAL:
        raise Unreadable(f"{where}: hexadecimal is for integers of over {DIGITS:,} digits only")
    return value


def scaled(values: Sequence[Rational], where: str, budget: Budget) -> tuple[list[int], int]:
    """Integers n_i and one positive denominator q with value_i = n_i / q.

    Raises:
        Unreadable: q, or all the n_i together, would be too long.
    """
    common = 1
    for value in values:
        if type(value) is not int:
            denominator = value.denominator
            budget.spend(1 + (1 + bits(common) // 64) * (1 + bits(denominator) // 64) // 64)
            common = lcm(common, denominator)
            if bits(common) > BITS:
                raise Unreadable(f"{where}: the common denominator has more than {BITS:,} bits")
    # One long denominator among a million short numbers would make all of them long.
    if len(values) * bits(common) > _TOTAL_BITS:
        raise Unreadable(f"{where}: too large over a common denominator")
    budget.spend(len(values) * (1 + bits(common) // 1024))
    return [v.numerator * (common // v.denominator) for v in values], common
