"""Rational orthonormal frames: products of reflections, exact all the way."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

Matrix: TypeAlias = list[list[Fraction]]

ANGLES = ((1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(5, 13), Fraction(12, 13)))
"""Cosines with their sines."""


def product(A: Matrix, B: Matrix) -> Matrix:
    """The matrix product."""
    columns = list(zip(*B, strict=True))
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0)) for column in columns]
        for row in A
    ]


def transposed(A: Matrix) -> Matrix:
    """The transpose."""
    return [list(column) for column in zip(*A, strict=True)]


def orthogonal(random: Random, n: int) -> Matrix:
    """A product of reflections I - 2 v v^T/|v|^2 in small integer vectors."""
    made = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    for _ in range(random.randint(1, 2)):
        v = [random.randint(-2, 2) for _ in range(n)]
        square = sum(x * x for x in v)
        if square:
            mirror = [
                [int(i == j) - Fraction(2 * v[i] * v[j], square) for j in range(n)]
                for i in range(n)
            ]
            made = product(made, mirror)
    return made


def frame(random: Random, d: int, k: int) -> Matrix:
    """A frame of k orthonormal columns in Q^d."""
    return [row[:k] for row in orthogonal(random, d)]


def distinct(
    draw: Callable[[Random], dict[str, Any]], count: int, seed: int
) -> list[dict[str, Any]]:
    """As many instances as asked for, no two alike."""
    found: list[dict[str, Any]] = []
    random = Random(seed)
    while len(found) < count:
        instance = draw(random)
        if instance not in found:
            found.append(instance)
    return found
