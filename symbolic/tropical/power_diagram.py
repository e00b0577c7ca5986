"""Claim A2, the exact side: hard attention and the power diagram of its keys.

argmax_j <kappa_j, x> + b_j = argmin_j |x - kappa_j|^2 - w_j with w_j = |kappa_j|^2 + 2 b_j, since
the two differ by |x|^2, which no j sees. Everything is a finite sum of products of rationals, hence
exact, ties included. The two sides are computed separately here, each from its own formula.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InputError
from ..rational import Rational, Vector, matrix, vector

Keys = Sequence[Sequence[Rational | str]]
"""(N, d) rationals."""


def read_keys(
    keys: Keys, biases: Sequence[Rational | str] | None
) -> tuple[tuple[Vector, ...], Vector]:
    """Read keys and biases; no biases means zeros.

    Raises:
        InputError: a float, no key, keys of different dimensions, or a wrong number of biases.

    Example:
        >>> read_keys([[1, 2], [3, 4]], None)
        (((1, 2), (3, 4)), (0, 0))
    """
    rows = matrix(keys, "keys", least_rows=1)
    if not rows[0]:
        raise InputError("at least one coordinate", "none", where="keys[0]")
    if biases is None:
        return rows, (0,) * len(rows)
    return rows, vector(biases, "biases", dimension=len(rows))


def scores(
    keys: Keys, biases: Sequence[Rational | str] | None, x: Sequence[Rational | str]
) -> Vector:
    """Compute the scores s_j(x) = <kappa_j, x> + b_j.

    Args:
        keys: (N, d) rationals.
        biases: (N,) rationals, or None for zeros.
        x: (d,) rationals.

    Raises:
        InputError: a float or shapes that do not fit.

    Example:
        >>> scores([[-1], [0], [1]], None, ["1/2"])
        (Fraction(-1, 2), Fraction(0, 1), Fraction(1, 2))
    """
    rows, heights = read_keys(keys, biases)
    query = vector(x, "x", dimension=len(rows[0]))
    return tuple(
        sum((a * c for a, c in zip(row, query, strict=True)), b)
        for row, b in zip(rows, heights, strict=True)
    )


def winners(
    keys: Keys, biases: Sequence[Rational | str] | None, x: Sequence[Rational | str]
) -> frozenset[int]:
    """Find argmax_j s_j(x): every key with the largest score.

    Args:
        keys: (N, d) rationals.
        biases: (N,) rationals, or None for zeros.
        x: (d,) rationals, the query.

    Raises:
        InputError: a float or shapes that do not fit.

    Example:
        >>> sorted(winners([[-1], [0], [1]], None, [0]))
        [0, 1, 2]
    """
    found = scores(keys, biases, x)
    best = max(found)
    return frozenset(j for j, score in enumerate(found) if score == best)


def power_weights(keys: Keys, biases: Sequence[Rational | str] | None) -> Vector:
    """Compute the power weights w_j = |kappa_j|^2 + 2 b_j.

    Args:
        keys: (N, d) rationals.
        biases: (N,) rationals, or None for zeros.

    Raises:
        InputError: a float or shapes that do not fit.

    Example:
        >>> power_weights([[3, 4], [1, 0]], [0, "1/2"])
        (25, Fraction(2, 1))
    """
    rows, heights = read_keys(keys, biases)
    return tuple(sum((a * a for a in row), 2 * b) for row, b in zip(rows, heights, strict=True))


def power_distances(
    keys: Keys, weights: Sequence[Rational | str], x: Sequence[Rational | str]
) -> Vector:
    """Compute the power distances |x - kappa_j|^2 - w_j.

    Args:
        keys: (N, d) rationals, the sites.
        weights: (N,) rationals.
        x: (d,) rationals.

    Raises:
        InputError: a float or shapes that do not fit.

    Example:
        >>> power_distances([[0], [3]], [0, 4], [1])
        (1, 0)
    """
    rows = matrix(keys, "keys", least_rows=1)
    sizes = vector(weights, "weights", dimension=len(rows))
    query = vector(x, "x", dimension=len(rows[0]))
    return tuple(
        sum(((c - a) ** 2 for a, c in zip(row, query, strict=True)), -w)
        for row, w in zip(rows, sizes, strict=True)
    )


def nearest(
    keys: Keys, weights: Sequence[Rational | str], x: Sequence[Rational | str]
) -> frozenset[int]:
    """Find argmin_j |x - kappa_j|^2 - w_j: every site of least power distance.

    Args:
        keys: (N, d) rationals, the sites.
        weights: (N,) rationals.
        x: (d,) rationals, the query.

    Raises:
        InputError: a float or shapes that do not fit.

    Example:
        >>> keys = [[-1], [0], [1]]
        >>> sorted(nearest(keys, power_weights(keys, None), [2]))
        [2]
    """
    found = power_distances(keys, weights, x)
    least = min(found)
    return frozenset(j for j, distance in enumerate(found) if distance == least)
