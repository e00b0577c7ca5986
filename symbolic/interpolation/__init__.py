"""Rational interpolation as an exact object: modulo primes, over Q, and in rigorous balls."""

from __future__ import annotations

from collections.abc import Sequence

from ..rational import Rational
from . import linear, modular
from .interpolant import Interpolant

SHORT = 64
"""Bits of a node up to which the linear system is faster than primes."""


def interpolate(
    nodes: Sequence[Rational], values: Sequence[Rational], *, terms: int
) -> Interpolant:
    """The fraction r/t with deg r < k and deg t <= n - k through n points, by the faster route.

    Args:
        nodes: n distinct rationals.
        values: n rationals.
        terms: k, the number of terms of the numerator.

    Raises:
        InputError: repeated nodes, or numbers that do not fit.

    Example:
        >>> interpolate([1, 2, 3], [1, 1, 1], terms=2).rank
        0
    """
    longest = max(
        (max(int(a.numerator).bit_length(), int(a.denominator).bit_length()) for a in nodes),
        default=0,
    )
    route = linear.interpolate if longest <= SHORT else modular.interpolate
    return route(nodes, values, terms=terms)
