"""The fraction of least denominator in an interval: how a narrow enclosure is written."""

from __future__ import annotations

from fractions import Fraction


def simplest_within(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator in a closed interval, by continued fractions.

    Example:
        >>> simplest_within(Fraction(3, 10), Fraction(2, 5))
        Fraction(1, 3)
    """
    if low <= 0 <= high:
        return Fraction(0)
    if high < 0:
        return -simplest_within(-high, -low)
    whole = -(-low.numerator // low.denominator)
    if whole <= high:
        return Fraction(whole)
    # Both ends lie strictly between two integers: turn the fractional parts over.
    floor = whole - 1
    return floor + 1 / simplest_within(1 / (high - floor), 1 / (low - floor))
