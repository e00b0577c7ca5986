"""Claims B3 and B6, exactly: heads that average the responses of a fixed design.

With the kernel 2^(-s |Pi_h (x - x_0)|^2) and exponents that are integers every weight is rational,
and so is every term of the error. A head is given by vectors that span its subspace; they are made
orthogonal, never normalised, since norms are irrational where squared norms are not. Exact, and of
cost O(H N k d); fails with `InputError` where an exponent is no integer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ..errors import InputError
from ..rational import Rational

Vector: TypeAlias = tuple[Fraction, ...]
Frame: TypeAlias = tuple[Vector, ...]
"""Mutually orthogonal vectors, not 0, that span the subspace of a head."""


def frame(vectors: Sequence[Sequence[Rational]]) -> Frame:
    """Orthogonal vectors that span the same subspace (Gram and Schmidt, without square roots).

    Raises:
        InputError: no vectors, different lengths, or vectors that are linearly dependent.

    Example:
        >>> frame([[1, 0], [1, 1]])
        ((Fraction(1, 1), Fraction(0, 1)), (Fraction(0, 1), Fraction(1, 1)))
    """
    if not vectors or len({len(vector) for vector in vectors}) != 1:
        raise InputError("vectors of one length", repr(vectors), where="head")
    found: list[Vector] = []
    for vector in vectors:
        rest = tuple(map(Fraction, vector))
        for other in found:
            share = dot(rest, other) / dot(other, other)
            rest = tuple(x - share * y for x, y in zip(rest, other, strict=True))
        if not any(rest):
            raise InputError("linearly independent vectors", repr(vectors), where="head")
        found.append(rest)
    return tuple(found)


def dot(one: Sequence[Rational], other: Sequence[Rational]) -> Fraction:
    """The inner product."""
    return sum((Fraction(x) * y for x, y in zip(one, other, strict=True)), Fraction(0))


def overlap(one: Frame, other: Frame) -> Fraction:
    """tr(Pi Pi'), the sum of the squared cosines of the principal angles.

    Example:
        >>> overlap(frame([[1, 0]]), frame([[1, 1]]))
        Fraction(1, 2)
    """
    return sum((dot(p, q) ** 2 / (dot(p, p) * dot(q, q)) for p in one for q in other), Fraction(0))


def diversity(heads: Sequence[Frame]) -> Fraction:
    """HDI = 1 - mean over pairs of tr(Pi_h Pi_g)/k.

    Raises:
        InputError: fewer than two heads, or heads of different dimensions.

    Example:
        >>> diversity([frame([[1, 0]]), frame([[1, 1]]), frame([[0, 1]])])
        Fraction(2, 3)
    """
    if len(heads) < 2 or len({len(head) for head in heads}) != 1:
        raise InputError("at least two heads of one dimension", f"{len(heads)} heads")
    pairs = [overlap(h, g) for n, h in enumerate(heads) for g in heads[:n]]
    return 1 - sum(pairs, Fraction(0)) / (len(pairs) * len(heads[0]))


def weights(
    head: Frame, points: Sequence[Sequence[Rational]], *, query: Sequence[Rational], scale: Rational
) -> Vector:
    """The Nadaraya-Watson weights 2^(-s |Pi (x_j - x_0)|^2) / sum, (N,).

    Args:
        head: a frame in Q^d.
        points: x_j, (N, d).
        query: x_0, (d,).
        scale: s > 0.

    Raises:
        InputError: no point, or an exponent that is no integer.

    Example:
        >>> weights(frame([[1, 0]]), [(0, 0), (1, 1)], query=(0, 0), scale=1)
        (Fraction(2, 3), Fraction(1, 3))
    """
    if not points:
        raise InputError("at least one point", "none", where="points")
    found = []
    for point in points:
        apart = [Fraction(x) - y for x, y in zip(point, query, strict=True)]
        exponent = scale * sum((dot(p, apart) ** 2 / dot(p, p) for p in head), Fraction(0))
        if Fraction(exponent).denominator != 1:
            raise InputError(
                "an integer exponent", str(exponent), where=f"point {point}", remedy="change s"
            )
        found.append(Fraction(1, 2 ** int(exponent)))
    total = sum(found, Fraction(0))
    return tuple(weight / total for weight in found)


@dataclass(frozen=True)
class Decomposition:
    """The terms of E (fbar - f_0)^2 = bias^2 + variance/H + (1 - 1/H) covariance.

    Args:
        heads: H.
        bias: the mean bias of the heads.
        variance: their mean variance.
        covariance: the mean over ordered pairs of different heads; 0 for one head.
        error: the mean squared error, computed from the mean weights and not from the terms.

    Example:
        >>> Decomposition(2, Fraction(0), Fraction(5, 9), Fraction(5, 9), Fraction(5, 9)).holds
        True
    """

    heads: int
    bias: Fraction
    variance: Fraction
    covariance: Fraction
    error: Fraction

    @property
    def holds(self) -> bool:
        """Whether the terms add up to the error."""
        share = Fraction(1, self.heads)
        total = self.bias**2 + share * self.variance + (1 - share) * self.covariance
        return total == self.error


def decompose(
    rows: Sequence[Sequence[Rational]],
    values: Sequence[Rational],
    *,
    target: Rational,
    variance: Rational,
) -> Decomposition:
    """Every term of the error of averaged linear smoothers, at uncorrelated noise.

    bias_h = <w_h, f> - f_0, cov_hg = sigma^2 <w_h, w_g>.

    Args:
        rows: w_h, the weights of each head on the N responses, (H, N).
        values: f at the points, (N,).
        target: f_0.
        variance: sigma^2 >= 0.

    Raises:
        InputError: no head, rows of other lengths, or a negative variance.

    Example:
        >>> found = decompose([(1, 0), (0, 1)], (0, 0), target=0, variance=1)
        >>> found.variance, found.covariance, found.error
        (Fraction(1, 1), Fraction(0, 1), Fraction(1, 2))
    """
    H, N = len(rows), len(values)
    if H < 1 or any(len(row) != N for row in rows):
        raise InputError(f"heads with {N} weights", f"{[len(row) for row in rows]}")
    if variance < 0:
        raise InputError("a variance >= 0", str(variance), where="variance")
    squares = [dot(row, row) for row in rows]
    crossed = [dot(one, other) for n, one in enumerate(rows) for other in rows[:n]]
    mean = [sum((Fraction(row[j]) for row in rows), Fraction(0)) / H for j in range(N)]
    return Decomposition(
        H,
        sum((dot(row, values) - target for row in rows), Fraction(0)) / H,
        variance * sum(squares, Fraction(0)) / H,
        variance * sum(crossed, Fraction(0)) / len(crossed) if crossed else Fraction(0),
        (dot(mean, values) - target) ** 2 + variance * dot(mean, mean),
    )


def noise_error(
    heads: Sequence[Frame], points: Sequence[Sequence[Rational]], *, scale: Rational
) -> Fraction:
    """MSE at the query 0 for a constant f (no bias) and sigma^2 = 1: |mean of w_h|^2.

    Example:
        >>> plane = [frame([[1, 0]]), frame([[0, 1]])]
        >>> noise_error(plane, [(0, 0), (1, 1)], scale=1)
        Fraction(5, 9)
    """
    query = (0,) * len(points[0])
    rows = [weights(head, points, query=query, scale=scale) for head in heads]
    return decompose(rows, (0,) * len(points), target=0, variance=1).error
