"""Convex hulls by points: which are vertices, and for each point the exact reason.

A vertex is shown by an integer functional under which it beats every other point; any other point
is shown as a convex combination of vertices. In the *upper* hull of lifted points (kappa_j, b_j) a
vertex is one that is not in conv(others) - R_+ e_last: its functional has a positive last entry,
and a combination may lie above its point (last coordinate >=). This is claim A5: upper vertices
are the keys that win alone somewhere.

*Why this algorithm.* Facets are not wanted and are hopeless to list in the 32 dimensions of a real
head. Clarkson's method (`clarkson`) decides each point against the V vertices known so far, in any
dimension.

*Exactness.* Functionals and combinations are proposed in floats for all undecided points at once,
and accepted only after an exact check in integers. What floats cannot settle (points a hair off a
facet, coordinates beyond 10^30) is decided by an exact method that does not fail. The vertices are
exact, hence canonical; which certificate is found for them may depend on the linear-algebra
library, its validity does not.

*Cost.* N + V decisions of about V n^2 multiply-adds, and an exact solve of n + 1 unknowns for each
point that is no vertex. Rationals are brought to one common denominator: thousands of unrelated
denominators make long integers, and the search slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..certificate import envelope
from ..display import facts, listing
from ..errors import InputError
from ..rational import Rational, Vector, integer_rows, matrix, write
from .clarkson import Combination, Search, ratio

__all__ = ["Combination", "Hull", "convex_hull", "upper_hull"]


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

    def _repr_html_(self) -> str:
        """The vertices, as a notebook shows them."""
        told = facts(
            "Upper hull" if self.upper else "Convex hull",
            [
                ("points", len(self.points)),
                ("vertices", self.count),
                ("repeated", len(self.equals)),
            ],
        )
        rows = ((j, self.points[j]) for j in self.vertices)
        return told + listing(("vertex", "point"), rows, count=self.count)

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
        return envelope("hull", claim, data)

    def _functional(self, j: int) -> Vector:
        return self.query(j) if self.upper else self.functionals[j]

    def query(self, j: int) -> Vector:
        """The x with <x, kappa_j> + b_j above every other score, for a vertex of an upper hull.

        Example:
            >>> upper_hull([[0, 0], [1, -1], [2, 0]]).query(0)
            (-1,)
        """
        *across, height = self.functionals[j]
        return tuple(ratio(entry, height) for entry in across)


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
    search = Search(list(first), upper=upper)
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
