"""Minkowski sums of finitely many point sets: vertices, their decompositions, facets, and a proof.

The sum of conv P_1, ..., conv P_H is never built from its N^H candidates nor one summand at a
time; its boundary is covered by fine mixed cells (`mixed_cells`), from which the vertices are read
off. All answers are exact, in any dimension and any position; `MinkowskiSum.certificate` is the
proof in the form that ``headproof check`` accepts.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import Any

import numpy as np

from ..display import facts, listing
from .boundary import Boundary, boundary
from .cells import Indices, Progress
from .certificate import encoded_points, envelope, hyperplanes, relations
from .summands import (
    Configuration,
    Number,
    Point,
    checked_summands,
    configuration,
    distinct,
)

_SAFE = 2**62


@dataclass(frozen=True)
class MinkowskiSum:
    """The Minkowski sum of the convex hulls of H point sets in R^d.

    Attributes:
        summands: the point sets, as given.
        vertices: the vertices of the sum in lexicographic order.
        choices: for each vertex the index of its point in every summand (of repeated points the
            lowest); the decomposition of a vertex is unique.
        facets: number of facets in the affine hull of the sum: 0 for a point, 2 for a segment.
        dimension: dimension of the affine hull.
    """

    summands: tuple[tuple[Point, ...], ...] = field(repr=False)
    vertices: tuple[Point, ...]
    choices: tuple[tuple[int, ...], ...]
    facets: int
    dimension: int
    _configuration: Configuration = field(repr=False, compare=False)
    _boundary: Boundary = field(repr=False, compare=False)

    def _repr_html_(self) -> str:
        """The vertices, as a notebook shows them."""
        told = facts(
            f"Minkowski sum of {len(self.summands)}",
            [
                ("points of the summands", tuple(map(len, self.summands))),
                ("dimension", self.dimension),
                ("vertices", len(self.vertices)),
                ("facets", self.facets),
            ],
        )
        rows = zip(self.vertices, self.choices, strict=True)
        return told + listing(("vertex", "choices"), rows, count=len(self.vertices))

    def certificate(self, claim: str = "tropical.minkowski") -> dict[str, Any]:
        """The proof as a JSON value of kind ``minkowski`` (proofs_check/CERTIFICATES.md).

        Args:
            claim: the claim that it belongs to.
        """
        conf = self._configuration
        data = {
            "summands": [encoded_points(points) for points in self.summands],
            "vertices": encoded_points(self.vertices),
            "choices": list(map(list, self.choices)),
            "facets": self.facets,
            **relations(self.summands, conf.columns),
            "hyperplanes": hyperplanes(self.summands, conf, self._boundary.cells),
        }
        return envelope("minkowski", claim, data)


def minkowski_sum(
    summands: Sequence[Sequence[Sequence[Number | str]]],
    *,
    limit: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    seed: int = 0,
) -> MinkowskiSum:
    """The Minkowski sum of H finite point sets in R^d, d >= 1, in any position.

    P = conv P_1 + ... + conv P_H; its vertices are sums p_1 + ... + p_H, in one way each.

    Args:
        summands: H lists of points with d coordinates: ints, Fractions or reduced strings "p/q".
        limit: most facets to look for.
        jobs: number of processes; the result does not depend on it.
        executor: where these are, instead of processes of its own; it is not shut down.
        progress: called with the numbers of cells found and of ridges still open.
        seed: of the random directions to start from; the answer does not depend on it.

    Raises:
        InputError: if the input is empty, ragged, or not exact, or an option not positive.
        LimitReached: if there are more than ``limit`` facets.

    Source: claims A6, A8.

    Example:
        >>> square = minkowski_sum([[[0, 0], [1, 0]], [[0, 0], [0, 1]]])
        >>> square.vertices
        ((0, 0), (0, 1), (1, 0), (1, 1))
        >>> square.choices, square.facets
        (((0, 0), (0, 1), (1, 0), (1, 1)), 4)
    """
    given = checked_summands(summands)
    conf = configuration(given, [distinct(points) for points in given])
    found = boundary(conf, limit=limit, jobs=jobs, executor=executor, progress=progress, seed=seed)
    choices = original_choices(conf, found.vertices, len(given))
    vertices, choices_ = ordered_sums(given, choices)
    return MinkowskiSum(
        tuple(map(tuple, given)),
        vertices,
        choices_,
        found.facets,
        conf.dimension,
        conf,
        found,
    )


def original_choices(
    conf: Configuration, rows: Indices, count: int, constant: Sequence[int] = ()
) -> Indices:
    """(V, H) indices into the caller's summands; those left out keep their ``constant`` (or 0)."""
    choices = np.zeros((len(rows), count), dtype=np.intp)
    if len(constant):
        choices[:] = constant
    if conf.count:
        choices[:, list(conf.sources)] = conf.labels[rows]
    return choices


def ordered_sums(
    given: Sequence[Sequence[Point]], choices: Indices
) -> tuple[tuple[Point, ...], tuple[tuple[int, ...], ...]]:
    """The sums of the chosen points in lexicographic order, and the choices in the same order."""
    flat = list(chain.from_iterable(given))
    if set(map(type, chain.from_iterable(flat))) == {int}:
        try:
            table = np.array(flat, dtype=np.int64)
        except OverflowError:
            table = np.full((1, 1), _SAFE)
        if len(given) * max(int(table.max()), -int(table.min())) < _SAFE:
            starts = [0, *accumulate(map(len, given))][:-1]
            sums = table[choices + starts].sum(axis=1)
            order = np.lexsort(sums.T[::-1])
            return (
                tuple(map(tuple, sums[order].tolist())),
                tuple(map(tuple, choices[order].tolist())),
            )
    pairs = sorted(
        (
            tuple(sum(xs) for xs in zip(*(given[h][j] for h, j in enumerate(c)), strict=True)),
            tuple(c),
        )
        for c in choices.tolist()
    )
    return tuple(v for v, _ in pairs), tuple(c for _, c in pairs)
