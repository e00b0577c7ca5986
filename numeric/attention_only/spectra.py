"""Spectra of the weights, while a decoder trains (claim D5).

Three matrices say what a layer can do. The QK product of a head, diag of the gains included where
queries and keys are normed, decides where it looks (rotations leave it alone at distance 0). W_V
and W_O decide what is moved. Of each: the stable rank |W|_F^2 / |W|_2^2, the effective rank
exp(entropy of s / sum s) of Roy and Vetterli 2007, and the spectral norm. The same for what
training added, W - W_0: a random start has nearly full rank, which hides how rank is acquired.

A head's product has rank at most d_k: its singular values come from the small triangular factors
of a QR of each side, exact up to rounding and cheaper than an SVD of d x d.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from .model import Attention, Block, Decoder

KINDS = ("qk", "value", "output")
"""The QK product, W_V, W_O."""

Spectra = Mapping[str, Tensor]
"""kind -> singular values, decreasing, ``(layers, heads or 1, values)``."""


@torch.no_grad()
def singular_values(model: Decoder, start: Sequence[Tensor] | None = None) -> dict[str, Tensor]:
    """Singular values of every layer, in float64.

    Args:
        model: the decoder.
        start: what `weights` returned before training: then of W - W_0, and of the difference of
            the QK products.

    Returns:
        By kind; values decrease.

    Example:
        >>> from .model import DecoderConfig
        >>> model = Decoder(DecoderConfig(5, 8, 8, 2, 2))
        >>> {kind: tuple(values.shape) for kind, values in singular_values(model).items()}
        {'qk': (2, 2, 4), 'value': (2, 1, 8), 'output': (2, 1, 8)}
    """
    found: dict[str, list[Tensor]] = {kind: [] for kind in KINDS}
    now = weights(model)
    for layer, block in enumerate(model.blocks):
        assert isinstance(block, Block)
        q, k, v, o = _factors(block.attention, now[layer])
        if start is not None:
            q_0, k_0, v_0, o_0 = _factors(block.attention, start[layer])
            # Q K^T - Q_0 K_0^T = [Q, Q_0] [K, -K_0]^T
            q, k = torch.cat((q, q_0), dim=2), torch.cat((k, -k_0), dim=2)
            v, o = v - v_0, o - o_0
        left, right = torch.linalg.qr(q).R, torch.linalg.qr(k).R
        found["qk"].append(torch.linalg.svdvals(left @ right.mT))
        found["value"].append(torch.linalg.svdvals(v)[None])
        found["output"].append(torch.linalg.svdvals(o)[None])
    return {kind: torch.stack(values) for kind, values in found.items()}


@torch.no_grad()
def weights(model: Decoder) -> list[Tensor]:
    """A copy of what `singular_values` depends on: one vector a layer.

    Args:
        model: the decoder.

    Returns:
        Float64, in the order of the layers.
    """
    found = []
    for block in model.blocks:
        assert isinstance(block, Block)
        attention = block.attention
        parts = [attention.into.weight.flatten(), attention.out.weight.flatten()]
        if attention.query_norm is not None and attention.key_norm is not None:
            parts += [attention.query_norm.gain, attention.key_norm.gain]
        found.append(torch.cat(parts).double())
    return found


def stable_rank(values: Tensor) -> Tensor:
    """|W|_F^2 / |W|_2^2 over the last axis; 0 for the zero matrix.

    Args:
        values: singular values, decreasing.

    Example:
        >>> stable_rank(torch.tensor([2.0, 2.0, 0.0])).item()
        2.0
    """
    largest = values[..., 0]
    safe = torch.where(largest > 0, largest, 1.0)
    return values.square().sum(-1) / safe.square()


def effective_rank(values: Tensor) -> Tensor:
    """exp(entropy of the normalised values) over the last axis; 0 for the zero matrix.

    Args:
        values: singular values, in any order.

    Example:
        >>> round(effective_rank(torch.tensor([2.0, 2.0, 0.0])).item(), 6)
        2.0
    """
    total = values.sum(-1, keepdim=True)
    share = values / torch.where(total > 0, total, 1.0)
    rank = torch.special.entr(share).sum(-1).exp()
    return torch.where(total[..., 0] > 0, rank, 0.0)


def summary(values: Spectra) -> dict[str, dict[str, float]]:
    """By kind, means over layers and heads: stable rank, effective rank, spectral norm.

    Args:
        values: what `singular_values` returned.
    """
    return {
        kind: {
            "stable_rank": float(stable_rank(each).mean()),
            "effective_rank": float(effective_rank(each).mean()),
            "spectral_norm": float(each[..., 0].mean()),
        }
        for kind, each in values.items()
    }


def distance(values: Tensor, last: Tensor) -> float:
    """The mean, over layers and heads, of |s - s_last| / |s_last|.

    Args:
        values: ``(layers, heads or 1, values)``.
        last: the same at the end of training.
    """
    size = torch.linalg.vector_norm(last, dim=-1)
    off = torch.linalg.vector_norm(values - last, dim=-1)
    return float((off / torch.where(size > 0, size, 1.0)).mean())


def settling(steps: Sequence[int], distances: Sequence[float], share: float) -> float:
    """When a spectrum has come to stay within a share of the way that it had to go.

    The first time after which every distance is at most ``share`` times the first one, between two
    measures interpolated linearly, as a share of the last step.

    Args:
        steps: of the measures, increasing from 0.
        distances: at these, to the last.
        share: in (0, 1).

    Returns:
        In [0, 1]; 0 if the spectrum did not move.

    Example:
        >>> settling([0, 10, 20], [1.0, 0.5, 0.0], 0.25)
        0.75
    """
    level = share * distances[0]
    for place in range(len(steps) - 1, 0, -1):
        above, below = distances[place - 1], distances[place]
        if above > level:
            part = (above - level) / (above - below) if above > below else 1.0
            found = steps[place - 1] + part * (steps[place] - steps[place - 1])
            return found / steps[-1]
    return 0.0


def _factors(attention: Attention, flat: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Q and K by head, ``(H, d, d_k)`` each, W_V and W_O, from what `weights` copied."""
    config = attention.config
    d, H, G, d_k = config.width, config.heads, config.groups, config.d_k
    sizes = [H * d_k * d, G * d_k * d, G * d_k * d, d * H * d_k]
    q, k, v, o, gains = torch.split(flat, [*sizes, len(flat) - sum(sizes)])
    queries = q.view(H, d_k, d).mT
    if len(gains):
        queries = queries * (gains[:d_k] * gains[d_k:])
    keys = k.view(G, d_k, d).mT.repeat_interleave(H // G, dim=0)
    return queries, keys, v.view(G * d_k, d), o.view(d, H * d_k)
