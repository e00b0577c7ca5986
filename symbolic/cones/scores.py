"""Exact scores <u, p> of many integer points under many integer functionals.

The product U P^T is formed in int64 when n max|u| max|p| < 2^62 proves that nothing can overflow,
and in python-flint's integers otherwise; both are exact. The result is a numpy array of int64 or of
Python integers, so that comparing and maximising read the same for either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

Table: TypeAlias = NDArray[Any]
"""Exact integers: dtype int64 or object (Python integers)."""

_PROVED_SAFE = 1 << 62
_ENTRIES = 1 << 22
"""The largest table formed at a time (32 MB in int64)."""


class Points:
    """Integer points that are scored again and again.

    Args:
        rows: (N, n) integers.

    Example:
        >>> Points([[1, 2], [10**30, 0]]).scores([[1, 1], [0, 1]]).tolist()
        [[3, 1000000000000000000000000000000], [2, 0]]
    """

    def __init__(self, rows: Sequence[Sequence[int]]) -> None:
        self.rows = rows
        self._largest = max((abs(entry) for row in rows for entry in row), default=0)
        self._dimension = len(rows[0]) if rows else 0
        fits = self._largest < _PROVED_SAFE
        self._words = np.array(rows, dtype=np.int64).T if fits else None  # (n, N)
        self._matrix: fmpz_mat | None = None

    def scores(self, functionals: Sequence[Sequence[int]]) -> Table:
        """The table <u_k, p_j>, shape (K, N)."""
        largest = max((abs(entry) for u in functionals for entry in u), default=0)
        safe = self._dimension * max(self._largest, 1) * max(largest, 1) < _PROVED_SAFE
        if self._words is not None and safe:
            return np.array(functionals, dtype=np.int64) @ self._words
        if self._matrix is None:
            self._matrix = fmpz_mat([list(column) for column in zip(*self.rows, strict=True)])
        product = fmpz_mat([list(u) for u in functionals]) * self._matrix
        table = np.empty((len(functionals), len(self.rows)), dtype=object)
        table[:] = [[int(entry) for entry in row] for row in product.tolist()]
        return table

    def each(self, functionals: Sequence[Sequence[int]]) -> Iterator[Table]:
        """The scores (N,) under one functional after the other, formed in batches.

        Example:
            >>> [row.tolist() for row in Points([[1, 2], [3, 0]]).each([[1, 0], [0, 1]])]
            [[1, 3], [2, 0]]
        """
        batch = max(1, _ENTRIES // len(self.rows))
        for start in range(0, len(functionals), batch):
            yield from self.scores(functionals[start : start + batch])
