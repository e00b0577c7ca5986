"""How far a layer's factors are from balanced: what gradient flow conserved while it was trained.

For each key/value group, with L the query weights of the group (or W_O^T) and R its key weights (or
W_V): |P(L^T L - R^T R)| / (|P(L^T L)| + |P(R^T R)|), P the projection on what can be moved between
them (`numeric.identification.commutant`). 0 is balanced; near 1 one factor is all of it. Balanced
factors are what weight decay draws to; the gradient alone never changes it (claim C6). Read group
by group, so that a layer is never held as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from ...numeric.checkpoint import Checkpoint, Role
from ...numeric.identification.commutant import Commutant
from ...numeric.identification.fibre import relative_imbalance


@dataclass(frozen=True)
class Balance:
    """The relative imbalance of one layer.

    Args:
        qk: of W_Q and W_K, one for each key/value head; empty if they are normalised, where
            another group moves them.
        vo: of W_O and W_V, one for each key/value head.
    """

    qk: tuple[float, ...]
    vo: tuple[float, ...]


def balance(checkpoint: Checkpoint, layer: int) -> Balance:
    """The relative imbalance of a layer, group by group.

    Args:
        checkpoint: the model.
        layer: from 0.

    Example:
        >>> from headproof.numeric.checkpoint import from_module
        >>> attention = torch.nn.MultiheadAttention(8, 2)
        >>> found = balance(from_module(attention), 0)
        >>> len(found.qk), len(found.vo), all(0 <= value <= 1 for value in found.qk)
        (2, 2, True)
    """
    model = checkpoint.model
    scores = Commutant(model.head_dim, model.rotary_dim)
    qk = () if checkpoint.layout.qk_norm else _groups(checkpoint, layer, "query", "key", scores)
    vo = _groups(checkpoint, layer, "output", "value", Commutant(model.head_dim))
    return Balance(qk, vo)


def _groups(
    checkpoint: Checkpoint, layer: int, several: Role, shared: Role, commutant: Commutant
) -> tuple[float, ...]:
    found = []
    for group in range(checkpoint.model.kv_heads):
        members = [h for h, g in enumerate(checkpoint.model.head_map) if g == group]
        left = torch.cat([checkpoint.head(layer, several, h).mT for h in members])
        right = checkpoint.head(layer, shared, group).mT
        found.append(float(relative_imbalance(left[None], right[None], commutant)))
    return tuple(found)
