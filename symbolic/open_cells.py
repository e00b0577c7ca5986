"""Does a system of strict affine inequalities have a solution? Decided exactly, in batches.

For integer rows (a_k, b_k) exactly one of these holds (Motzkin): some x has <a_k, x> + b_k > 0
for all k, or there are w >= 0, not all zero, with sum w_k a_k = 0 and sum w_k b_k <= 0. Both
answers come with their proof: the point, or the multipliers w.

`gordan` proposes in floats, on rows that are first moved exactly to a known point nearby and scaled
to the size of what they enclose: cells of a deep network lie far from the origin and are small,
and moved first nothing cancels. A proposed point is rounded to the coarsest dyadic grid that the
free ball around it allows, so that numbers stay short however deep the tree, and is then checked
in integers. Proposed multipliers are recomputed as the kernel of the rows that carry them, in
integers. What fails either check (slivers below the float margin, supports that rounding made
too large) goes to the exact method of `cone`: rounding costs time, never truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import frexp, isfinite, ldexp
from operator import mul
from typing import TypeAlias

import numpy as np
from flint import fmpz_mat

from . import cone
from .gordan import Floats, Integers, propose
from .rational import primitive

Row: TypeAlias = tuple[int, ...]
Point: TypeAlias = tuple[int, ...]
"""Homogeneous integers (p_1..p_d, q), q > 0: the point p/q."""

_OPEN = 1e-9
_GUARD = 6


@dataclass(frozen=True)
class Region:
    """The polyhedron inside which questions are asked.

    Args:
        rows: its strict inequalities.
        centre: a point that satisfies them; without rows any point.
    """

    rows: tuple[Row, ...]
    centre: Point

    @cached_property
    def floats(self) -> Floats:
        """(m, d + 1) the rows about the centre, each scaled to largest entry 1."""
        return _about(self.rows, self.centre)


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

    >>> half_line = Region(((1, 0),), (1, 1))
    >>> yes, no = decide([Question(half_line, ((-1, 3),)), Question(half_line, ((-2, -1),))])
    >>> yes.point, no.multipliers
    ((3, 2), ((0, 2), (1, 1)))
    """
    if not questions:
        return []
    rows, counts, scales, start = _tableau_rows(questions)
    proposals = propose(rows, counts, start)
    radii = _free_radii(rows, counts, proposals.direction) * scales
    shifts = proposals.direction[:, :-1] * scales[:, None]
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


def positive(rows: Sequence[Row], point: Point) -> bool:
    """Whether all rows are positive at the point."""
    return all(sum(map(mul, row, point)) > 0 for row in rows)


def _about(rows: Sequence[Row], centre: Point) -> Floats:
    """The rows as functions of x - centre, in floats, each scaled to largest entry 1."""
    q = centre[-1]
    moved = np.zeros((len(rows), len(centre)))
    for k, row in enumerate(rows):
        exact = [entry * q for entry in row[:-1]]
        exact.append(sum(map(mul, row, centre)))
        size = max(map(abs, exact))
        if size:
            # int / int is correctly rounded at any length, where float(int) may overflow.
            moved[k] = [entry / size for entry in exact]
    return moved


def _tableau_rows(
    questions: Sequence[Question],
) -> tuple[Floats, Integers, Floats, Integers]:
    """The scaled rows (K, M, d + 1), the last one being "the homogenising coordinate > 0"."""
    n = len(questions[0].region.centre)
    start = np.array([len(question.region.rows) for question in questions])
    counts = start + np.array([len(question.rows) + 1 for question in questions])
    rows = np.zeros((len(questions), int(counts.max()), n))
    for k, question in enumerate(questions):
        rows[k, : start[k]] = question.region.floats
        rows[k, start[k] : counts[k] - 1] = _about(question.rows, question.region.centre)
    # The distances |b| / |a| say how large the cell is: their median becomes the unit of length.
    slopes, offsets = np.abs(rows[:, :, :-1]).max(axis=2), np.abs(rows[:, :, -1])
    usable = (slopes > 0) & (offsets > 0)
    distances = np.sort(np.where(usable, offsets / np.where(usable, slopes, 1.0), np.inf), axis=1)
    middle = np.maximum(usable.sum(axis=1) - 1, 0) // 2
    median = distances[np.arange(len(questions)), middle]
    exponents = np.frexp(np.where(np.isfinite(median), median, 1.0))[1]
    scales = np.ldexp(1.0, np.clip(exponents, -1000, 1000))
    rows[:, :, :-1] *= scales[:, None, None]
    sizes = np.abs(rows).max(axis=2)
    rows /= np.where(sizes > 0, sizes, 1.0)[:, :, None]
    rows[np.arange(len(questions)), counts - 1, -1] = 1.0
    return rows, counts, scales, start


def _free_radii(rows: Floats, counts: Integers, direction: Floats) -> Floats:
    """How far each coordinate may move at once, in units of scale / last coordinate."""
    slack, slope = np.zeros(rows.shape[:2]), np.zeros(rows.shape[:2])
    for i in range(rows.shape[2]):  # term by term: numpy's own sums depend on the memory layout
        slack += rows[:, :, i] * direction[:, i, None]
        if i < rows.shape[2] - 1:
            slope += np.abs(rows[:, :, i])
    usable = (slope > 0) & (np.arange(rows.shape[1]) < counts[:, None])
    radii = np.where(usable, slack / np.where(usable, slope, 1.0), np.inf)
    smallest: Floats = radii.min(axis=1)
    return smallest


def _point(question: Question, move: Sequence[float], radius: float) -> Answer | None:
    """The centre moved and rounded to the coarsest grid that the radius allows, if it serves."""
    if not radius > 0:
        return None
    digits = max(0, 1 - frexp(radius)[1]) if isfinite(radius) else 0
    centre = question.region.centre
    try:
        steps = [round(ldexp(z, digits + _GUARD)) for z in move]
    except OverflowError:
        return None
    half = 1 << (_GUARD - 1)
    point = tuple(
        (((p << (digits + _GUARD)) // centre[-1]) + step + half) >> _GUARD
        for p, step in zip(centre, steps, strict=False)
    )
    point = primitive((*point, 1 << digits))
    return Answer(point) if positive(question.all_rows(), point) else None


def _multipliers(question: Question, support: Sequence[int]) -> Answer | None:
    """The combination of the supporting rows that vanishes, if it is unique and has one sign."""
    rows = question.all_rows()
    last = (0,) * (len(question.region.centre) - 1) + (1,)
    columns = [rows[k] if k < len(rows) else last for k in support]
    if not columns:
        return None
    kernel, nullity = fmpz_mat(
        [list(entries) for entries in zip(*columns, strict=True)]
    ).nullspace()
    if nullity != 1:
        return None
    weights = [int(kernel[i, 0]) for i in range(len(columns))]
    if min(weights) < 0:
        weights = [-weight for weight in weights]
    if min(weights) < 0:
        return None
    return _answer(dict(zip(support, weights, strict=True)), len(rows))


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
    kept = sorted((k, weight) for k, weight in weights.items() if k < count and weight)
    whole = primitive([weight for _, weight in kept])
    return Answer(multipliers=tuple(zip((k for k, _ in kept), whole, strict=True)))
