"""Kind minkowski: the vertices and facets of a Minkowski sum (CERTIFICATES.md, minkowski)."""

from __future__ import annotations

from itertools import pairwise
from operator import mul

from .budget import Budget, Rational
from .errors import Rejected
from .fields import Json, index, integer, items, members, vector
from .mixed_complex import Complex, Vector
from .rationals import scaled


def check(data: Json, budget: Budget) -> None:
    """Check the data of a minkowski certificate.

    Raises:
        Rejected: it does not prove what the vertices and facets are.
        Unreadable: it is malformed or too large.
    """
    parts = members(
        data,
        "data",
        ("summands", "vertices", "choices", "facets", "columns", "relations", "hyperplanes"),
    )
    points, sizes, d, common = read_points(parts["summands"], "summands", budget)
    columns = read_columns(parts, points, sizes, d, budget)
    summands = [
        {p: tuple([x[c] for c in columns]) for x, p in first.items()}
        for first in (
            lowest(points, start, start + size)
            for start, size in zip(offsets(sizes), sizes, strict=True)
        )
    ]
    complex_ = closed(summands, len(columns), parts["hyperplanes"], budget)
    facets = integer(parts["facets"], "facets", 0)
    if facets != len(complex_.normals):
        raise Rejected(f"facets: {facets} stated, {len(complex_.normals)} proved")
    choices = read_labels(parts["choices"], "choices", sizes)
    compare(choices, complex_, sizes, "choices")
    _check_vertices(parts["vertices"], choices, points, sizes, d, common, budget)


def closed(summands: list[dict[int, Vector]], k: int, hyperplanes: Json, budget: Budget) -> Complex:
    """The complex of a sum of dimension k, whose cells must cover its boundary.

    Raises:
        Rejected: they do not.
    """
    complex_ = Complex(summands, k, budget)
    rows = items(hyperplanes, "hyperplanes")
    if k == 0:
        if rows:
            raise Rejected("hyperplanes: a point has no facets")
        corner = tuple(p for summand in summands for p in summand)
        complex_.sure.add(corner)
        return complex_
    for i, row in enumerate(rows):
        complex_.hyperplane(row, f"hyperplanes[{i}]")
    complex_.close()
    if not rows or not complex_.full:
        raise Rejected("hyperplanes: the sum has a smaller dimension, or no cell is given")
    # Two points are no connected boundary: both must be there.
    if k == 1 and len(rows) != 2:
        raise Rejected("hyperplanes: a segment has two facets")
    return complex_


def offsets(sizes: list[int]) -> list[int]:
    """Where each summand starts in the list of all points."""
    return [sum(sizes[:h]) for h in range(len(sizes))]


def lowest(points: list[Vector], start: int, stop: int) -> dict[Vector, int]:
    """The distinct points of a summand with the lowest place of each."""
    first: dict[Vector, int] = {}
    for p in range(start, stop):
        first.setdefault(points[p], p)
    return first


def read_points(
    value: Json, where: str, budget: Budget
) -> tuple[list[Vector], list[int], int, int]:
    """All points as integers, the sizes of the summands, the dimension, and the denominator."""
    sizes = []
    width: int | None = None
    flat: list[Rational] = []
    for h, summand in enumerate(items(value, where, least=1)):
        rows = items(summand, f"{where}[{h}]", least=1)
        sizes.append(len(rows))
        for j, row in enumerate(rows):
            if width is None:
                width = len(items(row, f"{where}[{h}][{j}]", least=1))
            flat += vector(row, f"{where}[{h}][{j}]", width)
    assert width is not None
    integers, common = scaled(flat, where, budget)
    points = [tuple(integers[i : i + width]) for i in range(0, len(integers), width)]
    return points, sizes, width, common


def read_columns(
    parts: dict[str, Json], points: list[Vector], sizes: list[int], d: int, budget: Budget
) -> list[int]:
    """The coordinates kept, after a check that they determine all differences.

    Raises:
        Rejected: they do not.
    """
    columns = [
        index(c, f"columns[{i}]", d, "coordinate")
        for i, c in enumerate(items(parts["columns"], "columns"))
    ]
    if any(a >= b for a, b in pairwise(columns)):
        raise Rejected("columns: not ascending")
    rest = [c for c in range(d) if c not in columns]
    rows = items(parts["relations"], "relations")
    if len(rows) != len(rest):
        raise Rejected(f"relations: expected {len(rest)}, found {len(rows)}")
    for i, (c, row) in enumerate(zip(rest, rows, strict=True)):
        where = f"relations[{i}]"
        coefficients, common = scaled(vector(row, where, len(columns)), where, budget)
        start = 0
        for size in sizes:
            base = points[start]
            budget.spend(size * (len(columns) + 3) // 2)
            for p in range(start + 1, start + size):
                kept = [points[p][j] - base[j] for j in columns]
                if sum(map(mul, coefficients, kept)) != common * (points[p][c] - base[c]):
                    raise Rejected(f"{where}: fails for point {p}")
            start += size
    return columns


def read_labels(value: Json, where: str, sizes: list[int]) -> list[Vector]:
    """Index tuples in strictly ascending or any order, one index for every summand.

    Raises:
        Rejected: one is out of range or has a wrong length.
    """
    labels = []
    for i, row in enumerate(items(value, where)):
        entries = items(row, f"{where}[{i}]")
        if len(entries) != len(sizes):
            raise Rejected(f"{where}[{i}]: expected {len(sizes)} indices, found {len(entries)}")
        labels.append(
            tuple(
                index(entry, f"{where}[{i}][{h}]", n, "point")
                for h, (entry, n) in enumerate(zip(entries, sizes, strict=True))
            )
        )
    return labels


def compare(labels: list[Vector], complex_: Complex, sizes: list[int], where: str) -> None:
    """The labels given must be the vertices proved, each once.

    Raises:
        Rejected: they are not.
    """
    starts = offsets(sizes)
    given = {tuple(map(sum, zip(label, starts, strict=True))) for label in labels}
    proved = complex_.vertices()
    if len(given) != len(labels):
        raise Rejected(f"{where}: one stands twice")
    if given != proved:
        raise Rejected(
            f"{where}: {len(proved - given)} are missing and {len(given - proved)} are none"
        )


def _check_vertices(
    value: Json,
    choices: list[Vector],
    points: list[Vector],
    sizes: list[int],
    d: int,
    common: int,
    budget: Budget,
) -> None:
    starts = offsets(sizes)
    rows = items(value, "vertices")
    if len(rows) != len(choices):
        raise Rejected(f"vertices: {len(rows)} stated, {len(choices)} choices")
    previous: list[Rational] | None = None
    budget.spend(len(rows) * (len(sizes) + 2) * d // 8)
    for i, (row, choice) in enumerate(zip(rows, choices, strict=True)):
        vertex = vector(row, f"vertices[{i}]", d)
        chosen = [points[s + j] for s, j in zip(starts, choice, strict=True)]
        if any(
            common * x != sum(column)
            for x, column in zip(vertex, zip(*chosen, strict=True), strict=True)
        ):
            raise Rejected(f"vertices[{i}]: not the sum of the points chosen")
        if previous is not None and not previous < vertex:
            raise Rejected(f"vertices[{i}]: not in lexicographic order")
        previous = vertex
