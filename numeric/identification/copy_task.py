"""The copy task: a few random tokens, a separator, and the same tokens again.

One layer of attention solves it, since the token to write stands a fixed distance back. Small and
in float64, because shares of 1e-20 are to be told from zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import torch
from torch import Tensor, nn

from .attention import Attention
from .factors import QueryKey


@dataclass(frozen=True)
class Layer:
    """The attention of the model.

    Args:
        heads: H.
        kv_heads: G.
        rotated: rotary positions on all coordinates.
        bias: of queries and keys.
    """

    heads: int
    kv_heads: int
    rotated: bool = False
    bias: bool = False


class CopyModel(nn.Module):
    """Embedding, learned positions, one causal attention layer with residual, unembedding.

    Args:
        d: width.
        layer: of the attention.
        tokens: V, the separator not counted.
        length: of what is copied.
        seed: of the weights.
    """

    def __init__(self, d: int, layer: Layer, *, tokens: int, length: int, seed: int) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)

        def drawn(rows: int, width: int) -> nn.Parameter:
            draw = torch.randn(rows, width, generator=generator, dtype=torch.float64)
            return nn.Parameter(draw / sqrt(width))

        self.embedding, self.positions = drawn(tokens + 1, d), drawn(2 * length, d)
        self.unembedding = drawn(tokens + 1, d)
        options: dict[str, Any] = {"bias": "qk"} if layer.bias else {}
        self.attention = Attention(
            d,
            layer.heads,
            kv_heads=layer.kv_heads,
            rotary_dim=d // layer.heads if layer.rotated else 0,
            causal=True,
            seed=seed,
            **options,
        )
        self.pair = QueryKey(
            self.attention.q_proj,
            self.attention.k_proj,
            layer.heads,
            layer.kv_heads,
            rotary_dim=self.attention.rotary_dim,
        )

    def forward(self, tokens: Tensor) -> Tensor:
        """(B, n) -> logits (B, n, V + 1)."""
        x = self.embedding[tokens] + self.positions[: tokens.shape[1]]  # (B, n, d)
        x = x + self.attention(x)
        logits: Tensor = x @ self.unembedding.T
        return logits


def sequences(count: int, *, tokens: int, length: int, generator: torch.Generator) -> Tensor:
    """Sequences (count, 2 length + 1): the tokens, the separator 0, the tokens again.

    Args:
        count: B.
        tokens: V; they are 1..V.
        length: of what is copied.
        generator: of the draw.

    Example:
        >>> made = sequences(1, tokens=3, length=2, generator=torch.Generator().manual_seed(0))
        >>> bool((made[0, :2] == made[0, 3:]).all()), int(made[0, 2])
        (True, 0)
    """
    first = torch.randint(1, tokens + 1, (count, length), generator=generator)
    return torch.cat((first, first.new_zeros(count, 1), first), 1)


def copy_loss(model: nn.Module, made: Tensor) -> Tensor:
    """The mean cross-entropy of the second half.

    Args:
        model: gives logits (B, n, V + 1).
        made: what `sequences` returned.

    Returns:
        (), in nats.
    """
    length = made.shape[1] // 2
    logits = model(made[:, :-1])[:, length:]  # (B, length, V + 1)
    return nn.functional.cross_entropy(logits.flatten(0, 1), made[:, length + 1 :].flatten())
