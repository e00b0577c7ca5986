"""Representations and heads of a group certificate (CERTIFICATES.md, group)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import NamedTuple

from .budget import BITS, Budget, Rational, bits
from .errors import Rejected, Unreadable
from .fields import Json, items, members, vector
from .finite_group import FiniteGroup, Subgroup

Matrix = tuple[tuple[Rational, ...], ...]


class Head(NamedTuple):
    """One head."""

    W: Matrix
    V: Matrix


class Action:
    """A representation: the matrix of every generator and the trace of every element."""

    def __init__(self, group: FiniteGroup, value: Json, where: str) -> None:
        """Read the matrices and check that they multiply as the permutations do.

        Raises:
            Rejected: they do not.
            Unreadable: it is malformed.
        """
        given = items(value, where)
        if len(given) != len(group.generators):
            raise Unreadable(f"{where}: expected {len(group.generators)} matrices")
        self.group = group
        self.generators: list[Matrix] = []
        d = None
        for s, rows in enumerate(given):
            m = read_matrix(rows, f"{where}[{s}]", columns=d)
            d = len(m)
            if len(m[0]) != d:
                raise Unreadable(f"{where}[{s}]: expected a square matrix of {d} rows")
            self.generators.append(m)
        assert d is not None
        self.dimension: int = d
        identity: Matrix = tuple(tuple(int(i == j) for j in range(d)) for i in range(d))
        images: dict[int, Matrix] = {0: identity}
        queue = [0]
        for a in queue:
            for s, g in enumerate(group.generators):
                product = multiply(images[a], self.generators[s], group.budget)
                target = group.table[a][g]
                if target not in images:
                    images[target] = product
                    queue.append(target)
                elif images[target] != product:
                    raise Rejected(f"{where}: the matrices do not multiply as the permutations do")
        self.images = images
        self.trace = [sum(images[a][i][i] for i in range(d)) for a in range(len(group))]


def read_matrix(value: Json, where: str, *, columns: int | None = None) -> Matrix:
    """A matrix of at least one row and one column.

    Raises:
        Unreadable: it is something else.
    """
    rows: list[tuple[Rational, ...]] = []
    for i, row in enumerate(items(value, where, least=1)):
        rows.append(tuple(vector(row, f"{where}[{i}]", columns)))
        columns = len(rows[0])
        if columns == 0:
            raise Unreadable(f"{where}[{i}]: expected at least one number")
    return tuple(rows)


def read_heads(value: Json, d: int, p: int, where: str) -> list[Head]:
    """Heads in canonical form: distinct W of shape (d, d), nonzero V of shape (p, d).

    Raises:
        Rejected: two W are equal, or a V is zero.
        Unreadable: it is malformed.
    """
    found: list[Head] = []
    for h, given in enumerate(items(value, where, least=1)):
        here = f"{where}[{h}]"
        fields = members(given, here, ("W", "V"))
        W = read_matrix(fields["W"], f"{here}.W", columns=d)
        V = read_matrix(fields["V"], f"{here}.V", columns=d)
        if len(W) != d or len(V) != p:
            raise Unreadable(f"{here}: expected W of {d} rows and V of {p}")
        if not any(map(any, V)):
            raise Rejected(f"{here}.V: zero, so the head is no part of the function")
        found.append(Head(W, V))
    if len({head.W for head in found}) < len(found):
        raise Rejected(f"{where}: two heads have the same W")
    return found


def fits(head: Head, image: Head, rho: Matrix, out: Matrix, budget: Budget) -> bool:
    """Whether rho^T W rho = W' and V rho = out V'."""
    turned = multiply(tuple(zip(*rho, strict=True)), multiply(head.W, rho, budget), budget)
    if turned != image.W:
        return False
    return multiply(head.V, rho, budget) == multiply(out, image.V, budget)


def multiply(one: Matrix, other: Matrix, budget: Budget) -> Matrix:
    """The product of two matrices."""
    columns = list(zip(*other, strict=True))
    longest = max(bits(e) for m in (one, other) for row in m for e in row)
    if longest > BITS // 2:
        raise Unreadable("too large: the entries of a matrix are too long")
    step = 2 + (longest // 128) ** 2
    budget.spend(1 + len(one) * len(columns) * len(other) * step // 2)
    return tuple(tuple([_whole(sum(map(mul, row, column))) for column in columns]) for row in one)


def _whole(value: Rational) -> Rational:
    return value.numerator if type(value) is Fraction and value.denominator == 1 else value


def average(values: Sequence[Rational], count: int) -> Rational:
    """The sum divided by a number."""
    return _whole(Fraction(sum(values)) / count)


def realised(
    classes: Sequence[Subgroup], everything: Sequence[Subgroup], rho: Action, out: Action
) -> list[int]:
    """The classes of the exact stabilisers of some W, with intertwiners (CERTIFICATES.md)."""
    budget, inverse = rho.group.budget, rho.group.inverse
    budget.spend(sum(map(len, everything)) + len(classes) * len(everything))
    sizes = {K: average([rho.trace[k] ** 2 for k in K], len(K)) for K in everything}
    found = []
    for c, K in enumerate(classes):
        maps = average([rho.trace[k] * out.trace[inverse[k]] for k in K], len(K))
        if maps > 0 and all(sizes[L] < sizes[K] for L in everything if K < L):
            found.append(c)
    return found
