"""A6 and A8, Minkowski sums in floats: support functions, extreme points, sums of all choices.

Nothing is wrapped and no facet is built. In a direction u the sum has the support function
h(u) = sum_h max_j <p_hj, u>; if in every summand one point leads by more than the rounding bound,
the choice of these points is certain to be a vertex, since it is the only maximiser. Directions are
drawn at random, and between every two of different choices the way is bisected, so that vertices
with small normal cones are found too. What is found is certain and therefore a lower bound; that
all are found is not certain. `brute_force` shares no step with this: it forms every one of the N^H
sums and compares it with the support function.

Cost: O(M sum_h N_h d) for M directions, O(N^H M d) by brute force.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeAlias

import torch
from torch import Tensor

from .overlay import visited
from .rounding import TINY, float64, gamma, outward

Choice: TypeAlias = tuple[int, ...]


def support(points: Tensor, directions: Tensor) -> Tensor:
    """h(u) = max_j <p_j, u> of the convex hull of points.

    Args:
        points: (N, d).
        directions: (M, d).

    Returns:
        (M,), within `support_error`.

    Raises:
        ValueError: shapes that do not fit, or numbers that are not finite.

    Example:
        >>> square = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
        >>> support(square, torch.tensor([[1.0, 1.0], [-1.0, 0.0]])).tolist()
        [2.0, 0.0]
    """
    p, u = _points(points), float64(directions, "directions")
    return (u @ p.mT).amax(-1)


def support_error(points: Tensor, directions: Tensor) -> Tensor:
    """A bound on |`support` - exact|: gamma_d max_j sum_c |p_jc u_c|, plus underflow.

    Args:
        points: (N, d).
        directions: (M, d).

    Returns:
        (M,).

    Raises:
        ValueError: as for `support`.
    """
    p, u = _points(points), float64(directions, "directions")
    d = p.shape[-1]
    return outward(gamma(d) * (u.abs() @ p.abs().mT).amax(-1) + d * TINY)


def sum_support(summands: Sequence[Tensor], directions: Tensor) -> Tensor:
    """The support function of the Minkowski sum: the sum of the support functions.

    Args:
        summands: (N_h, d) each, at least one.
        directions: (M, d).

    Returns:
        (M,).

    Raises:
        ValueError: as for `support`.

    Example:
        >>> x, y = torch.tensor([[0.0, 0.0], [1.0, 0.0]]), torch.tensor([[0.0, 0.0], [0.0, 1.0]])
        >>> sum_support([x, y], torch.tensor([[1.0, 2.0]])).tolist()
        [3.0]
    """
    return torch.stack([support(points, directions) for points in summands]).sum(0)


def extreme_choices(
    summands: Sequence[Tensor], *, directions: int = 400, depth: int = 14, seed: int = 0
) -> frozenset[Choice]:
    """The vertices of the sum that are seen: in every summand the index of their point.

    A direction is a query that is put to heads without biases (claim A8): the choices are the
    labels that these visit.

    Args:
        summands: H tensors (N_h, d); of repeated points the lowest index counts.
        directions: how many are drawn.
        depth: how often the way between two of them is bisected.
        seed: of the directions.

    Raises:
        ValueError: no summand, shapes that do not fit, or numbers that are not finite.

    Example:
        >>> triangle = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.2, 0.2]])
        >>> sorted(extreme_choices([triangle]))
        [(0,), (1,), (2,)]
    """
    tables = [_points(points) for points in summands]
    if not tables:
        raise ValueError("expected at least one summand, found none")
    # A change of coordinates by powers of two is exact and keeps the choices.
    scale = _scale(torch.cat(tables))
    heads = [(p * scale, torch.zeros(len(p), dtype=torch.float64)) for p in tables]
    return visited(heads, queries=directions, scales=(1.0,), depth=depth, seed=seed)


def brute_force(
    summands: Sequence[Tensor], *, directions: int = 4000, seed: int = 0
) -> tuple[Tensor, frozenset[Choice]]:
    """All N^H sums, and which of them reach the support function in some direction.

    Args:
        summands: H tensors (N_h, d), at most 4096 choices in all.
        directions: how many are drawn.
        seed: of the directions.

    Returns:
        (N^H, d) sums in lexicographic order of the choices, and the choices that are the only
        ones within the rounding bound of h(u) for some u drawn.

    Raises:
        ValueError: too many choices, or input as for `extreme_choices`.
    """
    tables = [_points(points) for points in summands]
    choices = list(product(*(range(len(points)) for points in tables)))
    if len(choices) > 4096:
        raise ValueError(f"expected at most 4096 choices, found {len(choices)}")
    picked = torch.tensor(choices)
    sums = torch.stack([t[picked[:, h]] for h, t in enumerate(tables)]).sum(0)
    generator = torch.Generator().manual_seed(seed)
    d = sums.shape[-1]
    u = torch.randn(directions, d, generator=generator, dtype=torch.float64)
    values = u @ sums.mT  # (M, N^H)
    H = len(tables)
    size = torch.stack([t.abs().amax(0) for t in tables]).sum(0)  # (d,)
    error = outward(gamma(d + H) * (u.abs() @ size) + d * H * TINY)
    near = values >= (sum_support(tables, u) - 3 * error).unsqueeze(-1)
    only = near[near.sum(-1) == 1].any(0)
    return sums, frozenset(c for c, seen in zip(choices, only.tolist(), strict=True) if seen)


def _points(points: Tensor) -> Tensor:
    p = float64(points, "points")
    if p.dim() != 2 or p.numel() == 0:
        raise ValueError(f"expected points (N, d), found {tuple(p.shape)}")
    return p


def _scale(points: Tensor) -> Tensor:
    """(d,) powers of two that bring every coordinate's range near 1."""
    spread = (points.amax(0) - points.amin(0)).clamp(min=2.0**-400)
    return torch.exp2(-spread.log2().ceil())
