"""Enclosures in fixed point: a middle and a radius, both integers in units of 2^-P.

A network of many products is enclosed by integer dot products, which Python does fast, while
decimal intervals would take minutes. Every result is rounded to a unit and its radius grows by what
that may have taken, so that for all real numbers in the arguments the exact result is enclosed.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from operator import mul
from typing import NamedTuple, TypeAlias

from .budget import Budget
from .errors import Rejected
from .intervals import Interval, Intervals

Ball: TypeAlias = tuple[int, int]


class Vector(NamedTuple):
    """Balls side by side: all middles, all radii."""

    mid: list[int]
    rad: list[int]


class Weights(NamedTuple):
    """A matrix and a vector of integers in units of 2^-bits, and the matrix's absolute values."""

    rows: list[list[int]]
    absolute: list[list[int]]
    constant: list[int]


class Fixed:
    """Fixed-point arithmetic with P bits after the point."""

    def __init__(self, precision: int, bits: int, budget: Budget) -> None:
        """Arithmetic for weights in units of 2^-bits, bits <= P; it spends from the budget."""
        self._P, self._bits, self._budget = precision, bits, budget
        self._one = 1 << precision
        self._decimals = Intervals(precision * 3 // 10 + 10, budget)

    def exact(self, numbers: Sequence[int]) -> Vector:
        """Weights as balls of radius 0."""
        return Vector([x << self._P - self._bits for x in numbers], [0] * len(numbers))

    def add(self, a: Vector, b: Vector) -> Vector:
        """The sum."""
        return Vector(
            [x + y for x, y in zip(a.mid, b.mid, strict=True)],
            [x + y for x, y in zip(a.rad, b.rad, strict=True)],
        )

    def affine(self, weights: Weights, x: Vector) -> Vector:
        """W x + b."""
        self._budget.spend(1 + len(weights.rows) * (2 + len(x.mid) // 3))
        mid, rad, bits = x.mid, x.rad, self._bits
        shift = self._P - bits
        return Vector(
            [
                (sum(map(mul, row, mid)) >> bits) + (b << shift)
                for row, b in zip(weights.rows, weights.constant, strict=True)
            ],
            [(sum(map(mul, row, rad)) >> bits) + 2 for row in weights.absolute],
        )

    def relu(self, x: Vector) -> Vector:
        """The positive parts."""
        mid, rad = [], []
        for m, r in zip(x.mid, x.rad, strict=True):
            if m >= r:
                mid.append(m)
                rad.append(r)
            elif m <= -r:
                mid.append(0)
                rad.append(0)
            else:  # the sign is open: from 0 to m + r
                half = (m + r + 1) >> 1
                mid.append(half)
                rad.append(half + 1)
        return Vector(mid, rad)

    def normalised(self, x: Vector, gain: Sequence[int], bias: Sequence[int], eps: Ball) -> Vector:
        """The vector gain (x - mean)/sqrt(variance + eps) + bias.

        Raises:
            Rejected: the root may be of a number that is not positive.
        """
        d, P, bits = len(x.mid), self._P, self._bits
        self._budget.spend(2 * d)
        total, spread = sum(x.mid), sum(x.rad)
        mid = [(d * m - total) // d for m in x.mid]
        rad = [r + spread // d + 2 for r in x.rad]
        square = sum(m * m for m in mid)
        slack = sum((2 * abs(m) + r) * r for m, r in zip(mid, rad, strict=True))
        low = (square - slack) // d + ((eps[0] - eps[1]) << P)
        high = (square + slack) // d + 1 + ((eps[0] + eps[1]) << P)
        if low <= 0:
            raise Rejected("undecided: whether a variance is positive")
        root = isqrt(low), isqrt(high) + 1
        if root[0] == 0:
            raise Rejected("undecided: whether a standard deviation is positive")
        lower, upper = (self._one * self._one) // root[1], (self._one * self._one) // root[0] + 1
        inverse = (lower + upper) >> 1, ((upper - lower) >> 1) + 1
        found = Vector([], [])
        for m, r, g, b in zip(mid, rad, gain, bias, strict=True):
            a = self.product((m, r), inverse)
            found.mid.append((a[0] * g >> bits) + (b << P - bits))
            found.rad.append((a[1] * abs(g) >> bits) + 2)
        return found

    def product(self, a: Ball, b: Ball) -> Ball:
        """The product."""
        rad = abs(a[0]) * b[1] + (abs(b[0]) + b[1]) * a[1]
        return a[0] * b[0] >> self._P, (rad >> self._P) + 2

    def dot(self, a: Vector, b: Vector) -> Ball:
        """The inner product."""
        self._budget.spend(1 + len(a.mid))
        rad = sum(map(mul, map(abs, a.mid), b.rad)) + sum(
            (abs(m) + r) * s for m, r, s in zip(b.mid, b.rad, a.rad, strict=True)
        )
        return sum(map(mul, a.mid, b.mid)) >> self._P, (rad >> self._P) + 2

    def over_root(self, value: Ball, n: int) -> Ball:
        """Divided by the square root of a positive integer."""
        root = isqrt(n * self._one * self._one)  # in units: root <= 2^P sqrt(n) < root + 1
        lower, upper = self._one * self._one // (root + 1), self._one * self._one // root + 1
        return self.product(value, ((lower + upper) >> 1, ((upper - lower) >> 1) + 1))

    def exponential(self, value: Ball) -> Ball:
        """The exponential.

        Outside [-P, P] none is computed: e^-P is less than a unit, and written out as fractions
        the ends would have as many digits as the range of the decimals allows.

        Raises:
            Rejected: it may be more than e^P.
        """
        self._budget.spend(1)
        limit = self._P << self._P
        below, above = value[0] - value[1], value[0] + value[1]
        if above > limit:
            raise Rejected(f"undecided: whether an exponential is at most e^{self._P}")
        low, high = 0, 1
        if below > -limit:
            low = int(Fraction(self._grown(below)[0]) * self._one)
        if above > -limit:
            high = int(Fraction(self._grown(above)[1]) * self._one) + 1
        return (low + high) >> 1, ((high - low) >> 1) + 1

    def _grown(self, end: int) -> Interval:
        return self._decimals.exp(self._decimals.enclose(Fraction(end, self._one)))

    def shares(self, scores: Sequence[Ball]) -> Vector:
        """The softmax."""
        highest = max(mid for mid, _ in scores)
        grown = [self.exponential((mid - highest, rad)) for mid, rad in scores]
        total, slack = sum(m for m, _ in grown), sum(r for _, r in grown)
        if total <= slack:
            raise Rejected("undecided: whether the sum of exponentials is positive")
        square = self._one * self._one
        lower, upper = square // (total + slack), square // (total - slack) + 1
        inverse = (lower + upper) >> 1, ((upper - lower) >> 1) + 1
        found = [self.product(e, inverse) for e in grown]
        return Vector([m for m, _ in found], [r for _, r in found])

    def mean(self, shares: Vector, values: Sequence[Vector]) -> Vector:
        """The mean of vectors by their shares."""
        found = Vector([], [])
        for c in range(len(values[0].mid)):
            column = Vector([v.mid[c] for v in values], [v.rad[c] for v in values])
            m, r = self.dot(shares, column)
            found.mid.append(m)
            found.rad.append(r)
        return found
