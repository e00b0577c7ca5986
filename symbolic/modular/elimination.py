"""Elimination modulo a prime near 2^23, on BLAS, in double precision without rounding.

Residues are centred, at most p/2 in size, so a sum of 256 products is below 2^52 and is added up
exactly, whatever BLAS does and in whatever order. Recursive in the columns (a panel, a triangular
solve, one large product): almost all of the 2mnr operations are matrix products.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Residues: TypeAlias = npt.NDArray[np.float64]

_TERMS = 256
"""Products added up before a reduction: 256 (p/2)^2 < 2^52."""

_NARROW = 8
"""Columns of a panel that is eliminated one column at a time."""


class Elimination:
    """In place: multipliers below the pivots, the echelon form above; rows are exchanged."""

    def __init__(self, entries: Residues, order: npt.NDArray[np.int64], prime: int) -> None:
        self.entries, self.order, self.prime = entries, order, prime

    def panel(self, row: int, first: int, last: int) -> list[int]:
        """Eliminate columns first..last - 1 below ``row``; returns the pivots' columns."""
        if row >= self.entries.shape[0] or first >= last:
            return []
        if last - first <= _NARROW:
            return self._narrow(row, first, last)
        middle = (first + last) // 2
        left = self.panel(row, first, middle)
        below = row + len(left)
        if left:
            right = self.entries[:, middle:last]
            multipliers = self.entries[row:, left]
            self._solve(multipliers[: len(left)], right[row:below])
            self.subtract(right[below:], multipliers[len(left) :], right[row:below])
        return left + self.panel(below, middle, last)

    def _narrow(self, row: int, first: int, last: int) -> list[int]:
        """A few columns, each brought up to date only when its turn comes."""
        start, pivots = row, list[int]()
        for column in range(first, last):
            if row == self.entries.shape[0]:
                break
            if pivots:
                top = self.entries[start:row, column]
                for i in range(1, row - start):
                    top[i] -= self.entries[start + i, pivots[:i]] @ top[:i]
                    top[i] = centred(int(top[i]), self.prime)
                below = self.entries[row:, column]
                below -= self.entries[row:, pivots] @ top
                reduce(below, self.prime)
            if self.entries[row, column] == 0:
                nonzero = np.flatnonzero(self.entries[row:, column])
                if not nonzero.size:
                    continue
                pair = [row, row + int(nonzero[0])]
                self.entries[pair] = self.entries[pair[::-1]]
                self.order[pair] = self.order[pair[::-1]]
            inverse = pow(int(self.entries[row, column]), -1, self.prime)
            below = self.entries[row + 1 :, column]
            below *= centred(inverse, self.prime)
            reduce(below, self.prime)
            pivots.append(column)
            row += 1
        return pivots

    def _solve(self, lower: Residues, right: Residues) -> None:
        """Replace right by the solution X of L X = right, L unit lower triangular."""
        size = lower.shape[0]
        if size <= _NARROW:
            for i in range(1, size):
                self.subtract(right[i : i + 1], lower[i : i + 1, :i], right[:i])
            return
        half = size // 2
        self._solve(lower[:half, :half], right[:half])
        self.subtract(right[half:], lower[half:, :half], right[:half])
        self._solve(lower[half:, half:], right[half:])

    def subtract(self, target: Residues, left: Residues, right: Residues) -> None:
        """Replace target by target - left right."""
        for start in range(0, left.shape[1], _TERMS):
            stop = start + _TERMS
            target -= left[:, start:stop] @ right[start:stop]
            reduce(target, self.prime)


def reduce(entries: Residues, prime: int) -> None:
    """Bring integers below 2^53 to their centred residues, in place.

    The quotient is off by less than 2^-20 before it is rounded, so the result is at most
    p/2 + 8 in size and 0 exactly for multiples of p.
    """
    quotient = entries * (1.0 / prime)
    np.rint(quotient, out=quotient)
    quotient *= prime
    entries -= quotient


def centred(value: int, prime: int) -> int:
    """The residue of least size."""
    value %= prime
    return value - prime if value > prime // 2 else value


def solve_upper(solver: Elimination, upper: Residues, right: Residues) -> None:
    """Replace right by the solution X of U X = right, U upper triangular."""
    size = upper.shape[0]
    if size == 1:
        right *= centred(pow(int(upper[0, 0]), -1, solver.prime), solver.prime)
        reduce(right, solver.prime)
    elif size > 1:
        half = size // 2
        solve_upper(solver, upper[half:, half:], right[half:])
        solver.subtract(right[:half], upper[:half, half:], right[half:])
        solve_upper(solver, upper[:half, :half], right[:half])
