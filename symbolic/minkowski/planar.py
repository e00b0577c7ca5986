"""Minkowski sums in the plane: merge the edges of the summands by angle.

Each summand is cut down to its convex hull (monotone chain); its edges, sorted by direction, are
laid one after the other, which is the boundary of the sum: O(n log n) in all. The order by
direction is proposed by floats and each neighbouring pair is checked by an exact cross product; if
a pair is out of order the edges are sorted again by cross products alone. Nothing is left to
prove: a cell is an edge and a point of every other summand, and the cells form one closed walk.
"""

from __future__ import annotations

from functools import cmp_to_key
from itertools import pairwise
from math import atan2
from typing import TypeAlias

import numpy as np

from ..errors import LimitReached
from .cells import Complex, Indices, over_limit
from .summands import Configuration

# (dx, dy, start, end, summand)
Edge: TypeAlias = tuple[int, int, int, int, int]


def chain(points: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """The strict lower hull of points (x, y, index) in lexicographic order."""
    hull: list[tuple[int, int, int]] = []
    for x, y, p in points:
        while len(hull) > 1:
            (a, b, _), (c, d, _) = hull[-2], hull[-1]
            if (c - a) * (y - b) - (d - b) * (x - a) > 0:
                break
            hull.pop()
        hull.append((x, y, p))
    return hull


def angular(one: Edge, two: Edge) -> int:
    """Order of directions from straight down, anticlockwise; the summand breaks ties."""
    half = (one[0] < 0 or (one[0] == 0 and one[1] < 0)) - (
        two[0] < 0 or (two[0] == 0 and two[1] < 0)
    )
    if half:
        return half
    cross = two[0] * one[1] - two[1] * one[0]
    return cross or one[4] - two[4]


def by_angle(edges: list[Edge]) -> list[Edge]:
    """The edges sorted by `angular`."""
    try:
        # Directions with dx < 0 or straight down come last.
        ordered = sorted(
            edges,
            key=lambda e: (
                (e[0], e[1]) < (0, 0),
                atan2(e[1], e[0]) if (e[0], e[1]) > (0, 0) else atan2(-e[1], -e[0]),
                e[4],
            ),
        )
    except OverflowError:
        ordered = edges
    if all(angular(e, f) <= 0 for e, f in pairwise(ordered)):
        return ordered
    return sorted(edges, key=cmp_to_key(angular))


def planar(conf: Configuration, limit: int | None = None) -> tuple[Complex, Indices]:
    """Cells and vertices of a sum of dimension 2, in the order of the walk around it.

    With ``conf.upper`` only the upper chain, from right to left.

    Raises:
        LimitReached: if there are more than ``limit`` facets (upper: vertices).
    """
    rows = conf.points.tolist()
    # With heights there is one point for each key, so that no edge is vertical.
    bounds = np.searchsorted(conf.owner, np.arange(conf.count + 1)).tolist()
    edges: list[Edge] = []
    at: list[int] = []
    for h in range(conf.count):
        points = sorted((*rows[p], p) for p in range(bounds[h], bounds[h + 1]))
        walk = chain(points[::-1])
        if not conf.upper:
            walk = chain(points) + walk[1:]
        at.append(walk[0][2])
        edges.extend((c - a, d - b, p, q, h) for (a, b, p), (c, d, q) in pairwise(walk))
    edges = by_angle(edges)
    if limit is not None:
        # Each vertex takes a point of every summand: stop before they are written down.
        size = 1 + sum(e[0] * f[1] != e[1] * f[0] for e, f in pairwise(edges))
        size += conf.upper
        if size > limit:
            raise LimitReached(over_limit(conf.upper, limit, size))
    cells, normals, corners = [], [], []
    border = [list(at)]
    for i, (dx, dy, _, q, h) in enumerate(edges):
        before = edges[i - 1]
        # Neighbouring edges turn by less than a half turn: parallel is the same direction.
        if (i == 0 and conf.upper) or before[0] * dy != before[1] * dx:
            corners.append(list(at))
        cells.append(sorted([*at, q]))
        normals.append((dy, -dx))
        at[h] = q
    if conf.upper:
        corners.append(list(at))
        border.append(list(at))
    dtype = np.int64 if conf.points.dtype != object else object
    vectors = np.empty((2, len(normals)), dtype=dtype)
    for c in range(2):
        vectors[c] = [n[c] for n in normals]
    if normals:
        vectors = vectors // np.gcd.reduce(vectors, axis=0)
    whole = Complex(
        np.array(cells, dtype=np.intp).reshape(len(cells), conf.count + 1),
        vectors,
        False,
        np.zeros(len(cells), dtype=bool),
        np.array(border if conf.upper else [], dtype=np.intp).reshape(-1, conf.count),
        np.array([[1, -1], [0, 0]] if conf.upper else [[], []], dtype=vectors.dtype),
    )
    return whole, np.array(corners, dtype=np.intp).reshape(-1, conf.count)
