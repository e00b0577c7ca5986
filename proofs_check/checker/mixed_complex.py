"""Fine mixed cells that close up: what the kinds minkowski and overlay have in common.

A `Complex` is told one hyperplane after the other, with the cells in it. It checks that the
hyperplane supports the sum, summand by summand, and that every cell is a full-dimensional product
of simplices in it; then that the ridges close up, and which corners of the cells are vertices
(CERTIFICATES.md, minkowski). Numbers are integers here: points over one common denominator.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import gcd
from operator import mul

from .budget import BITS, Budget, bits
from .errors import Rejected, Unreadable
from .fields import Json, index, items, vector

Vector = tuple[int, ...]


class Complex:
    """Cells in supporting hyperplanes of a Minkowski sum in R^k.

    Args:
        summands: of each summand the points that count, by their place in the list of all points
            of all summands; no two points of a summand are equal.
        k: the number of coordinates.
        budget: pays for the work.
    """

    def __init__(self, summands: Sequence[dict[int, Vector]], k: int, budget: Budget) -> None:
        """Start without hyperplanes."""
        self.k = k
        self.size = len(summands)
        self.budget = budget
        self.points = {p: x for summand in summands for p, x in summand.items()}
        self.owner = {p: h for h, summand in enumerate(summands) for p in summand}
        self.blocks = [(list(summand), list(summand.values())) for summand in summands]
        self.last = max(self.points) + 1
        self.longest = max((bits(x) for point in self.points.values() for x in point), default=0)
        self.largest = 0
        self.normals: list[Vector] = []
        self.corners: dict[Vector, list[int]] = {}
        self.sure: set[Vector] = set()
        self.full = False
        self._ridges: dict[Vector, list[tuple[int, int]]] = {}

    def normal(self, value: Json, where: str) -> tuple[Vector, set[int]]:
        """A primitive normal, and all points at which it is largest in their summand.

        Raises:
            Rejected: it is zero, not primitive, or no vector of integers.
        """
        given = vector(value, where, self.k)
        if any(type(x) is not int for x in given):
            raise Rejected(f"{where}: expected integers")
        normal = tuple(x.numerator for x in given)
        if gcd(*normal) != 1:
            raise Rejected(f"{where}: expected coprime integers, not all zero")
        size = max(map(bits, normal))
        self.largest = max(self.largest, size)
        if size + self.longest > BITS:
            raise Unreadable(f"{where}: too long")
        step = 1 + (1 + size // 128) * (1 + self.longest // 128) // 8
        self.budget.spend(1 + len(self.points) * (self.k + 3) * step // 6)
        tight: set[int] = set()
        for places, points in self.blocks:
            values = [sum(map(mul, normal, point)) for point in points]
            top = max(values)
            tight.update([p for p, v in zip(places, values, strict=True) if v == top])
        return normal, tight

    def row(self, value: Json, where: str, tight: set[int], length: int) -> list[list[int]]:
        """Points of a cell or ridge, by summand.

        Raises:
            Rejected: they are not ascending, not as many as expected, not all in the hyperplane, or
                a summand has none.
        """
        row = items(value, where)
        groups: list[list[int]] = [[] for _ in range(self.size)]
        previous = -1
        for i, entry in enumerate(row):
            p = index(entry, f"{where}[{i}]", self.last, "point")
            if p <= previous:
                raise Rejected(f"{where}: points do not ascend")
            if p not in tight:
                raise Rejected(f"{where}: point {p} does not lie in the hyperplane")
            groups[self.owner[p]].append(p)
            previous = p
        if len(row) != length or not all(groups):
            raise Rejected(
                f"{where}: expected {length} points, some of every summand, found {len(row)}"
            )
        return groups

    def hyperplane(self, value: Json, where: str) -> Vector:
        """A supporting hyperplane and its cells, ``[normal, [cell, ...]]``.

        Raises:
            Rejected: it does not support the sum, or a cell is none.
        """
        normal_, cells = pair(value, where)
        normal, tight = self.normal(normal_, f"{where}[0]")
        self.full = self.full or len(tight) < len(self.points)
        facet = len(self.normals)
        self.normals.append(normal)
        previous: list[int] = []
        for j, cell in enumerate(items(cells, f"{where}[1]", least=1)):
            here = f"{where}[1][{j}]"
            groups = self.row(cell, here, tight, self.k - 1 + self.size)
            if not previous < cell:
                raise Rejected(f"{here}: cells are not in lexicographic order")
            previous = cell
            edges = [self._edge(g[0], p) for g in groups for p in g[1:]]
            if edges and len(self._echelon(edges, self.longest + 1)) < self.k - 1:
                raise Rejected(f"{here}: the edges are dependent")
            for i, p in enumerate(cell):
                if len(groups[self.owner[p]]) > 1:
                    ridge = (*cell[:i], *cell[i + 1 :])
                    self._ridges.setdefault(ridge, []).append((facet, p))
            self._enter(groups, facet, simple=len(tight) == len(cell))
        return normal

    def border(self, value: Json, where: str) -> Vector:
        """A supporting hyperplane that holds ridges of one cell only, ``[normal, [ridge, ...]]``.

        Raises:
            Rejected: it does not support the sum, or a ridge does not belong to exactly one cell.
        """
        normal_, ridges = pair(value, where)
        normal, tight = self.normal(normal_, f"{where}[0]")
        facet = len(self.normals)
        self.normals.append(normal)
        for j, ridge in enumerate(items(ridges, f"{where}[1]", least=1)):
            here = f"{where}[1][{j}]"
            groups = self.row(ridge, here, tight, self.k - 2 + self.size)
            if len(self._ridges.pop(tuple(ridge), ())) != 1:
                raise Rejected(f"{here}: not a ridge of exactly one cell")
            self._enter(groups, facet, simple=False)
        return normal

    def close(self) -> None:
        """Check that every ridge left belongs to two cells, on its two sides.

        Raises:
            Rejected: one does not.
        """
        if len(set(self.normals)) < len(self.normals):
            raise Rejected("hyperplanes: two have the same normal")
        self.budget.spend(len(self._ridges) // 2)
        for ridge, cells in self._ridges.items():
            if len(cells) != 2:
                raise Rejected(f"the ridge {list(ridge)} belongs to {len(cells)} cells, not to two")
            (one, a), (two, b) = cells
            if one == two and not self._opposite(ridge, a, b, self.normals[one]):
                raise Rejected(f"two cells lie on the same side of the ridge {list(ridge)}")

    def vertices(self) -> set[Vector]:
        """The corners whose normals have full rank, as points of every summand."""
        found = set(self.sure)
        for corner, facets in self.corners.items():
            if corner not in found and len(facets) >= self.k:
                rows = [list(self.normals[f]) for f in facets]
                if len(self._echelon(rows, self.largest)) == self.k:
                    found.add(corner)
        return found

    def _enter(self, groups: list[list[int]], facet: int, *, simple: bool) -> None:
        count = 1
        for group in groups:
            count *= len(group)
        # A corner costs memory too, which the steps bound: some hundred bytes each.
        self.budget.spend(1 + count * (8 + self.size) // (4 if simple else 2))
        if simple:
            # The cell is a facet, so its corners are vertices.
            self.sure.update(product(*groups))
            return
        for corner in product(*groups):
            facets = self.corners.setdefault(corner, [])
            if facets[-1:] != [facet]:
                facets.append(facet)

    def _edge(self, start: int, end: int) -> list[int]:
        return [x - y for x, y in zip(self.points[end], self.points[start], strict=True)]

    def _opposite(self, ridge: Vector, a: int, b: int, normal: Vector) -> bool:
        """Whether a and b lie strictly on two sides of the ridge in its hyperplane."""
        first: dict[int, int] = {}
        edges = []
        for p in ridge:
            h = self.owner[p]
            if h in first:
                edges.append(self._edge(first[h], p))
            else:
                first[h] = p
        # Modulo the ridge and the normal one dimension is left: compare signs in it.
        sides = [
            self._sign([*edges, list(normal), self._edge(first[self.owner[p]], p)]) for p in (a, b)
        ]
        return sides[0] * sides[1] == -1

    def _sign(self, rows: list[list[int]]) -> int:
        """Sign of a determinant."""
        echelon = self._echelon(rows, max(self.longest + 1, self.largest))
        if len(echelon) < len(rows):
            return 0
        sign = 1
        columns = [column for column, _ in echelon]
        for i, column in enumerate(columns):
            sign *= -1 if sum(c > column for c in columns[:i]) % 2 else 1
        return sign if echelon[-1][1] > 0 else -sign

    def _echelon(self, rows: list[list[int]], size: int) -> list[tuple[int, int]]:
        """Fraction-free elimination (Bareiss): the column and value of every pivot.

        Rows are taken in order and never exchanged; the last pivot of a square regular matrix is
        its determinant up to the sign of the order of the columns. No entry has more than ``size``
        bits.
        """
        rank = min(len(rows), len(rows[0]))
        if size * rank > BITS:
            raise Unreadable("too large: a determinant is too long")
        step = 1 + (1 + size * rank // 128) ** 2 // 8
        pivots: list[tuple[int, int]] = []
        done: list[list[int]] = []
        self.budget.spend(1 + len(rows) * rank * len(rows[0]) * step // 8)
        for row in rows:
            before = 1
            for (column, pivot), other in zip(pivots, done, strict=True):
                factor = row[column]
                row = [(pivot * x - factor * y) // before for x, y in zip(row, other, strict=True)]
                before = pivot
            if any(row):
                lead = next(c for c, x in enumerate(row) if x)
                pivots.append((lead, row[lead]))
                done.append(row)
                if len(pivots) == len(row):
                    break
        return pivots


def pair(value: Json, where: str) -> tuple[Json, Json]:
    """A list of two.

    Raises:
        Unreadable: it is something else.
    """
    both = items(value, where, least=2)
    if len(both) != 2:
        raise Unreadable(f"{where}: expected a normal and a list, found {len(both)} items")
    return both[0], both[1]
