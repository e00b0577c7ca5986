"""Evaluating fine mixed cells exactly, and turning around their ridges.

A pivot drops one point of a cell, turns the normal around the ridge that is left, and takes in the
point met first: the one with the largest rate / slack. Whole batches of ridges are turned at once,
in floats; the cells that come out get exact normals and exact support signs, so a wrong proposal
is seen. As soon as a facet holds more points than one cell (a tie), ridges are turned with care:

1. inside the facet, if a tight point comes nearer: the one whose height above the cell, divided by
   its rate, is least (`perturbation`);
2. otherwise around it; the points of the next facet are found exactly (a proposal that another
   point beats is replaced by that point), and among them the heights decide.

Both rules together are one pivot of the sum with points moved by infinitely small amounts.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .cells import Batch, Flags, Floats, Frame, Inconsistent, Indices, Keys, first_of_each
from .cofactors import Supports, normals, primitive
from .perturbation import facet_starts, heights, random_starts
from .summands import Array, Configuration


class Tie(Exception):
    """The input is not in general position: start again with care."""


# Barycentric coordinates below this count as zero in proposals.
_TOLERANCE = 1e-9
_MENDINGS = 20
_SMALLEST = 2.0**-1022


def quotient(x: int, unit: int) -> float:
    """The rounded quotient by a positive unit, never of another sign: decisions rest on it."""
    return x / unit or ((x > 0) - (x < 0)) * _SMALLEST


class Pivots:
    """The pivots of one configuration of dimension k >= 2."""

    def __init__(self, conf: Configuration, seed: int, *, careful: bool = False) -> None:
        """The seed fixes the heights, hence the cells; it does not change the answer."""
        self.conf = conf
        self.k = conf.dimension
        self.length = self.k - 1 + conf.count
        self.supports = Supports(conf)
        self.seed = seed
        self.generator = np.random.default_rng(seed)
        self.keys = self.generator.integers(0, 2**64, size=len(conf.owner), dtype=np.uint64)
        self.careful = careful

    @cached_property
    def heights(self) -> Floats:
        """The heights that decide ties."""
        return heights(self.conf, self.seed)

    def evaluate(self, rows: Indices) -> Batch:
        """Exact normals and support signs of proposed cells."""
        frame = Frame(self.conf, rows)
        vectors = normals(frame.edges(self.supports.points))
        if self.careful:
            alive = vectors.any(axis=0)
            if not alive.all():
                frame = Frame(self.conf, rows[alive])
                vectors = vectors[:, alive]
            if vectors.size:
                vectors = primitive(vectors)
        return self.evaluated(frame, vectors)

    def evaluated(self, frame: Frame, vectors: Array, *, vertical: bool = False) -> Batch:
        """The batch of cells with given normals up to sign."""
        scaled, units = self.supports.scaled(vectors)
        slack, error = self.supports.slacks(scaled, frame.own_bases)
        if self.conf.upper and not vertical:
            sign = np.where(vectors[-1] < 0, -1, 1)
        else:
            sign = np.where(slack.min(axis=1) + slack.max(axis=1) < 0, -1, 1)
        if (sign < 0).any():
            vectors = vectors * sign
            slack *= sign[:, None]
            scaled *= sign
        flat_slack = slack.ravel()
        flat_slack[frame.own] = np.inf
        extra: Flags | None = None
        bad: Flags | None = None
        low = slack.min(axis=1)
        if (low <= error).any():
            cells, points = np.nonzero(np.abs(slack) <= error[:, None])
            pairs = (cells, points)
            exact = self.supports.exact(vectors, frame.bases, pairs)
            if units is not None:
                exact = np.array([quotient(x, units[f]) for x, f in zip(exact, cells, strict=True)])
            slack[pairs] = exact
            extra = slack == 0
            bad = np.asarray((slack < 0).any(axis=1))
            if not extra.any():
                extra = None
        if self.conf.upper and not vertical and not vectors[-1].all():
            flat = np.asarray(vectors[-1] == 0, dtype=bool)
            bad = flat if bad is None else bad | flat
        if bad is not None and not bad.any():
            bad = None
        flat_slack[frame.own] = 0.0
        return Batch(frame, self.hashes(frame.rows), vectors, scaled, slack, extra, bad)

    def hashes(self, rows: Indices) -> Keys:
        """Random sums that tell rows apart; equality is always checked on the rows."""
        return np.asarray(self.keys[rows].sum(axis=1))

    def first(self, size: int) -> Batch:
        """Cells found from random directions.

        Raises:
            Tie: if a facet holds more points than its cell, and no care was taken.
            Inconsistent: if no start came out.
        """
        rows = random_starts(self.conf, self.supports.columns, self.generator, size)
        batch = self.evaluate(rows[first_of_each(self.hashes(rows))])
        if not self.careful:
            self.check_simple(batch)
        batch = batch.supporting(self.conf)
        if batch.extra is not None and len(batch.frame.rows):
            batch = self.subdivided_starts(batch)
        if not len(batch.frame.rows):
            raise Inconsistent("no start")
        return batch

    def check_simple(self, batch: Batch) -> None:
        """Without care, every cell must be a facet of its own.

        Raises:
            Tie: if one is not, or does not support the sum because of a tie.
        """
        if (
            batch.extra is not None
            or batch.bad is not None
            or (batch.normals == 0).all(axis=0).any()
        ):
            raise Tie

    def subdivided_starts(self, batch: Batch) -> Batch:
        """Replace cells of facets with more points by cells of their subdivision."""
        tight = batch.slack == 0
        rows = facet_starts(
            self.conf, self.supports.columns, batch.scaled, tight, self.heights, self.generator
        )
        rows = rows[first_of_each(self.hashes(rows))]
        return self.evaluate(rows).supporting(self.conf)

    def functionals(self, batch: Batch) -> tuple[Floats, Floats | None]:
        """Barycentric functionals of the points of each cell, and level slacks if careful.

        Returns:
            (F L, k) gradients of the functional that is 1 at a point of the cell and 0 at the
            others of its summand; (F, n) slacks of the heights above the cell.
        """
        frame, k = batch.frame, self.k
        count = len(frame.rows)
        matrix = np.empty((count, k, k))
        matrix[:, : k - 1] = frame.edges(self.supports.columns).transpose(1, 2, 0)
        if self.conf.upper:
            matrix[:, k - 1] = np.eye(k)[k - 1]
        else:
            length = np.sqrt((batch.scaled * batch.scaled).sum(axis=0))
            matrix[:, k - 1] = (batch.scaled / length).T
        try:
            inverse = np.linalg.inv(matrix)
        except np.linalg.LinAlgError as error:
            raise Inconsistent("singular in floats") from error
        gradients = np.zeros((count * self.length, k))
        gradients[frame.edge_places] = (
            inverse[:, :, : k - 1].swapaxes(1, 2).reshape(count * (k - 1), k)
        )
        gradients[frame.base_places] = -np.add.reduceat(gradients, frame.base_places, axis=0)
        if not self.careful:
            return gradients, None
        lift = self.heights
        rise = lift[frame.edge_points] - lift[frame.edge_bases]
        slope = (inverse[:, :, : k - 1] * rise[:, None, :]).sum(axis=2)
        above = lift - slope @ self.supports.columns
        reference = above.ravel()[frame.own_bases]
        return gradients, above - reference.take(self.conf.owner, axis=1)

    def rates(self, frame: Frame, gradients: Floats, places: Indices) -> Floats:
        """(R, n) rate at which each point comes nearer when its ridge is turned."""
        cell = places // self.length
        values = gradients[places] @ self.supports.columns
        # A base that leaves is replaced by the next point of its summand as the reference.
        start = frame.starts[places]
        start += start == places
        line = np.arange(len(places))
        reference = frame.bases[cell]
        reference[line, frame.owner.ravel()[places]] = frame.points[start]
        reference += (line * len(self.conf.owner))[:, None]
        level = values.ravel()[reference]
        return np.asarray(level.take(self.conf.owner, axis=1) - values)

    def replaced(self, frame: Frame, places: Indices, points: Indices) -> Indices:
        """Rows of the cells with the point at each place replaced."""
        rows = frame.rows[places // self.length]
        rows[np.arange(len(places)), places % self.length] = points
        rows.sort(axis=1)
        return rows

    def turn(
        self, batch: Batch, places: Indices, proposals: tuple[Floats, Floats | None]
    ) -> tuple[Indices, Indices]:
        """The rows of the cells across each ridge, each once; and the ridges on the boundary."""
        gradients, above = proposals
        rate = self.rates(batch.frame, gradients, places)
        cell = places // self.length
        if self.careful:
            assert above is not None
            return self.turn_carefully(batch, places, rate, above)
        inverse = 1.0 / batch.slack
        inverse.ravel()[batch.frame.own] = 0.0
        ratio = rate * inverse[cell]
        chosen = ratio.argmax(axis=1)
        best = ratio.ravel()[chosen + np.arange(len(places)) * ratio.shape[1]]
        boundary = places[:0]
        if self.conf.upper:
            # Rates of points that never come nearer are zero up to rounding.
            far = rate[np.arange(len(places)), chosen] <= _TOLERANCE
            if far.any():
                ratio = np.where(rate[far] > _TOLERANCE, ratio[far], -1.0)
                chosen[far] = ratio.argmax(axis=1)
                out = np.flatnonzero(far)[ratio.max(axis=1) < 0]
                boundary = places[out]
                kept = np.ones(len(places), dtype=bool)
                kept[out] = False
                places, chosen = places[kept], chosen[kept]
        elif (back := best <= 0).any():
            ratio = ratio[back]
            np.put_along_axis(ratio, batch.frame.rows[cell[back]], -np.inf, axis=1)
            chosen[back] = ratio.argmax(axis=1)
        keys = batch.keys[places // self.length] - self.keys[batch.frame.points[places]]
        once = first_of_each(keys + self.keys[chosen])
        return self.replaced(batch.frame, places[once], chosen[once]), boundary

    def turn_carefully(
        self, batch: Batch, places: Indices, rate: Floats, above: Floats
    ) -> tuple[Indices, Indices]:
        """The same with ties: inside the facet first, then around it, then by the heights."""
        cell = places // self.length
        slack = batch.slack[cell]
        above = above[cell]
        inside = np.zeros(len(places), dtype=bool)
        chosen = np.full(len(places), -1)
        if batch.extra is not None:
            candidate = batch.extra[cell] & (rate > _TOLERANCE)
            inside = np.asarray(candidate.any(axis=1))
            quotient = np.where(candidate, rate / above, -np.inf)
            chosen[inside] = quotient[inside].argmax(axis=1)
        outside = np.flatnonzero(~inside)
        ahead = slack[outside] > 0
        if self.conf.upper:
            ahead &= rate[outside] > _TOLERANCE
        ratio = np.where(ahead, rate[outside] / slack[outside], -np.inf)
        open_ = ahead.any(axis=1)
        boundary = places[outside[~open_]]
        outside, ratio = outside[open_], ratio[open_]
        if len(outside):
            tight = self.next_facets(batch.frame, places[outside], ratio)
            candidate = tight & (slack[outside] > 0)
            quotient = np.where(candidate, -above[outside] / slack[outside], -np.inf)
            chosen[outside] = quotient.argmax(axis=1)
        kept = chosen >= 0
        rows = self.replaced(batch.frame, places[kept], chosen[kept])
        return rows[first_of_each(self.hashes(rows))], boundary

    def next_facets(self, frame: Frame, places: Indices, ratio: Floats) -> Flags:
        """The points of the facet met first, for each ridge; wrong proposals are mended exactly."""
        tight = np.zeros(ratio.shape, dtype=bool)
        todo = np.arange(len(places))
        for _ in range(_MENDINGS):
            chosen = ratio[todo].argmax(axis=1)
            rows = self.replaced(frame, places[todo], chosen)
            keys = self.hashes(rows)
            _, once, back = np.unique(keys, return_index=True, return_inverse=True)
            batch = self.evaluate(rows[once])
            if len(batch.frame.rows) < len(once):
                raise Inconsistent("a dependent cell")
            tight[todo] = (batch.slack == 0)[back]
            if batch.bad is None:
                return tight
            wrong = batch.bad[back]
            beyond = (batch.slack < 0)[back[wrong]]
            todo = todo[wrong]
            better = np.where(beyond, ratio[todo], -np.inf)
            # A cell with a vertical normal has nothing beyond: its point comes no nearer.
            none = ~beyond.any(axis=1)
            better[none] = ratio[todo[none]]
            better[none, chosen[wrong][none]] = -np.inf
            ratio = ratio.copy()
            ratio[todo] = better
        raise Inconsistent("no supporting cell found")
