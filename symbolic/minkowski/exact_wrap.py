"""Gift-wrapping over fine mixed cells without a single float: the fallback of `mixed_cells`.

The same cells by the same rule (turn inside the facet first, then around it, ties by the heights
of `perturbation`), one ridge at a time in rational arithmetic. Used when floats cannot tell points
apart: coordinates of very different size, differences that vanish in double precision. Nothing is
proposed here, everything is decided, so there is nothing left to prove but that the heights were
generic (they are drawn again if not).

Cost: one rational inverse of order k and (k + H) n comparisons of fractions per cell, about a
millisecond; a hundred times slower than `mixed_cells` and needed for a vanishing share of inputs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import gcd
from typing import Any

import flint
import numpy as np

from .cells import Complex, Guard, Inconsistent, Progress
from .perturbation import heights
from .summands import Configuration

Vector = list[int]
Rational = list[Any]


def primitive_vector(vector: Sequence[Any]) -> Vector:
    """The positive multiple with coprime integer entries."""
    fractions = [Fraction(int(x.p), int(x.q)) if hasattr(x, "p") else Fraction(x) for x in vector]
    scale = 1
    for x in fractions:
        scale = scale * x.denominator // gcd(scale, x.denominator)
    whole = [int(x * scale) for x in fractions]
    divisor = gcd(*whole)
    return [x // divisor for x in whole]


class ExactWrapper:
    """Exact gift-wrapping of a configuration of dimension k >= 2."""

    def __init__(self, conf: Configuration, seed: int) -> None:
        """The seed fixes the heights as in `mixed_cells.Wrapper`."""
        self.conf = conf
        self.k = conf.dimension
        self.points: list[Vector] = [[int(x) for x in row] for row in conf.points.tolist()]
        self.owner: list[int] = conf.owner.tolist()
        self.lift = [int(x) for x in heights(conf, seed).tolist()]
        self.random = random.Random(seed)
        self.table = flint.fmpq_mat(flint.fmpz_mat(self.points).transpose())
        self.last = [0] * (self.k - 1) + [1]

    def references(self, cell: Sequence[int]) -> list[int]:
        """One point of each summand."""
        first: dict[int, int] = {}
        for p in cell:
            first.setdefault(self.owner[p], p)
        return [first[h] for h in range(self.conf.count)]

    def edges(self, cell: Sequence[int]) -> tuple[list[Vector], list[int]]:
        """Edge vectors and the point at the end of each."""
        first = self.references(cell)
        ends = [p for p in cell if first[self.owner[p]] != p]
        return [self.edge(first, p) for p in ends], ends

    def edge(self, references: Sequence[int], p: int) -> Vector:
        """From the reference of its summand to a point."""
        base = self.points[references[self.owner[p]]]
        return [x - y for x, y in zip(self.points[p], base, strict=True)]

    def relative(self, vector: Sequence[Any], references: Sequence[int]) -> Rational:
        """<vector, p - reference> for every point p."""
        row = flint.fmpq_mat(1, self.k, list(vector)) * self.table
        values = [row[0, j] for j in range(len(self.points))]
        base = [values[p] for p in references]
        return [v - base[h] for v, h in zip(values, self.owner, strict=True)]

    def above(self, slope: Sequence[Any], references: Sequence[int]) -> Rational:
        """Heights of all points above the affine functions through the references."""
        falls = self.relative(slope, references)
        return [
            self.lift[p] - self.lift[references[self.owner[p]]] - falls[p]
            for p in range(len(self.points))
        ]

    def lowest(self, candidates: Sequence[int], weight: Rational, over: Rational) -> int:
        """The candidate with the least weight / over (over > 0).

        Raises:
            Inconsistent: on a tie, which generic heights exclude.
        """
        ranked = sorted((weight[p] / over[p], p) for p in candidates)
        if len(ranked) > 1 and ranked[0][0] == ranked[1][0]:
            raise Inconsistent("heights not generic")
        return ranked[0][1]

    def start(self) -> tuple[tuple[int, ...], Vector]:
        """A cell and its normal, walked to from a random direction."""
        normal: Rational = [self.random.randint(-(2**20), 2**20) for _ in range(self.k)]
        if self.conf.upper:
            normal[-1] = 1
        values = [sum(x * y for x, y in zip(normal, p, strict=True)) for p in self.points]
        cell = []
        for h in range(self.conf.count):
            members = [p for p, owner in enumerate(self.owner) if owner == h]
            top = max(values[p] for p in members)
            tied = [p for p in members if values[p] == top]
            cell.append(min(tied, key=lambda p: self.lift[p]))
        slope: Rational = [flint.fmpq(0)] * self.k
        while len(cell) < self.k - 1 + self.conf.count:
            first = self.references(cell)
            ahead = [-x for x in self.relative(normal, first)]
            tight = [p for p, s in enumerate(ahead) if s == 0]
            level = self.above(slope, first)
            fixed = [*self.edges(cell)[0], self.last if self.conf.upper else normal]
            kernel = self.kernel(fixed)
            rates = [self.relative(m, first) for m in kernel]
            choice = next(
                (i for i, rate in enumerate(rates) if any(rate[p] != 0 for p in tight)), None
            )
            if choice is not None:
                m, rate = kernel[choice], rates[choice]
                if not any(rate[p] > 0 for p in tight):
                    m, rate = [-x for x in m], [-x for x in rate]
                p = self.lowest([p for p in tight if rate[p] > 0], level, rate)
                turn = level[p] / rate[p]
                slope = [x + turn * y for x, y in zip(slope, m, strict=True)]
            else:
                m, rate = kernel[0], rates[0]
                if not any(r > 0 for r in rate):
                    m, rate = [-x for x in m], [-x for x in rate]
                turn = min(s / r for s, r in zip(ahead, rate, strict=True) if r > 0)
                met = [p for p, r in enumerate(rate) if r > 0 and ahead[p] == turn * r]
                p = self.lowest(met, level, ahead)
                fall = level[p] / ahead[p]
                slope = [x - fall * y for x, y in zip(slope, normal, strict=True)]
                normal = [x + turn * y for x, y in zip(normal, m, strict=True)]
            cell = sorted([*cell, p])
        return tuple(cell), primitive_vector(normal)

    def kernel(self, rows: Sequence[Sequence[Any]]) -> list[Vector]:
        """Integer vectors that span the orthogonal complement."""
        matrix, rank = flint.fmpz_mat([primitive_vector(row) for row in rows]).nullspace()
        table = matrix.transpose().tolist()
        return [[int(x) for x in table[i]] for i in range(rank)]

    def neighbours(
        self, cell: tuple[int, ...], normal: Vector, wanted: Sequence[int]
    ) -> list[tuple[tuple[int, ...], Vector] | None]:
        """The cells across the ridges that drop the given points; None on the boundary."""
        rows, ends = self.edges(cell)
        first = self.references(cell)
        matrix = flint.fmpq_mat(
            flint.fmpz_mat([*rows, self.last if self.conf.upper else normal])
        ).inv()
        columns = matrix.transpose().tolist()
        gradient = dict(zip(ends, columns[: len(ends)], strict=True))
        slope = [flint.fmpq(0)] * self.k
        for p in ends:
            rise = self.lift[p] - self.lift[first[self.owner[p]]]
            slope = [x + rise * y for x, y in zip(slope, gradient[p], strict=True)]
        slack = [-x for x in self.relative(normal, first)]
        level = self.above(slope, first)
        member = set(cell)
        inside = [p for p, s in enumerate(slack) if s == 0 and p not in member]
        outside = [p for p, s in enumerate(slack) if s > 0]
        return [
            self.neighbour(cell, normal, a, gradient, first, (slack, level, inside, outside))
            for a in wanted
        ]

    def neighbour(
        self,
        cell: tuple[int, ...],
        normal: Vector,
        a: int,
        gradient: dict[int, Rational],
        first: Sequence[int],
        state: tuple[Rational, Rational, list[int], list[int]],
    ) -> tuple[tuple[int, ...], Vector] | None:
        """Turn around the ridge without the point a."""
        slack, level, inside, outside = state
        reference = list(first)
        if a in gradient:
            turn = [-x for x in gradient[a]]
        else:
            kin = [p for p in gradient if self.owner[p] == self.owner[a]]
            turn = [
                sum(column, start=flint.fmpq(0))
                for column in zip(*(gradient[p] for p in kin), strict=True)
            ]
            reference[self.owner[a]] = kin[0]
        rate = self.relative(turn, reference)
        ridge = [p for p in cell if p != a]
        coming = [p for p in inside if rate[p] > 0]
        if coming:
            p = self.lowest(coming, level, rate)
            return tuple(sorted([*ridge, p])), normal
        if self.conf.upper:
            outside = [p for p in outside if rate[p] > 0]
            if not outside:
                return None
        best = max(rate[p] / slack[p] for p in outside)
        p = self.lowest([p for p in outside if rate[p] == best * slack[p]], level, slack)
        turned = [slack[p] * y + rate[p] * x for x, y in zip(normal, turn, strict=True)]
        return tuple(sorted([*ridge, p])), primitive_vector(turned)


def exact_wrap(
    conf: Configuration,
    *,
    seed: int = 0,
    progress: Progress | None = None,
    guard: Guard | None = None,
) -> Complex:
    """All cells of the boundary, or of its upper part, as `mixed_cells.wrap` finds them.

    Args:
        conf: a configuration of dimension k >= 2.
        seed: fixes the heights.
        progress: called with the numbers of cells found and of cells to turn around.
        guard: called after every cell; raises to stop.

    Raises:
        Inconsistent: if the heights of this seed are not generic; take another seed.
    """
    wrapper = ExactWrapper(conf, seed)
    cell, normal = wrapper.start()
    found = {cell: normal}
    met: dict[tuple[int, ...], int] = {}
    border: dict[tuple[int, ...], int] = {}

    def ridges(cell: tuple[int, ...]) -> list[int]:
        count: dict[int, int] = {}
        for p in cell:
            count[wrapper.owner[p]] = count.get(wrapper.owner[p], 0) + 1
        return [p for p in cell if count[wrapper.owner[p]] > 1]

    def enter(cell: tuple[int, ...]) -> None:
        for a in ridges(cell):
            ridge = tuple(p for p in cell if p != a)
            met[ridge] = met.get(ridge, 0) + 1

    enter(cell)
    todo = [cell]
    while todo:
        cell = todo.pop()
        wanted = [a for a in ridges(cell) if met[tuple(p for p in cell if p != a)] == 1]
        for a, other in zip(wanted, wrapper.neighbours(cell, found[cell], wanted), strict=True):
            if other is None:
                border[tuple(p for p in cell if p != a)] = a
            elif other[0] not in found:
                found[other[0]] = other[1]
                enter(other[0])
                todo.append(other[0])
        if progress is not None:
            progress(len(found), len(todo))
        if guard is not None:
            guard(len(found), partial(assembled, wrapper, found, {}))
    if any(n != (1 if ridge in border else 2) for ridge, n in met.items()):
        raise Inconsistent("ridges do not close up")
    return assembled(wrapper, found, border)


def assembled(
    wrapper: ExactWrapper,
    found: dict[tuple[int, ...], Vector],
    border: dict[tuple[int, ...], int],
) -> Complex:
    """The arrays of a complex from dictionaries of cells and boundary ridges."""
    conf, k = wrapper.conf, wrapper.k
    plain = []
    for cell, normal in found.items():
        slack = wrapper.relative(normal, wrapper.references(cell))
        plain.append(sum(s == 0 for s in slack) == len(cell))
    vectors = np.empty((k, len(found)), dtype=object)
    for f, normal in enumerate(found.values()):
        vectors[:, f] = normal
    verticals = np.empty((k, len(border)), dtype=object)
    for f, (ridge, a) in enumerate(border.items()):
        rows = [*wrapper.edges(ridge)[0], wrapper.last]
        wall = primitive_vector(wrapper.kernel(rows)[0])
        if wrapper.relative(wall, wrapper.references(ridge))[a] > 0:
            wall = [-x for x in wall]
        verticals[:, f] = wall
    length = k - 1 + conf.count
    return Complex(
        np.array(list(found), dtype=np.intp).reshape(-1, length),
        vectors,
        all(plain),
        np.array(plain, dtype=bool),
        np.array(list(border), dtype=np.intp).reshape(-1, length - 1),
        verticals,
    )
