"""Kind overlay: the cells of overlaid power diagrams (CERTIFICATES.md, overlay)."""

from __future__ import annotations

from operator import mul

from .budget import Budget
from .errors import Rejected, Unreadable, show
from .fields import Json, integer, items, members, vector
from .minkowski import closed, compare, offsets, read_columns, read_labels, read_points
from .mixed_complex import Complex, Vector
from .rationals import parse, scaled


def check(data: Json, budget: Budget) -> None:
    """Check the data of an overlay certificate.

    Raises:
        Rejected: it does not prove what the cells are.
        Unreadable: it is malformed or too large.
    """
    parts = members(
        data,
        "data",
        (
            "heads",
            "labels",
            "cells",
            "bound",
            "apex",
            "columns",
            "relations",
            "hyperplanes",
            "walls",
        ),
    )
    points, sizes, width, _ = read_points(_lifted(parts["heads"]), "heads", budget)
    d = width - 1
    columns = read_columns(parts, points, sizes, d, budget)
    counting = [
        _undominated(points, start, start + size)
        for start, size in zip(offsets(sizes), sizes, strict=True)
    ]
    if parts["apex"] is None:
        kept = [*columns, d]
        heads = [{p: tuple([points[p][c] for c in kept]) for p in head} for head in counting]
        complex_ = _closed_above(heads, len(kept), parts, budget)
    else:
        _check_apex(parts["apex"], points, counting, d, budget)
        if items(parts["walls"], "walls"):
            raise Rejected("walls: none expected with an apex")
        heads = [{p: tuple([points[p][c] for c in columns]) for p in head} for head in counting]
        complex_ = closed(heads, len(columns), parts["hyperplanes"], budget)
    labels = read_labels(parts["labels"], "labels", sizes)
    compare(labels, complex_, sizes, "labels")
    if labels != sorted(labels):
        raise Rejected("labels: not in lexicographic order")
    cells = integer(parts["cells"], "cells", 0)
    if cells != len(labels):
        raise Rejected(f"cells: {cells} stated, {len(labels)} proved")
    bound = _most_cells(
        d, [len(set(points[s : s + n])) for s, n in zip(offsets(sizes), sizes, strict=True)]
    )
    if parse(parts["bound"], "bound") != bound:
        raise Rejected(f"bound: {show(bound)} is right")


def _lifted(value: Json) -> list[list[Json]]:
    """The points (key, bias) of every head, as they stand in the file."""
    lifted = []
    for h, head in enumerate(items(value, "heads", least=1)):
        parts = members(head, f"heads[{h}]", ("keys", "biases"))
        keys = items(parts["keys"], f"heads[{h}].keys", least=1)
        biases = items(parts["biases"], f"heads[{h}].biases")
        if len(keys) != len(biases):
            raise Unreadable(f"heads[{h}]: expected {len(keys)} biases, found {len(biases)}")
        lifted.append(
            [
                [*items(key, f"heads[{h}].keys[{j}]", least=1), bias]
                for j, (key, bias) in enumerate(zip(keys, biases, strict=True))
            ]
        )
    return lifted


def _undominated(points: list[Vector], start: int, stop: int) -> list[int]:
    """Of the keys at one place only the first with the largest bias can win alone."""
    best: dict[Vector, int] = {}
    for p in range(start, stop):
        q = best.setdefault(points[p][:-1], p)
        if points[p][-1] > points[q][-1]:
            best[points[p][:-1]] = p
    return sorted(best.values())


def _closed_above(
    heads: list[dict[int, Vector]], width: int, parts: dict[str, Json], budget: Budget
) -> Complex:
    """The complex of the upper boundary of the lifted sum, which the cells must cover."""
    complex_ = Complex(heads, width, budget)
    for i, row in enumerate(items(parts["hyperplanes"], "hyperplanes", least=1)):
        if complex_.hyperplane(row, f"hyperplanes[{i}]")[-1] <= 0:
            raise Rejected(f"hyperplanes[{i}]: not an upper one")
    for i, row in enumerate(items(parts["walls"], "walls")):
        if complex_.border(row, f"walls[{i}]")[-1] != 0:
            raise Rejected(f"walls[{i}]: not vertical")
    complex_.close()
    return complex_


def _check_apex(
    value: Json, points: list[Vector], counting: list[list[int]], d: int, budget: Budget
) -> None:
    """All keys that count must tie at the apex, head by head.

    Raises:
        Rejected: they do not.
    """
    apex, common = scaled(vector(value, "apex", d), "apex", budget)
    functional = [*apex, common]
    budget.spend(len(points) * (d + 3) // 2)
    for h, head in enumerate(counting):
        if len({sum(map(mul, functional, points[p])) for p in head}) > 1:
            raise Rejected(f"apex: the keys of head {h} do not tie")


def _most_cells(d: int, sizes: list[int]) -> int:
    """The sum of the elementary symmetric polynomials of N_h - 1 up to degree d."""
    symmetric = [1] + [0] * min(d, len(sizes))
    for n in sizes:
        for j in range(len(symmetric) - 1, 0, -1):
            symmetric[j] += symmetric[j - 1] * (n - 1)
    return sum(symmetric)
