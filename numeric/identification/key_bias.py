"""C3, identification.biases, in floats: what a key bias does to the weights of one layer.

Softmax does not change when every score of a row moves by the same amount, and <q, k_j + b_K> moves
all of them by <q, b_K>. In floats both sides round; the bound adds up, for every weight,
  - the scores' rounding: gamma_{d_k + 4} <|q|, |k_j|> / sqrt(d_k) (sum, products, scale), which
    moves a weight by a factor of at most exp(2 max_j of it);
  - the rounding of softmax itself (`weights_error`).
A bias that is rotated with the position of its key (rotary embeddings) moves the scores apart, and
is far outside the bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import torch
from torch import Tensor

from ..tropical.rounding import float64, gamma, outward
from ..tropical.routing_limit import weights, weights_error


@dataclass(frozen=True)
class BiasEffect:
    """How far the weights move.

    Args:
        change: (..., n, n), absolute differences of the weights.
        bound: (..., n, n), what rounding can make of no difference at all.
    """

    change: Tensor
    bound: Tensor

    @property
    def inert(self) -> bool:
        """Whether every change is within its bound."""
        return bool((self.change <= self.bound).all())


def key_bias_effect(queries: Tensor, keys: Tensor, bias: Tensor) -> BiasEffect:
    """The softmax weights with and without a key bias, all positions attending to all.

    Args:
        queries: (H, n, d_k), with their own bias.
        keys: (H, n, d_k), without bias.
        bias: (H, d_k), one for all positions, or (H, n, d_k), one for each.

    Raises:
        ValueError: shapes that do not fit, or numbers that are not finite.

    Example:
        >>> q = torch.tensor([[[1.0, 2.0], [0.5, -1.0]]])
        >>> key_bias_effect(q, q, torch.tensor([[3.0, 7.0]])).inert
        True
        >>> key_bias_effect(q, q, torch.tensor([[[3.0, 7.0], [7.0, 3.0]]])).inert
        False
    """
    q, k, b = (float64(t, n) for t, n in ((queries, "queries"), (keys, "keys"), (bias, "bias")))
    b = b.unsqueeze(-2) if b.dim() == q.dim() - 1 else b
    if q.dim() != 3 or q.shape != k.shape or b.shape not in (k.shape, (len(k), 1, k.shape[-1])):
        found = f"{tuple(q.shape)}, {tuple(k.shape)}, {tuple(bias.shape)}"
        raise ValueError(f"expected (H, n, d_k) twice and (H, d_k) or (H, n, d_k), found {found}")
    with_bias, error = _weights(q, k + b)
    without, other = _weights(q, k)
    # The difference is itself rounded, by at most u of the larger weight.
    bound = outward(error + other + gamma(1) * (with_bias + without))
    return BiasEffect((with_bias - without).abs(), bound)


def _weights(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    """Softmax of the scores, and how far it may be from that of the exact scores."""
    d_k = q.shape[-1]
    scores = q @ k.mT / sqrt(d_k)
    size = gamma(d_k + 4) * (q.abs() @ k.abs().mT) / sqrt(d_k)
    found = weights(scores, 1.0)
    rounding = weights_error(scores, 1.0)
    factor = torch.expm1(2 * outward(size).amax(-1, keepdim=True))
    return found, factor * (found + rounding) + rounding
