"""The factors of a group's scores: the letters of C6, identification.gradient.

L is the stack of a group's query weights (m rows: d for each query head of the group), R the key
weights (d rows), both with n = d_k columns. Their imbalance is L^T L - R^T R.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum

from ...derivations.instance import rational
from ...derivations.setting import family, index, size

CLAIM = "identification.gradient"

m, d, n = size("m"), size("d"), size("n")
a, b, c, e, f = (index(name) for name in ("a", "b", "c", "e", "f"))
A, L, R, X, S, OFF = (family(name) for name in ("A", "L", "R", "X", "s", "D"))
ROWS, KEYS = (a, 1, m), (b, 1, d)
MEANING = {
    "m": "the rows of L: d for each query head of the group",
    "d": "the width of the residual stream",
    "n": "the dimension of a head, d_k",
    "A": "A(a, b): the gradient of the loss with respect to L R^T",
    "L": "L(a, c): the query weights of the group, one head below the other",
    "R": "R(b, c): the key weights",
    "X": "X(e, c): the direction inside the fibre",
    "D": "D(e, c): the imbalance, L^T L - R^T R",
}


def ranges() -> dict[Any, Any]:
    """Of the indices."""
    return {a: (1, m), b: (1, d), c: (1, n), e: (1, n)}


def meaning(names: str) -> dict[str, str]:
    """What some letters mean."""
    return {name: MEANING[name] for name in names.split()}


def d_left(a: Any, c: Any) -> Any:
    """The gradient with respect to L: A R."""
    return Sum(A(a, b) * R(b, c), KEYS)


def d_right(b: Any, c: Any) -> Any:
    """The gradient with respect to R: A^T L."""
    return Sum(A(a, b) * L(a, c), ROWS)


def imbalance(e: Any, c: Any) -> Any:
    """L^T L - R^T R."""
    return Sum(L(a, e) * L(a, c), ROWS) - Sum(R(b, e) * R(b, c), KEYS)


def drawn(random: Random, rows: int, columns: int) -> list[list[Fraction]]:
    """Rational entries."""
    return [[rational(random) for _ in range(columns)] for _ in range(rows)]


def entry(matrix: list[list[Fraction]]) -> Any:
    """A matrix as a family: (i, j), counted from 1, to its entry."""
    return lambda i, j: matrix[int(i) - 1][int(j) - 1]
