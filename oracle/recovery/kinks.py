"""All kinks of a piecewise linear function on the line, from exact values.

Two pieces that are known at the ends of an interval and differ meet at t*; if nothing else lies
between, the value there is the common one. That alone is not enough: outer lines may meet on the
graph by accident. So t* is accepted only if the pieces hold right next to it and at random points
of both sides; otherwise the interval is split and both parts are searched. Equal end pieces are
believed after random points. What is overlooked is found out by comparing functions afterwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from ...symbolic.errors import Degenerate

Function = Callable[[Fraction], Fraction]

END = Fraction(1 << 40)
NEAR = Fraction(1, 1 << 90)
POINTS = 3
DEPTH = 400


@dataclass(frozen=True)
class Line:
    """slope t + offset."""

    slope: Fraction
    offset: Fraction

    def at(self, t: Fraction) -> Fraction:
        """The value at t."""
        return self.slope * t + self.offset


def find_kinks(function: Function, *, random: Random) -> list[tuple[Fraction, Fraction]]:
    """Kinks and slope jumps from left to right.

    Raises:
        Degenerate: kinks beyond 2^40, nearer to each other than 2^-90, or too many.

    Example:
        >>> find_kinks(lambda t: abs(t) - 2 * max(t - 1, Fraction(0)), random=Random(0))
        [(Fraction(0, 1), Fraction(2, 1)), (Fraction(1, 1), Fraction(-2, 1))]
    """
    ends = []
    for end in (-END, END):
        line = _through(function, end, 2 * end)
        if function(4 * end) != line.at(4 * end):
            raise Degenerate("the function has kinks beyond 2^40")
        ends.append(line)
    found: list[tuple[Fraction, Fraction]] = []
    stack = [(-END, ends[0], END, ends[1])]
    for _ in range(DEPTH):
        if not stack:
            return found
        low, left, high, right = stack.pop()
        split = _settle(function, low, left, high, right, found, random)
        if split is not None:
            at, line = split
            stack += [(at, line, high, right), (low, left, at, line)]
    raise Degenerate("the function has too many kinks, or is not piecewise linear")


def _settle(
    function: Function,
    low: Fraction,
    left: Line,
    high: Fraction,
    right: Line,
    found: list[tuple[Fraction, Fraction]],
    random: Random,
) -> tuple[Fraction, Line] | None:
    """Record the kink of an interval, if there is at most one; else a point to split at."""
    if left.slope == right.slope:
        if left.offset == right.offset:
            wrong = _deviation(function, low, high, left, random)
            return None if wrong is None else _piece(function, wrong, low, high, random)
        return _piece(function, (low + high) / 2, low, high, random)
    t = (right.offset - left.offset) / (left.slope - right.slope)
    if not low < t < high:
        return _piece(function, (low + high) / 2, low, high, random)
    near = [(t, left), (t - NEAR, left), (t + NEAR, right)]
    if any(function(point) != line.at(point) for point, line in near):
        # Not the kink: the graph is elsewhere at t, or another piece touches the lines there.
        return _piece(function, t, low, high, random)
    for a, b, line in ((low, t, left), (t, high, right)):
        wrong = _deviation(function, a, b, line, random)
        if wrong is not None:
            return _piece(function, wrong, low, high, random)
    found.append((t, right.slope - left.slope))
    return None


def _deviation(
    function: Function, low: Fraction, high: Fraction, line: Line, random: Random
) -> Fraction | None:
    """A random point of the interval at which the function is not on the line; None if on it."""
    for _ in range(POINTS):
        t = _between(low, high, random)
        if function(t) != line.at(t):
            return t
    return None


def _piece(
    function: Function, t: Fraction, low: Fraction, high: Fraction, random: Random
) -> tuple[Fraction, Line]:
    """The piece around a point, or around one near it if that is a kink."""
    for _ in range(20):
        line = _through(function, t, t + NEAR)
        if function(t - NEAR) == line.at(t - NEAR):
            return t, line
        t = _between(low, high, random)
    raise Degenerate("the function has kinks nearer to each other than 2^-90")


def _between(low: Fraction, high: Fraction, random: Random) -> Fraction:
    """A random point inside, at random scales from either end and from 0: kinks gather there."""
    share = Fraction(random.randint((1 << 19) + 1, (1 << 20) - 1), 1 << 20) / (
        1 << random.randint(0, 50)
    )
    if low < 0 < high and random.random() < 0.5:
        return share * (high if random.random() < 0.5 else low)
    return low + (high - low) * share if random.random() < 0.5 else high - (high - low) * share


def _through(function: Function, s: Fraction, t: Fraction) -> Line:
    a, b = function(s), function(t)
    slope = (b - a) / (t - s)
    return Line(slope, a - slope * s)
