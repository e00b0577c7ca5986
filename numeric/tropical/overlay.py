"""A6, tropical.overlay, in floats: the cells that hard attention is seen to visit.

No polytope is built. A query is put to every head, and it has a label (j_1, ..., j_H) if in every
head one key leads by more than the rounding bound of its score: then the label is certain to be
that of a full-dimensional cell, since a strict win is a win on a ball. Queries are drawn at several
scales, and between every two of different labels the segment is bisected until its ends share a
label or are too close, so that narrow cells on the way are found too. What is found is certain,
that all cells are found is not.

Cost: O(M sum_h N_h d) for M queries; each bisection doubles at most the number of segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import torch
from torch import Tensor

from .power_diagram import winners
from .rounding import float64

Label: TypeAlias = tuple[int, ...]
Head: TypeAlias = tuple[Tensor, Tensor]
"""Keys (N, d) and biases (N,)."""


def labels(heads: Sequence[Head], points: Tensor) -> Tensor:
    """The winning key of every head at each query, -1 in a whole row that is not decided.

    Args:
        heads: H pairs of keys (N_h, d) and biases (N_h,); of keys with the same score the lowest
            index counts.
        points: (M, d).

    Returns:
        (M, H) integers; a row without -1 is certain for the float inputs.

    Raises:
        ValueError: no head, shapes that do not fit, or numbers that are not finite.

    Example:
        >>> line = torch.tensor([[-1.0], [0.0], [1.0]]), torch.tensor([0.0, 1.0, 0.0])
        >>> labels([line], torch.tensor([[-3.0], [0.0], [1.0]])).tolist()
        [[0], [1], [-1]]
    """
    if not heads:
        raise ValueError("expected at least one head, found none")
    columns = []
    for h, (keys, biases) in enumerate(heads):
        k, b, names = _distinct(keys, biases, f"heads[{h}]")
        found = winners(k, b, points)
        best = names[found.mask.to(torch.int64).argmax(-1)]
        columns.append(torch.where(found.decided, best, -1))
    table = torch.stack(columns, -1)  # (M, H)
    return torch.where((table < 0).any(-1, keepdim=True), -1, table)


def visited(
    heads: Sequence[Head],
    *,
    queries: int = 200,
    scales: Sequence[float] = (0.1, 1.0, 10.0, 100.0),
    depth: int = 12,
    most: int = 20000,
    seed: int = 0,
) -> frozenset[Label]:
    """The labels seen at random queries and on the segments between them.

    Args:
        heads: H pairs of keys (N_h, d) and biases (N_h,).
        queries: how many at each scale.
        scales: standard deviations of the queries.
        depth: how often a segment is bisected at most.
        most: how many segments are kept at each bisection.
        seed: of the queries.

    Raises:
        ValueError: as for `labels`.

    Example:
        >>> line = torch.tensor([[-1.0], [0.0], [1.0]]), torch.tensor([0.0, 1e-3, 0.0])
        >>> sorted(visited([line]))
        [(0,), (1,), (2,)]
    """
    generator = torch.Generator().manual_seed(seed)
    d = heads[0][0].shape[-1] if heads else 1
    blocks = [
        scale * torch.randn(queries, d, generator=generator, dtype=torch.float64)
        for scale in scales
    ]
    points = torch.cat(blocks)
    seen = _set(found := labels(heads, points))
    partner = torch.randperm(len(points), generator=generator)
    left, right, a, b = points, points[partner], found, found[partner]
    for _ in range(depth):
        differ = (a != b).any(-1)
        left, right, a, b = (
            left[differ][:most],
            right[differ][:most],
            a[differ][:most],
            b[differ][:most],
        )
        if not len(left):
            break
        middle = (left + right) / 2
        m = labels(heads, middle)
        seen |= _set(m)
        left, right = torch.cat([left, middle]), torch.cat([middle, right])
        a, b = torch.cat([a, m]), torch.cat([m, b])
    return frozenset(seen)


def _set(table: Tensor) -> set[Label]:
    rows = torch.unique(table[(table >= 0).all(-1)], dim=0)
    return {tuple(row) for row in rows.tolist()}


def _distinct(keys: Tensor, biases: Tensor, name: str) -> tuple[Tensor, Tensor, Tensor]:
    """The distinct lifted keys, each with the lowest index of its like."""
    k, b = float64(keys, f"{name}.keys"), float64(biases, f"{name}.biases")
    if k.dim() != 2 or b.shape != k.shape[:1] or k.numel() == 0:
        raise ValueError(
            f"{name}: expected keys (N, d) and biases (N,), found {tuple(k.shape)} and "
            f"{tuple(b.shape)}"
        )
    lifted = torch.cat([k, b.unsqueeze(-1)], -1)
    same = (lifted.unsqueeze(0) == lifted.unsqueeze(1)).all(-1)  # (N, N)
    lowest = same.to(torch.int64).argmax(-1)
    names = (lowest == torch.arange(len(k))).nonzero().squeeze(-1)
    return k[names], b[names], names
