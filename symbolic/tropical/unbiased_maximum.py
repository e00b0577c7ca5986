"""Claim tropical.unbiased-maximum (A8), the exact side: the most vertices of a Minkowski sum.

Without biases the cells of H heads are the vertices of P_1 + ... + P_H, P_h the convex hull of the
n_h keys. The largest number of vertices is attained by keys on parabolas,

    kappa_hj = t_j (a_h, 0) - t_j^2 e_d,    t_j = 1, ..., n_h,

with directions a_h of R^{d-1} in general position. Its upper vertices are the cells of parallel
walls in R^{d-1} (`maximum`), its other vertices are the C(H - 1, d - 1) unbounded regions that the
zonotope of the a_h does not share with them. General position is not assumed but seen in the exact
count. The upper bound is that of Adiprasito and Sanyal (arXiv 1405.7368) and Weibel.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, prod

from ..errors import InputError
from ..minkowski.overlay import most_cells
from .maximum import check_sizes, directions


def unbiased_maximum(d: int, sizes: Sequence[int]) -> int:
    """The most vertices of a Minkowski sum of polytopes with n_1, ..., n_H vertices in R^d.

    max f_0 = sum_{|S| <= d - 1} prod_{i in S} (n_i - 1) + C(H - 1, d - 1), for n_i >= 2; summands
    of one point are left out first. For equal sizes R(d - 1, H, N) + C(H - 1, d - 1).

    Args:
        d: the dimension, at least 1.
        sizes: the numbers of points, each at least 1.

    Raises:
        InputError: a number is too small.

    Source: Adiprasito, Sanyal (arXiv 1405.7368), Weibel.

    Example:
        >>> unbiased_maximum(3, [3, 3, 3]), unbiased_maximum(3, [2, 3, 4])
        (20, 19)
        >>> unbiased_maximum(4, [2, 3, 3, 4]), unbiased_maximum(3, [5, 1])
        (61, 5)
    """
    check_sizes(d, sizes)
    counting = [n for n in sizes if n > 1]
    if not counting:
        return 1
    upper = 1 if d == 1 else most_cells(d - 1, counting)
    return upper + comb(len(counting) - 1, d - 1)


def weibel(d: int, sizes: Sequence[int]) -> int:
    """Weibel's form of the same number, for H >= d polytopes of at least two points, d >= 2.

    f_0 = alpha + sum_{j=1}^{d-1} (-1)^{d-1-j} C(H-1-j, d-1-j)
    sum_{|S|=j} (prod_{i in S} n_i - alpha), alpha = 2 (d - 2 floor(d/2)).

    Raises:
        InputError: a number is too small, or there are fewer than d sizes.

    Source: Weibel (2012), Maximal f-vectors of Minkowski sums of large numbers of polytopes.

    Example:
        >>> weibel(3, [3, 3, 3]), weibel(2, [2, 3, 4])
        (20, 9)
    """
    check_sizes(d, sizes)
    H = len(sizes)
    if d < 2 or d > H or min(sizes) < 2:
        raise InputError("H >= d >= 2 and sizes of at least 2", f"d = {d}, sizes {list(sizes)}")
    alpha = 2 * (d % 2)
    total = alpha
    for j in range(1, d):
        inner = sum(prod(subset) - alpha for subset in combinations(sizes, j))
        total += (-1) ** (d - 1 - j) * comb(H - 1 - j, d - 1 - j) * inner
    return total


def parabolic_summands(d: int, sizes: Sequence[int]) -> list[list[list[int]]]:
    """Point sets whose Minkowski sum has as many vertices as there can be.

    Args:
        d: the dimension, at least 1.
        sizes: the numbers of points n_h.

    Raises:
        InputError: a number is too small.

    Example:
        >>> from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum
        >>> len(minkowski_sum(parabolic_summands(3, [3, 3, 3])).vertices)
        20
    """
    check_sizes(d, sizes)
    return [
        [[*(t * a for a in directions(d - 1, h)), -t * t] for t in range(1, n + 1)]
        for h, n in enumerate(sizes)
    ]
