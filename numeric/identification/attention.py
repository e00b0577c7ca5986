"""Attention in every variant whose parameters are counted (claims C1 to C7), as one torch module.

One layer with what may stand between the projections and the scores, in this order: projection,
bias, RMS norm of each head (eps = 0), its gain, rotation. Before them a table of positions may be
added and the input normalised. Nothing is fused: the module is there to
be read, differentiated and trained at small sizes. Two readings are kept apart because the counts
are: `log_weights` sees W_Q and W_K only, `mix` sees W_V and W_O only; `forward` is both.

Rotations are laid out as in Llama: with r rotated coordinates, coordinate p and p + r/2 make plane
p, turned at position t by t times the frequency of p.
"""

from __future__ import annotations

from collections.abc import Collection
from math import sqrt
from typing import Literal

import torch
from torch import Tensor, nn

Frequencies = Literal["distinct", "equal"]
InputNorm = Literal["none", "rms", "layer"]
PROJECTIONS = ("q", "k", "v", "o")


class Attention(nn.Module):
    """One attention layer: multi-head, grouped or multi-query.

    Args:
        d_model: width d of the residual stream.
        heads: H query heads.
        kv_heads: G key/value heads, a divisor of H; H by default.
        head_dim: d_k; d/H by default, but any positive number does.
        rotary_dim: how many coordinates of a head are rotated, even.
        frequencies: those of the planes: ``base^(-2p/r)``, or all 1.
        rotary_base: the base of the frequencies.
        alibi: a slope per head times the distance is subtracted from the scores.
        bias: which projections have one: among "q", "k", "v", "o".
        qk_norm: queries and keys of each head are divided by their root mean square.
        qk_norm_gain: and multiplied by a gain, one vector for all queries and one for all keys.
        input_norm: what the input passes through first: nothing, a division by its root mean square
            ("rms"), or that after its mean is subtracted ("layer").
        input_norm_gain: and a gain for each of the d coordinates.
        input_norm_bias: and a bias for each of them ("layer" only).
        positions: rows of a table that is added to the input before the norm; 0 for none.
        sink: the softmax has a further logit 0, so that the weights sum to less than one.
        tied: W_K is W_Q (and b_K is b_Q).
        causal: a token attends to itself and what is before it.
        seed: of the initial weights, normal with variance 1/(inputs).

    Raises:
        ValueError: sizes that do not fit.

    Example:
        >>> layer = Attention(6, 2, head_dim=8, dtype=torch.float64)
        >>> sum(p.numel() for p in layer.parameters())
        384
        >>> layer(torch.ones(1, 3, 6, dtype=torch.float64)).shape
        torch.Size([1, 3, 6])
    """

    q_gain: nn.Parameter | None
    k_gain: nn.Parameter | None
    input_gain: nn.Parameter | None
    input_bias: nn.Parameter | None
    table: nn.Parameter | None

    def __init__(
        self,
        d_model: int,
        heads: int,
        *,
        kv_heads: int | None = None,
        head_dim: int | None = None,
        rotary_dim: int = 0,
        frequencies: Frequencies = "distinct",
        rotary_base: float = 10_000.0,
        alibi: bool = False,
        bias: Collection[str] = (),
        qk_norm: bool = False,
        qk_norm_gain: bool = False,
        input_norm: InputNorm = "none",
        input_norm_gain: bool = False,
        input_norm_bias: bool = False,
        positions: int = 0,
        sink: bool = False,
        tied: bool = False,
        causal: bool = False,
        seed: int = 0,
        dtype: torch.dtype = torch.float64,
    ) -> None:
        super().__init__()
        self.heads, self.kv_heads = heads, heads if kv_heads is None else kv_heads
        if min(d_model, heads, self.kv_heads) < 1 or heads % self.kv_heads:
            found = f"d = {d_model}, H = {heads}, G = {kv_heads}"
            raise ValueError(f"expected positive sizes and G a divisor of H, found {found}")
        if head_dim is None and d_model % heads:
            raise ValueError(f"expected a head_dim, or d divisible by H, found {d_model}, {heads}")
        self.head_dim = d_model // heads if head_dim is None else head_dim
        if self.head_dim < 1 or rotary_dim % 2 or not 0 <= rotary_dim <= self.head_dim:
            found = f"d_k = {self.head_dim}, r = {rotary_dim}"
            raise ValueError(f"expected d_k >= 1 and an even r in [0, d_k], found {found}")
        if frequencies not in ("distinct", "equal"):
            raise ValueError(f"expected frequencies 'distinct' or 'equal', found {frequencies!r}")
        if unknown := set(bias) - set(PROJECTIONS):
            raise ValueError(f"expected biases among q, k, v, o, found {sorted(unknown)}")
        if qk_norm_gain and not qk_norm:
            raise ValueError("expected qk_norm where there is a qk_norm_gain")
        if input_norm not in ("none", "rms", "layer"):
            raise ValueError(f"expected input_norm none, rms or layer, found {input_norm!r}")
        if input_norm_gain and input_norm == "none":
            raise ValueError("expected an input_norm where there is an input_norm_gain")
        if input_norm_bias and input_norm != "layer":
            raise ValueError("expected input_norm layer where there is an input_norm_bias")
        if positions < 0:
            raise ValueError(f"expected positions >= 0, found {positions}")
        if tied and (self.kv_heads != heads or ("q" in bias) != ("k" in bias)):
            raise ValueError("expected as many key heads as query heads, and the same biases")
        self.d_model, self.rotary_dim = d_model, rotary_dim
        self.alibi, self.qk_norm, self.causal, self.tied = alibi, qk_norm, causal, tied
        self.input_norm, self.sink = input_norm, sink
        rows, shared = heads * self.head_dim, self.kv_heads * self.head_dim

        def linear(name: str, inputs: int, outputs: int) -> nn.Linear:
            return nn.Linear(inputs, outputs, bias=name in bias, dtype=dtype)

        self.q_proj = linear("q", d_model, rows)
        self.k_proj = self.q_proj if tied else linear("k", d_model, shared)
        self.v_proj = linear("v", d_model, shared)
        self.o_proj = linear("o", rows, d_model)
        gains = {"q_gain": qk_norm_gain, "k_gain": qk_norm_gain}
        for name, wanted in gains.items():
            self.register_parameter(name, _gain(self.head_dim, dtype) if wanted else None)
        gain = _gain(d_model, dtype) if input_norm_gain else None
        table = nn.Parameter(torch.zeros(positions, d_model, dtype=dtype)) if positions else None
        self.register_parameter("input_gain", gain)
        shift = nn.Parameter(torch.zeros(d_model, dtype=dtype)) if input_norm_bias else None
        self.register_parameter("input_bias", shift)
        self.register_parameter("table", table)
        planes = torch.arange(rotary_dim // 2, dtype=dtype)
        even = torch.ones_like(planes)
        spread = rotary_base ** (-2 * planes / max(rotary_dim, 1))
        self.register_buffer("angles", spread if frequencies == "distinct" else even)
        self.reset(seed)

    def reset(self, seed: int) -> None:
        """Draw all parameters again; gains and biases too, so that the point is generic.

        Args:
            seed: of the draw.
        """
        generator = torch.Generator().manual_seed(seed % 2**63)
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                inputs = parameter.shape[-1] if parameter.dim() > 1 else 4
                draw = torch.randn(parameter.shape, generator=generator, dtype=parameter.dtype)
                parameter.copy_(draw / sqrt(inputs) + (1 if "gain" in name else 0))

    def log_weights(self, x: Tensor) -> Tensor:
        """The logarithms of the attention weights: (B, n, d) -> (B, H, n, n), -inf where masked."""
        x = self._normalised(x)
        q = self._split(self.q_proj(x), self.heads)  # (B, H, n, d_k)
        k = self._split(self.k_proj(x), self.kv_heads)  # (B, G, n, d_k)
        q, k = self._between(q, self.q_gain), self._between(k, self.k_gain)
        scores = q @ self._shared(k).mT / sqrt(self.head_dim)  # (B, H, n, n)
        n = x.shape[-2]
        at = torch.arange(n, dtype=x.dtype)
        if self.alibi:
            slopes = 2.0 ** (-8 * torch.arange(1, self.heads + 1, dtype=x.dtype) / self.heads)
            scores = scores - slopes[:, None, None] * (at[:, None] - at).abs()
        if self.causal:
            scores = scores.masked_fill(at[:, None] < at, -torch.inf)
        total = scores.logsumexp(-1, keepdim=True)
        return scores - (nn.functional.softplus(total) if self.sink else total)

    def mix(self, weights: Tensor, x: Tensor) -> Tensor:
        """What given weights (B, H, n, n) make of the tokens: (B, n, d).

        Args:
            weights: of any origin: W_Q and W_K are not read.
            x: the tokens, (B, n, d).
        """
        x = self._normalised(x)
        v = self._shared(self._split(self.v_proj(x), self.kv_heads))  # (B, H, n, d_k)
        mixed = (weights @ v).transpose(1, 2).flatten(2)  # (B, n, H d_k)
        out: Tensor = self.o_proj(mixed)
        return out

    def forward(self, x: Tensor) -> Tensor:
        """(B, n, d) -> (B, n, d), without the residual."""
        return self.mix(self.log_weights(x).exp(), x)

    def _normalised(self, x: Tensor) -> Tensor:
        if self.table is not None:
            x = x + self.table[: x.shape[-2]]
        x = normalised(x, self.input_norm)
        if self.input_gain is not None:
            x = x * self.input_gain
        return x if self.input_bias is None else x + self.input_bias

    def _split(self, x: Tensor, heads: int) -> Tensor:
        return x.reshape(*x.shape[:-1], heads, self.head_dim).transpose(1, 2)

    def _shared(self, x: Tensor) -> Tensor:
        """Each key/value head as often as query heads share it: (B, G, n, d_k) -> (B, H, ...)."""
        return x.repeat_interleave(self.heads // self.kv_heads, dim=1)

    def _between(self, x: Tensor, gain: Tensor | None) -> Tensor:
        """Norm, gain and rotation: what stands between a projection and the scores."""
        if self.qk_norm:
            x = _rms(x)
        if gain is not None:
            x = x * gain
        return rotated(x, self.get_buffer("angles"))


def rotated(x: Tensor, angles: Tensor) -> Tensor:
    """Rotary positions: plane p of the token at position t turns by ``t * angles[p]``.

    Args:
        x: (..., n, d_k): coordinates p and p + len(angles) make plane p, the rest stays.
        angles: (r/2,).

    Example:
        >>> quarter = torch.tensor([torch.pi / 2], dtype=torch.float64)
        >>> rotated(torch.tensor([[1.0, 0.0], [1.0, 0.0]], dtype=torch.float64), quarter).round()
        tensor([[1., 0.],
                [0., 1.]], dtype=torch.float64)
    """
    half = len(angles)
    if not half:
        return x
    turn = torch.arange(x.shape[-2], dtype=x.dtype)[:, None] * angles  # (n, r/2)
    first, second, rest = x[..., :half], x[..., half : 2 * half], x[..., 2 * half :]
    cos, sin = turn.cos(), turn.sin()
    return torch.cat((first * cos - second * sin, first * sin + second * cos, rest), -1)


def normalised(x: Tensor, norm: InputNorm) -> Tensor:
    """The last axis as it is, divided by its root mean square, or that after its mean is taken off.

    Args:
        x: (..., d).
        norm: ``"none"``, ``"rms"`` or ``"layer"``; without an eps, so that a zero vector gives nan.

    Example:
        >>> normalised(torch.tensor([3.0, 1.0]), "layer")
        tensor([ 1., -1.])
    """
    if norm == "layer":
        x = x - x.mean(-1, keepdim=True)
    return x if norm == "none" else _rms(x)


def _rms(x: Tensor) -> Tensor:
    return x / x.square().mean(-1, keepdim=True).sqrt()


def _gain(size: int, dtype: torch.dtype) -> nn.Parameter:
    return nn.Parameter(torch.ones(size, dtype=dtype))
