"""Claim tropical.maximum (A7), the exact side: heads whose overlay has as many cells as can be.

Every head reads one linear form <a_h, x>: its keys are the multiples j a_h and its biases -j^2, so
that its walls are the N_h - 1 parallel hyperplanes <a_h, x> = 2 j + 1. If the directions a_h are in
general position, and no d + 1 walls of different heads meet in a point, the cells number

    R(d, N_1, ..., N_H) = sum_{j <= min(d, H)} e_j(N_1 - 1, ..., N_H - 1)

(e_j elementary symmetric): deleting a head shows the recurrence. The directions below are fixed
integers without a pattern; general position is not assumed but seen in the exact count. Cost of
the count: that of `overlay`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ..errors import InputError
from ..minkowski.overlay import most_cells
from ..rational import Rational

Head: TypeAlias = dict[str, Sequence[Any]]
"""``{"keys": N rows of d, "biases": N numbers}``, as `overlay` reads it."""

_PRIME, _PRIME_ON_A_LINE = 9973, 1_000_003
"""Small entries keep the overlay's arithmetic fast; on a line thousands of walls must differ."""


def maximum(d: int, sizes: Sequence[int]) -> int:
    """R(d, N_1, ..., N_H), the most cells that overlaid heads can have.

    R = sum_{j <= min(d, H)} e_j(N_1 - 1, ..., N_H - 1); for equal sizes
    sum_{j <= min(d, H)} C(H, j) (N - 1)^j.

    Args:
        d: the dimension, at least 1.
        sizes: the numbers of keys N_h, at least one, each at least 1.

    Raises:
        InputError: a number is too small.

    Source: Montufar, Ren, Zhang (arXiv 2104.08135) for the upper bound.

    Example:
        >>> maximum(2, [3, 3, 3]), maximum(2, [2, 3, 4]), maximum(3, [4, 4, 4])
        (19, 18, 64)
    """
    check_sizes(d, sizes)
    return most_cells(d, sizes)


def parallel_heads(d: int, sizes: Sequence[int]) -> list[Head]:
    """Heads of N_h - 1 parallel walls each, in general position.

    Args:
        d: the dimension, at least 1.
        sizes: the numbers of keys N_h, at least one, each at least 1.

    Raises:
        InputError: a number is too small.

    Example:
        >>> from headproof.symbolic.minkowski.overlay import overlay
        >>> overlay(parallel_heads(2, [3, 3, 3])).cells
        19
    """
    check_sizes(d, sizes)
    return [
        {
            "keys": [[j * a for a in directions(d, h)] for j in range(N)],
            "biases": [-j * j for j in range(N)],
        }
        for h, N in enumerate(sizes)
    ]


def key_bias_heads(
    d: int, sizes: Sequence[int], *, head_dimension: int
) -> list[dict[str, list[list[Rational]]]]:
    """Heads in factored form whose biases come from a query bias alone: b_hj = <b_Q, k_hj>.

    The keys lie on the curve k_hj = (j, -j^2) for d_k >= 2, or are k_hj = j for d_k = 1; the query
    map sends x to (<a_h, x>, 0, ...) and b_Q is (0, 1), or 1.

    Args:
        d: the dimension of the queries x.
        sizes: the numbers of keys.
        head_dimension: d_k, 1 or 2.

    Returns:
        for each head {"query": d_k rows of d, "query_bias": one row of d_k, "keys": N rows of d_k}.

    Raises:
        InputError: a number is too small, or d_k is neither 1 nor 2.

    Example:
        >>> key_bias_heads(1, [2], head_dimension=2)[0]["keys"]
        [[0, 0], [1, -1]]
    """
    check_sizes(d, sizes)
    if head_dimension not in (1, 2):
        raise InputError("1 or 2", str(head_dimension), where="head_dimension")
    flat = head_dimension == 1
    return [
        {
            "query": [[*directions(d, h)]] if flat else [[*directions(d, h)], [0] * d],
            "query_bias": [[1]] if flat else [[0, 1]],
            "keys": [[j] if flat else [j, -j * j] for j in range(N)],
        }
        for h, N in enumerate(sizes)
    ]


def scored(factored: dict[str, list[list[Rational]]]) -> Head:
    """The head as keys of x and biases: kappa_j = W_Q^T k_j, b_j = <b_Q, k_j>.

    Example:
        >>> scored(key_bias_heads(1, [3], head_dimension=2)[0])["biases"]
        [0, -1, -4]
    """
    rows, bias = factored["query"], factored["query_bias"][0]
    keys = factored["keys"]
    columns = range(len(rows[0]))
    heads = [
        [sum(q * row[c] for q, row in zip(k, rows, strict=True)) for c in columns] for k in keys
    ]
    return {
        "keys": heads,
        "biases": [sum(a * q for a, q in zip(bias, k, strict=True)) for k in keys],
    }


def directions(d: int, h: int) -> tuple[int, ...]:
    """The direction of head h in R^d: fixed integers without a pattern.

    The entries are fifth powers modulo a prime, moved around 0.

    Example:
        >>> directions(3, 0)
        (-4985, -4954, -4743)
    """
    prime = _PRIME_ON_A_LINE if d == 1 else _PRIME
    return tuple((h * d + c + 1) ** 5 % prime - prime // 2 for c in range(d))


def check_sizes(d: int, sizes: Sequence[int]) -> None:
    """Refuse dimensions and sizes below 1, and no sizes.

    Raises:
        InputError: one of them is.
    """
    if d < 1:
        raise InputError("a dimension of at least 1", str(d), where="d")
    if not sizes:
        raise InputError("at least one head", "none", where="sizes")
    for h, N in enumerate(sizes):
        if N < 1:
            raise InputError("at least one key", str(N), where=f"sizes[{h}]")
