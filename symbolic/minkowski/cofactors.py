"""Exact normals of hyperplanes and exact signs of support, thousands at a time.

`normals` expands the cofactors of k - 1 edge vectors row by row over the sets of columns (Laplace,
k 2^(k-1) products per cell), because that needs no division: it runs unchanged in int64, where it
is exact modulo 2^64 and hence exact when Hadamard's bound is below 2^62, and on Python integers
otherwise.

`Supports` evaluates h - <n, p> in floats with a rigorous error bound; a value within the bound is
then computed in integers (modulo 2^64 in int64: the true value is below 2^62 by the bound, so the
residue is the value). Nothing is ever rounded into a decision.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from .summands import Array, Configuration

_UNIT = 2.0**-53
_BLOCK = 1 << 17


@lru_cache(maxsize=64)
def _expansion(k: int, j: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Which entries and minors to multiply for the minors of size j of k columns.

    Entries are taken from a row followed by its negative: index c + k means minus column c.
    """
    smaller = {s: i for i, s in enumerate(combinations(range(k), j - 1))}
    entries, minors = [], []
    for s in combinations(range(k), j):
        # Expansion along the last row: sign (-1)^(j - 1 + i) for the column at place i.
        entries.append([c + (k if (j - 1 + i) % 2 else 0) for i, c in enumerate(s)])
        minors.append([smaller[s[:i] + s[i + 1 :]] for i in range(j)])
    return np.array(entries, dtype=np.intp), np.array(minors, dtype=np.intp)


def normals(edges: Array) -> Array:
    """The vectors n with <n, y> = det(edges; y).

    Args:
        edges: (k, F, k - 1) integers, coordinate first.

    Returns:
        (k, F) integers; zero where the edges are dependent.
    """
    k, count, rows = edges.shape
    if rows == 0:
        return np.ones((1, count), dtype=edges.dtype)
    # Blocks that fit into the cache: a cell has at most k C(k - 1, k / 2) products at a time.
    block = max(1, _BLOCK // (k * comb(k - 1, k // 2)))
    if count <= block:
        return _normals(edges)
    result = np.empty((k, count), dtype=edges.dtype)
    for start in range(0, count, block):
        result[:, start : start + block] = _normals(edges[:, start : start + block])
    return result


def _normals(edges: Array) -> Array:
    k, _, rows = edges.shape
    minors = edges[:, :, 0]
    for j in range(2, rows + 1):
        row = edges[:, :, j - 1]
        signed = np.concatenate((row, -row))
        entries, smaller = _expansion(k, j)
        minors = np.asarray((signed[entries] * minors[smaller]).sum(axis=1))
    # minors of size k - 1 in the order of combinations: the first misses column k - 1.
    result = minors[::-1].copy()
    # det(edges; y) expands along its last row y: sign (-1)^(k - 1 + c).
    result[(k - 2) % 2 :: 2] *= -1
    return result


def primitive(vectors: Array) -> Array:
    """Each column divided by the common divisor of its entries; (k, F), none zero."""
    return np.asarray(vectors // np.abs(np.gcd.reduce(vectors, axis=0)))


def fits_int64(conf: Configuration) -> bool:
    """Whether int64 decides everything, by Hadamard's bound.

    Cofactors must stay below 2^62, and the error of a float slack below 2^61, so that a slack
    within its error is known from its residue modulo 2^64.
    """
    if conf.points.dtype == object or not conf.points.size:
        return conf.points.dtype != object
    k = conf.dimension
    starts = np.searchsorted(conf.owner, np.arange(conf.count))
    low = np.minimum.reduceat(conf.points, starts, axis=0)
    high = np.maximum.reduceat(conf.points, starts, axis=0)
    spread = (high - low).tolist()
    square = max(sum(x * x for x in row) for row in spread)
    largest = max(map(max, spread))

    def enough(square: int) -> bool:
        cofactor: int = square ** (k - 1)
        return cofactor < 2**124 and cofactor * (32 * k * (k + 4) * largest) ** 2 < 2**228

    if enough(square):
        return True
    # The box is a crude bound on the length of an edge: measure the edges (in Python integers).
    square = 0
    for start, stop in zip(starts, (*starts[1:], len(conf.points)), strict=True):
        points = conf.points[start:stop].tolist()
        if len(points) > 100:
            return False
        square = max(
            square,
            *(
                sum((x - y) ** 2 for x, y in zip(p, q, strict=True))
                for i, p in enumerate(points)
                for q in points[:i]
            ),
        )
    return enough(square)


class Supports:
    """Slacks h_i(n) - <n, p> of all points p of a configuration, for many normals n."""

    def __init__(self, conf: Configuration) -> None:
        """Prepare the transposed points once."""
        self.conf = conf
        self.integers = fits_int64(conf)
        points = conf.points if self.integers else conf.points.astype(object)
        self.points = np.ascontiguousarray(points.T)
        self.columns = np.ascontiguousarray(conf.floats.T)
        self.powers = np.ldexp(1.0, np.array(conf.exponents))[:, None] if self.integers else None
        self.accuracy = 8.0 * (conf.dimension + 4) * _UNIT

    def scaled(self, vectors: Array) -> tuple[NDArray[np.float64], list[int] | None]:
        """Normals in the coordinates of ``floats`` (k, F), divided by the integers returned."""
        if self.powers is not None:
            return vectors.astype(np.float64) * self.powers, None
        out = np.empty(vectors.shape)
        units = []
        for f, vector in enumerate(vectors.T.tolist()):
            big = [x << e for x, e in zip(vector, self.conf.exponents, strict=True)]
            unit = 1 << max(map(abs, big)).bit_length()
            out[:, f] = [x / unit for x in big]
            units.append(unit)
        return out, units

    def slacks(
        self, scaled: NDArray[np.float64], bases: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Float slacks (F, n), and their error bounds (F,).

        Args:
            scaled: (k, F) normals.
            bases: (F, H) where a maximal point of each summand stands in a raveled (F, n) table.
        """
        values = scaled.T @ self.columns
        slack = values.ravel()[bases].take(self.conf.owner, axis=1) - values
        return slack, np.abs(scaled).sum(axis=0) * self.accuracy

    def exact(
        self,
        vectors: Array,
        bases: NDArray[np.intp],
        pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    ) -> Array:
        """Exact slacks of pairs (cell, point) whose float slack is within its error bound."""
        cells, points = pairs
        reference = bases[cells, self.conf.owner[points]]
        difference = self.points[:, reference] - self.points[:, points]
        return np.asarray((vectors[:, cells] * difference).sum(axis=0))
