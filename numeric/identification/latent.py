"""Multi-head latent attention (DeepSeek V2, V3): queries, keys and values through narrow layers.

A token is projected to a latent vector of kv_rank numbers from which all heads make their keys
(without position) and values, and to rope_dim numbers that are rotated and shared as a further part
of every key. Queries come from the token, or from a latent of their own. The latent vectors may be
normalised with a gain (as DeepSeek does) before they are projected up.
"""

from __future__ import annotations

from math import sqrt

import torch
from torch import Tensor, nn

from .attention import rotated


class LatentAttention(nn.Module):
    """One layer of multi-head latent attention.

    Args:
        d_model: width d of the residual stream.
        heads: H.
        kv_rank: width of the latent of keys and values.
        q_rank: width of the queries' latent; None if they come from the token.
        nope_dim: coordinates of a head's query and key that know no position.
        rope_dim: those that are rotated, even; the keys' are shared by all heads.
        value_dim: of a head's value.
        norm: latents are divided by their root mean square (eps = 0).
        norm_gain: and multiplied by a gain.
        rotary_base: of the frequencies ``base^(-2p/rope_dim)``.
        seed: of the weights, which are generic.

    Raises:
        ValueError: sizes that do not fit.

    Example:
        >>> layer = LatentAttention(8, 2, kv_rank=4, nope_dim=2, rope_dim=2, value_dim=3)
        >>> layer(torch.ones(1, 3, 8, dtype=torch.float64)).shape
        torch.Size([1, 3, 8])
    """

    q_gain: nn.Parameter | None
    kv_gain: nn.Parameter | None

    def __init__(
        self,
        d_model: int,
        heads: int,
        *,
        kv_rank: int,
        q_rank: int | None = None,
        nope_dim: int,
        rope_dim: int,
        value_dim: int,
        norm: bool = False,
        norm_gain: bool = False,
        rotary_base: float = 10_000.0,
        seed: int = 0,
        dtype: torch.dtype = torch.float64,
    ) -> None:
        super().__init__()
        sizes = (d_model, heads, kv_rank, nope_dim, value_dim, 1 if q_rank is None else q_rank)
        if norm_gain and not norm:
            raise ValueError("expected norm where there is a norm_gain")
        if min(sizes) < 1 or rope_dim < 0 or rope_dim % 2:
            raise ValueError(f"expected positive sizes and an even rope_dim, found {sizes}")
        self.d_model, self.heads, self.kv_rank, self.norm = d_model, heads, kv_rank, norm
        self.nope_dim, self.rope_dim, self.value_dim = nope_dim, rope_dim, value_dim

        def linear(inputs: int, outputs: int) -> nn.Linear:
            return nn.Linear(inputs, outputs, bias=False, dtype=dtype)

        def gain(size: int | None) -> nn.Parameter | None:
            wanted = norm_gain and size is not None
            return nn.Parameter(torch.ones(size or 0, dtype=dtype)) if wanted else None

        self.q_down = None if q_rank is None else linear(d_model, q_rank)
        self.q_up = linear(d_model if q_rank is None else q_rank, heads * (nope_dim + rope_dim))
        self.kv_down = linear(d_model, kv_rank + rope_dim)
        self.k_up = linear(kv_rank, heads * nope_dim)
        self.v_up = linear(kv_rank, heads * value_dim)
        self.o_proj = linear(heads * value_dim, d_model)
        self.register_parameter("q_gain", gain(q_rank))
        self.register_parameter("kv_gain", gain(kv_rank))
        planes = torch.arange(rope_dim // 2, dtype=dtype)
        self.register_buffer("angles", rotary_base ** (-2 * planes / max(rope_dim, 1)))
        generator = torch.Generator().manual_seed(seed % 2**63)
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                inputs = parameter.shape[-1] if parameter.dim() > 1 else 4
                draw = torch.randn(parameter.shape, generator=generator, dtype=dtype)
                parameter.copy_(draw / sqrt(inputs) + (1 if "gain" in name else 0))

    def log_weights(self, x: Tensor) -> Tensor:
        """The logarithms of the attention weights: (B, n, d) -> (B, H, n, n)."""
        latent, position = self._down(x)  # (B, n, kv_rank), (B, n, rope_dim)
        narrow = x if self.q_down is None else self._normed(self.q_down(x), self.q_gain)
        q = self._split(self.q_up(narrow))  # (B, H, n, nope + rope)
        plain, turning = q[..., : self.nope_dim], q[..., self.nope_dim :]
        k = self._split(self.k_up(latent))  # (B, H, n, nope)
        angles = self.get_buffer("angles")
        shared = rotated(position, angles).unsqueeze(1)  # (B, 1, n, rope)
        scores: Tensor = plain @ k.mT + rotated(turning, angles) @ shared.mT
        return (scores / sqrt(self.nope_dim + self.rope_dim)).log_softmax(-1)

    def mix(self, weights: Tensor, x: Tensor) -> Tensor:
        """What given weights (B, H, n, n) make of the tokens: (B, n, d)."""
        latent, _ = self._down(x)
        v = self._split(self.v_up(latent))  # (B, H, n, value)
        out: Tensor = self.o_proj((weights @ v).transpose(1, 2).flatten(2))
        return out

    def forward(self, x: Tensor) -> Tensor:
        """(B, n, d) -> (B, n, d), without the residual."""
        return self.mix(self.log_weights(x).exp(), x)

    def _down(self, x: Tensor) -> tuple[Tensor, Tensor]:
        both: Tensor = self.kv_down(x)
        return self._normed(both[..., : self.kv_rank], self.kv_gain), both[..., self.kv_rank :]

    def _normed(self, x: Tensor, gain: Tensor | None) -> Tensor:
        if self.norm:
            x = x / x.square().mean(-1, keepdim=True).sqrt()
        return x if gain is None else x * gain

    def _split(self, x: Tensor) -> Tensor:
        return x.reshape(*x.shape[:-1], self.heads, -1).transpose(1, 2)
