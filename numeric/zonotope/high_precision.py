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
    """One head.

    Args:
        form: W, [d][d].
        centre: C, [p][d].
        generators: G_i, [g][p][d].
        slopes: a_i, [g][d].
        offsets: b_i, [g].
    """

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
        heads: at least one, all of the same d and p.
        tokens: [n][d], at least one.
        digits: of the arithmetic; 20 more bits are carried.

    Returns:
        [n][p].

    Raises:
        ValueError: no head, no token, or shapes that do not fit.

    Example:
        >>> head = HeadNumbers([[0]], [[1]], [[[1]]], [[1]], [0])
        >>> round(float(outputs([head], [[1]], 30)[0][0]), 6)
        1.761594
    """
    if not heads:
        raise ValueError("heads: expected at least one, found none")
    d = _width(tokens)
    for head in heads:
        _require_shapes(head, len(heads[0].centre), d)
    mp = context(digits, extra_bits=20)
    x = [[mpf(mp, entry) for entry in row] for row in tokens]
    return tuple(tuple(map(mpf_fraction, _row(mp, heads, x, q))) for q in range(len(x)))


def coefficients(head: HeadNumbers, tokens: Rows, digits: int) -> tuple[Fraction, ...]:
    """The tanh of the pooled features, rounded to about so many digits.

    Args:
        head: whose slopes and offsets are used.
        tokens: [n][d], at least one.
        digits: of the arithmetic; 20 more bits are carried.

    Returns:
        [g], each in (-1, 1) before it is rounded.

    Raises:
        ValueError: no token, or shapes that do not fit.
    """
    _require_shapes(head, len(head.centre), _width(tokens))
    mp = context(digits, extra_bits=20)
    x = [[mpf(mp, entry) for entry in row] for row in tokens]
    return tuple(map(mpf_fraction, _beta(mp, head, x)))


def _width(tokens: Rows) -> int:
    """d, of at least one token."""
    if not tokens:
        raise ValueError("tokens: expected at least one, found none")
    _require_matrix("tokens", tokens, len(tokens), len(tokens[0]))
    return len(tokens[0])


def _require_shapes(head: HeadNumbers, p: int, d: int) -> None:
    g = len(head.generators)
    _require_matrix("form", head.form, d, d)
    _require_matrix("centre", head.centre, p, d)
    for G in head.generators:
        _require_matrix("generators", G, p, d)
    _require_matrix("slopes", head.slopes, g, d)
    if len(head.offsets) != g:
        raise ValueError(
            f"offsets: expected {g}, one for each generator, found {len(head.offsets)}"
        )


def _require_matrix(name: str, matrix: Rows, rows: int, columns: int) -> None:
    widths = sorted({len(row) for row in matrix})
    if len(matrix) != rows or widths not in ([columns], []):
        found = " or ".join(map(str, widths))
        raise ValueError(
            f"{name}: expected {rows} rows of {columns}, found {len(matrix)} rows of {found or 0}"
        )


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
