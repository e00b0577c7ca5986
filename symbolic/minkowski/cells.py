"""Fine mixed cells as arrays: rows of points, their bases and edges, their hyperplanes.

A cell is a row of k - 1 + H points in ascending order, at least one of each summand; a ridge is
such a row with one point less. Only bookkeeping happens here, no arithmetic but differences.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .summands import Array, Configuration

Indices: TypeAlias = NDArray[np.intp]
Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]
Progress: TypeAlias = Callable[[int, int], None]


class Inconsistent(Exception):
    """The proposals do not close up to a proof: decide without floats."""


@dataclass(frozen=True, eq=False)
class Complex:
    """Fine mixed cells that cover the boundary (or the upper part of it).

    Attributes:
        cells: (F, k - 1 + H) points of each cell, ascending.
        normals: (k, F) exact outer normals, primitive unless ``simple``.
        simple: no facet holds more points than its one cell.
        plain: (F,) whether the facet holds no other point than the cell's.
        ridges: (B, k - 2 + H) points of the ridges on the vertical boundary (``upper`` only).
        verticals: (k, B) their normals.
    """

    cells: Indices
    normals: Array
    simple: bool
    plain: Flags
    ridges: Indices
    verticals: Array


class Frame:
    """Which points of each row of points are bases, edges, and what each edge starts from.

    Places count the entries of the rows one after the other.

    Attributes:
        rows: (F, L) points.
        owner: (F, L) their summands.
        base: (F, L) whether a point is the first of its summand.
        bases: (F, H) the first points.
        base_places: (F H,) their places.
        edge_places: (F (L - H),) the places of the others.
        starts: (F L,) the place of the base of each place.
        edge_points, edge_bases: (F, L - H) ends and starts of the edges.
    """

    def __init__(self, conf: Configuration, rows: Indices) -> None:
        """Split each row into its summands."""
        count, length = rows.shape
        self.rows = rows
        self.points = points = rows.ravel()
        self.owner = conf.owner[rows]
        self.base = np.ones((count, length), dtype=bool)
        np.not_equal(self.owner[:, 1:], self.owner[:, :-1], out=self.base[:, 1:])
        flat = self.base.ravel()
        self.base_places = flat.nonzero()[0]
        self.edge_places = (~flat).nonzero()[0]
        self.bases = points[self.base_places].reshape(count, conf.count)
        edges = length - conf.count
        # Every row has the same number of bases and edges, so runs of bases tell the starts.
        self.starts = self.base_places[flat.cumsum() - 1]
        self.edge_points = points[self.edge_places].reshape(count, edges)
        self.edge_bases = points[self.starts[self.edge_places]].reshape(count, edges)
        self._size = len(conf.owner)

    def edges(self, points: Array) -> Array:
        """(k, F, L - H) edge vectors; ``points`` is (k, n)."""
        return np.asarray(points[:, self.edge_points] - points[:, self.edge_bases])

    @cached_property
    def own(self) -> Indices:
        """(F, L) where the points of each row stand in a raveled (F, n) table."""
        return self.rows + (np.arange(len(self.rows)) * self._size)[:, None]

    @cached_property
    def own_bases(self) -> Indices:
        """(F, H) where the bases of each row stand in a raveled (F, n) table."""
        return self.bases + (np.arange(len(self.rows)) * self._size)[:, None]


Guard: TypeAlias = Callable[[int, Callable[[], Complex]], None]
"""Called with the number of cells found so far and a way to see them; raises to stop."""


@dataclass(eq=False)
class Batch:
    """Evaluated cells.

    Attributes:
        frame: the cells.
        keys: (F,) hashes of the rows.
        normals: (k, F) exact normals.
        scaled: (k, F) the same as floats in the scaled coordinates.
        slack: (F, n) h_i(n) - <n, p>, exactly 0 at the points of the cell and at other tight ones.
        extra: (F, n) which other points are tight, None if there is none at all.
        bad: (F,) which cells do not support the sum, None if all do.
    """

    frame: Frame
    keys: Keys
    normals: Array
    scaled: Floats
    slack: Floats
    extra: Flags | None
    bad: Flags | None

    def supporting(self, conf: Configuration) -> Batch:
        """Only the cells that support the sum."""
        if self.bad is None:
            return self
        good = ~self.bad
        return Batch(
            Frame(conf, self.frame.rows[good]),
            self.keys[good],
            self.normals[:, good],
            self.scaled[:, good],
            self.slack[good],
            None if self.extra is None else self.extra[good],
            None,
        )


def over_limit(upper: bool, limit: int, size: int) -> str:
    """The message of a limit that was reached."""
    what = "cells" if upper else "facets"
    return f"found {size:,} {what} so far, over the limit of {limit:,}: raise the limit to go on"


def first_of_each(keys: Keys) -> Indices:
    """Where each distinct key stands first (in no particular order)."""
    order = keys.argsort(kind="stable")
    ordered = keys[order]
    new = np.ones(len(keys), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return np.asarray(order[new])
