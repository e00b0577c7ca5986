"""Claims A10 and A11, the exact side: enclosures of what a temperature changes, and of the bounds.

Softmax depends on differences only, so the quantities are given by the gaps delta_i >= 0 of the
keys that lose and the differences of their values and keys from the winner's. Balls raise their
precision until the enclosure is narrow (`enclosures.ball.enclose`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from ..enclosures.ball import Enclosure, enclose, exponential, gaps, positive_temperature, real
from ..errors import InputError
from ..rational import Rational, vector

Rows: TypeAlias = Sequence[Sequence[Rational]]

_AWAY = 10**6
"""Added and taken away again, so that a relative width becomes an absolute one."""


def attention(
    scores: Sequence[Rational | float],
    values: Sequence[Rational | float],
    temperature: Rational,
    *,
    digits: int = 60,
) -> Enclosure:
    """Enclose one component of soft attention, sum_j p_j v_j; a float is the rational that it is.

    Args:
        scores: (N,), s at the query.
        values: (N,), one component of the values.
        temperature: tau > 0.
        digits: absolute decimal digits.

    Raises:
        InputError: no score, not as many values, or a temperature that is not positive.

    Example:
        >>> float(attention([1, -1], [1, -1], 1, digits=20).lower)  # tanh 1
        0.7615941559557649
    """
    behind = gaps([Fraction(s) for s in scores])
    tau, shown = positive_temperature(temperature), [Fraction(v) for v in values]
    if len(shown) != len(behind):
        raise InputError(f"{len(behind)} values", str(len(shown)), where="values")
    weights = [(-Fraction(gap) / tau, value) for gap, value in zip(behind, shown, strict=True)]

    def value() -> arb:
        total = sum((exponential(z) for z, _ in weights), arb(0))
        return sum((exponential(z) * real(v) for z, v in weights), arb(0)) / total

    if len(set(shown)) == 1:
        return Enclosure(shown[0], shown[0])
    return _absolute(value, digits)


def squared_error(
    behind: Sequence[Rational], values: Rows, temperature: Rational, *, digits: int = 60
) -> Enclosure:
    """Enclose |Att - v*|^2 from gaps and the values' differences from the winner's.

    Args:
        behind: delta_1..delta_K, the gaps of the keys that lose; K >= 1.
        values: K rows v_i - v*.
        temperature: tau > 0.
        digits: absolute decimal digits.

    Raises:
        InputError: shapes that do not fit, a negative gap, or tau <= 0.

    Example:
        >>> error = squared_error([0], [[2]], 1)  # two keys tie: halfway to a value 2 away
        >>> error.contains(1)
        True
    """
    z, rows = _read(behind, values, temperature)

    def value() -> arb:
        weights = [exponential(exponent) for exponent in z]
        total = sum(weights, arb(1))
        sums = (
            sum((e * real(row[c]) for e, row in zip(weights, rows, strict=True)), arb(0))
            for c in range(len(rows[0]))
        )
        return sum((component * component for component in sums), arb(0)) / (total * total)

    return _absolute(value, digits)


def squared_bound(
    behind: Sequence[Rational],
    values: Rows,
    temperature: Rational,
    *,
    count: int | None = None,
    digits: int = 60,
) -> Enclosure:
    """Enclose (D rho/(1 + rho))^2, rho = K exp(-Delta/tau), with the least gap and least D.

    Args:
        behind: as for `squared_error`.
        values: likewise.
        temperature: tau > 0.
        count: another factor in place of K.
        digits: absolute decimal digits.

    Example:
        >>> squared_bound([0], [[2]], 1).meets(squared_error([0], [[2]], 1))
        True
    """
    z, rows = _read(behind, values, temperature)
    farthest = max(sum((Fraction(x) ** 2 for x in row), Fraction(0)) for row in rows)

    def value() -> arb:
        rho = arb(len(z) if count is None else count) * exponential(max(z))
        share = rho / (1 + rho)
        return real(farthest) * share * share

    return _absolute(value, digits)


def pair_sum(
    scores: Sequence[Rational | float],
    values: Sequence[Rational | float],
    keys: Sequence[Rational | float],
    temperature: Rational,
    *,
    digits: int = 60,
) -> Enclosure:
    """Enclose the derivative (1/tau) sum_{i<j} p_i p_j (v_i - v_j)(k_i - k_j) of one component.

    Args:
        scores: s at the query.
        values: one component of the values.
        keys: one component of the keys (or their products with a direction).
        temperature: tau > 0.
        digits: absolute decimal digits.

    Raises:
        InputError: no score, not as many values and keys, or a temperature that is not positive.

    Example:
        >>> float(pair_sum([0, 0], [1, -1], [1, -1], 1, digits=20).upper)  # tanh'(0)
        1.0
    """
    behind = gaps([Fraction(s) for s in scores])
    tau = positive_temperature(temperature)
    v, k = [Fraction(x) for x in values], [Fraction(x) for x in keys]
    if not len(v) == len(k) == len(behind):
        raise InputError(f"{len(behind)} values and keys", f"{len(v)} and {len(k)}")

    def value() -> arb:
        weights = [exponential(-Fraction(gap) / tau) for gap in behind]
        total = sum(weights, arb(0))
        pairs = arb(0)
        for j in range(len(weights)):
            for i in range(j):
                pairs += weights[i] * weights[j] * real((v[i] - v[j]) * (k[i] - k[j]))
        return pairs / (total * total * real(tau))

    return _absolute(value, digits)


def decay(count: int, gap: Rational, temperature: Rational, *, digits: int = 60) -> Enclosure:
    """Enclose rho = K exp(-Delta/tau).

    Args:
        count: K, the keys that lose.
        gap: Delta, their least distance from the winner's score.
        temperature: tau > 0.
        digits: relative decimal digits.

    Raises:
        InputError: a temperature that is not positive.

    Example:
        >>> decay(3, 0, 1)
        Enclosure(lower=Fraction(3, 1), upper=Fraction(3, 1))
    """
    exponent = -Fraction(gap) / positive_temperature(temperature)
    return enclose(lambda: arb(count) * exponential(exponent), digits=digits)


def _absolute(value: Callable[[], arb], digits: int) -> Enclosure:
    """Enclose to a width of 10^-digits (1 + |value|): the value may be 0 by cancellation."""

    def away() -> arb:
        found = value()
        return found + _AWAY

    shifted = enclose(away, digits=digits + 8)
    return Enclosure(shifted.lower - _AWAY, shifted.upper - _AWAY)


def _read(
    behind: Sequence[Rational], values: Rows, temperature: Rational
) -> tuple[list[Fraction], list[tuple[Rational, ...]]]:
    read, tau = vector(behind, "behind"), positive_temperature(temperature)
    rows = [tuple(row) for row in values]
    if not read or len(rows) != len(read) or len({len(row) for row in rows}) != 1:
        raise InputError(
            "as many rows of values as gaps, at least one", f"{len(rows)}, {len(read)}"
        )
    if min(read) < 0:
        raise InputError("gaps >= 0", str(min(read)), where="behind")
    return [-Fraction(gap) / tau for gap in read], rows
