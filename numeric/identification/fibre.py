"""The tangent of the fibre through two factors, and the part of a step that lies in it (C6).

Two factors L (rows x d_k) and R enter the function through L R^T (with rotations: L R_t R^T) only.
Moving g from one to the other, (L g, R g^-T), changes nothing; its derivative at g = 1 is the
tangent {(L X, -R X^T)}, X in the commutant. Key/value groups: L is the stack of the group's query
heads, so that X is shared by them. The nearest tangent vector to a step (dL, dR) has the X with
    L^T L X + X R^T R = L^T dL - dR^T R,
projected on the commutant (the normal equation, see `commutant`). It is exact up to rounding: no
iteration, no finite differences. Factors of rank below d_k give the X of least norm; the tangent
vector is the same for all.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from .commutant import Commutant, each, sylvester


@dataclass(frozen=True)
class TangentPart:
    """The orthogonal projection of a step on the fibre's tangent.

    Args:
        left: (G, rows, d_k), the part of dL.
        right: (G, rows', d_k), the part of dR.
        inside: its squared norm.
        whole: the squared norm of the step.
    """

    left: Tensor
    right: Tensor
    inside: float
    whole: float

    @property
    def share(self) -> float:
        """The share of the step's squared norm inside the tangent; 0 if there is no step."""
        return self.inside / self.whole if self.whole else 0.0


def tangent_part(
    left: Tensor, right: Tensor, step_left: Tensor, step_right: Tensor, commutant: Commutant
) -> TangentPart:
    """The part of a step that the function cannot see to first order.

    Args:
        left: (G, rows, d_k), for each group.
        right: (G, rows', d_k).
        step_left: what is added to left.
        step_right: what is added to right.
        commutant: of what stands between the factors.

    Raises:
        ValueError: shapes that do not fit.

    Example:
        >>> import torch
        >>> one = torch.ones(1, 1, 1, dtype=torch.float64)
        >>> tangent_part(one, one, one, -one, Commutant(1)).share  # W_Q (1 + t), W_K (1 - t)
        1.0
        >>> tangent_part(one, one, one, one, Commutant(1)).share
        0.0
    """
    _require(left, right, commutant)
    if step_left.shape != left.shape or step_right.shape != right.shape:
        found = f"{tuple(step_left.shape)} and {tuple(step_right.shape)}"
        raise ValueError(f"expected steps of the factors' shapes, found {found}")
    x = each(
        sylvester,
        commutant.blocks(left.mT @ left),
        commutant.blocks(right.mT @ right),
        commutant.blocks(left.mT @ step_left - step_right.mT @ right),
    )
    move = commutant.matrix(*x)  # (G, d_k, d_k)
    inside_left, inside_right = left @ move, -right @ move.mT
    inside = inside_left.square().sum() + inside_right.square().sum()
    whole = step_left.square().sum() + step_right.square().sum()
    return TangentPart(inside_left, inside_right, float(inside), float(whole))


def imbalance(left: Tensor, right: Tensor, commutant: Commutant) -> Tensor:
    """What gradient flow conserves: the projection of L^T L - R^T R on the commutant.

    Args:
        left: (G, rows, d_k).
        right: (G, rows', d_k).
        commutant: of what stands between the factors.

    Returns:
        (G, d_k, d_k); 0 means balanced.

    Raises:
        ValueError: shapes that do not fit.
    """
    _require(left, right, commutant)
    return commutant.matrix(*commutant.blocks(left.mT @ left - right.mT @ right))


def relative_imbalance(left: Tensor, right: Tensor, commutant: Commutant) -> Tensor:
    """|P(L^T L - R^T R)| / (|P(L^T L)| + |P(R^T R)|) for each group: 0 balanced, at most 1.

    Args:
        left: (G, rows, d_k).
        right: (G, rows', d_k).
        commutant: of what stands between the factors.

    Raises:
        ValueError: shapes that do not fit.

    Example:
        >>> import torch
        >>> one = torch.ones(1, 1, 1, dtype=torch.float64)
        >>> relative_imbalance(2 * one, one, Commutant(1))
        tensor([0.6000], dtype=torch.float64)
    """
    difference = imbalance(left, right, commutant)
    sizes = [
        commutant.matrix(*commutant.blocks(one.mT @ one)).square().sum((-2, -1)).sqrt()
        for one in (left, right)
    ]
    whole = sizes[0] + sizes[1]
    return difference.square().sum((-2, -1)).sqrt() / whole.where(whole > 0, 1)


def _require(left: Tensor, right: Tensor, commutant: Commutant) -> None:
    shapes = tuple(left.shape), tuple(right.shape)
    fits = left.dim() == right.dim() == 3 and len(left) == len(right)
    if not fits or {left.shape[-1], right.shape[-1]} != {commutant.head_dim}:
        expected = f"(G, rows, {commutant.head_dim}) twice"
        raise ValueError(f"expected {expected}, found {shapes[0]} and {shapes[1]}")
