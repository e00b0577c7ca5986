"""Claim A3, the exact side: the attention weights as the temperature falls to zero.

The weights tend to the uniform law on the argmax set T, not to one of its members. With m = |T|,
Delta the gap to the best score outside T, and R = sum_{j not in T} exp(-gap_j / tau), the total
variation distance to the limit is R / (m + R), at most (N - m) exp(-Delta / tau) / m.

Weights of base e are transcendental and enclosed by balls. In base 2, with k s_j integers, the
weights 2^(k s_j) / sum_i 2^(k s_i) are rational: the same statement, decided without any rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from ..enclosures.ball import (
    Enclosure,
    enclose,
    exponential,
    gaps,
    positive_temperature,
    real,
    softmax,
)
from ..errors import InputError
from ..rational import Rational, write

LONGEST_SPREAD = 1 << 20
"""The largest exponent of a weight in base 2, so that a weight has at most a million bits."""


@dataclass(frozen=True)
class Deviation:
    """The total variation distance to the limit, and the bound (N - m) base^(-k Delta) / m."""

    distance: Fraction
    bound: Fraction


@dataclass(frozen=True)
class DeviationEnclosure:
    """Enclosures of the total variation distance and of the bound (N - m) exp(-Delta/tau) / m."""

    distance: Enclosure
    bound: Enclosure


def limit(scores: Sequence[Rational | str]) -> tuple[Fraction, ...]:
    """Compute the limit of the weights: the uniform law on the argmax set.

    Raises:
        InputError: a float or no score.

    Example:
        >>> limit([2, 1, 2])
        (Fraction(1, 2), Fraction(0, 1), Fraction(1, 2))
    """
    behind = gaps(scores)
    share = Fraction(1, behind.count(0))
    return tuple(Fraction(0) if gap else share for gap in behind)


def weights(
    scores: Sequence[Rational | str], *, inverse_temperature: int = 1
) -> tuple[Fraction, ...]:
    """Compute the softmax weights in base 2 exactly: 2^(k s_j) / sum_i 2^(k s_i).

    Args:
        scores: s, N >= 1 rationals; every k (max s - s_j) must be an integer up to 2^20.
        inverse_temperature: k >= 1.

    Raises:
        InputError: a float, no score, or exponents that are no integers or too large.

    Example:
        >>> weights([1, 0, 0], inverse_temperature=1)
        (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    powers = _powers(scores, inverse_temperature)
    total = sum(powers)
    return tuple(Fraction(power, total) for power in powers)


def _powers(scores: Sequence[Rational | str], k: int) -> list[int]:
    """The weights times a common factor: 2^(largest exponent - own exponent)."""
    if type(k) is not int or k < 1:
        raise InputError("a positive integer", repr(k), where="inverse_temperature")
    exponents = [k * gap for gap in gaps(scores)]
    for j, exponent in enumerate(exponents):
        if exponent.denominator != 1:
            raise InputError(
                "scores that differ by integers after scaling",
                f"a difference of {write(exponent)}",
                where=f"scores[{j}]",
                remedy="choose an inverse temperature that clears the denominators, "
                "or use weight_enclosures",
            )
    spread = int(max(exponents))
    if spread > LONGEST_SPREAD:
        raise InputError(
            f"scaled scores that differ by at most {LONGEST_SPREAD}",
            f"a difference of {str(write(spread))[:40]}",
            where="scores",
            remedy="use weight_enclosures",
        )
    return [1 << (spread - int(exponent)) for exponent in exponents]


def weight_enclosures(
    scores: Sequence[Rational | str], temperature: Rational | str, *, digits: int = 60
) -> tuple[Enclosure, ...]:
    """Enclose the softmax weights exp(s_j / tau) / sum_i exp(s_i / tau).

    Args:
        scores: s, N >= 1 rationals of any size.
        temperature: tau > 0.
        digits: each width is at most 10^-digits of its weight (or 2^-16384).

    Raises:
        InputError: a float, no score, or a temperature that is not positive.
        PrecisionExhausted: the digits were not reached.

    Example:
        >>> best, other = weight_enclosures([10**30, 0], "1/1000000")
        >>> best.contains(1), other.lower == 0, other.upper == Fraction(1, 2**16384)
        (True, True, True)
    """
    return softmax(scores, temperature, digits=digits)


def deviation(scores: Sequence[Rational | str], *, inverse_temperature: int = 1) -> Deviation:
    """Compute how far the weights in base 2 are from their limit, and the bound, exactly.

    Raises:
        InputError: as for `weights`.

    Example:
        >>> deviation([1, 0, 0], inverse_temperature=2)
        Deviation(distance=Fraction(1, 3), bound=Fraction(1, 2))
    """
    powers = sorted(_powers(scores, inverse_temperature), reverse=True)
    m = powers.count(powers[0])
    others = powers[m:]
    if not others:
        return Deviation(Fraction(0), Fraction(0))
    return Deviation(
        distance=Fraction(sum(others), sum(powers)),
        bound=Fraction(len(others) * others[0], m * powers[0]),
    )


def deviation_bounds(
    scores: Sequence[Rational | str], temperature: Rational | str, *, digits: int = 60
) -> DeviationEnclosure:
    """Enclose how far the weights are from their limit, and the bound.

    Args:
        scores: s, N >= 1 rationals of any size.
        temperature: tau > 0.
        digits: each width is at most 10^-digits of its value (or 2^-16384).

    Raises:
        InputError: a float, no score, or a temperature that is not positive.
        PrecisionExhausted: the digits were not reached.

    Example:
        >>> found = deviation_bounds([0, -3, -5], 1)
        >>> found.distance.upper < found.bound.lower
        True
    """
    behind, tau = gaps(scores), positive_temperature(temperature)
    m = behind.count(0)
    others = [Fraction(gap) / tau for gap in behind if gap]
    if not others:
        nothing = Enclosure(Fraction(0), Fraction(0))
        return DeviationEnclosure(nothing, nothing)

    def distance() -> arb:
        rest = sum((exponential(-gap) for gap in others), arb(0))
        return rest / (m + rest)

    def bound() -> arb:
        return real(Fraction(len(others), m)) * exponential(-min(others))

    return DeviationEnclosure(enclose(distance, digits=digits), enclose(bound, digits=digits))
