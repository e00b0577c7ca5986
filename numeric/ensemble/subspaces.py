"""The subspace of the residual stream that each head reads from or writes to.

For a head with projection W, (d_k, d), it is the row space of W, as an orthonormal frame P,
(d, d_k): Pi_h = P P^T. Thin QR, then the SVD of the small triangular factor: O(d d_k^2) per head,
and the rank is decided on singular values. A singular value counts as zero when it could come from
rounding: from the QR and SVD themselves (float64), or from the dtype in which the weights are
stored. The second matters for bfloat16: a head of low rank, stored in 8 bits, has full rank on
paper, and its last directions are noise. The rounding of independent entries of size w moves
singular values by about u w (sqrt d + sqrt d_k) / sqrt 3 (the norm of a random matrix): an
estimate, not a bound, that can be wrong either way for a head whose condition number is beyond 1/u.

Heads of less than full rank keep their own, smaller frame and are named; they enter no average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import torch
from torch import Tensor


@dataclass(frozen=True)
class Subspaces:
    """One subspace per head.

    Args:
        frames: (heads, d, d_k), orthonormal columns; those beyond the rank are 0.
        ranks: of each head.
        singular_values: (heads, d_k), descending.
    """

    frames: Tensor
    ranks: tuple[int, ...]
    singular_values: Tensor

    @property
    def d(self) -> int:
        """Width of the residual stream."""
        return int(self.frames.shape[1])

    @property
    def d_k(self) -> int:
        """Dimension of a subspace of full rank."""
        return int(self.frames.shape[2])

    @property
    def full(self) -> tuple[int, ...]:
        """The heads of full rank."""
        return tuple(h for h, rank in enumerate(self.ranks) if rank == self.d_k)

    @property
    def deficient(self) -> tuple[int, ...]:
        """The heads of less than full rank."""
        return tuple(h for h, rank in enumerate(self.ranks) if rank < self.d_k)


def row_spaces(projections: Sequence[Tensor], *, roundoff: float = 0.0) -> Subspaces:
    """The row space of each projection.

    Args:
        projections: W_h, (d_k, d) each, d_k <= d, finite; each is looked up once, so that a
            sequence that reads them from a file holds one at a time.
        roundoff: unit roundoff of the dtype in which they were stored; 0 if they are exact.

    Raises:
        ValueError: no projection, shapes that differ, d_k > d, or entries that are not finite.

    Example:
        >>> found = row_spaces([torch.eye(2, 3), torch.tensor([[1.0, 2, 3], [2, 4, 6]])])
        >>> found.ranks, found.deficient
        ((2, 1), (1,))
    """
    heads = len(projections)
    if heads == 0:
        raise ValueError("expected at least one head, found none")
    found = torch.empty(0)
    ranks: list[int] = []
    values: list[Tensor] = []
    for h in range(heads):
        W = projections[h].to(torch.float64)
        _require_projection(W, found if h else None)
        if h == 0:  # one block for all: many small ones would stay with the allocator
            found = torch.empty(heads, *W.shape, dtype=torch.float64)
        Q, R = torch.linalg.qr(W.mT)  # (d, d_k), (d_k, d_k)
        U, s, _ = torch.linalg.svd(R)
        rank = int((s > _noise(W, s, roundoff)).sum())
        torch.matmul(U.mT, Q.mT, out=found[h])
        found[h, rank:] = 0
        ranks.append(rank)
        values.append(s)
    return Subspaces(found.mT, tuple(ranks), torch.stack(values))


def _require_projection(W: Tensor, others: Tensor | None) -> None:
    if W.dim() != 2 or not 0 < W.shape[0] <= W.shape[1]:
        raise ValueError(f"expected (d_k, d), 1 <= d_k <= d, found {tuple(W.shape)}")
    if others is not None and others.shape[1:] != W.shape:
        raise ValueError(f"expected heads of one shape, found {tuple(W.shape)} as well")
    if not bool(torch.isfinite(W).all()):
        raise ValueError("expected finite entries, found an infinity or a nan")


def _noise(W: Tensor, s: Tensor, roundoff: float) -> float:
    """Singular values up to here may be rounding."""
    d_k, d = W.shape
    own = d * torch.finfo(torch.float64).eps * float(s[0])
    size = float(torch.linalg.matrix_norm(W)) / sqrt(d_k * d)
    return max(own, roundoff * size * (sqrt(d) + sqrt(d_k)) / sqrt(3))
