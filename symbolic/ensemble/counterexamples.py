"""Claim B6: heads whose diversity and error go the wrong way, exactly.

f is constant, so that there is no bias, sigma^2 = 1, the query is 0 and the kernel 2^(-s |Pi x|^2).
`NAMED` holds those that are stated; `search` finds others, the simplest first, by going through all
heads with small coefficients on one design. Its cost is quadratic in the number of ensembles.

No design is smaller in size than the plane with two points, two heads, d_k = 1: with one point the
weight is 1, in one dimension all heads are the same, and one head has no HDI. A centred isotropic
design of rational points in the plane has at least four, since three would be the corners of an
equilateral triangle, whose area would be both rational and a rational multiple of sqrt 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import gcd
from typing import TypeAlias

from ..errors import InputError
from ..rational import Rational
from .design import Frame, diversity, frame, noise_error

Ensemble: TypeAlias = tuple[tuple[tuple[int, ...], ...], ...]
"""For each head the vectors that span its subspace."""
Points: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Pair:
    """Two ensembles on one design.

    Args:
        name: for files.
        points: the design.
        scale: s of the kernel 2^(-s |Pi x|^2).
        one: the ensemble of lesser or equal HDI.
        other: the ensemble of greater or equal HDI.

    Example:
        >>> pair = NAMED["plane-higher"]
        >>> [str(x) for x in (*pair.indices, *pair.errors)]
        ['1/2', '1', '37/72', '5/9']
    """

    name: str
    points: Points
    scale: Rational
    one: Ensemble
    other: Ensemble

    @property
    def indices(self) -> tuple[Fraction, Fraction]:
        """HDI of both."""
        one, other = (diversity(frames(ensemble)) for ensemble in (self.one, self.other))
        return one, other

    @property
    def errors(self) -> tuple[Fraction, Fraction]:
        """Mean squared error of both."""
        one, other = (
            noise_error(frames(ensemble), self.points, scale=self.scale)
            for ensemble in (self.one, self.other)
        )
        return one, other


def frames(ensemble: Ensemble) -> list[Frame]:
    """The heads of an ensemble as frames."""
    return [frame(head) for head in ensemble]


def isotropic(points: Sequence[Sequence[Rational]]) -> bool:
    """Whether the points have mean 0 and a second moment that is a multiple of the identity.

    Example:
        >>> isotropic(SQUARE), isotropic(PLANE)
        (True, False)
    """
    d = len(points[0])
    if any(sum(point[i] for point in points) for i in range(d)):
        return False
    moments = [[sum(p[i] * p[j] for p in points) for j in range(d)] for i in range(d)]
    return all(
        moments[i][j] == (moments[0][0] if i == j else 0) for i in range(d) for j in range(d)
    )


PLANE: Points = ((0, 0), (1, 1))
SQUARE: Points = ((1, 1), (1, -1), (-1, 1), (-1, -1))
CELL_24: Points = (
    *(tuple(2 * sign * (i == j) for j in range(4)) for i in range(4) for sign in (1, -1)),
    *product((1, -1), repeat=4),
)
"""The vertices of the 24-cell: its mean over each line is the same up to the fifth moment."""

_A = ((1, 0, 0, 0), (0, 1, 0, 0))
_B = ((1, 0, 1, 0), (0, 1, 0, 1))
_C = ((1, 0, 0, 1), (0, 1, -1, 0))
_D = ((1, 0, 0, 0), (0, 0, 1, 0))
_E = ((0, 0, 1, 0), (0, 0, 0, 1))
_X, _Y, _UP, _DOWN = (((1, 0),), ((0, 1),), ((1, 1),), ((1, -1),))

NAMED = {
    pair.name: pair
    for pair in (
        Pair("plane-equal", PLANE, 1, (_UP, _DOWN), (_X, _Y)),
        Pair("plane-higher", PLANE, 1, (_X, _DOWN), (_X, _Y)),
        Pair("square-equal", SQUARE, 1, (_X, _UP, _DOWN), (_X, _Y, _UP)),
        Pair("square-higher", SQUARE, 5, (_X, ((2, -1),)), (((2, -1),), ((1, -2),))),
        Pair("cell-equal", CELL_24, 1, (_A, _B), (_A, _D)),
        Pair("cell-higher", CELL_24, 1, (_A, _B, _C), (_A, _D, _E)),
    )
}
"""Two points in the plane; a square and a 24-cell, which are isotropic."""


def search(
    points: Points, *, heads: int, scale: Rational, size: int = 1, higher: bool = True
) -> Pair | None:
    """The simplest pair of ensembles of different lines that violates monotonicity on a design.

    Args:
        points: the design.
        heads: H >= 2.
        scale: s of the kernel; lines with an exponent that is no integer are left out.
        size: the largest coefficient of a line's direction.
        higher: look for greater HDI with greater error; else for equal HDI with other error.

    Returns:
        the pair whose errors have the least denominators, or None if there is no pair.

    Raises:
        InputError: fewer than two heads, or no point.

    Example:
        >>> found = search(PLANE, heads=2, scale=1)
        >>> [str(x) for x in (*found.indices, *found.errors)]
        ['1/2', '1', '37/72', '5/9']
        >>> search(SQUARE, heads=2, scale=1) is None
        True
    """
    if heads < 2 or not points:
        raise InputError("a design and at least two heads", f"{len(points)} points, {heads} heads")
    measured = list(_measured(points, heads, scale, size))
    best: tuple[tuple[int, int], Pair] | None = None
    for (one, index, error), (other, more, greater) in product(measured, repeat=2):
        wrong = index < more and error < greater if higher else index == more and error < greater
        cost = (error.denominator, greater.denominator)
        cost = (max(cost), min(cost))
        if wrong and (best is None or cost < best[0]):
            best = cost, Pair("found", points, scale, one, other)
    return None if best is None else best[1]


def _measured(
    points: Points, heads: int, scale: Rational, size: int
) -> Iterator[tuple[Ensemble, Fraction, Fraction]]:
    d = len(points[0])
    lines: list[tuple[tuple[int, ...], ...]] = []
    for direction in product(range(-size, size + 1), repeat=d):
        leading = next((x for x in direction if x), 0)
        if leading > 0 and gcd(*direction) == 1:
            try:
                noise_error([frame([direction])], points, scale=scale)
            except InputError:  # an exponent that is no integer: no rational weight
                continue
            lines.append((direction,))
    for ensemble in combinations(lines, heads):
        found = frames(ensemble)
        yield ensemble, diversity(found), noise_error(found, points, scale=scale)
