"""The vertices of distinct integer points, by Clarkson's method.

Each undecided point is decided against the V vertices known so far: it lies in their hull, or a
functional separates it from them, and then the winner of that functional among *all* points is a
vertex that was not known (More output-sensitive geometric algorithms, FOCS 1994). Every round
therefore settles each point or finds a vertex, and the search ends. Many vertices are found
beforehand, as winners of random functionals.

Proposals come from `proposal` in the float frame of `frame`; a functional counts after its exact
scores, a combination after its exact solution, and where neither comes out `cone.decide` decides.
Ties are broken by tilting the functional, not by a perturbation of the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from ..rational import Rational, primitive
from .cone import combination, decide
from .frame import Frame
from .proposal import propose
from .scores import Points, Table

Combination: TypeAlias = tuple[tuple[int, Rational], ...]
"""(vertex index, positive weight), the weights summing to one."""

_PERHAPS_INSIDE = 1e-7
"""Residuals below this make a combination worth an exact solve."""


class Search:
    """Clarkson's method on distinct integer points; `run` fills in the two dictionaries.

    Args:
        rows: (N, n) distinct integer points.
        upper: whether only functionals with a positive last entry count.

    Example:
        >>> search = Search([(0,), (1,), (3,)], upper=False)
        >>> search.run()
        >>> sorted(search.functionals), search.combinations[1]
        ([0, 2], ((0, Fraction(2, 3)), (2, Fraction(1, 3))))
    """

    def __init__(self, rows: list[tuple[int, ...]], *, upper: bool) -> None:
        self.rows = rows
        self.upper = upper
        self.up = (0,) * (len(rows[0]) - 1) + (1,)
        self.frame = Frame(rows, upper=upper)
        self.points = Points(self.frame.centred)
        self.functionals: dict[int, tuple[int, ...]] = {}
        self.combinations: dict[int, Combination] = {}

    def run(self) -> None:
        """Decide every point."""
        if len(self.rows) == 1:
            self.functionals[0] = self.up if self.upper else (0,) * len(self.up)
            return
        for directions in self.frame.directions():
            self._crown(self.frame.functionals(directions))
        undecided = [j for j in range(len(self.rows)) if j not in self.functionals]
        while undecided:
            self._round(undecided)
            undecided = [
                j for j in undecided if j not in self.functionals and j not in self.combinations
            ]
        self._shorten()

    def _crown(self, functionals: Sequence[tuple[int, ...]]) -> None:
        """Record the winner of each functional as a vertex."""
        for u, scores in zip(functionals, self.points.each(functionals), strict=True):
            winners = np.flatnonzero(scores == scores.max())
            if winners.size == 1:
                self.functionals.setdefault(int(winners[0]), u)
            elif not any(int(j) in self.functionals for j in winners):
                self._break_tie(u, scores, [int(j) for j in winners])

    def _break_tie(self, u: tuple[int, ...], scores: Table, tied: list[int]) -> None:
        """Tilt a functional until one of its winners wins alone.

        The tied points are a face; the lexicographic maximum is a vertex of it. A base larger
        than twice any coordinate makes the lexicographic order a functional w, and a multiple of u
        large enough to keep the others behind is added to it.
        """
        block = [self.points.rows[j] for j in tied]
        base = 1 + 2 * max(abs(entry) for row in block for entry in row)
        n = len(u)
        # Under an upper functional no two tied points differ in the last coordinate alone.
        w = tuple(base ** (n - 1 - k) for k in range(n))
        if self.upper:
            w = (*(base ** (n - 2 - k) for k in range(n - 1)), 0)
        best = max(tied, key=lambda j: _dot(w, self.points.rows[j]))
        tilt = [_dot(w, row) for row in self.points.rows]
        top = int(scores[best])
        behind = set(range(len(self.rows))) - set(tied)
        factor = 1 + max(
            (max(0, tilt[j] - tilt[best]) // (top - int(scores[j])) for j in behind), default=0
        )
        self.functionals[best] = primitive([factor * a + b for a, b in zip(u, w, strict=True)])

    def _shorten(self) -> None:
        """Round the functionals to fewer bits where the shorter one still wins alone."""
        for bits in (12, 6, 3):
            vertices = list(self.functionals)
            short = [_rounded(u, bits) for u in self.functionals.values()]
            table = self.points.each(short)
            for j, u, scores in zip(vertices, short, table, strict=True):
                wins = np.count_nonzero(scores == scores.max()) == 1 and scores.argmax() == j
                if wins and (not self.upper or u[-1] > 0):
                    self.functionals[j] = u

    def _round(self, undecided: list[int]) -> None:
        """Decide points against the vertices known now; each is settled or yields a vertex."""
        known = sorted(self.functionals)
        separating: list[tuple[int, tuple[int, ...]]] = []
        for chunk in self.frame.chunks(undecided, known):
            guess = propose(self.frame.systems(chunk, known))
            proposed = self.frame.functionals(guess.directions)
            for b, j in enumerate(chunk):
                if guess.gaps[b] < _PERHAPS_INSIDE and self._combine(j, known, guess.support(b)):
                    continue
                separating.append((j, proposed[b]))
        table = self.points.each([u for _, u in separating])
        confirmed = []
        for (j, u), scores in zip(separating, table, strict=True):
            beats = not known or scores[j] > scores[known].max()
            if beats and (not self.upper or u[-1] > 0):
                confirmed.append(u)
            elif (exact := self._decide(j, known)) is not None:
                confirmed.append(exact)
        self._crown(confirmed)

    def _system(self, j: int, known: Sequence[int]) -> list[list[int]]:
        """Rows whose strict cone holds the functionals that separate point j from the known."""
        point = self.points.rows[j]
        rows = [[a - b for a, b in zip(point, self.points.rows[i], strict=True)] for i in known]
        return [*rows, list(self.up)] if self.upper else rows

    def _combine(self, j: int, known: list[int], support: list[int]) -> bool:
        """Try to show point j as a combination of the proposed vertices."""
        chosen = [known[s] for s in support if s < len(known)]
        system = self._system(j, chosen)
        if self.upper and len(known) not in support:
            system.pop()
        weights = combination(system)
        if weights is None or not any(weights[: len(chosen)]):
            return False
        self._record(j, chosen, weights)
        return True

    def _decide(self, j: int, known: list[int]) -> tuple[int, ...] | None:
        """Decide point j exactly; a functional if it is separated from the known vertices."""
        answer = decide(self._system(j, known))
        if answer.witness is not None:
            return answer.witness
        assert answer.multipliers is not None
        chosen = [s for s in answer.multipliers if s < len(known)]
        self._record(j, [known[s] for s in chosen], [answer.multipliers[s] for s in chosen])
        return None

    def _record(self, j: int, chosen: Sequence[int], weights: Sequence[int]) -> None:
        pairs = [(i, w) for i, w in zip(chosen, weights, strict=False) if w]
        total = sum(w for _, w in pairs)
        self.combinations[j] = tuple((i, ratio(w, total)) for i, w in pairs)


def ratio(above: int, below: int) -> Rational:
    """The quotient, an int if it is a whole number.

    Example:
        >>> ratio(4, 2), ratio(1, 2)
        (2, Fraction(1, 2))
    """
    value = Fraction(above, below)
    return value.numerator if value.denominator == 1 else value


def _rounded(u: Sequence[int], bits: int) -> tuple[int, ...]:
    surplus = max(abs(entry) for entry in u).bit_length() - bits
    if surplus <= 0:
        return tuple(u)
    half = 1 << (surplus - 1)
    return primitive([(entry + half) >> surplus for entry in u])


def _dot(u: Sequence[int], p: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(u, p, strict=True))
