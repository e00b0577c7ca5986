"""Overlay of the power diagrams of several heads: cells, their labels, and a proof.

Head h has scores <kappa_hj, x> + b_hj. The full-dimensional cells of the common refinement of the
H diagrams are the upper vertices of the Minkowski sum of the lifted Newton polytopes with the
points (kappa_hj, b_hj) in R^{d+1} (claim A6). The upper boundary is gift-wrapped like any other,
with the normals (x, 1): a ridge around which nothing comes nearer lies over the boundary of the
sum of the keys, which is checked exactly. When all lifted points lie in one non-vertical flat (no
biases, for example) every cell is a cone around one point, and the cells are the vertices of the
sum of the keys.

Cost, exactness and failure are those of `mixed_cells`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import flint

from ..display import facts, listing
from ..errors import InputError
from ..rational import parse
from .boundary import Boundary, boundary
from .cells import Progress
from .certificate import (
    encoded,
    encoded_points,
    envelope,
    hyperplanes,
    relations,
    walls,
)
from .minkowski_sum import original_choices
from .summands import (
    Configuration,
    Number,
    Point,
    checked_points,
    configuration,
    distinct,
    pivot_columns,
)

Head: TypeAlias = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Overlay:
    """The common refinement of the power diagrams of H heads in R^d.

    Attributes:
        heads: for each head its keys and biases, as given (a bias left out is 0).
        labels: for each full-dimensional cell the key that wins in every head, in lexicographic
            order; of keys with the same score the lowest index.
        cells: number of full-dimensional cells.
        bound: R(d, H, N), the most that heads with as many distinct scores can have.
    """

    heads: tuple[tuple[tuple[Point, ...], tuple[Number, ...]], ...] = field(repr=False)
    labels: tuple[tuple[int, ...], ...]
    cells: int
    bound: int
    _configuration: Configuration = field(repr=False, compare=False)
    _boundary: Boundary = field(repr=False, compare=False)
    _constant: tuple[int, ...] = field(repr=False, compare=False)

    def _repr_html_(self) -> str:
        """The cells, as a notebook shows them."""
        told = facts(
            f"Overlay of {len(self.heads)}",
            [
                ("keys", tuple(len(keys) for keys, _ in self.heads)),
                ("cells", self.cells),
                ("the most there can be", self.bound),
            ],
        )
        return told + listing(("label",), ([label] for label in self.labels), count=self.cells)

    def certificate(self, claim: str = "tropical.overlay") -> dict[str, Any]:
        """The proof as a JSON value of kind ``overlay`` (proofs_check/CERTIFICATES.md).

        Args:
            claim: the claim that it belongs to.
        """
        conf, cells = self._configuration, self._boundary.cells
        keys = [points for points, _ in self.heads]
        kept = conf.columns[:-1] if conf.upper else conf.columns
        data = {
            "heads": [
                {"keys": encoded_points(points), "biases": [encoded(b) for b in biases]}
                for points, biases in self.heads
            ],
            "labels": list(map(list, self.labels)),
            "cells": self.cells,
            "bound": self.bound,
            "apex": None if conf.upper else [encoded(x) for x in apex(self.heads, conf)],
            **relations(keys, kept),
            "hyperplanes": hyperplanes(keys, conf, cells, self._constant),
            "walls": walls(keys, conf, cells, self._constant),
        }
        return envelope("overlay", claim, data)


def most_cells(d: int, sizes: Sequence[int]) -> int:
    """The largest number of full-dimensional cells of overlaid diagrams.

    R = sum_{j <= min(d, H)} e_j(N_1 - 1, ..., N_H - 1), e_j the elementary symmetric polynomials.

    Args:
        d: dimension.
        sizes: the numbers of sites N_h.

    Source: claim A7.

    Example:
        >>> most_cells(2, [3, 3, 3]), most_cells(2, [2, 3, 4])
        (19, 18)
    """
    symmetric = [1] + [0] * min(d, len(sizes))
    for n in sizes:
        for j in range(len(symmetric) - 1, 0, -1):
            symmetric[j] += symmetric[j - 1] * (n - 1)
    return sum(symmetric)


def checked_heads(heads: object) -> list[tuple[list[Point], list[Number]]]:
    """Keys and biases of the heads.

    Raises:
        InputError: if a head has no keys, unknown entries, too few or too many biases, or numbers
            that are not exact.
    """
    if isinstance(heads, str | bytes) or not isinstance(heads, Sequence):
        raise InputError("a list of heads", type(heads).__name__)
    if not heads:
        raise InputError("at least one head", "an empty list", where="heads")
    dimension: int | None = None
    checked = []
    for h, head in enumerate(heads):
        where = f"heads[{h}]"
        if not isinstance(head, Mapping):
            raise InputError('an object with "keys" and "biases"', type(head).__name__, where=where)
        if unknown := [key for key in head if key not in ("keys", "biases")]:
            raise InputError('only "keys" and "biases"', repr(unknown[0]), where=where)
        if "keys" not in head:
            raise InputError('"keys"', "none", where=where)
        keys, dimension = checked_points(head["keys"], f"{where}.keys", dimension)
        biases: list[Number] = [0] * len(keys)
        if "biases" in head:
            given = head["biases"]
            if isinstance(given, str | bytes) or not isinstance(given, Sequence):
                raise InputError("a list of numbers", type(given).__name__, where=f"{where}.biases")
            if len(given) != len(keys):
                raise InputError(
                    f"{len(keys)} biases, one for each key",
                    f"{len(given)}",
                    where=f"{where}.biases",
                )
            biases = [parse(b, f"{where}.biases[{j}]") for j, b in enumerate(given)]
        checked.append((keys, biases))
    return checked


def overlay(
    heads: Sequence[Head],
    *,
    limit: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Progress | None = None,
    seed: int = 0,
) -> Overlay:
    """The full-dimensional cells of the overlaid power diagrams of H heads in R^d, d >= 1.

    In head h the key j with the largest score <kappa_hj, x> + b_hj wins.

    Args:
        heads: for each head ``{"keys": [[..], ..], "biases": [..]}``, ints or Fractions, the
            biases optional.
        limit: most cells to look for.
        jobs: number of processes; the result does not depend on it.
        executor: where these are, instead of processes of its own; it is not shut down.
        progress: called with the numbers of mixed cells found and of ridges still open.
        seed: of the random directions to start from; the answer does not depend on it.

    Raises:
        InputError: if the input is empty, ragged, or not exact, or an option not positive.
        LimitReached: if there are more than ``limit`` cells.

    Source: claims A5, A6, A7.

    Example:
        >>> line = {"keys": [[-1], [0], [1]], "biases": [0, 1, 0]}
        >>> overlay([line]).labels
        ((0,), (1,), (2,))
        >>> overlay([{"keys": [[-1], [0], [1]]}]).labels
        ((0,), (2,))
    """
    given = checked_heads(heads)
    d = len(given[0][0][0])
    lifted = [[(*key, b) for key, b in zip(*head, strict=True)] for head in given]
    kept = [undominated(points) for points in lifted]
    conf = upper_configuration(lifted, kept, d)
    found = boundary(conf, limit=limit, jobs=jobs, executor=executor, progress=progress, seed=seed)
    constant = tuple(chosen[0] for chosen in kept)
    choices = original_choices(conf, found.vertices, len(given), constant)
    labels = tuple(sorted(map(tuple, choices.tolist())))
    return Overlay(
        tuple((tuple(keys), tuple(biases)) for keys, biases in given),
        labels,
        len(labels),
        most_cells(d, [len(distinct(points)) for points in lifted]),
        conf,
        found,
        constant,
    )


def undominated(lifted: Sequence[Point]) -> list[int]:
    """For each key the lowest index with its largest bias; the others never win alone."""
    best: dict[Point, int] = {}
    for j, point in enumerate(lifted):
        i = best.setdefault(point[:-1], j)
        if lifted[i][-1] < point[-1]:
            best[point[:-1]] = j
    return sorted(best.values())


def upper_configuration(
    lifted: Sequence[Sequence[Point]], kept: Sequence[Sequence[int]], d: int
) -> Configuration:
    """The lifted points, or the keys alone if the lifted points lie in one non-vertical flat."""
    differences = [
        tuple(a - b for a, b in zip(points[j], points[chosen[0]], strict=True))
        for points, chosen in zip(lifted, kept, strict=True)
        for j in chosen[1:]
    ]
    rank = len(pivot_columns(differences, d + 1))
    # The keys' rank is d at most, so a full lifted rank needs no second look.
    if rank == d + 1 or rank > len(pivot_columns([v[:-1] for v in differences], d)):
        return configuration(lifted, kept, upper=True)
    return configuration([[p[:-1] for p in points] for points in lifted], kept)


def apex(
    heads: Sequence[tuple[Sequence[Point], Sequence[Number]]], conf: Configuration
) -> list[Number]:
    """A point at which all keys that count tie in every head, if the lifted points lie in a flat.

    It solves <kappa_j - kappa_i, x> = b_i - b_j and is 0 in the coordinates not kept.
    """
    rows = []
    for keys, biases in heads:
        lifted = [(*key, b) for key, b in zip(keys, biases, strict=True)]
        chosen = undominated(lifted)
        for j in chosen[1:]:
            rows.append([lifted[j][c] - lifted[chosen[0]][c] for c in (*conf.columns, -1)])
    point: list[Number] = [0] * len(heads[0][0][0])
    if conf.columns:
        echelon = flint.fmpq_mat(
            [[flint.fmpq(x.numerator, x.denominator) for x in row] for row in rows]
        ).rref()[0]
        for i, c in enumerate(conf.columns):
            value = echelon[i, len(conf.columns)]
            point[c] = -Fraction(int(value.p), int(value.q))
    return point
