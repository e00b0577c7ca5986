"""Attention whose value projection depends on the set: matrix zonotopic attention (T2).

The value projection of a set X is W_V(X) = C + sum_i beta_i(X) G_i with beta = tanh(A mean(X) + c),
so it lies in the matrix zonotope of centre C and generators G_i. Pooling by the mean makes beta
invariant under permutations, hence the layer equivariant. Two controls have the same shape: no
dependence on the set at all, and a dependent bias, v_j = C x_j + B beta(X), which moves all values
of a set by one vector.

The matrix is put together once a set, so that the generators cost g d^2 a set and not g n d^2.

Sets of different sizes share a batch through ``present``, which says which elements are there:
those that are not have no weight, do not count in the mean, and are never read. The mean of no
element does not exist, and so an empty set is refused.
"""

from __future__ import annotations

import math
from typing import Literal

import torch
from torch import Tensor, nn

ValueMap = Literal["zonotope", "plain", "bias"]
"""How values depend on the set: through the matrix, not at all, through a vector."""


class SetAttention(nn.Module):
    """Heads that let queries attend to a set.

    Args:
        width: d of queries, set elements and outputs.
        heads: H, a divisor of d.
        values: how values depend on the set.
        generators: g, matrices for ``"zonotope"``, vectors for ``"bias"``.

    Raises:
        ValueError: the heads do not divide the width, or there is no generator.

    Example:
        >>> layer = SetAttention(8, 2, "zonotope", 3)
        >>> layer(torch.zeros(5, 1, 8), torch.zeros(5, 7, 8)).shape
        torch.Size([5, 1, 8])
    """

    def __init__(self, width: int, heads: int, values: ValueMap, generators: int) -> None:
        super().__init__()
        if heads < 1 or width % heads:
            raise ValueError(f"{heads} heads do not divide the width {width}")
        if generators < 1:
            raise ValueError(f"generators: expected at least 1, found {generators}")
        self.heads, self.values = heads, values
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.centre = nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        self.coefficient: nn.Linear | None = None
        if values != "plain":
            self.coefficient = nn.Linear(width, generators)
            shape = (generators, width, width) if values == "zonotope" else (generators, width)
            self.generators = nn.Parameter(torch.randn(shape) / math.sqrt(width * generators))

    def coefficients(self, x: Tensor, *, present: Tensor | None = None) -> Tensor:
        """The beta of sets ``(B, n, d)``: ``(B, g)``, each in [-1, 1].

        Args:
            x: the sets, filled up to one size.
            present: which elements are there, booleans ``(B, n)``; all, if not given.

        Raises:
            ValueError: values do not depend on the set, or a set is empty.
        """
        if self.coefficient is None:
            raise ValueError("the values of this layer do not depend on the set")
        x = without_absent(x, present)
        if present is None:
            pooled = x.mean(dim=1)
        else:
            pooled = x.sum(dim=1) / present.sum(dim=1, keepdim=True)
        return torch.tanh(self.coefficient(pooled))

    def forward(self, queries: Tensor, x: Tensor, *, present: Tensor | None = None) -> Tensor:
        """Attend from ``(B, m, d)`` to sets ``(B, n, d)``: ``(B, m, d)``.

        Args:
            queries: what attends.
            x: the sets, filled up to one size.
            present: which elements are there, booleans ``(B, n)``; all, if not given.

        Raises:
            ValueError: a set is empty, or ``present`` does not fit.
        """
        x = without_absent(x, present)
        v: Tensor = self.centre(x)
        if self.values == "zonotope":
            beta = self.coefficients(x, present=present)
            matrix = torch.einsum("bg,gij->bij", beta, self.generators)
            v = v + x @ matrix
        elif self.values == "bias":
            v = v + (self.coefficients(x, present=present) @ self.generators)[:, None]
        q, k, v = (self._split(each) for each in (self.query(queries), self.key(x), v))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3])  # (B, H, m, n)
        if present is not None:
            scores = scores.masked_fill(~present[:, None, None], -math.inf)
        mixed = scores.softmax(dim=3) @ v
        out: Tensor = self.out(mixed.transpose(1, 2).flatten(2))
        return out

    def _split(self, x: Tensor) -> Tensor:
        B, n, d = x.shape
        return x.view(B, n, self.heads, d // self.heads).transpose(1, 2)


def without_absent(x: Tensor, present: Tensor | None) -> Tensor:
    """Sets ``(B, n, d)`` with zeros for the elements that are not there.

    Args:
        x: the sets, filled up to one size.
        present: which elements are there, ``(B, n)``; all, if None.

    Raises:
        ValueError: a set is empty, or ``present`` is not ``(B, n)`` booleans.
    """
    if x.shape[1] == 0:
        raise ValueError("expected sets of at least one element, found empty sets")
    if present is None:
        return x
    if present.dtype != torch.bool or present.shape != x.shape[:2]:
        raise ValueError(
            f"present: expected {tuple(x.shape[:2])} booleans, found {tuple(present.shape)} of "
            f"{present.dtype}"
        )
    if not bool(present.any(dim=1).all()):
        raise ValueError("present: expected at least one element in every set, found an empty set")
    return x.masked_fill(~present[:, :, None], 0)
