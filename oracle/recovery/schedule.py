"""Which queries are asked: the count 4 H d^2 - 2H + 1, and how the vectors are drawn.

A pair (x, w) is asked as F(m) = value on [m copies of x + w, then x], m = 1..2H. With
rho_h = b^-(x^T W_h w) and c_h = v_h.w,

    G(m) = (F(m) - F(0))/m = sum_h c_h/(m + rho_h),    F(0) = (sum_h v_h).x,

so a pair gives all x^T W_h w and v_h.w up to the order of the heads. Pairs (x_i, w_j), i, j = 1..d
determine the model; d^2 - 1 more pairs, a spanning tree on the d^2, fix the order. F(0) is asked
once, since sum_h c_h(w_j) gives sum_h v_h: 1 + 2H (2 d^2 - 1) queries.

How the vectors are drawn decides the cost, which is that of long rationals. Only the pairs of x_1
must be free of collisions (two heads with one score), so x_1 has large entries; later collisions
are resolved by what is known, so x_2..x_d are unit vectors, at first. w_1 exceeds the other w_j
entry by entry, so that no entry of w_1 + w_j is 0. After two drawings that fail the vectors are
larger, and no unit vectors are among them.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from flint import fmpz_mat

from ...symbolic.errors import Degenerate

Integers: TypeAlias = tuple[int, ...]
"""A token with integer entries."""

REACH = 24
"""Largest entry of w_2..w_d in a first drawing, for up to 8 heads."""


def formula(dimension: int, heads: int) -> int:
    """The number of queries, 4 H d^2 - 2H + 1.

    Example:
        >>> formula(3, 3), formula(1, 1), formula(8, 8)
        (103, 3, 2033)
    """
    return 4 * heads * dimension**2 - 2 * heads + 1


def detecting_formula(dimension: int, bound: int, heads: int) -> int:
    """The number when H is read off the first pair, asked for H0: 2 H0 + 1 + 2H (2 d^2 - 2).

    Args:
        dimension: d.
        bound: H0.
        heads: H.

    Example:
        >>> detecting_formula(3, 5, 2), formula(3, 5)
        (75, 171)
    """
    return 2 * bound + 1 + 2 * heads * (2 * dimension**2 - 2)


@dataclass(frozen=True)
class Design:
    """The vectors of a drawing.

    Args:
        x: d linearly independent tokens.
        w: d linearly independent differences.
    """

    x: tuple[Integers, ...]
    w: tuple[Integers, ...]


def draw(dimension: int, heads: int, *, attempt: int, random: Random) -> Design:
    """Draw the vectors for an attempt.

    Args:
        dimension: d.
        heads: the largest number of heads that is possible.
        attempt: counted from 0; later ones draw from a wider range.
        random: the source of the entries.

    Raises:
        Degenerate: no independent vectors in 100 trials.

    Example:
        >>> design = draw(2, 3, attempt=0, random=Random(0))
        >>> len(design.x), len(design.w), design.x[1]
        (2, 2, (0, 1))
    """
    d = dimension
    reach = REACH + max(0, heads - 8)
    # About 1 in 5 drawings has a collision somewhere among the 2d - 1 pairs of x_1.
    collisions = (2 * d - 1) * heads * (heads - 1) // 2
    growth = min(attempt // 2, 3)
    first = max(2, 18 // d, 2 * collisions // (reach * d)) << growth
    reach <<= growth
    for _ in range(100):
        x1 = tuple(_nonzero(random, 1, first) for _ in range(d))
        x = (x1, *(_later(d, i, attempt, random) for i in range(1, d)))
        w1 = tuple(_nonzero(random, reach + 1, 2 * reach) for _ in range(d))
        w = (w1, *(tuple(_nonzero(random, 1, reach) for _ in range(d)) for _ in range(1, d)))
        if fmpz_mat(list(x)).det() and fmpz_mat(list(w)).det():
            return Design(x, w)
    raise Degenerate("no linearly independent vectors were drawn: take another seed")


def _nonzero(random: Random, least: int, most: int) -> int:
    return random.randint(least, most) * random.choice((-1, 1))


def _later(d: int, i: int, attempt: int, random: Random) -> Integers:
    if attempt < 2:
        return tuple(int(i == k) for k in range(d))
    return tuple(random.randint(-2, 2) for _ in range(d))


def draw_fresh(dimension: int, longest: int, *, random: Random) -> list[tuple[Integers, ...]]:
    """Four queries outside the schedule, each of at least three distinct tokens.

    Their lengths are 3, 4, 5 and longest + 3: one is longer than all of the schedule.

    Args:
        dimension: d.
        longest: the longest query of the schedule.
        random: the source of the tokens.

    Example:
        >>> [len(set(q)) >= 3 for q in draw_fresh(1, 7, random=Random(0))]
        [True, True, True, True]
    """
    lengths = (3, 4, 5, longest + 3)
    reach = 9 if dimension == 1 else 2
    queries: list[tuple[Integers, ...]] = []
    while len(queries) < len(lengths):
        query = tuple(
            tuple(random.randint(-reach, reach) for _ in range(dimension))
            for _ in range(lengths[len(queries)])
        )
        if len(set(query)) >= 3:
            queries.append(query)
    return queries


def add(left: Integers, right: Integers) -> Integers:
    """The sum of two tokens.

    Example:
        >>> add((1, 2), (3, 4))
        (4, 6)
    """
    return tuple(a + b for a, b in zip(left, right, strict=True))


def draw_orthogonal(dimension: int, scale: int, *, random: Random) -> tuple[Integers, ...]:
    """The rows of a random matrix near an orthogonal one, times the scale, rounded.

    The product of three reflections in random vectors; with one dimension a number of either sign
    between half the scale and the scale.

    Args:
        dimension: d.
        scale: the length of a row.
        random: the source of the reflections.

    Raises:
        Degenerate: the rounded rows are dependent (a scale that is far too small).

    Example:
        >>> rows = draw_orthogonal(3, 1000, random=Random(0))
        >>> all(abs(sum(a * b for a, b in zip(rows[0], row))) < 3000 for row in rows[1:])
        True
    """
    d = dimension
    if d == 1:
        return ((_nonzero(random, scale // 2, scale),),)
    rows = [[float(i == k) for k in range(d)] for i in range(d)]
    for _ in range(3):
        u = [random.gauss(0, 1) for _ in range(d)]
        length = sum(a * a for a in u)
        for row in rows:
            share = 2 * sum(a * b for a, b in zip(row, u, strict=True)) / length
            row[:] = [a - share * b for a, b in zip(row, u, strict=True)]
    found = tuple(tuple(int(scale * a) for a in row) for row in rows)
    if not fmpz_mat(list(found)).det():
        raise Degenerate("the vectors are dependent after rounding: take a larger scale")
    return found
