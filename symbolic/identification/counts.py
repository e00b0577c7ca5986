"""The number of unidentified parameters of one attention layer, by formula (claims C1, C3).

Unidentified = dimension of the generic fibre of parameters -> function. Between W_Q and W_K of a
key/value group stands nothing, or a rotation that depends on the position; whatever commutes with
it can be moved from one factor to the other:
  no rotation                     GL(d_k): d_k^2 per group
  r of d_k coordinates rotated    C for each of r/2 planes, GL of the rest: r + (d_k - r)^2
A key bias shifts all scores of a row alike in the coordinates that are not rotated: d_k - r more
per group. Between W_V and W_O there is never anything: d_k^2 per group; a value bias merges into an
output bias if there is one, else at most d of its G d_k coordinates are seen.

The formulas hold for generic weights (full rank), d_k <= d, and distinct nonzero frequencies. What
they do not cover is answered with a reason instead of a number.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from ..errors import InputError


@dataclass(frozen=True)
class Count:
    """A count of parameters.

    Args:
        unidentified: dimension of the fibre.
        total: parameters, biases included.
    """

    unidentified: int
    total: int

    @property
    def ratio(self) -> Fraction:
        """The share of parameters that is unidentified.

        Example:
            >>> Count(384 * 32, 2 * 384**2).ratio
            Fraction(1, 24)
        """
        return Fraction(self.unidentified, self.total)


def query_key_count(
    d: int,
    heads: int,
    kv_heads: int,
    head_dim: int,
    *,
    rotary_dim: int = 0,
    biases: Collection[str] = (),
) -> Count:
    """The count for W_Q, W_K and their biases.

    Args:
        d: width of the residual stream.
        heads: H.
        kv_heads: G, a divisor of H.
        head_dim: d_k <= d.
        rotary_dim: r, even: how many of the d_k coordinates are rotated, frequencies distinct.
        biases: among "q" and "k".

    Raises:
        InputError: the sizes do not fit.

    Example:
        >>> query_key_count(12, 3, 3, 4).ratio  # 1/(2 H)
        Fraction(1, 6)
        >>> query_key_count(12, 3, 3, 4, rotary_dim=4).ratio  # 1/(2 d)
        Fraction(1, 24)
    """
    _check(d, heads, kv_heads, head_dim)
    if rotary_dim % 2 or not 0 <= rotary_dim <= head_dim:
        raise InputError(f"an even rotary_dim up to {head_dim}", str(rotary_dim))
    plain = head_dim - rotary_dim
    unidentified = kv_heads * (rotary_dim + plain**2)
    total = (heads + kv_heads) * head_dim * d
    if "q" in biases:
        total += heads * head_dim
    if "k" in biases:
        total += kv_heads * head_dim
        unidentified += kv_heads * plain
    return Count(unidentified, total)


def value_output_count(
    d: int, heads: int, kv_heads: int, head_dim: int, *, biases: Collection[str] = ()
) -> Count:
    """The count for W_V, W_O and their biases.

    Args:
        d: width of the residual stream.
        heads: H.
        kv_heads: G, a divisor of H.
        head_dim: d_k <= d.
        biases: among "v" and "o".

    Raises:
        InputError: the sizes do not fit.

    Example:
        >>> value_output_count(12, 3, 3, 4, biases=("v", "o")).unidentified
        60
    """
    _check(d, heads, kv_heads, head_dim)
    shared = kv_heads * head_dim
    unidentified = kv_heads * head_dim**2
    total = (heads + kv_heads) * head_dim * d
    if "v" in biases:
        total += shared
        unidentified += shared if "o" in biases else max(0, shared - d)
    if "o" in biases:
        total += d
    return Count(unidentified, total)


def _check(d: int, heads: int, kv_heads: int, head_dim: int) -> None:
    if min(d, heads, kv_heads, head_dim) < 1 or heads % kv_heads or head_dim > d:
        found = f"d = {d}, H = {heads}, G = {kv_heads}, d_k = {head_dim}"
        raise InputError("positive sizes, G a divisor of H, d_k <= d", found)
