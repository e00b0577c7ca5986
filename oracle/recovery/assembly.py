"""From the scores and residues of all pairs to (W_h, v_h): two linear systems over Q.

L_h[i, j] = x_i^T W_h w_j is X W_h Y^T with the x_i as rows of X and the w_j as rows of Y, and
v_h.w_j = (Y v_h)_j: all heads are solved for at once with integer matrices, exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq_mat, fmpz_mat

from ...symbolic.rational import from_fmpq
from .schedule import Integers


def assemble_forms(
    x: Sequence[Integers], w: Sequence[Integers], scores: Sequence[Sequence[Sequence[int]]]
) -> list[tuple[tuple[int | Fraction, ...], ...]]:
    """W_h = X^-1 L_h Y^-T for every head.

    Args:
        x: (d, d), the independent tokens x_i.
        w: (d, d), the independent differences w_j.
        scores: (d, d, H), x_i^T W_h w_j.

    Returns:
        (H, d, d) rationals.

    Example:
        >>> assemble_forms([(1, 0), (0, 1)], [(1, 0), (0, 2)], [[[3], [4]], [[5], [6]]])
        [((3, 2), (5, 3))]
    """
    d, heads = len(x), len(scores[0][0])
    # (d, H d): the L_h side by side; then their transposes side by side.
    beside = fmpz_mat([[scores[i][j][h] for h in range(heads) for j in range(d)] for i in range(d)])
    left = _solve(x, fmpq_mat(beside)) if heads else fmpq_mat(d, 0)
    flipped = [[left[i, h * d + j] for h in range(heads) for i in range(d)] for j in range(d)]
    right = _solve(w, fmpq_mat(flipped)) if heads else fmpq_mat(d, 0)
    return [
        tuple(tuple(from_fmpq(right[j, h * d + i]) for j in range(d)) for i in range(d))
        for h in range(heads)
    ]


def _solve(rows: Sequence[Integers], right: fmpq_mat) -> fmpq_mat:
    return fmpq_mat(fmpz_mat(rows)).solve(right)
