"""A decoder one can read in a sitting, with or without feed-forward layers (claims D1 to D6).

Pre-norm residual blocks with RMSNorm, rotary positions, grouped key/value heads and a causal mask.
Without feed-forward layers (``ffn_width = 0``) a block is attention and nothing else. Projections
that read the same input are one matrix, since small products are slow on a processor: one for
queries, keys and values, one for both halves of a gated feed-forward layer.

Attention has three routes to the same function. ``"fused"`` is torch's kernel: the fastest, never
stores the scores, and counts as no operation at all in torch's FLOP counter on a processor.
``"dense"`` multiplies the full n x n scores and masks them. ``"causal"`` multiplies, row by row,
the t + 1 scores that position t may see: what an ideal kernel would have to do. The last two are
there to be counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

Products = Literal["fused", "dense", "causal"]
"""Which matrix products attention makes."""


@dataclass(frozen=True)
class DecoderConfig:
    """The sizes and options of a decoder.

    Args:
        vocabulary: V, symbols.
        context: n, the longest sequence.
        width: d, of the residual stream.
        layers: L.
        heads: H, of queries.
        head_width: d_k, even; by default d / H.
        kv_heads: G, of keys and values, a divisor of H; by default H.
        ffn_width: m, of the hidden layer; 0 for attention only.
        gated: the hidden layer is silu(W_1 x) * (W_2 x), else gelu(W_1 x); only where there is one.
        tied: the embedding is also the output projection.
        biases: on every projection inside the blocks.
        qk_norm: RMSNorm of every query and key, with gains that the heads share.
        residual_gates: each branch is multiplied by a learnt number that begins at 0.

    Raises:
        ValueError: the sizes do not fit together, or there is no feed-forward layer to be gated.

    Example:
        >>> config = DecoderConfig(vocabulary=96, context=128, width=64, layers=4, heads=4)
        >>> config.d_k, config.groups
        (16, 4)
    """

    vocabulary: int
    context: int
    width: int
    layers: int
    heads: int
    head_width: int | None = None
    kv_heads: int | None = None
    ffn_width: int = 0
    gated: bool = False
    tied: bool = True
    biases: bool = False
    qk_norm: bool = False
    residual_gates: bool = False

    def __post_init__(self) -> None:
        """Refuse sizes that make no decoder."""
        for name in ("vocabulary", "context", "width", "heads"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1, found {getattr(self, name)}")
        for name in ("layers", "ffn_width"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}: expected at least 0, found {getattr(self, name)}")
        if self.head_width is None and self.width % self.heads:
            raise ValueError(f"{self.heads} heads do not divide the width {self.width}")
        if self.d_k < 2 or self.d_k % 2:
            raise ValueError(f"rotary positions need an even head width, found {self.d_k}")
        if self.groups < 1 or self.heads % self.groups:
            raise ValueError(f"{self.groups} key/value heads do not divide {self.heads} heads")
        if self.gated and not self.ffn_width:
            raise ValueError(
                "gated: expected a feed-forward layer to be gated, found ffn_width = 0"
            )

    @property
    def d_k(self) -> int:
        """The width of a head."""
        return self.width // self.heads if self.head_width is None else self.head_width

    @property
    def groups(self) -> int:
        """G, the number of key/value heads."""
        return self.heads if self.kv_heads is None else self.kv_heads


class RMSNorm(nn.Module):
    """x / sqrt(mean x^2 + eps), times a gain for each coordinate.

    Args:
        width: of the last axis.
    """

    EPSILON = 1e-6

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        """Normalise the last axis."""
        # Under autocast projections are halves, for which a gain in float32 has no fused kernel.
        return functional.rms_norm(x.to(self.gain.dtype), self.gain.shape, self.gain, self.EPSILON)


class Attention(nn.Module):
    """Causal attention with rotary positions and grouped key/value heads."""

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.config = config
        H, G, d_k = config.heads, config.groups, config.d_k
        self.into = nn.Linear(config.width, (H + 2 * G) * d_k, bias=config.biases)
        self.out = nn.Linear(H * d_k, config.width, bias=config.biases)
        self.query_norm = RMSNorm(d_k) if config.qk_norm else None
        self.key_norm = RMSNorm(d_k) if config.qk_norm else None

    def forward(self, x: Tensor, turn: Tensor, products: Products) -> Tensor:
        """Attend, ``(B, n, d)`` to ``(B, n, d)``; ``turn`` is what `rotations` returns."""
        B, n, _ = x.shape
        H, G, d_k = self.config.heads, self.config.groups, self.config.d_k
        both, v = torch.split(self.into(x).view(B, n, H + 2 * G, d_k), [H + G, G], dim=2)
        if self.query_norm is not None and self.key_norm is not None:
            q, k = torch.split(both, [H, G], dim=2)
            both = torch.cat((self.query_norm(q), self.key_norm(k)), dim=2)
        q, k = torch.split(rotated(both, turn).transpose(1, 2), [H, G], dim=1)  # (B, H, n, d_k)
        v = v.transpose(1, 2)
        if G < H:
            k, v = k.repeat_interleave(H // G, dim=1), v.repeat_interleave(H // G, dim=1)
        mixed = _attend(q, k, v, products).transpose(1, 2).reshape(B, n, H * d_k)
        out: Tensor = self.out(mixed)
        return out


class FeedForward(nn.Module):
    """One hidden layer, gated or not."""

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.gated = config.gated
        hidden = config.ffn_width * (2 if config.gated else 1)
        self.into = nn.Linear(config.width, hidden, bias=config.biases)
        self.out = nn.Linear(config.ffn_width, config.width, bias=config.biases)

    def forward(self, x: Tensor) -> Tensor:
        """Each position by itself."""
        hidden = self.into(x)
        if self.gated:
            gate, value = hidden.chunk(2, dim=-1)
            hidden = functional.silu(gate) * value
        else:
            hidden = functional.gelu(hidden, approximate="tanh")
        out: Tensor = self.out(hidden)
        return out


class Block(nn.Module):
    """x + attention(norm x), and if there is a feed-forward layer x + ffn(norm x)."""

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.attention_norm = RMSNorm(config.width)
        self.attention = Attention(config)
        self.attention_gate = _gate(config)
        with_ffn = config.ffn_width > 0
        self.ffn_norm = RMSNorm(config.width) if with_ffn else None
        self.ffn = FeedForward(config) if with_ffn else None
        self.ffn_gate = _gate(config) if with_ffn else None

    def forward(self, x: Tensor, turn: Tensor, products: Products) -> Tensor:
        """The residual stream after the block, ``(B, n, d)``."""
        x = x + _gated(self.attention(self.attention_norm(x), turn, products), self.attention_gate)
        if self.ffn is not None and self.ffn_norm is not None:
            x = x + _gated(self.ffn(self.ffn_norm(x)), self.ffn_gate)
        return x


class Decoder(nn.Module):
    """A language model: embedding, blocks, norm, output projection.

    Projections begin normal with standard deviation 1/sqrt(inputs), those that write to the
    residual stream smaller by the root of the number of branches, so that the stream's size does
    not depend on the depth.

    Args:
        config: sizes and options.
        generator: of the initial weights; the global one by default.

    Example:
        >>> config = DecoderConfig(vocabulary=5, context=8, width=4, layers=1, heads=2)
        >>> model = Decoder(config, generator=torch.Generator().manual_seed(0))
        >>> tuple(model(torch.zeros(3, 8, dtype=torch.long)).shape)
        (3, 8, 5)
    """

    def __init__(self, config: DecoderConfig, *, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocabulary, config.width)
        self.blocks = nn.ModuleList(Block(config) for _ in range(config.layers))
        self.norm = RMSNorm(config.width)
        self.unembedding = nn.Linear(config.width, config.vocabulary, bias=False)
        if config.tied:
            self.unembedding.weight = self.embedding.weight
        self._initialise(generator)

    def forward(self, tokens: Tensor, *, products: Products = "fused") -> Tensor:
        """Logits ``(B, n, V)`` of the symbols that follow ``tokens``, ``(B, n)``.

        Args:
            tokens: symbols, n at most the context.
            products: by which route.

        Raises:
            ValueError: the sequence is longer than the context, or there is no such route.
        """
        n = tokens.shape[1]
        if n > self.config.context:
            raise ValueError(f"expected at most {self.config.context} tokens, found {n}")
        turn = rotations(n, self.config.d_k, tokens.device)
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, turn, products)
        logits: Tensor = self.unembedding(self.norm(x))
        return logits

    def parameter_count(self) -> int:
        """How many numbers are learnt; tied weights count once."""
        return sum(parameter.numel() for parameter in self.parameters())

    @torch.no_grad()
    def _initialise(self, generator: torch.Generator | None) -> None:
        branches = self.config.layers * (2 if self.config.ffn_width else 1)
        for name, module in self.named_modules():
            if isinstance(module, nn.Linear):
                scale = 1 / math.sqrt(module.in_features)
                if name.endswith(".out"):
                    scale /= math.sqrt(branches)
                module.weight.normal_(0.0, scale, generator=generator)
                if module.bias is not None:
                    module.bias.zero_()
        self.embedding.weight.normal_(0.0, 1 / math.sqrt(self.config.width), generator=generator)


def rotations(n: int, d_k: int, device: torch.device) -> Tensor:
    """The rotary positions as complex numbers e^(i t 10000^(-2j/d_k)), ``(n, 1, d_k/2)``.

    Args:
        n: positions.
        d_k: even.
        device: where they are kept.

    Source: Su et al., arXiv:2104.09864.
    """
    half = d_k // 2
    rates = 10000.0 ** (-torch.arange(half, dtype=torch.float64, device=device) / half)
    angles = torch.arange(n, dtype=torch.float64, device=device)[:, None, None] * rates
    return torch.polar(torch.ones_like(angles), angles)


def rotated(x: Tensor, turn: Tensor) -> Tensor:
    """The vectors ``x``, ``(B, n, heads, d_k)``, turned by their positions.

    Coordinates 2j and 2j + 1 are one complex number: a single product without copies.

    Args:
        x: of any floating type, which is kept.
        turn: what `rotations` returned.
    """
    exact = x if x.dtype is torch.float64 else x.float()
    planes = torch.view_as_complex(exact.view(*x.shape[:-1], -1, 2))
    return torch.view_as_real(planes * turn.to(planes.dtype)).flatten(3).to(x.dtype)


def _attend(q: Tensor, k: Tensor, v: Tensor, products: Products) -> Tensor:
    if products == "fused":
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    n, scale = q.shape[2], 1 / math.sqrt(q.shape[3])
    if products == "dense":
        scores = (q @ k.transpose(2, 3)) * scale  # (B, H, n, n)
        future = torch.ones(n, n, dtype=torch.bool, device=q.device).triu(1)
        return scores.masked_fill(future, -math.inf).softmax(dim=3) @ v
    if products == "causal":
        rows = []
        for t in range(n):
            scores = (q[:, :, t : t + 1] @ k[:, :, : t + 1].transpose(2, 3)) * scale
            rows.append(scores.softmax(dim=3) @ v[:, :, : t + 1])
        return torch.cat(rows, dim=2)
    raise ValueError(f"expected 'fused', 'dense' or 'causal', found {products!r}")


def _gate(config: DecoderConfig) -> nn.Parameter | None:
    return nn.Parameter(torch.zeros(())) if config.residual_gates else None


def _gated(branch: Tensor, gate: nn.Parameter | None) -> Tensor:
    return branch if gate is None else gate * branch
