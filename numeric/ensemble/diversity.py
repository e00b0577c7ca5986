"""The diversity of the heads of a checkpoint, layer by layer and role by role (claim B8).

Memory: one role of one layer at a time as frames, then two roles as factors; with the temporaries
of a head, that stays below three times the largest projection in float64. Time per layer: a QR
per head, and H^2/2 products of frames.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ..checkpoint import ROLES, Checkpoint, Role
from .overlap import (
    attainable_index,
    diversity_index,
    effective_heads,
    overlaps,
    pair_cosines,
    shared_index,
)
from .spectra import Spectrum, product_cosines, product_spectrum
from .subspaces import row_spaces

SAME = 1e-6
"""Overlaps and cosines above 1 - SAME are called the same."""

ANGLE_LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class RoleDiversity:
    """The subspaces of one projection in one layer.

    Args:
        role: query, key, value or output.
        heads: how many subspaces: G for keys and values.
        ranks: of each head.
        kernel: tr(Pi_h Pi_h')/d_k, (heads, heads); nan for heads of lower rank.
        nearest: the largest principal cosine of each pair, (heads, heads); nan likewise.
        angles: quantiles of all principal angles of all pairs in degrees, by `ANGLE_LEVELS`;
            empty with fewer than two heads of full rank.
        index: HDI among the heads of full rank; None with fewer than two.
        effective: H_eff of the same heads.
        attainable: the largest HDI that so many subspaces can have.
        by_query_head: HDI when each query head counts with its own key/value head; None for
            queries and the output, or if a head is of lower rank.
        same: pairs of heads with the same subspace.
        d_k: the dimension of a head.
    """

    role: Role
    heads: int
    ranks: tuple[int, ...]
    kernel: Tensor
    nearest: Tensor
    angles: tuple[float, ...]
    index: float | None
    effective: float | None
    attainable: float | None
    by_query_head: float | None
    same: tuple[tuple[int, int], ...]
    d_k: int

    @property
    def deficient(self) -> tuple[int, ...]:
        """The heads of lower rank: named here, left out of `index`."""
        return tuple(h for h, rank in enumerate(self.ranks) if rank < self.d_k)


@dataclass(frozen=True)
class LayerDiversity:
    """What one layer's weights say about its heads.

    Args:
        layer: from 0.
        roles: one entry per projection.
        qk: spectrum of W_Q^T W_K for each query head; ov: of W_V^T W_O.
        duplicates: pairs of query heads whose QK and OV products are both the same up to scale.
    """

    layer: int
    roles: tuple[RoleDiversity, ...]
    qk: tuple[Spectrum, ...]
    ov: tuple[Spectrum, ...]
    duplicates: tuple[tuple[int, int], ...]

    def role(self, name: Role) -> RoleDiversity:
        """The entry of a projection.

        Args:
            name: of the projection.
        """
        return next(entry for entry in self.roles if entry.role == name)


def diversity(
    checkpoint: Checkpoint, layers: Sequence[int] | None = None
) -> Iterator[LayerDiversity]:
    """The diversity of each layer, one after the other.

    Args:
        checkpoint: of a folder, a state dict or a module.
        layers: which, from 0; all by default.

    Raises:
        CheckpointError: an entry is not finite.
        ValueError: there is no such layer, or d_k > d.
    """
    count = checkpoint.model.layers
    for layer in range(count) if layers is None else layers:
        if not 0 <= layer < count:
            raise ValueError(f"expected layers from 0 to {count - 1}, found {layer}")
        yield layer_diversity(checkpoint, layer)


def layer_diversity(checkpoint: Checkpoint, layer: int) -> LayerDiversity:
    """The diversity of one layer, from 0.

    Args:
        checkpoint: of a folder, a state dict or a module.
        layer: which.

    Raises:
        CheckpointError: an entry is not finite.
        ValueError: d_k > d.
    """
    roles = tuple(role_diversity(checkpoint, layer, role) for role in ROLES)
    qk, same_qk = _products(checkpoint, layer, "query", "key")
    ov, same_ov = _products(checkpoint, layer, "output", "value")
    duplicates = tuple(pair for pair in same_qk if pair in set(same_ov))
    return LayerDiversity(layer, roles, qk, ov, duplicates)


def role_diversity(checkpoint: Checkpoint, layer: int, role: Role) -> RoleDiversity:
    """The subspaces of one projection.

    Args:
        checkpoint: of a folder, a state dict or a module.
        layer: from 0.
        role: which projection.

    Raises:
        CheckpointError: an entry is not finite.
        ValueError: d_k > d.
    """
    heads = checkpoint.heads(role)
    found = row_spaces(
        checkpoint.projections(layer, role), roundoff=checkpoint.roundoff(layer, role)
    )
    kernel, full = overlaps(found), found.full
    cosines = pair_cosines(found)
    nearest = torch.full((heads, heads), torch.nan, dtype=torch.float64)
    pairs = [(h, other) for n, h in enumerate(full) for other in full[n + 1 :]]
    for (h, other), row in zip(pairs, cosines, strict=True):
        nearest[h, other] = nearest[other, h] = row[0]
    nearest[list(full), list(full)] = 1.0
    index = effective = attainable = shared = None
    angles: tuple[float, ...] = ()
    if len(full) > 1:
        rows = torch.tensor(full)
        index = diversity_index(kernel[rows][:, rows])
        effective = effective_heads(index, len(full))
        attainable = attainable_index(len(full), found.d_k, found.d)
        degrees = torch.rad2deg(torch.arccos(cosines.flatten()))
        angles = _quantiles(degrees)
    owners = checkpoint.model.head_map
    if role in ("key", "value") and len(full) == heads and len(owners) > 1:
        shared = shared_index(kernel, owners)
    same = tuple((h, g) for h, g in pairs if float(kernel[h, g]) > 1 - SAME)
    return RoleDiversity(
        role,
        heads,
        found.ranks,
        kernel,
        nearest,
        angles,
        index,
        effective,
        attainable,
        shared,
        same,
        found.d_k,
    )


def _products(
    checkpoint: Checkpoint, layer: int, own: Role, shared: Role
) -> tuple[tuple[Spectrum, ...], tuple[tuple[int, int], ...]]:
    """The spectrum of every query head's product, and the pairs with the same product."""
    owners = checkpoint.model.head_map
    A, B = checkpoint.factor(layer, own), checkpoint.factor(layer, shared)
    spectra = tuple(product_spectrum(A[h], B[g]) for h, g in enumerate(owners))
    cosines = product_cosines(A, B, owners)
    same = (cosines > 1 - SAME).triu(1).nonzero().tolist()
    return spectra, tuple((int(h), int(g)) for h, g in same)


def _quantiles(values: Tensor) -> tuple[float, ...]:
    """Quantiles by order statistics: torch.quantile refuses long inputs."""
    ordered = values.sort().values
    last = len(ordered) - 1
    return tuple(float(ordered[int(level * last)]) for level in ANGLE_LEVELS)
