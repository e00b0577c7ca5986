"""Zonotopes c + sum_i [-1, 1] g_i over the rationals, in any dimension and any position.

Vertices come from the engine for Minkowski sums: a zonotope is a sum of segments, and 2^g sign
vectors are never listed. A zonotope of matrices is one of their entries as vectors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb, lcm

from flint import fmpz_mat

from ..errors import InputError
from ..minkowski.minkowski_sum import MinkowskiSum, minkowski_sum
from ..rational import Rational, Vector, matrix, parse, vector


@dataclass(frozen=True)
class Zonotope:
    """c + sum_i [-1, 1] g_i.

    Args:
        centre: c, d rationals, d >= 1.
        generators: g vectors of d rationals; none makes a point.

    Raises:
        InputError: a float, no coordinate, or vectors of different dimensions.

    Example:
        >>> hexagon = Zonotope((0, 0), ((1, 0), (0, 1), (1, 1)))
        >>> hexagon.sum().vertices
        ((-2, -2), (-2, 0), (0, -2), (0, 2), (2, 0), (2, 2))
    """

    centre: Vector
    generators: tuple[Vector, ...]

    def __post_init__(self) -> None:
        """Read the numbers."""
        centre = vector(self.centre, "centre")
        if not centre:
            raise InputError("at least one coordinate", "none", where="centre")
        given = tuple(
            vector(row, f"generators[{i}]", dimension=len(centre))
            for i, row in enumerate(self.generators)
        )
        object.__setattr__(self, "centre", centre)
        object.__setattr__(self, "generators", given)

    @property
    def dimension(self) -> int:
        """d, of the space."""
        return len(self.centre)

    def point(self, coefficients: Sequence[Rational]) -> Vector:
        """The point c + sum_i beta_i g_i.

        Raises:
            InputError: not one coefficient for each generator.

        Example:
            >>> Zonotope((0, 0), ((1, 0), (0, 1), (1, 1))).point((1, 1, -1))
            (0, 0)
        """
        beta = vector(coefficients, "coefficients", dimension=len(self.generators))
        return tuple(
            parse(c + sum(b * g[r] for b, g in zip(beta, self.generators, strict=True)))
            for r, c in enumerate(self.centre)
        )

    def sum(self) -> MinkowskiSum:
        """The zonotope as a Minkowski sum of a point and g segments, with its certificate."""
        segments = [[tuple(-x for x in g), g] for g in self.generators]
        return minkowski_sum([[self.centre], *segments])

    def support(self, functional: Sequence[Rational]) -> Rational:
        """The maximum of <u, p> over the zonotope: <u, c> + sum_i |<u, g_i>|."""
        u = vector(functional, "functional", dimension=self.dimension)
        height = Fraction(dot(u, self.centre))
        for g in self.generators:
            height += max(dot(u, g), -dot(u, g))
        return parse(height)

    @property
    def general(self) -> bool:
        """Whether every min(g, d) of the generators are independent.

        Example:
            >>> Zonotope((0, 0), ((1, 0), (0, 1), (1, 1))).general
            True
            >>> Zonotope((0, 0), ((1, 0), (0, 1), (2, 0))).general
            False
        """
        size = min(len(self.generators), self.dimension)
        rows = [_whole(g) for g in self.generators]
        return all(
            fmpz_mat([list(row) for row in chosen]).rank() == size
            for chosen in combinations(rows, size)
            if size
        )

    @property
    def most_vertices(self) -> bool:
        """Whether there are as many vertices as `vertex_bound` allows, without counting them.

        In d >= 2 dimensions iff the position is `general`; on a line, where the bound is 2 however
        many generators there are, iff one of them is not zero.

        Example:
            >>> Zonotope((0,), ((1,), (0,))).most_vertices
            True
        """
        if self.dimension == 1 and self.generators:
            return any(map(any, self.generators))
        return self.general


def vertex_bound(dimension: int, generators: int) -> int:
    """Most vertices of a sum of g segments in R^d: 2 sum_{i<d} C(g - 1, i); a point has one.

    Source: the regions of a central arrangement of g hyperplanes (Zaslavsky 1975).

    Raises:
        InputError: d < 1 or g < 0.

    Example:
        >>> [vertex_bound(2, g) for g in range(5)], vertex_bound(9, 3)
        ([1, 2, 4, 6, 8], 8)
    """
    if dimension < 1 or generators < 0:
        raise InputError("d >= 1 and g >= 0", f"d = {dimension}, g = {generators}")
    if not generators:
        return 1
    return 2 * sum(comb(generators - 1, i) for i in range(dimension))


@dataclass(frozen=True)
class MatrixZonotope:
    """C + sum_i [-1, 1] G_i, matrices of p x d.

    Raises:
        InputError: matrices of different shapes, or without an entry.

    Example:
        >>> values = MatrixZonotope(((1, 0),), (((0, 1),),))
        >>> values.at((2, 3))
        Zonotope(centre=(2,), generators=((3,),))
    """

    centre: tuple[Vector, ...]
    generators: tuple[tuple[Vector, ...], ...]

    def __post_init__(self) -> None:
        """Read the numbers."""
        centre = matrix(self.centre, "centre", least_rows=1)
        given = []
        for i, rows in enumerate(self.generators):
            read = matrix(rows, f"generators[{i}]", least_rows=1)
            shapes = [(len(m), len(m[0])) for m in (centre, read)]
            if shapes[0] != shapes[1]:
                expected, found = (f"{r} x {c}" for r, c in shapes)
                raise InputError(expected, found, where=f"generators[{i}]")
            given.append(read)
        object.__setattr__(self, "centre", centre)
        object.__setattr__(self, "generators", tuple(given))

    def at(self, x: Sequence[Rational]) -> Zonotope:
        """The zonotope of the outputs W x: C x + sum_i [-1, 1] G_i x."""
        given = vector(x, "x", dimension=len(self.centre[0]))
        return Zonotope(
            _apply(self.centre, given), tuple(_apply(G, given) for G in self.generators)
        )

    def flat(self) -> Zonotope:
        """The same set, matrices read as vectors row by row."""
        return Zonotope(
            tuple(x for row in self.centre for x in row),
            tuple(tuple(x for row in G for x in row) for G in self.generators),
        )


def _apply(rows: tuple[Vector, ...], x: Vector) -> Vector:
    return tuple(parse(dot(row, x)) for row in rows)


def dot(u: Sequence[Rational], v: Sequence[Rational]) -> Rational:
    """<u, v>."""
    return sum(a * b for a, b in zip(u, v, strict=True))


def _whole(row: Vector) -> list[int]:
    """A positive multiple with integer entries."""
    common = lcm(*(x.denominator for x in row))
    return [int(x * common) for x in row]
