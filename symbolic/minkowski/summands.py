"""Finite point sets in one space: checked at the border, then turned into lean integer arrays.

Every question about a Minkowski sum is put to a `Configuration`: integer points (denominators are
cleared coordinate by coordinate, a linear bijection), one base point of each summand at the origin
(a translation), repeated points and summands of one point left out, and only as many coordinates
as the affine hull of the sum has dimensions (the pivot columns of the differences: a projection
that is injective on the hull). Nothing here is approximate but ``floats``, which carries a stated
error.

Cost: linear in the input, plus one exact elimination if the sum is flat. int64 is used when the
differences stay below 2^53 (so that ``floats`` is exact too); otherwise arrays of Python integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain
from math import gcd, lcm
from typing import Any, TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..rational import parse

Number: TypeAlias = int | Fraction
Point: TypeAlias = tuple[Number, ...]
Array: TypeAlias = NDArray[Any]

_PRIME = 2**61 - 1
_EXACT = 2**53
_KINDS = {int, Fraction}
_LISTS = {list, tuple}


def checked_points(points: object, where: str, dimension: int | None) -> tuple[list[Point], int]:
    """The points of one summand as tuples, and their dimension.

    Raises:
        InputError: if it is no non-empty list of equally long, non-empty lists of exact numbers.
    """
    if isinstance(points, str | bytes) or not isinstance(points, Sequence):
        raise InputError("a list of points", type(points).__name__, where=where)
    if not points:
        raise InputError("at least one point", "an empty list", where=where)
    if set(map(type, points)) <= _LISTS:
        rows: list[Point] = list(map(tuple, points))
        widths = set(map(len, rows))
        if (
            len(widths) == 1
            and widths <= {dimension or len(rows[0])}
            and widths != {0}
            and set(map(type, chain.from_iterable(rows))) <= _KINDS
        ):
            return rows, len(rows[0])
    # Something is unusual or wrong: read it number by number.
    rows = []
    for j, point in enumerate(points):
        if isinstance(point, str | bytes) or not isinstance(point, Sequence):
            raise InputError("a list of coordinates", type(point).__name__, where=f"{where}[{j}]")
        if dimension is None:
            dimension = len(point)
            if not dimension:
                raise InputError("at least one coordinate", "none", where=f"{where}[{j}]")
        if len(point) != dimension:
            raise InputError(f"{dimension} coordinates", f"{len(point)}", where=f"{where}[{j}]")
        rows.append(tuple(parse(x, f"{where}[{j}][{i}]") for i, x in enumerate(point)))
    assert dimension is not None
    return rows, dimension


def checked_summands(summands: object) -> list[list[Point]]:
    """The summands as lists of tuples.

    Raises:
        InputError: if there is none, if one is empty, ragged, or not of rational numbers.
    """
    if isinstance(summands, str | bytes) or not isinstance(summands, Sequence):
        raise InputError("a list of summands", type(summands).__name__)
    if not summands:
        raise InputError("at least one summand", "an empty list", where="summands")
    dimension: int | None = None
    checked = []
    for h, points in enumerate(summands):
        rows, dimension = checked_points(points, f"summands[{h}]", dimension)
        checked.append(rows)
    return checked


def distinct(points: Sequence[Point]) -> list[int]:
    """The lowest index of each distinct point, in order."""
    first: dict[Point, int] = {}
    for j, point in enumerate(points):
        first.setdefault(point, j)
    return list(first.values())


@dataclass(frozen=True, eq=False)
class Configuration:
    """Points of several summands, in general or in any other position.

    Attributes:
        points: (n, k) integers (int64 or Python integers), each summand's first point at 0.
        floats: (n, k) points times 2^-exponents, |entry| <= 1, relative error <= 2^-53.
        exponents: the k exponents.
        owner: (n,) the summand of each point, ascending from 0 to count - 1.
        count: number of summands H.
        labels: (n,) index of each point in the summand that the caller gave.
        sources: (count,) index of each summand among the caller's.
        columns: the k coordinates kept; their differences determine all others.
        scale: the k positive factors by which the kept coordinates were multiplied.
        upper: only faces whose outer normal has a positive last coordinate are asked for.
    """

    points: Array
    floats: NDArray[np.float64]
    exponents: tuple[int, ...]
    owner: NDArray[np.intp]
    count: int
    labels: NDArray[np.intp]
    sources: tuple[int, ...]
    columns: tuple[int, ...]
    scale: tuple[Number, ...]
    upper: bool = False

    @property
    def dimension(self) -> int:
        """Dimension k of the affine hull of the sum."""
        return len(self.columns)


def pivot_columns(differences: Sequence[Sequence[Number]], dimension: int) -> tuple[int, ...]:
    """Columns on which the span of the given vectors projects bijectively (exact).

    Full rank is proved by elimination modulo a prime, which stops at the first d independent
    vectors; only a flat span needs the rational echelon form.
    """
    basis: list[tuple[int, list[int]]] = []
    for vector in differences:
        row = [_residue(x) for x in vector]
        for pivot, other in basis:
            if factor := row[pivot]:
                row = [(a - factor * b) % _PRIME for a, b in zip(row, other, strict=True)]
        lead = next((i for i, a in enumerate(row) if a), None)
        if lead is not None:
            inverse = pow(row[lead], -1, _PRIME)
            basis.append((lead, [a * inverse % _PRIME for a in row]))
            if len(basis) == dimension:
                return tuple(range(dimension))
    moving = [list(v) for v in differences if any(v)]
    if not moving:
        return ()
    echelon, rank = flint.fmpq_mat(
        [[flint.fmpq(x.numerator, x.denominator) for x in v] for v in moving]
    ).rref()
    table = echelon.tolist()
    return tuple(next(c for c in range(dimension) if table[r][c]) for r in range(rank))


def _residue(x: Number) -> int:
    if isinstance(x, int):
        return x % _PRIME
    low = x.denominator % _PRIME
    return x.numerator * pow(low, -1, _PRIME) % _PRIME if low else 0


def configuration(
    summands: Sequence[Sequence[Point]], kept: Sequence[Sequence[int]], *, upper: bool = False
) -> Configuration:
    """The lean form of a Minkowski sum.

    Args:
        summands: H point sets in R^d.
        kept: the indices of the points to use, for each summand (no point twice).
        upper: the last coordinate is a height (tropical bias) and only upper faces count.
    """
    sources = tuple(h for h, chosen in enumerate(kept) if len(chosen) > 1)
    sizes = [len(kept[h]) for h in sources]
    starts = [0, *accumulate(sizes)][: len(sources)]
    owner = np.repeat(np.arange(len(sources), dtype=np.intp), sizes)
    flat = [summands[h][j] for h in sources for j in kept[h]]
    d = len(summands[0][0])
    scale: list[Number] = [1] * d
    if Fraction in set(map(type, chain.from_iterable(flat))):
        scale = [lcm(*(p[c].denominator for p in flat)) for c in range(d)]
        flat = [tuple(int(x * m) for x, m in zip(p, scale, strict=True)) for p in flat]
    table = _integer_array(flat, d)
    moved = table - table[np.repeat(np.array(starts, dtype=np.intp), sizes)]
    if moved.dtype == object and len(flat):
        moved, divisors = _reduced(moved)
        scale = [Fraction(m) / q for m, q in zip(scale, divisors, strict=True)]
    columns = _kept_columns(moved, starts, d, upper)
    if len(columns) < d:
        moved = moved[:, list(columns)]
    floats, exponents = _scaled(moved)
    return Configuration(
        points=moved,
        floats=floats,
        exponents=exponents,
        owner=owner,
        count=len(sources),
        labels=np.array([j for h in sources for j in kept[h]], dtype=np.intp),
        sources=sources,
        columns=columns,
        scale=tuple(scale[c] for c in columns),
        upper=upper,
    )


def _kept_columns(moved: Array, starts: Sequence[int], d: int, upper: bool) -> tuple[int, ...]:
    """Pivot columns of the differences; a height always stays, as the last coordinate."""
    first = set(starts)
    rows = [row for i, row in enumerate(moved.tolist()) if i not in first]
    if not upper:
        return pivot_columns(rows, d)
    return (*pivot_columns([row[:-1] for row in rows], d - 1), d - 1)


def _integer_array(rows: Sequence[Sequence[Any]], d: int) -> Array:
    """int64 while differences cannot overflow and stay exact as floats, else Python integers."""
    try:
        table = np.array(rows, dtype=np.int64).reshape(len(rows), d)
    except OverflowError:
        return _object_array(rows, d)
    if table.size and max(int(table.max()), -int(table.min())) >= _EXACT // 2:
        return _object_array(rows, d)
    return table


def _object_array(rows: Sequence[Sequence[Any]], d: int) -> Array:
    table = np.empty((len(rows), d), dtype=object)
    for i, row in enumerate(rows):
        table[i, :] = row
    return table


def _reduced(moved: Array) -> tuple[Array, list[int]]:
    """Divide every coordinate by the common divisor of its entries; int64 if that suffices."""
    rows = moved.tolist()
    divisors = [gcd(*(row[c] for row in rows)) or 1 for c in range(moved.shape[1])]
    table = _integer_array(
        [[x // m for x, m in zip(row, divisors, strict=True)] for row in rows], moved.shape[1]
    )
    return table, divisors


def _scaled(moved: Array) -> tuple[NDArray[np.float64], tuple[int, ...]]:
    """Entries divided by powers of two: at most 1 in size, correctly rounded."""
    n, k = moved.shape
    if not n:
        return np.zeros((0, k)), (0,) * k
    if moved.dtype != object:
        size = np.maximum(moved.max(axis=0), -moved.min(axis=0))
        exponents = tuple(int(x).bit_length() for x in size.tolist())
        return np.ldexp(moved.astype(np.float64), -np.array(exponents)), exponents
    columns = list(zip(*moved.tolist(), strict=True))
    exponents = tuple(max(abs(x) for x in column).bit_length() for column in columns)
    floats = np.empty((n, k))
    for c, column in enumerate(columns):
        top = 1 << exponents[c]
        floats[:, c] = [x / top for x in column]
    return floats, exponents
