"""Balanced factors of the same product (C7): thin SVD, Procrustes, rotations heeded.

Of all factors (L g, R g^-T) of one product those with L^T L = R^T R are balanced: with the thin SVD
L R^T = U S V^T they are (U sqrt(S) Q, V sqrt(S) Q), Q orthogonal. The SVD is never taken of the
product: QR of both factors leaves a d_k x d_k matrix. Which Q is a choice, and it matters: Q = 1
turns the factors about, a long way inside the fibre. The Q nearest to given factors (orthogonal
Procrustes: the polar factor of L'^T L + R'^T R) makes the move as short as it can be.

With rotary positions only the commutant may be moved: the same in complex numbers, plane by plane.
An SVD of W_Q W_K^T regardless of the rotations would change the function.

The function is the same up to rounding: each factor is rebuilt with an error of about
d_k u |L| |R| in the product. Where the rank is below d_k the missing columns become zero.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .commutant import Commutant, each
from .fibre import _require


def balanced(
    left: Tensor,
    right: Tensor,
    commutant: Commutant,
    *,
    near: tuple[Tensor, Tensor] | None = None,
) -> tuple[Tensor, Tensor]:
    """Balanced factors of the same product.

    Args:
        left: (G, rows, d_k).
        right: (G, rows', d_k).
        commutant: of what stands between the factors.
        near: factors of the same shapes that the answer is rotated towards (Procrustes); left as
            the SVD gives them by default.

    Raises:
        ValueError: shapes that do not fit.

    Example:
        >>> one = torch.ones(1, 1, 1, dtype=torch.float64)
        >>> [float(x) for x in balanced(4 * one, one, Commutant(1), near=(one, one))]
        [2.0, 2.0]
    """
    _require(left, right, commutant)
    if near is not None and (near[0].shape != left.shape or near[1].shape != right.shape):
        found = f"{tuple(near[0].shape)} and {tuple(near[1].shape)}"
        raise ValueError(f"expected near of the factors' shapes, found {found}")
    blocks = [commutant.rows(one) for one in (left, right)]
    new_left, new_right = each(_left, *blocks), each(_right, *blocks)
    if near is not None:
        towards = [commutant.rows(one) for one in near]
        turn = each(_procrustes, new_left, new_right, *towards)
        new_left, new_right = (
            each(torch.matmul, new_left, turn),
            each(torch.matmul, new_right, turn),
        )
    return commutant.joined(*new_left), commutant.joined(*new_right)


def _split(left: Tensor, right: Tensor) -> tuple[Tensor, Tensor]:
    """U sqrt(S) and V sqrt(S) of the thin SVD of L R^H, with zero columns up to d_k."""
    if not left.shape[-1]:
        return left, right
    (ql, rl), (qr, rr) = torch.linalg.qr(left), torch.linalg.qr(right)
    u, s, vh = torch.linalg.svd(rl @ rr.mH, full_matrices=False)
    root = s.sqrt().unsqueeze(-2)
    missing = left.shape[-1] - s.shape[-1]
    pad = torch.nn.functional.pad
    return pad(ql @ (u * root), (0, missing)), pad(qr @ (vh.mH * root), (0, missing))


def _left(left: Tensor, right: Tensor) -> Tensor:
    return _split(left, right)[0]


def _right(left: Tensor, right: Tensor) -> Tensor:
    return _split(left, right)[1]


def _procrustes(left: Tensor, right: Tensor, to_left: Tensor, to_right: Tensor) -> Tensor:
    """The unitary Q that makes |L Q - L0|^2 + |R Q - R0|^2 least."""
    if not left.shape[-1]:
        return left.new_zeros(*left.shape[:-2], 0, 0)
    u, _, vh = torch.linalg.svd(left.mH @ to_left + right.mH @ to_right)
    turn: Tensor = u @ vh
    return turn
