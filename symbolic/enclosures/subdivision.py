"""Adaptive subdivision: an expression lies in an interval at every point of a box of parameters.

Interval evaluation on a whole box loses the dependence between repeated variables. Three things
win it back, tried in this order on every part of the box: plain evaluation; the mean value form,
in which every coordinate that the expression is monotone in goes to its better end and the others
lose only (derivative) x (half width); halving the part. The coordinate to halve is the one
that the enclosure depends on most. The largest part is taken first, so that the share of the box
that is certified when the budget ends is as large as it can be.

The enclosures are Arb's, rounded outwards, so what is found here is proved. What is handed on is
only the subdivision: the checker evaluates every part again, with more digits and other code. Cost:
a part costs about d + 2 evaluations; how many parts there are depends on how close the bound is.
A bound attained inside the box where the expression is not monotone is out of reach of any
subdivision. Each part is also evaluated at one point: where the bound is violated for certain,
the search ends with that point.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from flint import arb

from ..errors import InputError
from ..rational import Rational, write
from .ball import precision
from .interval import Ends, Interval, NoValue, constant, coordinate
from .interval_formula import Evaluation, Formula, evaluation
from .parameter_box import ParameterBox, Path, Sides

Point: TypeAlias = dict[str, Any]
"""Name -> a rational number, or lists of them."""

DEEPEST = 60
"""Halvings below one another: a certificate may not be nested deeper than the checker reads."""


@dataclass(frozen=True)
class Subdivision:
    """What a search found.

    Args:
        tree: the subdivision as certificates write it; a part that is still open ends in None.
        leaves: parts certified.
        depth: halvings on the longest way to one.
        mean: how many of the parts needed the mean value form.
        share: of the box, by volume (sides of width 0 left out): what is certified.
        open: parts that are not decided, as instances of intervals.
        counterexample: a point of the box where the bound is violated for certain; None: no such
            point was met.
    """

    tree: Any
    leaves: int
    depth: int
    mean: int
    share: Fraction
    open: tuple[Point, ...]
    counterexample: Point | None

    @property
    def complete(self) -> bool:
        """Whether the bounds are proved on the whole box."""
        return not self.open and self.counterexample is None


@dataclass
class _Part:
    """A part of the box in the making: a leaf, or split in two."""

    sides: Sides
    depth: int
    leaf: Literal["open", "plain", "mean"] = "open"
    split: tuple[Path, Rational] | None = None
    halves: list[_Part] = field(default_factory=list)

    def json(self) -> Any:
        if self.split is None:
            return "mean" if self.leaf == "mean" else None
        path, at = self.split
        below, above = (half.json() for half in self.halves)
        return {"split": list(path), "at": write(at), "below": below, "above": above}


def subdivide(
    expression: Formula,
    *,
    box: Mapping[str, Any],
    lower: Rational | None = None,
    upper: Rational | None = None,
    given: Mapping[str, Any] | None = None,
    budget: int = 20_000,
    bits: int = 64,
) -> Subdivision:
    """Prove lower <= expression <= upper at every point of a box, as far as the budget reaches.

    Args:
        expression: a formula as certificates write it, without conditions.
        box: name -> an interval (low, high), or lists of intervals.
        lower: the lower bound; None: none is claimed.
        upper: the upper bound.
        given: exact values of further variables.
        budget: how many parts may be looked at.
        bits: of the ends; fewer than the certificate's digits, so that the checker's enclosures
            are narrower than those found here.

    Raises:
        InputError: no bound, no variable, an empty interval, or a formula with conditions.

    Example:
        >>> square_minus = ["-", ["*", ["var", "x"], ["var", "x"]], ["var", "x"]]
        >>> found = subdivide(square_minus, box={"x": (0, 1)}, lower=Fraction(-26, 100), upper=0)
        >>> found.complete, found.leaves > 1, found.share
        (True, True, Fraction(1, 1))
        >>> false = subdivide(square_minus, box={"x": (0, 1)}, lower=Fraction(-24, 100))
        >>> false.counterexample
        {'x': Fraction(1, 2)}
    """
    if lower is None and upper is None:
        raise InputError("a lower or an upper bound", "neither")
    read = ParameterBox(box, given or {})
    with precision(bits):
        search = _Search(read, evaluation(expression), lower, upper)
        return search.run(budget)


class _Search:
    """The parts, and what is known of them."""

    def __init__(
        self,
        box: ParameterBox,
        value: Evaluation,
        lower: Rational | None,
        upper: Rational | None,
    ) -> None:
        self._box, self._value = box, value
        self._low = None if lower is None else constant(lower).ends
        self._high = None if upper is None else constant(upper).ends
        self._constants = box.constants()

    def run(self, budget: int) -> Subdivision:
        root = _Part(self._box.sides, 0)
        heap: list[tuple[Fraction, int, _Part]] = [(Fraction(-1), 0, root)]
        leaves = depth = mean = looked = 0
        share, stuck = Fraction(0), []
        violated: Point | None = None
        while heap and looked < budget and violated is None:
            volume, _, part = heapq.heappop(heap)
            looked += 1
            axis = self._decide(part)
            if part.leaf != "open":
                leaves, mean = leaves + 1, mean + (part.leaf == "mean")
                depth, share = max(depth, part.depth), share - volume
                continue
            violated = self._violation(part)
            if axis is None or part.depth == DEEPEST:
                stuck.append(part)
                continue
            self._halve(part, axis)
            for half in part.halves:
                looked_at = 2 * looked + (half is part.halves[1])
                heapq.heappush(heap, (volume / 2, looked_at, half))
        left = [part for _, _, part in sorted(heap, key=lambda entry: entry[:2])] + stuck
        instances = tuple(self._box.instance(list(part.sides)) for part in left)
        return Subdivision(root.json(), leaves, depth, mean, share, instances, violated)

    def _evaluate(self, entries: list[Interval]) -> Interval:
        return self._value(self._constants | self._box.instance(entries))

    def _graded(self, sides: Sides) -> Interval:
        return self._evaluate([coordinate(*side, i) for i, side in enumerate(sides)])

    def _decide(self, part: _Part) -> int | None:
        """Mark the part as a leaf if it is one; else say which coordinate to halve."""
        wide = self._box.wide
        try:
            whole = self._graded(part.sides)
        except NoValue:
            return self._widest(part)
        if self._beyond(whole.ends, 1) and self._beyond(whole.ends, -1):
            part.leaf = "plain"
            return None
        if self._mean_value(part, whole):
            part.leaf = "mean"
            return None
        return max(wide, key=lambda i: self._weight(part, whole, i), default=None)

    def _mean_value(self, part: _Part, whole: Interval) -> bool:
        try:
            return (self._low is None or self._bounded(part.sides, whole, 1)) and (
                self._high is None or self._bounded(part.sides, whole, -1)
            )
        except NoValue:
            return False

    def _bounded(self, sides: Sides, value: Interval, sign: int) -> bool:
        """Whether the lower (sign 1) or the upper bound holds, by the mean value form."""
        while True:
            face = tuple(_end(*side, value.slopes.get(i), sign) for i, side in enumerate(sides))
            if face == sides:
                break
            sides, value = face, self._graded(face)
        if self._beyond(value.ends, sign):
            return True
        slack = arb(0)
        for i, (a, b) in enumerate(sides):
            if i in value.slopes:
                steepest = max(abs(end) for end in value.slopes[i])
                slack = (slack + steepest * constant(Fraction(b - a) / 2).ends[1]).upper()
        low, high = self._evaluate([constant(Fraction(a + b) / 2) for a, b in sides]).ends
        return self._beyond(((low - slack).lower(), (high + slack).upper()), sign)

    def _beyond(self, ends: Ends, sign: int) -> bool:
        if sign > 0:
            return self._low is None or bool(ends[0] >= self._low[1])
        return self._high is None or bool(ends[1] <= self._high[0])

    def _violation(self, part: _Part) -> Point | None:
        """The middle of the part if a bound is violated there for certain."""
        middle = [Fraction(a + b) / 2 for a, b in part.sides]
        try:
            low, high = self._evaluate([constant(value) for value in middle]).ends
        except NoValue:
            return None
        below = self._low is not None and high < self._low[0]
        above = self._high is not None and low > self._high[1]
        return self._box.instance(list(middle)) if below or above else None

    def _weight(self, part: _Part, whole: Interval, i: int) -> arb:
        """How much of the enclosure's width is due to a coordinate, roughly."""
        a, b = part.sides[i]
        low, high = whole.slopes.get(i, (arb(0), arb(0)))
        steep = max(-low, high) if low < 0 < high else (high - low) / 4
        return (steep * constant(b - a).ends[1]).mid()

    def _widest(self, part: _Part) -> int | None:
        """The coordinate that was halved least."""

        def kept(i: int) -> Fraction:
            (a, b), (low, high) = part.sides[i], self._box.sides[i]
            return Fraction(b - a) / (high - low)

        return max(self._box.wide, key=kept, default=None)

    def _halve(self, part: _Part, axis: int) -> None:
        a, b = part.sides[axis]
        at: Rational = Fraction(a + b) / 2
        part.split = (self._box.paths[axis], at)
        for side in ((a, at), (at, b)):
            sides = (*part.sides[:axis], side, *part.sides[axis + 1 :])
            part.halves.append(_Part(sides, part.depth + 1))


def _end(low: Rational, high: Rational, slope: Ends | None, sign: int) -> tuple[Rational, Rational]:
    """A side put to its better end if the expression is monotone in the coordinate."""
    if low == high:
        return low, high
    if slope is None or slope[0] >= 0:
        return (low, low) if sign > 0 else (high, high)
    if slope[1] <= 0:
        return (high, high) if sign > 0 else (low, low)
    return low, high
