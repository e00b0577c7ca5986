"""Attention whose value projection depends on the set: matrix zonotopic attention (T2).

The value projection of a set X is W_V(X) = C + sum_i beta_i(X) G_i with beta = tanh(A mean(X) + c),
so it lies in the matrix zonotope of centre C and generators G_i. Pooling by the mean makes beta
invariant under permutations, hence the layer equivariant. Two controls have the same shape: no
dependence on the set at all, and a dependent bias, v_j = C x_j + B beta(X), which moves all values
of a set by one vector.

The matrix is put together once a set, so that the generators cost g d^2 a set and not g n d^2.
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

    def coefficients(self, x: Tensor) -> Tensor:
        """The beta of sets ``(B, n, d)``: ``(B, g)``, each in [-1, 1].

        Raises:
            ValueError: values do not depend on the set.
        """
        if self.coefficient is None:
            raise ValueError("the values of this layer do not depend on the set")
        return torch.tanh(self.coefficient(x.mean(dim=1)))

    def forward(self, queries: Tensor, x: Tensor) -> Tensor:
        """Attend from ``(B, m, d)`` to sets ``(B, n, d)``: ``(B, m, d)``."""
        v: Tensor = self.centre(x)
        if self.values == "zonotope":
            matrix = torch.einsum("bg,gij->bij", self.coefficients(x), self.generators)
            v = v + x @ matrix
        elif self.values == "bias":
            v = v + (self.coefficients(x) @ self.generators)[:, None]
        q, k, v = (self._split(each) for each in (self.query(queries), self.key(x), v))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.shape[3])  # (B, H, m, n)
        mixed = scores.softmax(dim=3) @ v
        out: Tensor = self.out(mixed.transpose(1, 2).flatten(2))
        return out

    def _split(self, x: Tensor) -> Tensor:
        B, n, d = x.shape
        return x.view(B, n, self.heads, d // self.heads).transpose(1, 2)
