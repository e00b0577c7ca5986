"""Arrays over a prime field together with their derivatives along every parameter.

Forward mode: a value carries one tangent a parameter, and every operation its product rule, so a
function written once gives its exact Jacobian modulo p at a point. Products of residues below 2^23
are below 2^46, and sums of fewer than 2^16 of them fit 64 bits; nothing is rounded. Memory: entries
times parameters.

An exponential may be given any nonzero residue as its value (its slopes follow): exponentials of
functions no rational combination of which is constant are algebraically independent over the
algebraic functions (Ax 1971), so a rank found in this way is still a lower bound of the generic
rank, as long as equal exponents get equal values. A square root needs its argument to be a square
modulo p, and raises `Degenerate` otherwise: draw another point.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import Degenerate

Residues: TypeAlias = npt.NDArray[np.int64]

PRIME = 8388587
"""A prime below 2^23 that is 3 modulo 4, so that square roots are powers."""


@dataclass(frozen=True)
class Tangent:
    """A matrix modulo p and its derivatives.

    Args:
        value: [r][c] residues.
        slopes: [parameters][r][c] residues, the derivative along each parameter.
    """

    value: Residues
    slopes: Residues

    def __add__(self, other: Tangent) -> Tangent:
        """The sum."""
        return Tangent((self.value + other.value) % PRIME, (self.slopes + other.slopes) % PRIME)

    def __sub__(self, other: Tangent) -> Tangent:
        """The difference."""
        return Tangent((self.value - other.value) % PRIME, (self.slopes - other.slopes) % PRIME)

    def __matmul__(self, other: Tangent) -> Tangent:
        """The matrix product, by the product rule."""
        slopes = self.value @ other.slopes + (self.slopes @ other.value) % PRIME
        return Tangent(self.value @ other.value % PRIME, slopes % PRIME)

    def __mul__(self, other: Tangent) -> Tangent:
        """The product entry by entry; rows or columns of length 1 are repeated."""
        slopes = (self.value * other.slopes) % PRIME + (self.slopes * other.value) % PRIME
        return Tangent(self.value * other.value % PRIME, slopes % PRIME)

    def __getitem__(self, key: Any) -> Tangent:
        """Rows and columns, by two slices."""
        return Tangent(self.value[key], self.slopes[(slice(None), *key)])

    def transpose(self) -> Tangent:
        """Rows become columns."""
        return Tangent(self.value.T, self.slopes.transpose(0, 2, 1))

    def inverse(self) -> Tangent:
        """1 / x, entry by entry.

        Raises:
            Degenerate: an entry is 0.
        """
        if not self.value.all():
            raise Degenerate("0 has no inverse: draw another point")
        found = power(self.value, PRIME - 2)
        square = found * found % PRIME
        return Tangent(found, -square * self.slopes % PRIME)

    def root(self) -> Tangent:
        """A square root, entry by entry.

        Raises:
            Degenerate: an entry is no square, or 0.
        """
        found = power(self.value, (PRIME + 1) // 4)
        if not found.all() or (found * found % PRIME != self.value).any():
            raise Degenerate("no square modulo the prime: draw another point")
        half = power(2 * found % PRIME, PRIME - 2)
        return Tangent(found, half * self.slopes % PRIME)

    def total(self, axis: int) -> Tangent:
        """The sum along rows (0) or columns (1), kept as an axis of length 1."""
        return Tangent(
            self.value.sum(axis, keepdims=True) % PRIME,
            self.slopes.sum(axis + 1, keepdims=True) % PRIME,
        )

    def centred(self) -> Tangent:
        """Rows less their mean.

        Example:
            >>> row = Parameters(Random(0), 2).matrix(1, 2).centred()
            >>> int(row.value.sum()) % PRIME, (row.slopes.sum(axis=2) % PRIME).tolist()
            (0, [[0], [0]])
        """
        total, share = self.total(1), pow(self.value.shape[1], -1, PRIME)
        return self - Tangent(total.value * share % PRIME, total.slopes * share % PRIME)

    def jacobian(self) -> Residues:
        """[entries][parameters], the rows of the Jacobian."""
        return self.slopes.reshape(len(self.slopes), -1).T


def power(base: Residues, exponent: int) -> Residues:
    """``base ** exponent`` modulo p, entry by entry."""
    found = np.ones_like(base)
    while exponent:
        if exponent & 1:
            found = found * base % PRIME
        base = base * base % PRIME
        exponent >>= 1
    return found


def beside(*parts: Tangent) -> Tangent:
    """Matrices beside each other."""
    return Tangent(
        np.concatenate([part.value for part in parts], axis=1),
        np.concatenate([part.slopes for part in parts], axis=2),
    )


def above(*parts: Tangent) -> Tangent:
    """Matrices above each other."""
    return Tangent(
        np.concatenate([part.value for part in parts], axis=0),
        np.concatenate([part.slopes for part in parts], axis=1),
    )


class Parameters:
    """The parameters of a function, drawn one matrix after the other.

    Example:
        >>> drawn = Parameters(Random(0), 6)
        >>> a, b = drawn.matrix(2, 1), drawn.matrix(1, 4)
        >>> (a @ b).jacobian().shape
        (8, 6)
    """

    def __init__(self, random: Random, count: int) -> None:
        """Say how many there will be."""
        self.random, self.count, self.used = random, count, 0

    def matrix(self, rows: int, columns: int) -> Tangent:
        """The next rows * columns parameters.

        Raises:
            ValueError: there are not so many left.
        """
        start, self.used = self.used, self.used + rows * columns
        if self.used > self.count:
            raise ValueError(f"more than {self.count} parameters")
        value = np.array(
            [[self.random.randrange(1, PRIME) for _ in range(columns)] for _ in range(rows)],
            dtype=np.int64,
        ).reshape(rows, columns)
        slopes = np.zeros((self.count, rows, columns), dtype=np.int64)
        for place in range(rows * columns):
            slopes[start + place, place // columns, place % columns] = 1
        return Tangent(value, slopes)

    def constant(self, value: Any) -> Tangent:
        """A matrix that does not depend on the parameters."""
        entries: Residues = np.array(value, dtype=np.int64) % PRIME
        return Tangent(entries, np.zeros((self.count, *entries.shape), dtype=np.int64))

    def drawn(self, rows: int, columns: int) -> Tangent:
        """A random matrix that does not depend on the parameters."""
        return self.constant(
            [[self.random.randrange(PRIME) for _ in range(columns)] for _ in range(rows)]
        )
