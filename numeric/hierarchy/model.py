"""The transformer of the experiments: causal, pre-LN, with everything open to hooks (claim F3).

Softmax is a module of its own. A pre-hook on it sees the scores, a hook the weights, so that what
`interventions` does here it does to any model whose attention has such a module. Blocks return the
residual stream. ReLU instead of GELU: but for LayerNorm and softmax all is rational, hence easy to
enclose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class ModelSettings:
    """The size of the model.

    Args:
        width: d.
        layers: L.
        heads: H, a divisor of d.
        factor: neurons of a feed-forward layer, in units of d.

    Raises:
        ValueError: a size below 1, or heads that do not divide d.
    """

    width: int = 48
    layers: int = 2
    heads: int = 1
    factor: int = 4

    def __post_init__(self) -> None:
        """Refuse sizes that fit no model."""
        if min(self.width, self.layers, self.heads, self.factor) < 1 or self.width % self.heads:
            raise ValueError(f"expected sizes >= 1 and a number of heads that divides d: {self}")


class Attention(nn.Module):
    """Causal attention of H heads."""

    def __init__(self, settings: ModelSettings) -> None:
        """Draw the weights."""
        super().__init__()
        d, self.heads = settings.width, settings.heads
        self.query, self.key, self.value, self.output = (nn.Linear(d, d) for _ in range(4))
        self.softmax = nn.Softmax(dim=-1)

    def forward(self, x: Tensor) -> Tensor:
        """``(B, T, d)`` -> ``(B, T, d)``."""
        B, T, d = x.shape
        q, k, v = (
            part(x).view(B, T, self.heads, -1).transpose(1, 2)  # (B, H, T, d_k)
            for part in (self.query, self.key, self.value)
        )
        scores = q @ k.transpose(2, 3) / math.sqrt(d // self.heads)  # (B, H, T, T)
        future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
        weights = self.softmax(scores.masked_fill(future, -torch.inf))
        found: Tensor = self.output((weights @ v).transpose(1, 2).reshape(B, T, d))
        return found


class Block(nn.Module):
    """Attention and a feed-forward layer, each added to the residual stream."""

    def __init__(self, settings: ModelSettings) -> None:
        """Draw the weights."""
        super().__init__()
        d = settings.width
        self.norm1, self.norm2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attention = Attention(settings)
        self.up, self.down = nn.Linear(d, settings.factor * d), nn.Linear(settings.factor * d, d)

    def forward(self, x: Tensor) -> Tensor:
        """``(B, T, d)`` -> ``(B, T, d)``."""
        x = x + self.attention(self.norm1(x))
        return x + self.down(self.up(self.norm2(x)).relu())  # type: ignore[no-any-return]


class Transformer(nn.Module):
    """Next-symbol logits with learned positions.

    Args:
        symbols: S.
        length: T, the longest sequence.
        settings: of the size.
        seed: of the initial weights.

    Example:
        >>> model = Transformer(9, 16, ModelSettings(width=8), seed=0)
        >>> model(torch.zeros(2, 5, dtype=torch.long)).shape
        torch.Size([2, 5, 9])
    """

    def __init__(self, symbols: int, length: int, settings: ModelSettings, *, seed: int) -> None:
        """Draw the weights, without a trace in the global generator."""
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.embedding = nn.Embedding(symbols, settings.width)
            self.positions = nn.Embedding(length, settings.width)
            self.blocks = nn.ModuleList(Block(settings) for _ in range(settings.layers))
            self.norm = nn.LayerNorm(settings.width)
            self.unembedding = nn.Linear(settings.width, symbols)
        for table in (self.embedding, self.positions):
            with torch.no_grad():
                table.weight.mul_(0.1)  # small beside what the first block adds

    @property
    def layers(self) -> list[Block]:
        """The blocks."""
        return [block for block in self.blocks if isinstance(block, Block)]

    def start(self, tokens: Tensor) -> Tensor:
        """``(B, T)`` -> ``(B, T, d)``: the residual stream before the first block."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        found: Tensor = self.embedding(tokens) + self.positions(places)
        return found

    def forward(self, tokens: Tensor) -> Tensor:
        """``(B, T)`` -> ``(B, T, S)``."""
        x = self.start(tokens)
        for block in self.blocks:
            x = block(x)
        found: Tensor = self.unembedding(self.norm(x))
        return found


def rounded(model: Transformer, bits: int) -> None:
    """Round every weight to a multiple of 2^-bits, in place.

    What is measured and what is certified is then one and the same model, whose weights are short
    dyadic rationals.

    Args:
        model: is changed.
        bits: after the binary point.

    Raises:
        ValueError: a weight that float32 does not hold at this precision.
    """
    scale = 2.0**bits
    with torch.no_grad():
        for weight in model.parameters():
            grid = (weight.double() * scale).round()
            if grid.abs().max() >= 2**24:
                raise ValueError(f"a weight of {float(weight.abs().max()):.3g} with {bits} bits")
            weight.copy_(grid / scale)
