"""Certificates of Minkowski sums and overlays as JSON values (proofs_check/CERTIFICATES.md).

The cells found by `boundary` are written with the exact normals of their hyperplanes, cells of one
facet together, in lexicographic order: the same answer has the same certificate, however it was
found.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import accumulate, chain
from math import lcm
from typing import Any

import flint
import numpy as np

from .cells import Complex
from .cofactors import primitive
from .summands import Array, Configuration, Number, Point

_LONGEST = 10**4000


def encoded(x: Number) -> int | str:
    """A number as certificates write it: an integer, ``"p/q"``, or hexadecimal if very long."""
    if isinstance(x, Fraction) and x.denominator != 1:
        return f"{_digits(x.numerator)}/{_digits(x.denominator)}"
    whole = int(x)
    return whole if -_LONGEST < whole < _LONGEST else hex(whole)


def _digits(x: int) -> str:
    return str(x) if -_LONGEST < x < _LONGEST else hex(x)


def encoded_points(points: Collection[Sequence[Any]]) -> list[list[int | str]]:
    """Points, number by number."""
    flat = list(chain.from_iterable(points))
    if set(map(type, flat)) == {int} and -_LONGEST < min(flat) and max(flat) < _LONGEST:
        return list(map(list, points))
    return [[encoded(x) for x in point] for point in points]


def envelope(kind: str, claim: str, data: dict[str, Any]) -> dict[str, Any]:
    """The four keys that every certificate has."""
    return {"format": "headproof-certificate/1", "kind": kind, "claim": claim, "data": data}


def relations(
    summands: Sequence[Sequence[Sequence[Number]]], columns: Sequence[int]
) -> dict[str, Any]:
    """The coordinates kept, and how differences depend on theirs in every other coordinate.

    Returns:
        ``columns``; and ``relations``, for each coordinate left out, in order, the coefficients
        c_j with x = sum_j c_j x_(columns j) for every difference x of two points of one summand.
    """
    d = len(summands[0][0])
    rest = [c for c in range(d) if c not in set(columns)]
    rows: list[list[int | str]] = [[] for _ in rest]
    if rest and columns:
        differences = [
            [
                flint.fmpq(y.numerator, y.denominator)
                for y in (a - b for a, b in zip(p, q, strict=True))
            ]
            for points in summands
            for q in points[:1]
            for p in points[1:]
        ]
        table = flint.fmpq_mat(differences).rref()[0].tolist()
        rows = [
            [encoded(Fraction(int(table[i][c].p), int(table[i][c].q))) for i in range(len(columns))]
            for c in rest
        ]
    return {"columns": list(columns), "relations": rows}


def unscaled(vectors: Array, conf: Configuration) -> Array:
    """(F, k) primitive integer normals in the caller's coordinates (those kept)."""
    if any(m != 1 for m in conf.scale):
        common = lcm(*(m.denominator for m in conf.scale))
        factors = np.array([int(m * common) for m in conf.scale], dtype=object)
        vectors = vectors.astype(object) * factors[:, None]
    return np.asarray(primitive(vectors).T)


def numbering(summands: Sequence[Sequence[Point]], conf: Configuration) -> Array:
    """The place of each point of a configuration in the concatenation of the caller's summands."""
    starts = np.array([0, *accumulate(len(points) for points in summands)], dtype=np.intp)
    if not conf.count:
        return np.zeros(0, dtype=np.intp)
    return np.asarray(starts[np.array(conf.sources)[conf.owner]] + conf.labels)


def hyperplanes(
    summands: Sequence[Sequence[Point]],
    conf: Configuration,
    cells: Complex,
    constant: Sequence[int] = (),
) -> list[list[Any]]:
    """``[normal, [cell, ...]]`` for every facet; a cell lists points, of every summand.

    Args:
        summands: as given.
        conf: what the cells are made of.
        cells: the complex.
        constant: index of the only point that counts in the summands left out (0 by default).
    """
    return _grouped(summands, conf, cells.cells, cells.normals, constant)


def walls(
    summands: Sequence[Sequence[Point]],
    conf: Configuration,
    cells: Complex,
    constant: Sequence[int] = (),
) -> list[list[Any]]:
    """``[normal, [ridge, ...]]`` for every vertical hyperplane of an overlay."""
    return _grouped(summands, conf, cells.ridges, cells.verticals, constant)


def _grouped(
    summands: Sequence[Sequence[Point]],
    conf: Configuration,
    rows: Array,
    vectors: Array,
    constant: Sequence[int],
) -> list[list[Any]]:
    if not len(rows):
        return []
    places = numbering(summands, conf)
    starts = [0, *accumulate(len(points) for points in summands)]
    present = set(conf.sources)
    fixed = [
        starts[h] + (constant[h] if len(constant) else 0)
        for h in range(len(summands))
        if h not in present
    ]
    table = places[rows]
    if fixed:
        table = np.concatenate((table, np.tile(np.array(fixed), (len(rows), 1))), axis=1)
    table.sort(axis=1)
    normals = unscaled(vectors, conf)
    if normals.dtype == object:
        pairs = sorted(zip(normals.tolist(), table.tolist(), strict=True))
    else:
        order = np.lexsort((*table.T[::-1], *normals.T[::-1]))
        pairs = list(zip(normals[order].tolist(), table[order].tolist(), strict=True))
    grouped: list[list[Any]] = []
    last = None
    for normal, cell in pairs:
        if normal == last:
            grouped[-1][1].append(cell)
        else:
            grouped.append([normal, [cell]])
            last = normal
    if normals.dtype == object:
        for entry in grouped:
            entry[0] = [encoded(x) for x in entry[0]]
    return grouped
