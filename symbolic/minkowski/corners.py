"""Vertices of a Minkowski sum, read off the fine mixed cells that cover its boundary.

Every vertex is a corner (a_1, ..., a_H), a_i in A_i, of some cell, since its decomposition is
unique. A corner of a cell that is a whole facet is a vertex. Any other corner is a vertex if and
only if the normals of its cells have full rank: a vertex meets cells in all of its facets, and a
point inside a face of dimension >= 1 has only normals orthogonal to that face.

Corners are told apart exactly: as mixed-radix integers in one or more int64 limbs, never by a
hash. Cost: one sort of the corners, F * prod |A_i| of them, and an exact rank for each corner that
no simple facet decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import flint
import numpy as np
from numpy.typing import NDArray

from .cells import Complex, Flags, Frame, Indices
from .summands import Array, Configuration

_LIMB = 2**62
_FEW_EDGES = 5


class Codes:
    """Mixed-radix codes of one point from every summand."""

    def __init__(self, conf: Configuration) -> None:
        """Split the summands into limbs whose products stay below 2^62."""
        self.conf = conf
        sizes = np.bincount(conf.owner, minlength=conf.count).tolist()
        self.sizes: list[int] = sizes
        self.firsts = np.concatenate(([0], np.cumsum(sizes)))[: conf.count]
        self.limb: list[int] = []
        self.stride: list[int] = []
        limb, product = 0, 1
        for size in sizes:
            if product * size >= _LIMB:
                limb, product = limb + 1, 1
            self.limb.append(limb)
            self.stride.append(product)
            product *= size
        self.limbs = limb + 1
        local = np.arange(len(conf.owner)) - self.firsts[conf.owner]
        # (limbs, n): what a point adds to each limb.
        self.weight = np.zeros((self.limbs, len(conf.owner)), dtype=np.int64)
        self.weight[np.array(self.limb, dtype=np.intp)[conf.owner], np.arange(len(local))] = (
            local * np.array(self.stride, dtype=np.int64)[conf.owner]
        )

    def decode(self, codes: NDArray[np.int64]) -> Indices:
        """(V, H) points of the codes (limbs, V)."""
        limb = codes[self.limb].T
        local = limb // np.array(self.stride, dtype=np.int64) % np.array(self.sizes)
        return np.asarray(local + self.firsts, dtype=np.intp)

    def unique(self, codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], Indices]:
        """The distinct codes, and which of them each one is."""
        if self.limbs == 1:
            values, back = np.unique(codes[0], return_inverse=True)
            return values[None], back
        order = np.lexsort(codes)
        ordered = codes[:, order]
        new = np.ones(codes.shape[1], dtype=bool)
        new[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
        back = np.empty(codes.shape[1], dtype=np.intp)
        back[order] = np.cumsum(new) - 1
        return ordered[:, new], back


def corners(conf: Configuration, codes: Codes, rows: Indices) -> tuple[NDArray[np.int64], Indices]:
    """Codes of all corners of the given rows of points (some twice), and the row of each.

    Rows with many edges are grouped by which of their edges belong to one summand.
    """
    frame = Frame(conf, rows)
    weight = codes.weight
    base = weight[:, frame.bases].sum(axis=2)
    step = weight[:, frame.edge_points] - weight[:, frame.edge_bases]
    edges = step.shape[2]
    if not edges:
        return base, np.arange(len(rows))
    owner = conf.owner[frame.edge_points]
    kin = owner[:, 1:] == owner[:, :-1]
    if edges <= _FEW_EDGES:
        return padded(base, step, kin), np.tile(np.arange(len(rows)), 2**edges)
    pattern = kin @ (1 << np.arange(edges - 1))
    order = np.argsort(pattern, kind="stable")
    found, lines = [], []
    for start, stop in runs(pattern[order]):
        group = order[start:stop]
        together = kin[group[0]]
        done = every = base[:, None, group]
        for j in range(edges):
            if j == 0 or not together[j - 1]:
                done = every
            every = np.concatenate((every, done + step[:, None, group, j]), axis=1)
        found.append(every.reshape(codes.limbs, -1))
        lines.append(np.broadcast_to(group, every.shape[1:]).ravel())
    return np.concatenate(found, axis=1), np.concatenate(lines)


def padded(base: NDArray[np.int64], step: NDArray[np.int64], kin: Flags) -> NDArray[np.int64]:
    """Corners of rows with few edges: 2^edges for each, whatever the number of different ones.

    Args:
        base: (limbs, F) codes of the bases.
        step: (limbs, F, edges) what each edge adds.
        kin: (F, edges - 1) whether an edge belongs to the same summand as the one before.
    """
    every = base[:, None]
    # Corners that take the base of the summand at hand.
    free = every
    for j in range(step.shape[2]):
        if j:
            free = np.where(kin[:, j - 1], np.concatenate((free, free), axis=1), every)
        every = np.concatenate((every, free + step[:, None, :, j]), axis=1)
    return every.reshape(len(base), -1)


def vertices(conf: Configuration, cells: Complex) -> Indices:
    """The vertices (upper vertices if ``conf.upper``) as (V, H) points, exactly."""
    codes = Codes(conf)
    found, line = corners(conf, codes, cells.cells)
    if cells.simple:
        if codes.limbs == 1:
            ordered = np.sort(found[0])
            new = np.ones(len(ordered), dtype=bool)
            np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
            return codes.decode(ordered[None, new])
        return codes.decode(codes.unique(found)[0])
    facets, facet = distinct_columns(cells.normals)
    facet = facet[line]
    if len(cells.ridges):
        border, at = corners(conf, codes, cells.ridges)
        walls, wall = distinct_columns(cells.verticals)
        found = np.concatenate((found, border), axis=1)
        facet = np.concatenate((facet, wall[at] + facets.shape[1]))
        facets = np.concatenate((facets, walls), axis=1)
    values, back = codes.unique(found)
    sure = np.zeros(values.shape[1], dtype=bool)
    sure[back[: len(line)][cells.plain[line]]] = True
    unsure = ~sure[back]
    # One integer for a corner and a facet: there are fewer than 2^62 pairs.
    pairs = np.unique(back[unsure] * facets.shape[1] + facet[unsure])
    corner, facet = np.divmod(pairs, facets.shape[1])
    columns: list[Sequence[int]] = facets.T.tolist()
    meeting: list[int] = facet.tolist()
    for start, stop in runs(corner):
        if stop - start >= conf.dimension:
            normals = flint.fmpz_mat([columns[c] for c in meeting[start:stop]])
            sure[corner[start]] = normals.rank() == conf.dimension
    return codes.decode(values[:, sure])


def distinct_columns(vectors: Array) -> tuple[Array, Indices]:
    """The distinct columns in lexicographic order, and which of them each column is."""
    if not vectors.shape[1]:
        return vectors, np.zeros(0, dtype=np.intp)
    if vectors.dtype == object:
        rows = [tuple(v) for v in vectors.T.tolist()]
        position = {v: i for i, v in enumerate(sorted(set(rows)))}
        first = {v: i for i, v in enumerate(rows)}
        return (
            vectors[:, [first[v] for v in position]],
            np.array([position[v] for v in rows], dtype=np.intp),
        )
    order = np.lexsort(vectors[::-1])
    ordered = vectors[:, order]
    new = np.ones(vectors.shape[1], dtype=bool)
    new[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    back = np.empty(vectors.shape[1], dtype=np.intp)
    back[order] = np.cumsum(new) - 1
    return ordered[:, new], back


def runs(ordered: Indices) -> list[tuple[int, int]]:
    """Start and stop of each run of equal values (none negative)."""
    cuts: list[int] = np.flatnonzero(np.diff(ordered, prepend=-1, append=-1)).tolist()
    return list(pairwise(cuts))
