"""The boundary of a Minkowski sum as fine mixed cells, by gift-wrapping over cells.

A cell takes a set A_i of points of each summand with sum (|A_i| - 1) = k - 1 and independent
edges; it is a product of simplices inside a facet. Pivoting across each ridge (drop one point of
one A_i, rotate the normal, take in the first point it meets) reaches every cell, so the cost
follows the output, not the N^H sums: about F (k + H) n multiplications for F cells and n points,
in whole batches of ridges at a time. Starting from many random directions saves rounds.

A facet that is no cell (ties, parallel edges, flat summands) is subdivided by the heights of
`perturbation`: the regular fine mixed subdivision that they induce. Facets share ridges, and the
subdivision of a ridge depends on the ridge only, so the cells still close up, none collapses, and
no point is ever moved.

Exactness: floats only propose. Each cell gets its exact normal by cofactors and exact support
signs; at the end every ridge is matched with exactly one other cell, on its other side. Hence the
cells, counted with orientation, are a cycle in the boundary that nowhere cancels: they cover it.

How it fails: floats may propose nonsense for ill-conditioned input; the proof then does not come
out and `Inconsistent` is raised; the caller goes on to `exact_wrap`, where nothing is a float.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import replace

import numpy as np

from .cells import (
    Complex,
    Flags,
    Frame,
    Guard,
    Inconsistent,
    Indices,
    Keys,
    Progress,
    first_of_each,
)
from .cofactors import normals, primitive
from .pivots import Pivots, Tie
from .rounds import Outcome, Rounds
from .summands import Array, Configuration

# Random directions to start from: enough to save small sums a round or two, lost in large ones.
_STARTS = 144


def wrap(
    conf: Configuration,
    *,
    seed: int = 0,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    guard: Guard | None = None,
) -> Complex:
    """All cells of the boundary (of its upper part if ``conf.upper``).

    Args:
        conf: a configuration of dimension k >= 2.
        seed: fixes the heights, and with them the cells of subdivided facets.
        jobs: number of processes for large sums.
        executor: where these are, instead of processes of its own.
        progress: called with the numbers of cells found and of ridges still open.
        guard: called after every round; raises to stop.

    Raises:
        Inconsistent: if floats did not lead to a proof.
    """
    # Proposals may divide by zero or overflow; what they propose is checked.
    with np.errstate(all="ignore"):
        try:
            return _wrap(Pivots(conf, seed), jobs, executor, progress, guard)
        except Tie:
            return _wrap(Pivots(conf, seed, careful=True), jobs, executor, progress, guard)


def _wrap(
    pivots: Pivots,
    jobs: int,
    executor: Executor | None,
    progress: Progress | None,
    guard: Guard | None,
) -> Complex:
    exploration = Exploration(pivots)
    batch = pivots.first(_STARTS)
    with Rounds(pivots, jobs, executor) as rounds:
        places = exploration.add(batch.frame.rows)
        outcome = rounds.serial(batch, places)
        while True:
            exploration.learn(outcome)
            if progress is not None:
                progress(exploration.count, len(exploration.open_keys))
            if guard is not None:
                guard(exploration.count, exploration.known)
            rows = outcome.rows
            if not len(rows):
                return exploration.proved()
            outcome = rounds.run(rows, exploration.add(rows))


class Exploration:
    """The cells found so far and the ridges between them.

    Attributes:
        rows: cells, round by round.
        normals: their normals; those of the last round may be missing.
        plain: whether the facet of each holds no other points.
        count: number of cells.
        open_keys: hashes of the ridges that have one cell so far.
    """

    def __init__(self, pivots: Pivots) -> None:
        """Nothing found yet."""
        self.pivots = pivots
        self.rows: list[Indices] = []
        self.normals: list[Array] = []
        self.plain: list[Flags] = []
        self.pairs: list[Indices] = []
        self.edge: list[Indices] = []
        self.count = 0
        self.last = 0
        self.open_keys: Keys = np.zeros(0, dtype=np.uint64)
        self.open_places = np.zeros(0, dtype=np.intp)

    def add(self, rows: Indices) -> Indices:
        """Enter new cells; return the places of their ridges that have no second cell yet.

        Raises:
            Inconsistent: if a ridge has three cells, or one that was turned around has but one.
        """
        pivots, length = self.pivots, self.pivots.length
        count = len(rows)
        owner = pivots.conf.owner[rows]
        lone = np.ones((count, length + 1), dtype=bool)
        np.not_equal(owner[:, 1:], owner[:, :-1], out=lone[:, 1:-1])
        # A point can leave unless it is the only one of its summand.
        places = (~(lone[:, :-1] & lone[:, 1:])).ravel().nonzero()[0]
        keys = pivots.hashes(rows)[places // length] - pivots.keys[rows.ravel()[places]]
        start = self.count * length
        keys = np.concatenate((self.open_keys, keys))
        whole = np.concatenate((self.open_places, places + start))
        order = keys.argsort()
        keys, whole = keys[order], whole[order]
        same = np.zeros(len(keys) + 1, dtype=bool)
        np.equal(keys[1:], keys[:-1], out=same[1:-1])
        if (same[1:] & same[:-1]).any():
            raise Inconsistent("three cells at one ridge")
        first = same[1:].nonzero()[0]
        single = ~(same[1:] | same[:-1])
        self.open_keys, self.open_places = keys[single], whole[single]
        if (self.open_places < start).any():
            raise Inconsistent("a ridge that found no second cell")
        self.pairs.append(np.stack((whole[first], whole[first + 1])))
        self.rows.append(rows)
        self.last = self.count
        self.count += count
        return self.open_places - start

    def learn(self, outcome: Outcome) -> None:
        """Take in what the last round found out about the cells of the round before."""
        self.normals.append(outcome.normals)
        self.plain.append(outcome.plain)
        if len(outcome.border):
            border = outcome.border + self.last * self.pivots.length
            self.edge.append(border)
            inner = ~np.isin(self.open_places, border)
            self.open_keys, self.open_places = self.open_keys[inner], self.open_places[inner]

    def known(self) -> Complex:
        """The cells evaluated so far, without the vertical boundary."""
        plain = np.concatenate(self.plain)
        rows = np.concatenate(self.rows)[: len(plain)]
        vectors = np.concatenate(self.normals, axis=1)
        simple = bool(plain.all())
        if not simple:
            vectors = primitive(vectors)
        return Complex(rows, vectors, simple, plain, rows[:0, 1:], vectors[:, :0])

    def proved(self) -> Complex:
        """The complex, after the last exact checks.

        Raises:
            Inconsistent: if a cell was found twice, a ridge is not shared by two cells on two
                sides, or a boundary ridge does not support the keys.
        """
        conf, length = self.pivots.conf, self.pivots.length
        known = self.known()
        rows, vectors = known.cells, known.normals
        pairs = np.concatenate(self.pairs, axis=1)
        columns = np.arange(length - 1)

        def without(places: Indices) -> Indices:
            gap = places % length
            kept = columns + (columns >= gap[:, None])
            return np.asarray(rows[(places // length)[:, None], kept])

        if len(first_of_each(self.pivots.hashes(rows))) < len(rows):
            raise Inconsistent("a cell found twice")
        ridges = without(pairs[0])
        if not np.array_equal(ridges, without(pairs[1])):
            raise Inconsistent("two ridges with one hash")
        if not known.simple:
            one, two = pairs // length
            flat = (vectors[:, one] == vectors[:, two]).all(axis=0)
            if flat.any():
                frame = Frame(conf, ridges[flat])
                removed = rows.ravel()[pairs[:, flat]]
                self.check_sides(frame, vectors[:, one[flat]], removed)
        edge = np.concatenate(self.edge) if self.edge else np.zeros(0, dtype=np.intp)
        if not len(edge):
            return known
        border = without(edge)
        return replace(known, ridges=border, verticals=self.verticals(border))

    def check_sides(self, frame: Frame, vectors: Array, removed: Indices) -> None:
        """In one facet, the two cells of a ridge must lie on its two sides."""
        points = self.pivots.supports.points
        ridge = frame.edges(points)
        row = np.arange(len(frame.rows))
        sides = []
        for point in removed:
            last = points[:, point] - points[:, frame.bases[row, self.pivots.conf.owner[point]]]
            product = normals(np.concatenate((ridge, last[:, :, None]), axis=2))
            main = np.abs(vectors).argmax(axis=0)
            sides.append(np.sign(product[main, row]))
        if not np.asarray(sides[0] * sides[1] == -1).all():
            raise Inconsistent("two cells on one side of a ridge")

    def verticals(self, ridges: Indices) -> Array:
        """Exact normals of the vertical faces over boundary ridges."""
        pivots, conf = self.pivots, self.pivots.conf
        frame = Frame(conf, ridges)
        last = np.zeros((conf.dimension, len(ridges), 1), dtype=pivots.supports.points.dtype)
        last[-1] = 1
        vectors = normals(np.concatenate((frame.edges(pivots.supports.points), last), axis=2))
        if not np.asarray(vectors.any(axis=0)).all():
            raise Inconsistent("a vertical ridge")
        batch = pivots.evaluated(frame, primitive(vectors), vertical=True)
        if batch.bad is not None:
            raise Inconsistent("a boundary ridge inside")
        return batch.normals
