"""Claim A1, the exact side: how far the soft maximum lies above the maximum.

For scores s in R^N and a temperature tau > 0,
0 <= tau log sum_j exp(s_j / tau) - max s <= tau log N. Both numbers are enclosed by balls
(`enclosures.ball`): they are transcendental, so that no exact value can be written down
unless N = 1.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..enclosures.ball import Enclosure, log_sum_exp_gap, scaled_log
from ..rational import Rational


def gap(
    scores: Sequence[Rational | str], temperature: Rational | str, *, digits: int = 60
) -> Enclosure:
    """Enclose tau log sum_j exp(s_j / tau) - max s, the error of dequantisation.

    Args:
        scores: s, N >= 1 rationals of any size.
        temperature: tau > 0.
        digits: the width is at most 10^-digits of the value (or 2^-16384).

    Raises:
        InputError: a float, no score, or a temperature that is not positive.
        PrecisionExhausted: the digits were not reached.

    Source: claim ``tropical.dequantisation``; Maslov's dequantisation.

    Example:
        >>> value = gap([0, -1], 1)
        >>> float(value.lower)
        0.3132616875182228
        >>> value.upper < gap_limit(2, 1).lower
        True
    """
    return log_sum_exp_gap(scores, temperature, digits=digits)


def gap_limit(count: int, temperature: Rational | str, *, digits: int = 60) -> Enclosure:
    """Enclose tau log N, the largest gap of N scores, attained iff all of them are equal.

    Args:
        count: N >= 1.
        temperature: tau > 0.
        digits: as for `gap`.

    Raises:
        InputError: N is no positive integer, or tau is not positive.

    Example:
        >>> gap_limit(1, 7)
        Enclosure(lower=Fraction(0, 1), upper=Fraction(0, 1))
        >>> gap_limit(3, 2).meets(gap([4, 4, 4], 2))
        True
    """
    return scaled_log(count, temperature, digits=digits)
