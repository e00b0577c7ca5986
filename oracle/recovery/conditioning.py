"""How much recovery amplifies errors of the answers: kappa, the norm of its Jacobian (E4).

kappa is the largest row sum of |d parameter / d answer| over all entries of W_h and v_h, so that
errors of at most eps in the answers move every entry by at most kappa eps, to first order. It is
chained by hand: a pair's scores and residues move with its answers by the inverse of a confluent
Cauchy matrix, known in closed form; F(0) of x_1 is an answer of its own, and F(0) of the other x_i
is (sum_h v_h).x_i, hence moves with the answers of the first row. Everything is in balls, which say
whether the working precision was enough.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb, arb_mat, fmpz_mat

from ...symbolic.enclosures.ball import precision, real
from ...symbolic.errors import PrecisionExhausted
from ...symbolic.interpolation.ball import Sensitivity, sensitivity
from ..model import Head
from .ball_attempt import SCALE
from .schedule import Integers


def kappa(
    heads: Sequence[Head], x: Sequence[Integers], w: Sequence[Integers], *, bits: int = 400
) -> float:
    """The condition number of recovery at a model, in the norm of the largest error.

    Args:
        heads: the model, in canonical form.
        x: (d, d), the tokens x_i times 2^20.
        w: (d, d), the differences w_j times 2^20.
        bits: the working precision.

    Raises:
        PrecisionExhausted: the precision is too low for the loss.

    Example:
        >>> from .ball import drawing
        >>> one, two = (kappa([Head(((a,),), (1,)) for a in range(H)], *drawing(1, 0))
        ...             for H in (1, 2))
        >>> 1 < one < two
        True
    """
    d, H = len(x), len(heads)
    with precision(bits):
        X, Y = (arb_mat(fmpz_mat(list(rows))) / SCALE for rows in (x, w))
        X_inverse, Y_inverse = X.inv(), Y.inv()
        forms = [arb_mat([[real(e) for e in row] for row in head.W]) for head in heads]
        L = [X * W * Y.transpose() for W in forms]
        c = [Y * arb_mat([[real(e)] for e in head.v]) for head in heads]
        pairs = [
            [
                _moves([c[h][j, 0] for h in range(H)], [L[h][i, j] for h in range(H)], bits)
                for j in range(d)
            ]
            for i in range(d)
        ]
        # Answers of the first row: F(0), then F(1..2H) of (x_1, w_j) for each j.
        size = 1 + 2 * H * d
        whole = [[arb(0)] * size for _ in range(d)]  # d (sum_h v_h) / d answers of the first row
        residues = [
            [_first(pairs[0][j].residues[h], j, H, size) for j in range(d)] for h in range(H)
        ]
        for k in range(d):
            for j in range(d):
                for h in range(H):
                    whole[k] = _plus(whole[k], residues[h][j], Y_inverse[k, j])
        largest = arb(0)
        for h in range(H):
            for k in range(d):
                row = [arb(0)] * size
                for j in range(d):
                    row = _plus(row, residues[h][j], Y_inverse[k, j])
                largest = largest.max(_norm(row))
            for a in range(d):
                for b in range(d):
                    largest = largest.max(
                        _entry(pairs, whole, X, X_inverse, Y_inverse, h, a, b, size)
                    )
        if not largest.is_finite() or not largest.rad() < largest.mid() / 100:
            raise PrecisionExhausted(f"{bits} bits do not determine kappa: raise bits=")
        return float(largest.upper())


def _entry(
    pairs: Sequence[Sequence[Sensitivity]],
    whole: Sequence[Sequence[arb]],
    X: arb_mat,
    X_inverse: arb_mat,
    Y_inverse: arb_mat,
    h: int,
    a: int,
    b: int,
    size: int,
) -> arb:
    """The row sum for W_h[a, b] = sum_ij X^-1[a, i] Y^-1[b, j] L_h[i, j]."""
    d, H = len(pairs), len(pairs[0][0].scores)
    own = arb(0)
    first = [arb(0)] * size
    for i in range(d):
        constant = arb(0)
        for j in range(d):
            weight = X_inverse[a, i] * Y_inverse[b, j]
            moves = pairs[i][j].scores[h]
            if i:
                own += abs(weight) * _norm(moves)
                constant -= weight * sum(moves, arb(0))
            else:
                first = _plus(first, _first(moves, j, H, size), weight)
        for k in range(d if i else 0):
            first = _plus(first, whole[k], constant * X[i, k])
    return own + _norm(first)


def _moves(c: Sequence[arb], L: Sequence[arb], bits: int) -> Sensitivity:
    return sensitivity([a.mid() for a in c], [a.mid() for a in L], bits=bits)


def _first(moves: Sequence[arb], j: int, H: int, size: int) -> list[arb]:
    """Derivatives of a parameter of (x_1, w_j) with respect to all answers of the first row."""
    row = [arb(0)] * size
    row[0] = -sum(moves, arb(0))
    row[1 + 2 * H * j : 1 + 2 * H * (j + 1)] = moves
    return row


def _plus(row: Sequence[arb], other: Sequence[arb], weight: arb) -> list[arb]:
    return [a + weight * b for a, b in zip(row, other, strict=True)]


def _norm(row: Sequence[arb]) -> arb:
    return sum((abs(a) for a in row), arb(0))
