"""The boundary of a Minkowski sum in any dimension: which algorithm, and what if floats fail.

A point or a segment needs none, the plane is merged by angle (`planar`), everything else is
gift-wrapped (`mixed_cells`). If floats lead nowhere, which takes ill-conditioned input, other
heights are tried and then the exact fallback (`exact_wrap`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import count, pairwise

import numpy as np

from ..errors import InputError, LimitReached
from .cells import Complex, Inconsistent, Indices, Progress, over_limit
from .corners import distinct_columns, vertices
from .exact_wrap import exact_wrap
from .mixed_cells import wrap
from .planar import planar
from .summands import Configuration

_FLOAT_ATTEMPTS = 2


@dataclass(frozen=True, eq=False)
class Boundary:
    """What is known of the boundary of a sum (of its upper part if the configuration says so).

    Attributes:
        cells: fine mixed cells that cover it.
        vertices: (V, H) points.
        facets: number of facets.
    """

    cells: Complex
    vertices: Indices
    facets: int


def boundary(
    conf: Configuration,
    *,
    limit: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    seed: int = 0,
) -> Boundary:
    """Cells, vertices and facets of a sum.

    Raises:
        InputError: if ``limit`` or ``jobs`` is not positive.
        LimitReached: if there are more than ``limit`` facets (upper: vertices).
    """
    for name, number in (("limit", limit), ("jobs", jobs)):
        if number is not None and number < 1:
            raise InputError("an integer >= 1", str(number), where=name)
    found = _boundary(conf, limit, jobs, executor, progress, seed)
    size = len(found.vertices) if conf.upper else found.facets
    if limit is not None and size > limit:
        raise LimitReached(over_limit(conf.upper, limit, size))
    return found


def _boundary(
    conf: Configuration,
    limit: int | None,
    jobs: int,
    executor: Executor | None,
    progress: Progress | None,
    seed: int,
) -> Boundary:
    if conf.dimension == 0:
        return Boundary(_cells(conf, [], []), np.zeros((1, 0), dtype=np.intp), 0)
    if conf.dimension == 1:
        ends = _ends(conf)
        return Boundary(_cells(conf, ends, [[-1], [1]]), np.array(ends, dtype=np.intp), 2)
    if conf.dimension == 2:
        cells, corners = planar(conf, limit)
        return Boundary(cells, corners, distinct_columns(cells.normals)[0].shape[1])
    cells = _wrapped(conf, limit, jobs, executor, progress, seed)
    return Boundary(cells, vertices(conf, cells), _facets(cells))


def _wrapped(
    conf: Configuration,
    limit: int | None,
    jobs: int,
    executor: Executor | None,
    progress: Progress | None,
    seed: int,
) -> Complex:
    guard = None if limit is None else Guard(conf, limit)
    for attempt in range(_FLOAT_ATTEMPTS):
        try:
            return wrap(
                conf,
                seed=seed + attempt,
                jobs=jobs,
                executor=executor,
                progress=progress,
                guard=guard,
            )
        except Inconsistent:
            continue
    for attempt in count():
        try:
            return exact_wrap(conf, seed=seed + attempt, progress=progress, guard=guard)
        except Inconsistent:
            continue
    raise AssertionError("unreachable")


class Guard:
    """Stops an exploration that found more facets (upper: vertices) than the limit."""

    def __init__(self, conf: Configuration, limit: int) -> None:
        """Look for the first time when there may be as many."""
        self.conf = conf
        self.limit = limit
        self.next = limit >> (conf.dimension - 1) if conf.upper else limit

    def __call__(self, size: int, known: Callable[[], Complex]) -> None:
        """Count what is certain so far.

        Args:
            size: number of cells found.
            known: gives them.

        Raises:
            LimitReached: if it is over the limit.
        """
        if size <= self.next:
            return
        cells = known()
        certain = len(vertices(self.conf, cells)) if self.conf.upper else _facets(cells)
        if certain > self.limit:
            raise LimitReached(over_limit(self.conf.upper, self.limit, certain))
        # Count again only after there are markedly more cells: the counting stays cheap.
        self.next = size + size // 4


def _facets(cells: Complex) -> int:
    return len(cells.cells) if cells.simple else int(distinct_columns(cells.normals)[0].shape[1])


def _ends(conf: Configuration) -> list[list[int]]:
    values = conf.points[:, 0].tolist()
    bounds = np.searchsorted(conf.owner, np.arange(conf.count + 1)).tolist()
    groups = [range(a, b) for a, b in pairwise(bounds)]
    return [
        [min(g, key=lambda p: values[p]) for g in groups],
        [max(g, key=lambda p: values[p]) for g in groups],
    ]


def _cells(conf: Configuration, rows: list[list[int]], normals: list[list[int]]) -> Complex:
    return Complex(
        np.array(rows, dtype=np.intp).reshape(len(rows), conf.count),
        np.array(normals, dtype=np.int64).reshape(len(rows), conf.dimension).T,
        False,
        np.zeros(len(rows), dtype=bool),
        np.zeros((0, conf.count), dtype=np.intp),
        np.zeros((conf.dimension, 0), dtype=np.int64),
    )
