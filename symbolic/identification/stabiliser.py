"""What can be moved between two factors: the commutant of what stands between them.

A score is x^T A M(t) B^T y, where A and B are a query and a key projection and M(t) is what stands
between them at the distance t: nothing (M = I), or one rotation a plane. The function determines
A M B^T for every M in the algebra that the M(t) span, so A -> A exp(X), B -> B exp(-X)^T is
invisible exactly for the X that commute with all of them.

Characters of the integers are linearly independent, so planes of different frequencies can be told
apart: the algebra is a direct sum over the *isotypes*, the sets of coordinates that turn alike. On
an isotype it is R (coordinates that do not turn, or only change sign) or C (planes that turn), and
the commutant is made of the intertwiners between its lines or planes. These are found here by
solving X M_i = M_j X exactly for every pair of types; dimensions for symbolic multiplicities follow
by adding up, so no formula is typed. Cost: 4 unknowns a pair, whatever the size of the head.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, Literal, TypeAlias

from sympy import Expr, Integer, Matrix, Rational, expand

from .isotype import Field, Isotype

Entries: TypeAlias = tuple[tuple[int, int, int], ...]
"""A sparse integer matrix: row, column, value."""


def algebra(parts: Sequence[Isotype]) -> tuple[Entries, ...]:
    """A basis of the span of all M(t): the projection on an isotype, and its quarter turn.

    Example:
        >>> algebra([Isotype("complex", 1)])
        (((0, 0, 1), (1, 1, 1)), ((0, 1, -1), (1, 0, 1)))
    """
    found: list[Entries] = []
    for part in parts:
        places = range(part.start, part.start + part.size)
        found.append(tuple((i, i, 1) for i in places))
        if part.field == "complex":
            turn: list[tuple[int, int, int]] = []
            for i in places[::2]:
                turn += [(i, i + 1, -1), (i + 1, i, 1)]
            found.append(tuple(turn))
    return tuple(found)


@cache
def intertwiners(one: Field, other: Field, same: bool) -> tuple[Entries, ...]:
    """A basis of the X with X M = M X from one line or plane to another, by exact elimination.

    Args:
        one: the field of the line or plane that gives the rows of X.
        other: the field of the one that gives the columns.
        same: whether both belong to one isotype.

    Example:
        >>> intertwiners("complex", "complex", True)
        (((0, 0, 1), (1, 1, 1)), ((0, 1, 1), (1, 0, -1)))
        >>> intertwiners("complex", "complex", False), intertwiners("real", "complex", False)
        ((), ())
    """
    rows, columns = (2 if field == "complex" else 1 for field in (one, other))
    return _solutions(rows, columns, _pair_equations(one, other, same))


def _pair_equations(one: Field, other: Field, same: bool) -> list[tuple[Matrix, Matrix]]:
    """Pairs (L, R) with the condition L X = X R for every M of the algebra."""

    def basis(field: Field) -> list[Matrix]:
        unit = [Matrix([[1]])] if field == "real" else [Matrix([[1, 0], [0, 1]])]
        return unit if field == "real" else [*unit, Matrix([[0, -1], [1, 0]])]

    if same:
        return list(zip(basis(one), basis(other), strict=True))
    rows, columns = basis(one)[0].rows, basis(other)[0].rows
    return [(m, Matrix.zeros(columns, columns)) for m in basis(one)] + [
        (Matrix.zeros(rows, rows), m) for m in basis(other)
    ]


def _solutions(
    rows: int,
    columns: int,
    conditions: Sequence[tuple[Matrix, Matrix]],
    further: Callable[[Matrix], Matrix] | None = None,
) -> tuple[Entries, ...]:
    """A basis of {X : L X = X R for all (L, R), further(X) = 0}."""
    units: list[Matrix] = []
    for i, j in product(range(rows), range(columns)):
        unit = Matrix.zeros(rows, columns)
        unit[i, j] = 1
        units.append(unit)
    equations = Matrix.hstack(
        *(
            Matrix.vstack(
                *(_column(left * unit - unit * right) for left, right in conditions),
                *([_column(further(unit))] if further else []),
            )
            for unit in units
        )
    )
    found: list[Entries] = []
    for vector in equations.nullspace():
        vector = vector * vector.applyfunc(lambda x: Rational(x).q).values()[0]
        if vector[next(k for k in range(len(vector)) if vector[k])] < 0:
            vector = -vector
        places = product(range(rows), range(columns))
        entries = tuple(
            (i, j, int(value)) for (i, j), value in zip(places, vector, strict=True) if value
        )
        found.append(entries)
    return tuple(sorted(found))


def _column(matrix: Matrix) -> Matrix:
    return matrix.reshape(matrix.rows * matrix.cols, 1)


@cache
def skew_part(field: Field) -> tuple[Entries, ...]:
    """A basis of the X = -X^T that commute with the algebra of one line or plane.

    Example:
        >>> skew_part("real"), skew_part("complex")
        ((), (((0, 1, 1), (1, 0, -1)),))
    """
    size = 2 if field == "complex" else 1
    conditions = _pair_equations(field, field, True)
    return _solutions(size, size, conditions, lambda x: x + x.T)


@cache
def diagonal_part(field: Field) -> tuple[Entries, ...]:
    """A basis of the diagonal X that commute with the algebra of one line or plane.

    Example:
        >>> diagonal_part("complex")
        (((0, 0, 1), (1, 1, 1)),)
    """
    size = 2 if field == "complex" else 1
    conditions = _pair_equations(field, field, True)

    def off(x: Matrix) -> Matrix:
        return Matrix(size, size, lambda i, j: 0 if i == j else x[i, j])

    return _solutions(size, size, conditions, off)


Symmetry = Literal["linear", "orthogonal", "diagonal"]
"""All X; only X = -X^T (a norm, or tied factors, see lengths too); only diagonal X (gains)."""


def commutant(parts: Sequence[Isotype], symmetry: Symmetry = "linear") -> Iterator[Entries]:
    """An explicit basis of the commutant, one sparse integer matrix after the other.

    Args:
        parts: the isotypes.
        symmetry: which X are allowed.

    Example:
        >>> list(commutant([Isotype("real", 2)], "orthogonal"))
        [((0, 1, 1), (1, 0, -1))]
    """
    for part in parts:
        starts = range(part.start, part.start + part.size, part.degree)
        same = intertwiners(part.field, part.field, True)
        if symmetry == "linear":
            for i, j, block in product(starts, starts, same):
                yield _placed(block, i, j)
            continue
        diagonal = (skew_part if symmetry == "orthogonal" else diagonal_part)(part.field)
        for place, i in enumerate(starts):
            for block in diagonal:
                yield _placed(block, i, i)
            if symmetry == "orthogonal":
                for j, block in product(starts[place + 1 :], same):
                    back = tuple((c, r, -v) for r, c, v in block)
                    yield _placed(block, i, j) + _placed(back, j, i)


def _placed(block: Entries, i: int, j: int) -> Entries:
    return tuple((i + r, j + c, v) for r, c, v in block)


def dimension(parts: Sequence[tuple[Field, Any]], symmetry: Symmetry = "linear") -> Expr:
    """The dimension of the commutant as a polynomial in the multiplicities.

    The number of pairs of lines or planes of an isotype, times the dimension of the intertwiners
    between two of them (and alike on the diagonal); different isotypes have none.

    Args:
        parts: field and multiplicity of every isotype; multiplicities may be symbols.
        symmetry: which X are allowed.

    Example:
        >>> from sympy.abc import n
        >>> dimension([("real", n)]), dimension([("complex", n)])
        (n**2, 2*n**2)
        >>> dimension([("real", n)], "orthogonal"), dimension([("complex", n)], "orthogonal")
        (n**2/2 - n/2, n**2)
    """
    total: Any = Integer(0)
    for field, count in parts:
        pair = len(intertwiners(field, field, True))
        if symmetry == "linear":
            total += count * count * pair
        elif symmetry == "orthogonal":
            total += count * (count - 1) * Rational(pair, 2) + count * len(skew_part(field))
        else:
            total += count * len(diagonal_part(field))
    return expand(total)
