"""A small modern decoder, with or without feed-forward layers (claims D1 to D6).

Pre-norm blocks: x + gate * attention(norm(x)), then, unless the model is attention-only, x + gate *
ffn(norm(x)). Every option that changes a parameter count stands in `DecoderConfig`; the count
itself is nowhere in this file, because `symbolic.attention_only` states it on its own and the two
are compared.

Attention is computed in one of three ways, which agree up to rounding:

* ``sdpa``: torch's fused kernel, for training;
* ``matmul``: the n x n scores by two explicit products and a mask. Torch's FLOP counter sees these
  products, masked or not; of the fused kernel it counts nothing on a CPU;
* ``rows``: one query after another against the keys before it, so that the products have exactly
  the entries that a causal model needs. Slow: it exists to be counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

Kernel = Literal["sdpa", "matmul", "rows"]
BIASES = ("q", "k", "v", "o", "ffn")


@dataclass(frozen=True, kw_only=True)
class DecoderConfig:
    """The sizes and options of a decoder.

    Args:
        vocabulary: V symbols.
        context: the longest sequence; it counts where positions are learned.
        d_model: width d of the residual stream.
        layers: L blocks.
        heads: H query heads.
        kv_heads: G key/value heads, a divisor of H; H by default.
        head_dim: d_k; d/H by default.
        ffn: width of the hidden layer; 0 for an attention-only decoder.
        gated: the feed-forward layer is down(silu(gate x) * up x) instead of down(gelu(up x)).
        bias: which linear maps have one: among "q", "k", "v", "o", "ffn".
        norm: RMSNorm with a gain, or LayerNorm with gain and bias.
        qk_norm: RMSNorm of the queries and keys of each head, with one gain of d_k for each.
        residual_gates: one learned number for each residual branch, 0 at the start (ReZero).
        tied: the output projection is the embedding.
        positions: rotations, a learned table, or none.
        causal: a token attends to itself and what is before it.

    Raises:
        ValueError: sizes that do not fit.

    Example:
        >>> DecoderConfig(vocabulary=96, context=128, d_model=64, layers=4, heads=4, ffn=256).d_k
        16
    """

    vocabulary: int
    context: int
    d_model: int
    layers: int
    heads: int
    kv_heads: int | None = None
    head_dim: int | None = None
    ffn: int = 0
    gated: bool = False
    bias: tuple[str, ...] = ()
    norm: Literal["rms", "layer"] = "rms"
    qk_norm: bool = False
    residual_gates: bool = False
    tied: bool = True
    positions: Literal["rope", "learned", "none"] = "rope"
    causal: bool = True

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit."""
        for name in ("vocabulary", "context", "d_model", "layers", "heads"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be positive, found {getattr(self, name)}")
        if self.ffn < 0:
            raise ValueError(f"ffn must not be negative, found {self.ffn}")
        if self.groups < 1 or self.heads % self.groups:
            raise ValueError(f"kv_heads must divide {self.heads} heads, found {self.kv_heads}")
        if self.head_dim is None and self.d_model % self.heads:
            raise ValueError(f"{self.heads} heads do not divide d_model {self.d_model}")
        if self.d_k < 1:
            raise ValueError(f"head_dim must be positive, found {self.head_dim}")
        if unknown := set(self.bias) - set(BIASES):
            raise ValueError(f"bias among {BIASES}, found {sorted(unknown)}")

    @property
    def groups(self) -> int:
        """The number G of key/value heads."""
        return self.heads if self.kv_heads is None else self.kv_heads

    @property
    def d_k(self) -> int:
        """The dimension of a head."""
        return self.d_model // self.heads if self.head_dim is None else self.head_dim


class Decoder(nn.Module):
    """Embedding, L blocks, norm, output projection.

    Args:
        config: sizes and options.
        kernel: how attention is computed.
        seed: of the initial weights: normal with deviation 0.02, those of the maps that write into
            the residual stream divided by the root of the number of branches.

    Example:
        >>> config = DecoderConfig(vocabulary=5, context=8, d_model=6, layers=2, heads=2)
        >>> model = Decoder(config, kernel="matmul")
        >>> model(torch.zeros(3, 8, dtype=torch.long)).shape
        torch.Size([3, 8, 5])
    """

    def __init__(self, config: DecoderConfig, *, kernel: Kernel = "sdpa", seed: int = 0) -> None:
        """Draw the weights."""
        super().__init__()
        c, d = config, config.d_model
        self.config = c
        self.embedding = nn.Embedding(c.vocabulary, d)
        self.positions = nn.Embedding(c.context, d) if c.positions == "learned" else None
        self.blocks = nn.ModuleList(Block(c, kernel) for _ in range(c.layers))
        self.norm = _norm(c)
        self.output = None if c.tied else nn.Linear(d, c.vocabulary, bias=False)
        self._draw(seed)

    def forward(self, tokens: Tensor) -> Tensor:
        """Logits [B, n, V] of tokens [B, n]."""
        n = tokens.shape[1]
        if n > self.config.context:
            raise ValueError(f"at most {self.config.context} tokens, found {n}")
        x = self.embedding(tokens)  # (B, n, d)
        if self.positions is not None:
            x = x + self.positions(torch.arange(n, device=tokens.device))
        turn = rotation(n, self.config.d_k, x.device) if self.config.positions == "rope" else None
        for block in self.blocks:
            x = block(x, turn)
        weight = self.embedding.weight if self.output is None else self.output.weight
        return functional.linear(self.norm(x), weight)  # (B, n, V)

    def loss(self, tokens: Tensor, targets: Tensor) -> Tensor:
        """Mean cross-entropy in nats of targets [B, n] after tokens [B, n]."""
        return functional.cross_entropy(self(tokens).flatten(0, 1).float(), targets.flatten())

    @torch.no_grad()
    def _draw(self, seed: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        branches = self.config.layers * (2 if self.config.ffn else 1)
        for name, parameter in self.named_parameters():
            if parameter.ndim == 2:
                writes = name.endswith(("attention.o.weight", "ffn.down.weight"))
                deviation = 0.02 / sqrt(branches) if writes else 0.02
                parameter.normal_(0.0, deviation, generator=generator)
            elif name.endswith(".bias"):
                parameter.zero_()


class Block(nn.Module):
    """Attention and, unless there is none, a feed-forward layer, each on its residual branch."""

    def __init__(self, config: DecoderConfig, kernel: Kernel) -> None:
        """Make the branches."""
        super().__init__()
        self.attention_norm = _norm(config)
        self.attention = Attention(config, kernel)
        self.ffn_norm = _norm(config) if config.ffn else None
        self.ffn = FeedForward(config) if config.ffn else None
        branches = 2 if config.ffn else 1
        self.gates = nn.Parameter(torch.zeros(branches)) if config.residual_gates else None

    def forward(self, x: Tensor, turn: Tensor | None) -> Tensor:
        """Map [B, n, d] to [B, n, d]."""
        y = self.attention(self.attention_norm(x), turn)
        x = x + (y if self.gates is None else self.gates[0] * y)
        if self.ffn is None or self.ffn_norm is None:
            return x
        y = self.ffn(self.ffn_norm(x))
        return x + (y if self.gates is None else self.gates[1] * y)


class Attention(nn.Module):
    """H query heads on G key/value heads."""

    def __init__(self, config: DecoderConfig, kernel: Kernel) -> None:
        """Make the projections."""
        super().__init__()
        c, d, d_k = config, config.d_model, config.d_k
        self.config, self.kernel = c, kernel
        self.q = nn.Linear(d, c.heads * d_k, bias="q" in c.bias)
        self.k = nn.Linear(d, c.groups * d_k, bias="k" in c.bias)
        self.v = nn.Linear(d, c.groups * d_k, bias="v" in c.bias)
        self.o = nn.Linear(c.heads * d_k, d, bias="o" in c.bias)
        self.q_norm = nn.RMSNorm(d_k) if c.qk_norm else None
        self.k_norm = nn.RMSNorm(d_k) if c.qk_norm else None

    def forward(self, x: Tensor, turn: Tensor | None) -> Tensor:
        """Map [B, n, d] to [B, n, d]; turn [2, n, r] holds cosines and sines of the positions."""
        B, n, _ = x.shape
        q, k, v = (
            linear(x).view(B, n, -1, self.config.d_k).transpose(1, 2)
            for linear in (self.q, self.k, self.v)
        )  # (B, H, n, d_k), (B, G, n, d_k), (B, G, n, d_k)
        if self.q_norm is not None and self.k_norm is not None:
            q, k = self.q_norm(q), self.k_norm(k)
        if turn is not None:
            q, k = rotate(q, turn), rotate(k, turn)
        y = self._mix(q, k, v)  # (B, H, n, d_k)
        return torch.as_tensor(self.o(y.transpose(1, 2).reshape(B, n, -1)))

    def _mix(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        causal = self.config.causal
        if self.kernel == "sdpa":
            grouped = q.shape[1] != k.shape[1]
            return functional.scaled_dot_product_attention(
                q, k, v, is_causal=causal, enable_gqa=grouped
            )
        B, H, n, d_k = q.shape
        q = q.reshape(B, k.shape[1], -1, n, d_k) / sqrt(d_k)  # (B, G, H/G, n, d_k)
        k, v = k.unsqueeze(2), v.unsqueeze(2)  # (B, G, 1, n, d_k)
        if self.kernel == "rows" and causal:
            rows = [
                _weights(q[..., t : t + 1, :], k[..., : t + 1, :]) @ v[..., : t + 1, :]
                for t in range(n)
            ]
            return torch.cat(rows, dim=-2).reshape(B, H, n, d_k)
        mask = torch.ones(n, n, dtype=torch.bool, device=q.device).triu(1) if causal else None
        return (_weights(q, k, mask) @ v).reshape(B, H, n, d_k)


class FeedForward(nn.Module):
    """One hidden layer."""

    def __init__(self, config: DecoderConfig) -> None:
        """Make the maps."""
        super().__init__()
        d, f, bias = config.d_model, config.ffn, "ffn" in config.bias
        self.gate = nn.Linear(d, f, bias=bias) if config.gated else None
        self.up = nn.Linear(d, f, bias=bias)
        self.down = nn.Linear(f, d, bias=bias)

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, n, d] to [B, n, d]."""
        hidden = self.up(x)  # (B, n, f)
        hidden = (
            functional.gelu(hidden) if self.gate is None else functional.silu(self.gate(x)) * hidden
        )
        return torch.as_tensor(self.down(hidden))


def rotation(n: int, d_k: int, device: torch.device, *, base: float = 10000.0) -> Tensor:
    """Cosines and sines [2, n, r] of t base^(-p/r) for the r = floor(d_k/2) planes of a head."""
    planes = d_k // 2
    frequencies = base ** (-torch.arange(planes, device=device, dtype=torch.float64) / planes)
    angles = torch.arange(n, device=device, dtype=torch.float64).outer(frequencies)
    return torch.stack((angles.cos(), angles.sin()))


def rotate(x: Tensor, turn: Tensor) -> Tensor:
    """Turn coordinates p and p + r of [..., n, d_k] by the angles; an odd last one stays."""
    r = turn.shape[-1]
    cos, sin = turn.to(x.dtype)  # (n, r)
    a, b, rest = x[..., :r], x[..., r : 2 * r], x[..., 2 * r :]
    return torch.cat((a * cos - b * sin, a * sin + b * cos, rest), dim=-1)


def _weights(q: Tensor, k: Tensor, mask: Tensor | None = None) -> Tensor:
    """Softmax of the scores [..., n, m], masked entries left out."""
    scores = q @ k.transpose(-2, -1)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    return scores.softmax(dim=-1)


def _norm(config: DecoderConfig) -> nn.Module:
    d = config.d_model
    return nn.RMSNorm(d) if config.norm == "rms" else nn.LayerNorm(d)
