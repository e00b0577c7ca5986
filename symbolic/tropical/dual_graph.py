"""The dual graph of overlaid power diagrams: which full-dimensional cells share a wall.

Cells are upper vertices of the Minkowski sum of the lifted keys (claim A6), and two cells share a
wall of dimension d - 1 iff the segment between their vertices is an edge of the upper hull. Edges
are read off the incidences of vertices and facets: two vertices on a common upper facet are
adjacent iff no third vertex lies on all the facets, upper or vertical, that contain both. Nothing
is sampled, and degenerate positions (walls that coincide, many cells at one point) need no care.

Cost: V F exact evaluations for V cells and F facets, and for each facet the pairs of its vertices.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import networkx as nx

from ..minkowski.overlay import Head, Overlay, overlay
from ..rational import Rational, Vector, integer_rows, parse, primitive


def dual_graph(heads: Sequence[Head], *, limit: int | None = None) -> nx.Graph:
    """The graph of full-dimensional cells of overlaid heads, adjacent if they share a wall.

    Args:
        heads: as for `overlay`; one head for the diagram of a tropical polynomial.
        limit: most cells to look for.

    Returns:
        Nodes are the labels (j_1, ..., j_H). An edge between labels a < b carries ``normal``
        (primitive integers) and ``offset``: the wall lies in <normal, x> + offset = 0, and the
        form is positive on the side of b.

    Raises:
        InputError: as for `overlay`.
        LimitReached: there are more cells.

    Example:
        >>> line = {"keys": [[-1], [0], [1]], "biases": [0, 1, 0]}
        >>> graph = dual_graph([line])
        >>> [(a, b, e["normal"], e["offset"]) for a, b, e in sorted(graph.edges(data=True))]
        [((0,), (1,), (1,), 1), ((1,), (2,), (1,), -1)]
    """
    found = overlay(heads, limit=limit)
    sums = [_sum(found, label) for label in found.labels]
    graph: nx.Graph = nx.Graph()
    graph.add_nodes_from(found.labels)
    for v, w in _edges(found, sums):
        difference = [p - q for p, q in zip(sums[w], sums[v], strict=True)]
        (row,), _ = integer_rows([difference])
        factor = Fraction(primitive(row[:-1])[_first(row)], difference[_first(row)])
        offset = factor * difference[-1]
        graph.add_edge(
            found.labels[v],
            found.labels[w],
            normal=primitive(row[:-1]),
            offset=offset.numerator if offset.denominator == 1 else offset,
        )
    return graph


def _sum(found: Overlay, label: Sequence[int]) -> Vector:
    """The sum of the lifted keys of a label."""
    chosen = [(*keys[j], biases[j]) for (keys, biases), j in zip(found.heads, label, strict=True)]
    return tuple(sum(column, 0) for column in zip(*chosen, strict=True))


def _edges(found: Overlay, sums: Sequence[Vector]) -> list[tuple[int, int]]:
    """The pairs of vertices (lower index first) that an edge of the upper hull joins."""
    facets, verticals = _facets(found)
    if not facets:
        return []
    upper = [_incident(facet, sums) for facet in facets]
    every = upper + [_incident(facet, sums) for facet in verticals]
    if len(sums) == 2:  # two facets of a segment have no vertex in common
        return [(0, 1)]
    of_vertex = [0] * len(sums)
    for f, members in enumerate(every):
        for v in members:
            of_vertex[v] |= 1 << f
    masks = [sum(1 << v for v in members) for members in every]
    edges = set()
    for members in upper:
        for v, w in combinations(members, 2):
            if (v, w) not in edges and _face(masks, of_vertex[v] & of_vertex[w]) == {v, w}:
                edges.add((v, w))
    return sorted(edges)


def _facets(found: Overlay) -> tuple[list[Vector], list[Vector]]:
    """The functionals of the upper and of the vertical facets, on the lifted coordinates."""
    data = found.certificate()["data"]
    d = len(found.heads[0][0][0])
    columns = [*data["columns"], d] if data["apex"] is None else data["columns"]

    def functionals(rows: Any) -> list[Vector]:
        table = []
        for normal, _ in rows:
            row: list[Rational] = [0] * (d + 1)
            for column, entry in zip(columns, normal, strict=True):
                row[column] = parse(entry)
            table.append(tuple(row))
        return table

    return functionals(data["hyperplanes"]), functionals(data["walls"])


def _incident(facet: Vector, sums: Sequence[Vector]) -> list[int]:
    values = [sum((a * b for a, b in zip(facet, p, strict=True)), 0) for p in sums]
    best = max(values)
    return [v for v, value in enumerate(values) if value == best]


def _face(masks: Sequence[int], facets: int) -> set[int]:
    """The vertices on all of some facets."""
    common = -1
    for f in _bits(facets):
        common &= masks[f]
    return set(_bits(common))


def _bits(mask: int) -> list[int]:
    return [n for n in range(mask.bit_length()) if mask >> n & 1]


def _first(row: Sequence[int]) -> int:
    """The first entry that is not 0; a wall has one among the coordinates of x."""
    return next(i for i, entry in enumerate(row) if entry)
