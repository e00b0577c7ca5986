"""Frames with prescribed principal angles (claim B6).

With orthonormal columns A_i, B_i the frames A and (A_i cos t_i + B_i sin t_i) have the principal
angles t_i. For H heads of which any two have these angles, head h takes the columns
A_i sqrt(c_i) + B_hi sqrt(1 - c_i), c_i = cos t_i: inner products of different heads are c_i on the
diagonal and 0 off it.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


def frames_with_angles(
    cosines: Sequence[float], d: int, *, heads: int = 2, generator: torch.Generator
) -> Tensor:
    """Orthonormal frames of which any two have the given principal cosines, (heads, d, d_k).

    Args:
        cosines: c_i in [0, 1]; their number is d_k.
        d: the width: at least d_k, and heads more for every cosine below 1 (one less if all of
            those are 0).
        heads: H >= 1.
        generator: of the rotation of R^d into which the frames are put.

    Raises:
        ValueError: a cosine outside [0, 1], no cosine, or too little width.

    Example:
        >>> made = frames_with_angles([1.0, 0.5], 4, generator=torch.Generator().manual_seed(0))
        >>> [round(x, 12) for x in torch.linalg.svdvals(made[0].mT @ made[1]).tolist()]
        [1.0, 0.5]
    """
    k = len(cosines)
    if k == 0 or not all(0 <= c <= 1 for c in cosines) or heads < 1:
        raise ValueError(f"expected cosines in [0, 1] and heads, found {list(cosines)}, {heads}")
    shared = [i for i, c in enumerate(cosines) if c > 0]
    private = [i for i, c in enumerate(cosines) if c < 1]
    width = k + len(private) if heads == 2 else len(shared) + heads * len(private)
    if width > d:
        raise ValueError(f"expected a width of at least {width}, found {d}")
    gaussian = torch.randn(d, d, generator=generator, dtype=torch.float64)
    basis = torch.linalg.qr(gaussian).Q  # (d, d)
    made = torch.zeros(heads, d, k, dtype=torch.float64)
    if heads == 2:
        made[0] = basis[:, :k]
        for i, c in enumerate(cosines):
            made[1, :, i] = basis[:, i] * c
            if c < 1:
                made[1, :, i] += basis[:, k + private.index(i)] * (1 - c * c) ** 0.5
        return made
    for h in range(heads):
        for i, c in enumerate(cosines):
            if c > 0:
                made[h, :, i] += basis[:, shared.index(i)] * c**0.5
            if c < 1:
                own = len(shared) + h * len(private) + private.index(i)
                made[h, :, i] += basis[:, own] * (1 - c) ** 0.5
    return made
