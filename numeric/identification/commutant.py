"""What may be moved between two factors: the matrices that commute with what stands between them.

Attention sees W_Q and W_K through W_Q R_t W_K^T with a rotation R_t for each distance t (or none).
A matrix g with g R_t = R_t g can be moved from one factor to the other: W_Q g R_t (W_K g^-T)^T is
the same. These g form an algebra that is closed under transposition:
  no rotation            all real d_k x d_k matrices;
  distinct frequencies   one complex number for each rotated plane, all matrices of the rest;
  equal frequencies      complex matrices over the planes, all matrices of the rest.
On row vectors (x, y) of a plane, x + iy is multiplied by the complex number from the right, and
transposition is conjugate transposition. So everything below happens in two blocks, one complex and
one real, and needs nothing but Hermitian linear algebra.

For a *-algebra the orthogonal projection P satisfies P(A X) = P(A) X whenever X is in the algebra.
Hence the normal equation P(A X + X B) = P(M) is the Sylvester equation P(A) X + X P(B) = P(M),
solved by two eigendecompositions: O(d_k^3) for each group, without forming a matrix of size d_k^2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from .attention import Frequencies

ACCURACY = 64
"""Eigenvalues below this many units of rounding of the largest count as zero."""


@dataclass(frozen=True)
class Commutant:
    """The algebra of one head's rotations, in the layout of Llama: plane p is (p, p + r/2).

    Args:
        head_dim: d_k.
        rotary_dim: r, even, at most d_k.
        frequencies: of the planes.
        interleaved: plane p is (2p, 2p + 1) instead.

    Raises:
        ValueError: sizes that do not fit.

    Example:
        >>> Commutant(4).dimension, Commutant(4, 4).dimension, Commutant(4, 2).dimension
        (16, 4, 6)
    """

    head_dim: int
    rotary_dim: int = 0
    frequencies: Frequencies = "distinct"
    interleaved: bool = False

    def __post_init__(self) -> None:
        """Validate."""
        if self.head_dim < 1 or self.rotary_dim % 2 or not 0 <= self.rotary_dim <= self.head_dim:
            found = f"d_k = {self.head_dim}, r = {self.rotary_dim}"
            raise ValueError(f"expected d_k >= 1 and an even r in [0, d_k], found {found}")
        if self.frequencies not in ("distinct", "equal"):
            raise ValueError(f"expected distinct or equal, found {self.frequencies!r}")

    @property
    def dimension(self) -> int:
        """Real dimension of the algebra: what is unidentified for each group."""
        planes, rest = self.rotary_dim // 2, self.head_dim - self.rotary_dim
        return (2 * planes if self.frequencies == "distinct" else 2 * planes**2) + rest**2

    def rows(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Row vectors as complex and real blocks.

        Args:
            x: (..., rows, d_k).

        Returns:
            (..., blocks, rows, m) complex, with blocks m = r/2, and (..., rows, d_k - r).
        """
        turned, rest = x[..., : self.rotary_dim], x[..., self.rotary_dim :]
        first, second = self._planes(turned)
        z = torch.complex(first, second)  # (..., rows, r/2)
        if self.frequencies == "distinct":
            return z.transpose(-1, -2).unsqueeze(-1), rest  # (..., r/2, rows, 1)
        return z.unsqueeze(-3), rest  # (..., 1, rows, r/2)

    def joined(self, z: Tensor, rest: Tensor) -> Tensor:
        """The row vectors of these blocks: the inverse of `rows`.

        Args:
            z: (..., blocks, rows, m), complex.
            rest: (..., rows, d_k - r).

        Returns:
            (..., rows, d_k).
        """
        distinct = self.frequencies == "distinct"
        flat = z.squeeze(-1).transpose(-1, -2) if distinct else z.squeeze(-3)
        return torch.cat((self._coordinates(flat.real, flat.imag), rest), -1)

    def matrix(self, c: Tensor, rest: Tensor) -> Tensor:
        """The d_k x d_k matrices with these blocks: what they make of each row of the identity.

        Args:
            c: (..., blocks, m, m), complex.
            rest: (..., d_k - r, d_k - r).

        Returns:
            (..., d_k, d_k).
        """
        eye = torch.eye(self.head_dim, dtype=rest.dtype, device=rest.device)
        z, plain = self.rows(eye)
        return self.joined(z @ c, plain @ rest)

    def blocks(self, m: Tensor) -> tuple[Tensor, Tensor]:
        """The blocks of the orthogonal projection of (..., d_k, d_k) matrices on the algebra.

        Args:
            m: the matrices.

        Returns:
            (..., blocks, m, m) complex, and (..., d_k - r, d_k - r).
        """
        r = self.rotary_dim
        # The nearest [[a, b], [-b, a]] to [[m11, m12], [m21, m22]], plane by plane.
        to_first, to_second = self._planes(m[..., :r, :r])  # (..., r, r/2)
        m11, m21 = self._planes(to_first.mT)  # (..., r/2, r/2), transposed
        m12, m22 = self._planes(to_second.mT)
        c = torch.complex(m11 + m22, m12 - m21).mT / 2
        if self.frequencies == "distinct":
            c = c.diagonal(dim1=-2, dim2=-1)[..., None, None]
        else:
            c = c.unsqueeze(-3)
        return c, m[..., r:, r:]

    def _planes(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """First and second coordinates of the planes, along the last axis."""
        half = self.rotary_dim // 2
        if self.interleaved:
            return x[..., 0::2], x[..., 1::2]
        return x[..., :half], x[..., half:]

    def _coordinates(self, first: Tensor, second: Tensor) -> Tensor:
        if self.interleaved:
            return torch.stack((first, second), -1).flatten(-2)
        return torch.cat((first, second), -1)


def each(change: Callable[..., Tensor], *blocks: tuple[Tensor, Tensor]) -> tuple[Tensor, Tensor]:
    """Apply a function to the complex blocks and to the real ones; empty ones stay empty.

    Args:
        change: takes one tensor of every pair.
        blocks: pairs of complex and real blocks.

    Returns:
        What it makes of the complex ones, and of the real ones.
    """
    zipped = tuple(zip(*blocks, strict=True))
    return change(*zipped[0]), change(*zipped[1])


def sylvester(a: Tensor, b: Tensor, m: Tensor) -> Tensor:
    """The solution of least norm of A X + X B = M for positive semidefinite Hermitian A and B.

    Args:
        a: (..., k, k).
        b: (..., k, k).
        m: (..., k, k), in the range of X -> A X + X B.

    Example:
        >>> one = torch.tensor([[2.0]], dtype=torch.float64)
        >>> sylvester(one, one, 4 * one)
        tensor([[2.]], dtype=torch.float64)
    """
    if not m.numel():
        return m
    (alpha, u), (beta, v) = torch.linalg.eigh(a), torch.linalg.eigh(b)
    total = alpha[..., :, None] + beta[..., None, :]
    least = ACCURACY * a.shape[-1] * torch.finfo(total.dtype).eps
    zero = total <= least * total.amax((-2, -1), keepdim=True)
    inner = u.mH @ m @ v
    solved = torch.where(zero, 0, inner / torch.where(zero, 1, total))
    found: Tensor = u @ solved @ v.mH
    return found
