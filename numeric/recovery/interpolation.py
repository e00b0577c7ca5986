"""Interpolation by simple poles in float64: G(m) = sum_h c_h/(m + exp(-L_h)), m = 1..2H.

The poles are the eigenvalues of the Loewner pencil of odd against even nodes, which needs no
polynomial and so loses least; a few Newton steps on (c, L), with the Jacobian by autograd, remove
what the eigenvalues lost. The problem itself loses about five digits a head, so floats end at
three or four heads: that is what the error bound says, and exact arithmetic is for.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

STEPS = 8
"""Newton steps; it converges in two or three, or not at all."""


@dataclass(frozen=True)
class Poles:
    """Scores and residues of the heads.

    Args:
        scores: (H,), L_h.
        residues: (H,), c_h.
        error: a bound on the error of any of them, to first order in the error of the values.
    """

    scores: Tensor
    residues: Tensor
    error: float


def values(scores: Tensor, residues: Tensor) -> Tensor:
    """G(1), ..., G(2H).

    Args:
        scores: (H,), L_h.
        residues: (H,), c_h.

    Returns:
        (2H,).

    Example:
        >>> values(torch.zeros(1), torch.ones(1)).tolist()
        [0.5, 0.3333333432674408]
    """
    nodes = torch.arange(1, 2 * len(scores) + 1, dtype=scores.dtype)
    return (residues / (nodes[:, None] + torch.exp(-scores))).sum(-1)


def slopes(scores: Tensor, residues: Tensor) -> Tensor:
    """The Jacobian (2H, 2H) of the values in (L, c), by autograd.

    Args:
        scores: (H,), L_h.
        residues: (H,), c_h.
    """
    by_both: tuple[Tensor, Tensor] = torch.func.jacrev(values, (0, 1))(scores, residues)
    return torch.cat(by_both, -1)


def interpolate(data: Tensor, data_error: float) -> Poles:
    """The poles through 2H values.

    Args:
        data: (2H,) float64, G(1), ..., G(2H).
        data_error: a bound on the error of each value.

    Returns:
        Scores in ascending order. The bound is twice the largest row sum of the inverse Jacobian
        times the error of the data and of the fit; it holds while that is small.

    Raises:
        ValueError: an odd number of values, or no H positive simple poles go through them.

    Example:
        >>> G = values(*torch.tensor([[0.0, 2.0], [1.0, 3.0]], dtype=torch.float64))
        >>> found = interpolate(G, 1e-16)
        >>> abs(found.scores - torch.tensor([0.0, 2.0])).max().item() <= found.error < 1e-10
        True
    """
    if data.dim() != 1 or not len(data) or len(data) % 2:
        raise ValueError(f"expected an even number of values, found shape {tuple(data.shape)}")
    G = data.to(torch.float64)
    scores, residues = _pencil(G)
    best = (torch.inf, scores, residues)
    for _ in range(STEPS):
        missed = values(scores, residues) - G
        size = missed.abs().max().item()
        if not size < best[0]:
            break
        best = (size, scores, residues)
        move = torch.linalg.solve(slopes(scores, residues), missed)
        scores, residues = scores - move[: len(scores)], residues - move[len(scores) :]
    missed_by, scores, residues = best
    inverse = torch.linalg.inv(slopes(scores, residues))
    error = 2 * inverse.abs().sum(-1).max().item() * (data_error + missed_by)
    if not error < torch.inf:
        raise ValueError("expected poles that the values tell apart, found a singular Jacobian")
    order = torch.argsort(scores)
    return Poles(scores[order], residues[order], error)


def _pencil(G: Tensor) -> tuple[Tensor, Tensor]:
    """Scores and residues from the Loewner matrices of odd against even nodes."""
    nodes = torch.arange(1, len(G) + 1, dtype=torch.float64)
    (left, right), (f, g) = (nodes[::2], nodes[1::2]), (G[::2], G[1::2])
    gaps = left[:, None] - right  # (H, H)
    loewner = (f[:, None] - g) / gaps
    shifted = ((left * f)[:, None] - right * g) / gaps
    try:
        poles = torch.linalg.eigvals(torch.linalg.solve(loewner, shifted))
    except RuntimeError:
        raise ValueError("expected as many poles as half the values, found fewer") from None
    rho = -poles.real
    if bool((poles.imag.abs() > 1e-6 * poles.abs()).any()) or not bool((rho > 0).all()):
        raise ValueError("expected poles on the negative axis, found others: too many heads")
    residues = torch.linalg.lstsq(1 / (nodes[:, None] + rho), G[:, None]).solution[:, 0]
    return -torch.log(rho), residues
