"""Matrix zonotopic attention in mpmath: the true softmax and tanh, to any number of digits.

f(X)_q = sum_h (C_h + sum_i tanh(sum_j <a_hi, x_j> + b_hi) G_hi) sum_j softmax_j(x_q^T W_h x_j) x_j.
Plain loops: it is the second implementation against which the rational one is held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import mpmath

from ..tropical.high_precision import context, mpf, mpf_fraction

Rows: TypeAlias = Sequence[Sequence[int | Fraction]]


@dataclass(frozen=True)
class HeadNumbers:
    """One head: form W, values C and G_i, slopes a_i, offsets b_i."""

    form: Rows
    centre: Rows
    generators: Sequence[Rows]
    slopes: Rows
    offsets: Sequence[int | Fraction]


def outputs(
    heads: Sequence[HeadNumbers], tokens: Rows, digits: int
) -> tuple[tuple[Fraction, ...], ...]:
    """Every output, rounded to about so many digits.

    Args:
        heads: at least one.
        tokens: [n][d].
        digits: of the arithmetic; 20 more bits are carried.

    Example:
        >>> head = HeadNumbers([[0]], [[1]], [[[1]]], [[1]], [0])
        >>> round(float(outputs([head], [[1]], 30)[0][0]), 6)
        1.761594
    """
    mp = context(digits, extra_bits=20)
    x = [[mpf(mp, entry) for entry in row] for row in tokens]
    return tuple(tuple(map(mpf_fraction, _row(mp, heads, x, q))) for q in range(len(x)))


def coefficients(head: HeadNumbers, tokens: Rows, digits: int) -> tuple[Fraction, ...]:
    """The tanh of the pooled features, rounded to about so many digits."""
    mp = context(digits, extra_bits=20)
    x = [[mpf(mp, entry) for entry in row] for row in tokens]
    return tuple(map(mpf_fraction, _beta(mp, head, x)))


def _beta(mp: mpmath.MPContext, head: HeadNumbers, x: list[list[mpmath.mpf]]) -> list[mpmath.mpf]:
    found = []
    for slope, offset in zip(head.slopes, head.offsets, strict=True):
        total = mpf(mp, offset)
        for token in x:
            for a, entry in zip(slope, token, strict=True):
                total += mpf(mp, a) * entry
        found.append(mp.tanh(total))
    return found


def _row(
    mp: mpmath.MPContext, heads: Sequence[HeadNumbers], x: list[list[mpmath.mpf]], q: int
) -> list[mpmath.mpf]:
    d, p = len(x[0]), len(heads[0].centre)
    out = [mp.mpf(0)] * p
    for head in heads:
        scores = [
            sum(x[q][a] * mpf(mp, head.form[a][b]) * token[b] for a in range(d) for b in range(d))
            for token in x
        ]
        powers = [mp.exp(s - max(scores)) for s in scores]
        total = sum(powers)
        mean = [
            sum(w * token[c] for w, token in zip(powers, x, strict=True)) / total for c in range(d)
        ]
        beta = _beta(mp, head, x)
        for r in range(p):
            for c in range(d):
                value = mpf(mp, head.centre[r][c])
                for b, G in zip(beta, head.generators, strict=True):
                    value += b * mpf(mp, G[r][c])
                out[r] += value * mean[c]
    return out
