"""Affine maps as integer rows over one denominator, with a bound on the work of composing them.

Numbers double in length with every composition, so the price of a product follows their lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import gcd, lcm
from operator import mul
from typing import NamedTuple, TypeAlias

from .budget import BITS, Budget, bits
from .errors import Unreadable

Row: TypeAlias = tuple[int, ...]


class Affine(NamedTuple):
    """x -> (rows x) / below, where x carries a last coordinate 1, in lowest terms."""

    rows: tuple[Row, ...]
    below: int

    @property
    def longest(self) -> int:
        """The bits of the longest number in the rows."""
        return max(map(bits, chain.from_iterable(self.rows)), default=0)


def identity(dimension: int) -> Affine:
    """The map before the first layer."""
    rows = [tuple(int(i == j) for j in range(dimension + 1)) for i in range(dimension)]
    return Affine(tuple(rows), 1)


def pulled_back(lines: list[Row], at: Affine, longest: int, budget: Budget) -> list[Row]:
    """The functions y -> line (y, 1) as functions of the network's input, times at.below.

    The row of constants below the map turns the last entry of a line into a coefficient like
    the others.
    """
    constants = (0,) * (len(at.rows[0]) - 1) + (at.below,)
    return product(lines, (*at.rows, constants), longest, budget)


def product(matrix: list[Row], rows: Sequence[Row], longest: int, budget: Budget) -> list[Row]:
    """The product; no number in the matrix has more than ``longest`` bits."""
    columns = list(zip(*rows, strict=True))
    longest_row = max(map(bits, chain.from_iterable(rows)), default=0)
    step = 1 + (1 + longest // 128) * (1 + longest_row // 128) // 8
    budget.spend(1 + len(matrix) * len(columns) * (2 + len(rows)) * step // 6)
    return [tuple([sum(map(mul, line, column)) for column in columns]) for line in matrix]


def shifted(
    rows: list[Row], below: int, constant: list[int], constant_below: int, budget: Budget
) -> Affine:
    """The map (rows / below) + constant / constant_below, in lowest terms."""
    common = lcm(below, constant_below)
    up, across = common // below, common // constant_below
    total = [
        [*(up * a for a in row[:-1]), up * row[-1] + across * b]
        for row, b in zip(rows, constant, strict=True)
    ]
    longest = max(common.bit_length(), max(map(bits, chain.from_iterable(total))))
    if longest > BITS:
        raise Unreadable(f"too large: a coefficient of {longest:,} bits, at most {BITS:,}")
    budget.spend(2 + len(rows) * len(rows[0]) * (1 + longest // 128) ** 2)
    divisor = gcd(common, *chain.from_iterable(total))
    return Affine(tuple([tuple([a // divisor for a in line]) for line in total]), common // divisor)
