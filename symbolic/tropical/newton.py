"""Newton polytopes of tropical polynomials and the regular subdivisions that coefficients induce.

Lift every exponent to the height of its coefficient: the upper faces of the lifted points,
projected down, subdivide the Newton polytope. Each maximal cell is dual to a point x of the power
diagram, at which exactly the terms of the cell attain the maximum; the cells are found as the upper
facets of the overlay of a single head (`overlay`), grouped by their hyperplanes, so that degenerate
positions (more than d + 1 points on a facet, points inside a face, flat or vertical arrangements)
give the true cells and no triangulation of them. Members are decided by evaluating all terms at x.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..cones.hull import Hull, convex_hull, upper_hull
from ..minkowski.overlay import overlay
from ..rational import Rational, Vector, parse
from .polynomial import TropicalPolynomial, number


@dataclass(frozen=True)
class SubdivisionCell:
    """A maximal cell.

    Args:
        members: the terms whose exponents lie in the cell at its height, ascending; vertices of
            the cell and any others on the same face.
        query: a point x at which exactly these terms attain the maximum; the only one if the
            exponents span Q^d.
    """

    members: tuple[int, ...]
    query: Vector


@dataclass(frozen=True)
class RegularSubdivision:
    """The subdivision of a Newton polytope that the coefficients induce.

    Args:
        polynomial: with the exponents that are subdivided.
        cells: the maximal cells, in lexicographic order of their members.
    """

    polynomial: TropicalPolynomial
    cells: tuple[SubdivisionCell, ...]

    @property
    def vertices(self) -> tuple[int, ...]:
        """The terms at the vertices of the cells: those that win alone somewhere."""
        return self.polynomial.winning

    @property
    def trivial(self) -> bool:
        """Whether there is one cell only: the whole polytope."""
        return len(self.cells) == 1

    def _repr_latex_(self) -> str:
        r"""The cells as sets of exponents, for notebooks.

        Example:
            >>> from headproof.symbolic.tropical.polynomial import polynomial
            >>> regular_subdivision(polynomial([[0], [1], [3]], [0, 2, 0]))._repr_latex_()
            '$\\{0,\\ 1\\},\\quad \\{1,\\ 3\\}$'
        """
        exponents = self.polynomial.exponents
        sets = (r",\ ".join(_point(exponents[j]) for j in cell.members) for cell in self.cells)
        return "$" + r",\quad ".join(rf"\{{{members}\}}" for members in sets) + "$"


def newton_polytope(f: TropicalPolynomial) -> Hull:
    """The convex hull of the exponents, each point with its reason.

    The Newton polytope of a product is the Minkowski sum of those of the factors.

    Example:
        >>> from headproof.symbolic.tropical.polynomial import polynomial
        >>> newton_polytope(polynomial([[0], [1], [2]])).vertices
        (0, 2)
    """
    return convex_hull(f.exponents)


def lifted_polytope(f: TropicalPolynomial) -> Hull:
    """The upper hull of the points (exponent, coefficient): its vertices are the winning terms.

    Example:
        >>> from headproof.symbolic.tropical.polynomial import polynomial
        >>> lifted_polytope(polynomial([[0], [1], [2]], [0, 1, 0])).vertices
        (0, 1, 2)
    """
    return upper_hull(f.lifted)


def regular_subdivision(f: TropicalPolynomial) -> RegularSubdivision:
    """The cells into which the coefficients divide the Newton polytope.

    Source: Maclagan and Sturmfels, Introduction to Tropical Geometry, 2.3; claim A5 is the dual.

    Example:
        >>> from headproof.symbolic.tropical.polynomial import polynomial
        >>> square = polynomial([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
        >>> [(cell.members, cell.query) for cell in regular_subdivision(square).cells]
        [((0, 1, 3), (-1, 0)), ((0, 2, 3), (0, -1))]
    """
    queries = _queries(f)
    found = {tuple(sorted(f.winners(x))): x for x in queries}
    return RegularSubdivision(
        f, tuple(SubdivisionCell(members, x) for members, x in sorted(found.items()))
    )


def _queries(f: TropicalPolynomial) -> list[Vector]:
    """A point dual to every maximal cell."""
    head = {"keys": f.exponents, "biases": f.coefficients}
    data = overlay([head]).certificate()["data"]
    if data["apex"] is not None:  # one cell: all lifted points that matter lie in one flat
        return [tuple(parse(x) for x in data["apex"])]
    queries: list[Vector] = []
    for normal, _ in data["hyperplanes"]:
        *across, height = (parse(x) for x in normal)
        x: list[Rational] = [0] * f.dimension
        for column, entry in zip(data["columns"], across, strict=True):
            x[column] = parse(_ratio(entry, height))
        queries.append(tuple(x))
    return queries


def _ratio(above: Rational, below: Rational) -> Fraction:
    return Fraction(above) / below


def _point(exponent: Vector) -> str:
    entries = r",\,".join(number(x) for x in exponent)
    return entries if len(exponent) == 1 else f"({entries})"
