"""Claim tropical.depth (A9): the number of affine pieces of deep hard attention.

The lower bound is a construction that extracts base-N digits: a network of L layers whose pieces
are exactly the N^{min(H,d) L} cells of a grid. The upper bound multiplies the largest overlay of H
power diagrams over the layers, and the largest arrangement of m hyperplanes over the ReLU layers.
Both are exact integers and exact networks; `linear_regions` counts the pieces of the construction
and of any other network.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from ..errors import InputError
from ..regions.network import Head, Layer, Network


def digit_extraction(d: int, H: int, N: int, L: int) -> Network:
    """The network that reads off L base-N digits of min(H, d) coordinates.

    In layer l = 1..L head h < min(H, d) has the scores s_j(x) = j x_h - N^{-l} j (j + 1) / 2 and
    the values -j N^{-l} e_h, j = 0..N-1. Since s_j - s_{j-1} = x_h - j N^{-l}, it looks at the
    number j of multiples of N^{-l} below x_h, capped at N - 1, and takes j N^{-l} away: the next
    layer sees the remainder. The composition has N^L pieces along each of these coordinates. Heads
    beyond the first d have N zero keys and zero values.

    Args:
        d: the dimension, at least 1.
        H: heads a layer, at least 1.
        N: keys a head, at least 1.
        L: layers, at least 0.

    Raises:
        InputError: a number is too small.

    Source: tropical attention (arXiv 2604.14727), depth; our construction.

    Example:
        >>> network = digit_extraction(1, 1, 10, 2)
        >>> network.evaluate([Fraction(4567, 10000)])
        (Fraction(67, 10000),)
    """
    _check_sizes(d=d, H=H, N=N, L=L)
    return Network(
        d,
        tuple(
            Layer(tuple(_digit_head(d, h, N, Fraction(1, N**place)) for h in range(H)))
            for place in range(1, L + 1)
        ),
    )


def lower_bound(d: int, H: int, N: int, L: int) -> int:
    """The pieces of `digit_extraction`: N^{min(H, d) L}.

    Args:
        d: the dimension, at least 1.
        H: heads a layer, at least 1.
        N: keys a head, at least 1.
        L: layers, at least 0.

    Raises:
        InputError: a number is too small.

    Example:
        >>> lower_bound(2, 3, 2, 2)
        16
    """
    _check_sizes(d=d, H=H, N=N, L=L)
    return int(N ** (min(H, d) * L))


def upper_bound(d: int, H: int, N: int, L: int, ffn_width: int = 0) -> int:
    """No network of these sizes on R^d has more pieces.

    (sum_{j <= min(d, H)} C(H, j) (N - 1)^j  *  sum_{j <= d} C(m, j))^L

    The first factor bounds the cells of H overlaid power diagrams of N sites, the second the cells
    of m hyperplanes; on each cell of the layers so far the next layer cuts an affine image of R^d,
    and neither bound grows when the image has lower dimension.

    Args:
        d: the dimension of the input, at least 1; the layers inside may be wider.
        H: heads a layer, at least 1.
        N: keys a head, at least 1.
        L: layers, at least 0.
        ffn_width: m, the neurons of each layer, 0 if there are none.

    Raises:
        InputError: a number is too small.

    Source: one layer: Montufar, Ren, Zhang (arXiv 2104.08135); hyperplanes: Zaslavsky (1975).

    Example:
        >>> upper_bound(2, 3, 2, 2), upper_bound(2, 2, 3, 2), upper_bound(2, 1, 2, 1, 3)
        (49, 81, 14)
    """
    _check_sizes(d=d, H=H, N=N, L=L)
    if ffn_width < 0:
        raise InputError("an integer >= 0", str(ffn_width), where="ffn_width")
    heads = sum(comb(H, j) * (N - 1) ** j for j in range(min(d, H) + 1))
    neurons = sum(comb(ffn_width, j) for j in range(d + 1))
    return int((heads * neurons) ** L)


def _digit_head(d: int, h: int, N: int, unit: Fraction) -> Head:
    """Head h of the layer whose digits are worth ``unit``; an idle one if there is no x_h."""
    return Head(
        keys=tuple(tuple(j if i == h else 0 for i in range(d)) for j in range(N)),
        biases=tuple(-unit * (j * (j + 1) // 2) if h < d else 0 for j in range(N)),
        values=tuple(tuple(-j * unit if i == h else 0 for i in range(d)) for j in range(N)),
    )


def _check_sizes(**sizes: int) -> None:
    for name, size in sizes.items():
        least = 0 if name == "L" else 1
        if size < least:
            raise InputError(f"an integer >= {least}", str(size), where=name)
