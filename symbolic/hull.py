"""Convex hulls by points: which are vertices, and for each point the exact reason.

A vertex is shown by an integer functional under which it beats every other point; any other point
is shown as a convex combination of vertices. In the *upper* hull of lifted points (kappa_j, b_j) a
vertex is one that is not in conv(others) - R_+ e_last: its functional has a positive last entry,
and a combination may lie above its point (last coordinate >=). This is claim A5: upper vertices
are the keys that win alone somewhere.

*Why this algorithm.* Facets are not wanted and are hopeless to list in the 32 dimensions of a real
head. Clarkson's method (More output-sensitive geometric algorithms, FOCS 1994) decides each
point against the V vertices known so far: it lies in their hull, or a functional separates it, and
then the winner of that functional among all points is a new vertex. That takes N + V decisions
with at most V rows each, in any dimension. Many vertices are found beforehand as winners of random
functionals.

*Exactness.* Functionals and combinations are proposed in floats for all undecided points at once
(`proposal`), and accepted only after an exact check in integers. What floats cannot settle (points
a hair off a facet, coordinates beyond 10^30) is decided exactly by `cone.decide`, which does not
fail. The vertices are exact, hence canonical; which certificate is found for them may depend on
the linear-algebra library, its validity does not.

*Cost.* Decisions cost about V n^2 multiply-adds each, plus an exact solve of n + 1 unknowns for
each point that is no vertex.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from .cone import combination, decide
from .errors import InputError
from .frame import Frame
from .proposal import propose
from .rational import Rational, Vector, integer_rows, matrix, primitive, write
from .scores import Points

Combination: TypeAlias = tuple[tuple[int, Rational], ...]
"""(vertex index, positive weight), the weights summing to one."""


@dataclass(frozen=True)
class Hull:
    """The vertices of a convex hull, with the reason for every point.

    Args:
        points: (N, d) rationals, as given.
        upper: whether the hull is the upper hull, conv - R_+ e_last.
        vertices: ascending indices; of repeated points the lowest.
        functionals: vertex -> integers u with <u, p_j> > <u, p_i> for every other distinct p_i;
            for an upper hull the last entry is positive.
        combinations: any other distinct point -> its convex combination of vertices; for an upper
            hull the last coordinate of the combination is at least that of the point.
        equals: repeated point -> lowest index of the same point.
    """

    points: tuple[Vector, ...]
    upper: bool
    vertices: tuple[int, ...]
    functionals: Mapping[int, tuple[int, ...]]
    combinations: Mapping[int, Combination]
    equals: Mapping[int, int]

    @property
    def count(self) -> int:
        """The number of vertices."""
        return len(self.vertices)

    def certificate(self, claim: str = "") -> dict[str, Any]:
        """The certificate of kind ``hull``, plain JSON, as CERTIFICATES.md specifies it.

        Args:
            claim: id of the claim that the certificate belongs to.

        Example:
            >>> convex_hull([[0], [1], [2], [1]]).certificate()["data"]["repeated"]
            [{'point': 3, 'as': 1}]
        """
        data = {
            "upper": self.upper,
            "points": [[write(entry) for entry in point] for point in self.points],
            "vertices": [
                {"point": j, "functional": [write(entry) for entry in self._functional(j)]}
                for j in self.vertices
            ],
            "others": [
                {
                    "point": j,
                    "combination": [{"vertex": i, "weight": write(w)} for i, w in weights],
                }
                for j, weights in self.combinations.items()
            ],
            "repeated": [{"point": j, "as": i} for j, i in self.equals.items()],
            "count": self.count,
        }
        return {
            "format": "headproof-certificate/1",
            "kind": "hull",
            "claim": claim,
            "data": data,
        }

    def _functional(self, j: int) -> Vector:
        return self.query(j) if self.upper else self.functionals[j]

    def query(self, j: int) -> Vector:
        """The x with <x, kappa_j> + b_j above every other score, for a vertex of an upper hull.

        Example:
            >>> upper_hull([[0, 0], [1, -1], [2, 0]]).query(0)
            (-1,)
        """
        *across, height = self.functionals[j]
        return tuple(_ratio(entry, height) for entry in across)


def convex_hull(points: Iterable[Sequence[Rational | str]]) -> Hull:
    """Find the vertices of conv{p_1, ..., p_N}, each point with its reason.

    Args:
        points: (N, d) rationals, N >= 1, d >= 1, in any position: repeated, collinear, flat.

    Raises:
        InputError: a float, no point, or points of different dimensions.

    Example:
        >>> hull = convex_hull([[0, 0], [2, 0], [0, 2], [1, 1], [2, 0]])
        >>> hull.vertices, hull.combinations[3], dict(hull.equals)
        ((0, 1, 2), ((1, Fraction(1, 2)), (2, Fraction(1, 2))), {4: 1})
    """
    return _hull(points, upper=False)


def upper_hull(points: Iterable[Sequence[Rational | str]]) -> Hull:
    """Find the upper vertices of lifted points (kappa_j, b_j): those not in conv(others) - R_+ e.

    Args:
        points: (N, d + 1) rationals, N >= 1, the last coordinate being the height b.

    Raises:
        InputError: a float, no point, or points of different dimensions.

    Example:
        >>> hull = upper_hull([[-1, 0], [0, 0], [1, 0], [0, -5]])
        >>> hull.vertices, hull.combinations[3]
        ((0, 2), ((0, Fraction(1, 2)), (2, Fraction(1, 2))))
    """
    return _hull(points, upper=True)


def _hull(points: Iterable[Sequence[Rational | str]], *, upper: bool) -> Hull:
    read = matrix(points, "points", least_rows=1)
    if not read[0]:
        raise InputError("at least one coordinate", "none", where="points[0]")
    whole, _ = integer_rows(read)
    first: dict[tuple[int, ...], int] = {}
    equals = {
        j: lowest for j, row in enumerate(whole) if (lowest := first.setdefault(tuple(row), j)) < j
    }
    names = list(first.values())
    search = _Search(list(first), upper=upper)
    search.run()
    return Hull(
        points=read,
        upper=upper,
        vertices=tuple(sorted(names[j] for j in search.functionals)),
        functionals=MappingProxyType({names[j]: u for j, u in sorted(search.functionals.items())}),
        combinations=MappingProxyType(
            {
                names[j]: tuple((names[i], weight) for i, weight in weights)
                for j, weights in sorted(search.combinations.items())
            }
        ),
        equals=MappingProxyType(equals),
    )


class _Search:
    """Clarkson's method on distinct integer points."""

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
        if not functionals:
            return
        table = self.points.scores(functionals)
        for u, scores in zip(functionals, table, strict=True):
            winners = np.flatnonzero(scores == scores.max())
            if winners.size == 1:
                self.functionals.setdefault(int(winners[0]), u)
            elif not any(int(j) in self.functionals for j in winners):
                self._break_tie(u, scores, [int(j) for j in winners])

    def _break_tie(self, u: tuple[int, ...], scores: Any, tied: list[int]) -> None:
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
            table = self.points.scores(short)
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
                if guess.gaps[b] < 1e-7 and self._combine(j, known, guess.support(b)):
                    continue
                separating.append((j, proposed[b]))
        if not separating:
            return
        table = self.points.scores([u for _, u in separating])
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
        self.combinations[j] = tuple((i, _ratio(w, total)) for i, w in pairs)


def _rounded(u: Sequence[int], bits: int) -> tuple[int, ...]:
    surplus = max(abs(entry) for entry in u).bit_length() - bits
    if surplus <= 0:
        return tuple(u)
    half = 1 << (surplus - 1)
    return primitive([(entry + half) >> surplus for entry in u])


def _ratio(above: int, below: int) -> Rational:
    value = Fraction(above, below)
    return value.numerator if value.denominator == 1 else value


def _dot(u: Sequence[int], p: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(u, p, strict=True))
