"""E4, recovery.conditioning, in floats: kappa, the norm of the Jacobian of recovery, by autograd.

Recovery is written as a differentiable map from the answers of the d^2 pairs to (W, v). Only the
interpolation of a pair is implicit: near its solution z it is one Newton step,
z + P'(z)^-1 (G - P(z)), whose derivative is exact with z and P'(z) held fixed.
"""

from __future__ import annotations

import torch
from torch import Tensor

from .interpolation import slopes, values


def kappa(forms: Tensor, functionals: Tensor, x: Tensor, w: Tensor) -> float:
    """The largest row sum of d(W, v)/d(answers), answers of the pairs (x_i, w_j).

    Args:
        forms: (H, d, d) float64, W_h.
        functionals: (H, d) float64, v_h.
        x: (d, d), the tokens x_i as rows, independent.
        w: (d, d), the differences w_j.

    Returns:
        kappa: errors of at most eps in the answers move every entry of (W, v) by at most kappa eps
        to first order.

    Example:
        >>> I = torch.eye(1, dtype=torch.float64)
        >>> one = kappa(I[None], I, I, I)
        >>> two = kappa(torch.stack([I, -I]), torch.cat([I, I]), I, I)
        >>> 1 < one < two
        True
    """
    W, v, X, Y = (part.to(torch.float64) for part in (forms, functionals, x, w))
    L = torch.einsum("ia,hab,jb->ijh", X, W, Y)  # (d, d, H)
    c = v @ Y.T  # (H, d)
    answers = _answers(L, c, v.sum(0), X)
    jacobian: Tensor = torch.func.jacrev(lambda a: _recovered(a, L, c, X, Y))(answers)
    return float(jacobian.abs().sum(-1).max())


def _answers(L: Tensor, c: Tensor, total: Tensor, X: Tensor) -> Tensor:
    """F(0) of x_1, then F(1..2H) of every pair (i, j)."""
    d, H = len(X), len(c)
    nodes = torch.arange(1, 2 * H + 1, dtype=torch.float64)
    pairs = [X[i] @ total + nodes * values(L[i, j], c[:, j]) for i in range(d) for j in range(d)]
    return torch.cat([(X[0] @ total)[None], *pairs])


def _recovered(answers: Tensor, L: Tensor, c: Tensor, X: Tensor, Y: Tensor) -> Tensor:
    """All entries of W and v, as a function of the answers near the true ones."""
    d, H = len(X), len(c)
    F = answers[1:].reshape(d, d, 2 * H)
    first = [_pair(F[0, j], answers[0], L[0, j], c[:, j]) for j in range(d)]
    residues = torch.stack([pair[1] for pair in first], -1)  # (H, d)
    inverse = torch.linalg.inv(Y)
    v = residues @ inverse.T
    rows = [torch.stack([pair[0] for pair in first])]
    for i in range(1, d):
        zero = X[i] @ v.sum(0)
        rows.append(torch.stack([_pair(F[i, j], zero, L[i, j], c[:, j])[0] for j in range(d)]))
    scores = torch.stack(rows)  # (d, d, H)
    W = torch.einsum("ai,ijh,bj->hab", torch.linalg.inv(X), scores, inverse)
    return torch.cat([W.flatten(), v.flatten()])


def _pair(F: Tensor, zero: Tensor, L: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """Scores and residues of a pair, by one Newton step from the true ones."""
    nodes = torch.arange(1, len(F) + 1, dtype=torch.float64)
    missed = (F - zero) / nodes - values(L, c)
    move = torch.linalg.solve(slopes(L, c), missed)
    return L + move[: len(L)], c + move[len(L) :]
