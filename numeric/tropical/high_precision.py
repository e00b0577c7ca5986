"""Between rational numbers and mpmath: exact on the way in and out, no global precision.

Every twin that computes in mpmath takes a context of its own; ``mpmath.mp`` is not touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import mpmath

Number: TypeAlias = int | float | Fraction
"""An exact rational, or a float taken for the rational that it is."""


def context(digits: int, *, extra_bits: int) -> mpmath.MPContext:
    """A context that works with ``digits`` decimal digits and some bits more.

    Args:
        digits: at least 1.
        extra_bits: of precision, beyond the digits.

    Raises:
        ValueError: digits < 1.

    Example:
        >>> context(30, extra_bits=20).prec
        119
    """
    if digits < 1:
        raise ValueError(f"expected digits >= 1, found {digits}")
    found = mpmath.mp.clone()
    found.prec = int(3.33 * digits) + extra_bits
    return found


def mpf(context: mpmath.MPContext, value: Number) -> mpmath.mpf:
    """The number in a context, rounded once.

    Example:
        >>> mpf(context(10, extra_bits=0), Fraction(-3, 4))
        mpf('-0.75')
    """
    exact = Fraction(value)
    return context.mpf(exact.numerator) / context.mpf(exact.denominator)


def mpf_fraction(value: mpmath.mpf) -> Fraction:
    """The rational number that an mpf is.

    Example:
        >>> mpf_fraction(mpmath.mpf("-0.75"))
        Fraction(-3, 4)
    """
    mantissa, exponent = value.man_exp  # without the sign
    sign = -1 if value < 0 else 1
    return sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def exact_row(scores: Sequence[Number], temperature: Number) -> tuple[list[Fraction], Fraction]:
    """Scores and a temperature as the rationals that they are.

    Args:
        scores: at least one.
        temperature: tau > 0.

    Raises:
        ValueError: no scores, or tau <= 0.

    Example:
        >>> exact_row([0.5, 1], 2)
        ([Fraction(1, 2), Fraction(1, 1)], Fraction(2, 1))
    """
    values, tau = [Fraction(value) for value in scores], Fraction(temperature)
    if not values or tau <= 0:
        raise ValueError(
            f"expected at least one score and a temperature > 0, found {len(values)} and {tau}"
        )
    return values, tau
