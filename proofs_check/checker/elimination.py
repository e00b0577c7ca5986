"""Ranks modulo a prime of sparse rows, with the standard library.

A row is a dictionary column -> integer. Rows come one by one, are reduced by those before and keep
the least column as their pivot; the equations of attention have a few entries each and fill in
little, so tens of thousands of unknowns take a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isqrt

from .budget import Budget
from .errors import Rejected, show

LARGEST = 2**31


def checked_prime(value: int) -> int:
    """The value, if it is a prime from 3 to 2^31.

    Raises:
        Rejected: it is not.
    """
    if not 2 < value < LARGEST or any(value % q == 0 for q in range(2, isqrt(value) + 1)):
        raise Rejected(f"prime: {show(value)} is no prime from 3 to 2^31")
    return value


def modular_rank(rows: Iterable[Mapping[int, int]], prime: int, budget: Budget) -> int:
    """The rank of the rows modulo a prime.

    Raises:
        Unreadable: it takes too many steps.
    """
    pivots: dict[int, dict[int, int]] = {}
    for given in rows:
        budget.spend(1 + len(given))
        row = {column: value % prime for column, value in given.items() if value % prime}
        while row:
            column = min(row)
            pivot = pivots.get(column)
            budget.spend(len(row) + (0 if pivot is None else len(pivot)))
            if pivot is None:
                inverse = pow(row[column], -1, prime)
                pivots[column] = {c: v * inverse % prime for c, v in row.items()}
                break
            factor = row[column]
            for c, v in pivot.items():
                value = (row.get(c, 0) - factor * v) % prime
                if value:
                    row[c] = value
                else:
                    row.pop(c, None)
    return len(pivots)
