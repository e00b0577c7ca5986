"""Does a system of strict affine inequalities have a solution? Decided exactly, in batches.

For integer rows (a_k, b_k) exactly one of these holds (Motzkin): some x has <a_k, x> + b_k > 0
for all k, or there are w >= 0, not all zero, with sum w_k a_k = 0 and sum w_k b_k <= 0. Both
answers come with their proof: the point, or the multipliers w.

`gordan` proposes in floats, on rows that `recentred` has moved to a known point nearby. A proposed
point is rounded to the coarsest dyadic grid that the free ball around it allows, so that numbers
stay short however deep the tree, and is then checked in integers. Proposed multipliers are
recomputed as the kernel of the rows that carry them, in integers. What fails either check (slivers
below the float margin, supports that rounding made too large) goes to the exact method of
`cones.cone`: rounding costs time, never truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import frexp, isfinite, ldexp
from operator import mul
from typing import TypeAlias

import numpy as np
from flint import fmpz_mat

from ..cones import cone
from ..rational import primitive
from .gordan import Floats, Integers, propose
from .recentred import Systems, recentred

Row: TypeAlias = tuple[int, ...]
Point: TypeAlias = tuple[int, ...]
"""Homogeneous integers (p_1..p_d, q), q > 0: the point p/q."""

_OPEN = 1e-9
_GUARD = 6
_TABLEAU_ENTRIES = 8_000_000


@dataclass(frozen=True)
class Region:
    """The polyhedron inside which questions are asked.

    Args:
        rows: its strict inequalities.
        centre: a point that satisfies them; without rows any point.
    """

    rows: tuple[Row, ...]
    centre: Point


@dataclass(frozen=True)
class Question:
    """Does a region have a point where some further rows are positive too?

    Args:
        region: the region.
        rows: at least one further row.
    """

    region: Region
    rows: tuple[Row, ...]

    def all_rows(self) -> tuple[Row, ...]:
        """The rows in the order in which multipliers count them."""
        return self.region.rows + self.rows

    def holds_at(self, point: Point) -> bool:
        """Whether all rows are positive at the point."""
        return _positive(self.rows, point) and _positive(self.region.rows, point)


@dataclass(frozen=True)
class Answer:
    """A point, or multipliers that exclude one; exactly one of them is given.

    Args:
        point: homogeneous integers.
        multipliers: (row, weight > 0), rows of the region first; integers without a common
            divisor.
    """

    point: Point | None = None
    multipliers: tuple[tuple[int, int], ...] = ()


def decide(questions: Sequence[Question]) -> list[Answer]:
    """Answer each question, with proof.

    Args:
        questions: in one dimension d >= 1; they may be about different regions.

    Example:
        >>> half_line = Region(((1, 0),), (1, 1))
        >>> yes, no = decide([Question(half_line, ((-1, 3),)), Question(half_line, ((-2, -1),))])
        >>> yes.point, no.multipliers
        ((2, 1), ((0, 2), (1, 1)))
    """
    answers: list[Answer] = []
    while len(answers) < len(questions):
        answers += _decide_batch(questions[len(answers) : len(answers) + _batch_size(questions)])
    return answers


def _batch_size(questions: Sequence[Question]) -> int:
    """How many tableaux fit into the memory set aside for them."""
    n = len(questions[0].region.centre)
    longest = max(len(question.region.rows) + len(question.rows) for question in questions)
    return max(1, _TABLEAU_ENTRIES // ((n + 1) * (2 * n + longest + 2)))


def _decide_batch(questions: Sequence[Question]) -> list[Answer]:
    # Numbers beyond the floats make no proposal, or a wrong one that is seen to be wrong.
    with np.errstate(all="ignore"):
        systems, start = _systems(questions)
        proposals = propose(systems.rows, systems.counts, start)
        radii = _free_radii(systems, proposals.direction)
        shifts = proposals.direction[:, :-1] * systems.scales[:, None]
    answers = []
    for k, question in enumerate(questions):
        answer = None
        if proposals.margin[k] > _OPEN:
            last = float(proposals.direction[k, -1])
            move = [float(z) / last for z in shifts[k]]
            answer = _point(question, move, float(radii[k]) / last)
        elif proposals.margin[k] <= _OPEN:  # neither if the pivots did not end
            kept = proposals.weight[k] > _OPEN
            answer = _multipliers(question, sorted(proposals.support[k][kept].tolist()))
        answers.append(answer or _decide_exactly(question, proposals.support[k].tolist()))
    return answers


def _positive(rows: Sequence[Row], point: Point) -> bool:
    return all(sum(map(mul, row, point)) > 0 for row in rows)


def _systems(questions: Sequence[Question]) -> tuple[Systems, Integers]:
    """The questions' rows as floats, and the number of the region's rows in each."""
    rows: list[Row] = []
    points: list[Point] = []
    first: dict[int, int] = {}
    places = []
    for question in questions:
        region = question.region
        if id(region) not in first:
            first[id(region)] = len(rows)
            rows += region.rows
            points += [region.centre] * len(region.rows)
        places.append((first[id(region)], len(region.rows), len(rows), len(question.rows)))
        rows += question.rows
        points += [region.centre] * len(question.rows)
    base, start, more, extra = np.array(places).T[:, :, None]
    column = np.arange((start + extra).max())
    members = np.where(column < start, base + column, more + column - start)
    members[column >= start + extra] = -1
    return recentred(rows, points, members), start[:, 0]


def _free_radii(systems: Systems, direction: Floats) -> Floats:
    """How far each coordinate may move at once, times the last coordinate of the direction."""
    rows, counts = systems.rows, systems.counts
    slack, slope = np.zeros(rows.shape[:2]), np.zeros(rows.shape[:2])
    for i in range(rows.shape[2]):  # term by term: numpy's own sums depend on the memory layout
        slack += rows[:, :, i] * direction[:, i, None]
        if i < rows.shape[2] - 1:
            slope += np.abs(rows[:, :, i])
    usable = (slope > 0) & (np.arange(rows.shape[1]) < counts[:, None])
    radii = np.where(usable, slack / np.where(usable, slope, 1.0), np.inf)
    smallest: Floats = radii.min(axis=1) * systems.scales
    return smallest


def _point(question: Question, move: Sequence[float], radius: float) -> Answer | None:
    """The centre moved and rounded to the coarsest grid that the radius allows, if it serves."""
    if not radius > 0:
        return None
    digits = max(0, 1 - frexp(radius)[1]) if isfinite(radius) else 0
    centre = question.region.centre
    try:
        steps = [round(ldexp(z, digits + _GUARD)) for z in move]
    except (OverflowError, ValueError):  # infinite, or no number
        return None
    half = 1 << (_GUARD - 1)
    point = tuple(
        (((p << (digits + _GUARD)) // centre[-1]) + step + half) >> _GUARD
        for p, step in zip(centre, steps, strict=False)
    )
    point = primitive((*point, 1 << digits))
    return Answer(point) if question.holds_at(point) else None


def _multipliers(question: Question, support: Sequence[int]) -> Answer | None:
    """The combination of the supporting rows that vanishes, if it is unique and has one sign."""
    inside, extra, width = question.region.rows, question.rows, len(question.region.centre)
    columns = []
    for k in support:
        if k < len(inside):
            columns.append(inside[k])
        elif k < len(inside) + len(extra):
            columns.append(extra[k - len(inside)])
        else:
            columns.append((0,) * (width - 1) + (1,))
    if not columns:
        return None
    kernel, nullity = fmpz_mat([*zip(*columns, strict=True)]).nullspace()
    if nullity != 1:
        return None
    weights = [int(kernel[i, 0]) for i in range(len(columns))]
    if min(weights) < 0:
        if max(weights) > 0:
            return None
        weights = [-weight for weight in weights]
    return _answer(dict(zip(support, weights, strict=True)), len(inside) + len(extra))


def _decide_exactly(question: Question, support: Sequence[int]) -> Answer:
    rows = question.all_rows()
    last = (0,) * (len(question.region.centre) - 1) + (1,)
    found = cone.decide([*rows, last], start=[k for k in support if k >= 0])
    if found.witness is not None:
        return Answer(tuple(found.witness))
    assert found.multipliers is not None
    return _answer(found.multipliers, len(rows))


def _answer(weights: Mapping[int, int], count: int) -> Answer:
    """Multipliers without the row that only says that the last coordinate is positive."""
    kept = [k for k in sorted(weights) if k < count and weights[k]]
    whole = primitive([weights[k] for k in kept])
    return Answer(multipliers=tuple(zip(kept, whole, strict=True)))
