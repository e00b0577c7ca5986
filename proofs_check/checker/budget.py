"""A bound on the work that one certificate may cause, so that none can stall the checker.

A step is about a microsecond. Whoever works spends steps *before* the work is done, so that a
formula with a sum over 10^12 terms is refused at once rather than after a minute. Numbers may not
grow beyond a fixed number of bits, because a few squarings of a small number fill any memory.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from .errors import Unreadable, show

Rational: TypeAlias = int | Fraction

STEPS = 60_000_000
BITS = 131_072


def bits(value: Rational) -> int:
    """The bits of numerator and denominator, the longer of the two."""
    if type(value) is int:
        return value.bit_length()
    return max(value.numerator.bit_length(), value.denominator.bit_length())


class Budget:
    """What is left of the steps that a certificate may cost."""

    def __init__(self, steps: int = STEPS) -> None:
        """Start with all the steps."""
        self.left = steps

    def spend(self, steps: int) -> None:
        """Take steps away.

        Raises:
            Unreadable: there are not so many left.
        """
        self.left -= steps
        if self.left < 0:
            raise Unreadable(f"too large: checking takes more than {STEPS:,} steps")

    def sized(self, value: Rational) -> Rational:
        """The same number, after a look at its length.

        Raises:
            Unreadable: it is longer than a number may be.
        """
        length = bits(value)
        if length > 512:
            if length > BITS:
                raise Unreadable(f"too large: a number of {length:,} bits, at most {BITS:,}")
            # Products and greatest common divisors of long numbers take quadratic time.
            self.spend(length * length >> 18)
        return value

    def power(self, base: Rational, exponent: int) -> Rational:
        """``base ** exponent``, whose length is bounded before it is computed.

        Raises:
            Unreadable: the power would be longer than a number may be.
        """
        if abs(exponent) * max(bits(base) - 1, 0) > BITS:
            raise Unreadable(f"too large: {show(base)} to the power {show(exponent)}")
        if exponent >= 0:
            return self.sized(base**exponent)
        return self.sized(Fraction(1) / Fraction(base) ** -exponent)
