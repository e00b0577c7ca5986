"""Attention heads and Nadaraya-Watson estimators in torch (claims B1, B2).

Two ways to the same numbers: softmax of inner products, and a Gaussian kernel of distances with
prior weights exp(|k|^2/2 tau). Both subtract the largest exponent before exponentiating. The
exponents of the second are sums of squares that cancel, so that its error grows with
|q|^2 + |k|^2 and not with <q, k>: `weights_error` bounds both.
"""

from __future__ import annotations

import torch
from torch import Tensor

ROUNDOFF = 2.0**-53


def attention_weights(query: Tensor, keys: Tensor, *, tau: float = 1.0) -> Tensor:
    """The weights softmax(<q, k_j>/tau), (..., N).

    Args:
        query: (..., d).
        keys: (..., N, d).
        tau: the temperature, > 0.

    Raises:
        ValueError: a temperature that is not positive, no key, or other shapes.

    Example:
        >>> attention_weights(torch.zeros(2), torch.ones(4, 2)).tolist()
        [0.25, 0.25, 0.25, 0.25]
    """
    _require(query, keys, tau)
    scores = (keys @ query.unsqueeze(-1)).squeeze(-1) / tau  # (..., N)
    return torch.softmax(scores, -1)


def kernel_weights(query: Tensor, keys: Tensor, *, tau: float = 1.0, priors: bool = True) -> Tensor:
    """The Nadaraya-Watson weights of the kernel exp(-|q - k|^2/2 tau), (..., N).

    Args:
        query: (..., d).
        keys: (..., N, d).
        tau: the squared bandwidth, > 0.
        priors: whether key j has the prior weight exp(|k_j|^2/2 tau).

    Raises:
        ValueError: as for `attention_weights`.

    Example:
        >>> kernel_weights(torch.zeros(1), torch.tensor([[1.0], [-1.0]]), priors=False).tolist()
        [0.5, 0.5]
    """
    _require(query, keys, tau)
    exponents = -(keys - query.unsqueeze(-2)).square().sum(-1)  # (..., N)
    if priors:
        exponents = exponents + keys.square().sum(-1)
    return torch.softmax(exponents / (2 * tau), -1)


def weights_error(query: Tensor, keys: Tensor, *, tau: float = 1.0) -> Tensor:
    """A bound on how far the float64 weights of either function are from the exact ones, (...,).

    Every exponent is a sum of 2 d + 1 terms at most (|q| + |k_j|)^2/tau in all, so that it errs by
    (2 d + 6) u times that; the weights, at most 1, then err by twice that and (N + 8) u for exp,
    sum and quotient. Twice the sum covers the terms of second order for exponents below 2^40.

    Args:
        query: (..., d).
        keys: (..., N, d).
        tau: the temperature, positive.
    """
    d, N = keys.shape[-1], keys.shape[-2]
    reach = query.norm(dim=-1) + keys.norm(dim=-1).amax(-1)  # (...,)
    bound: Tensor = 2 * ROUNDOFF * (2 * (2 * d + 6) * reach.square() / tau + N + 8)
    return bound


def head_average(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    frames: Tensor,
    *,
    tau: float = 1.0,
    kernel: bool = False,
) -> Tensor:
    """The uniform average of H heads, each on its own projected coordinates, (d_v,).

    Args:
        query: (d,).
        keys: (N, d).
        values: (H, N, d_v).
        frames: P_h, (H, d, d_k).
        tau: the temperature.
        kernel: by kernel regression with priors instead of softmax.

    Example:
        >>> eye = torch.eye(2, dtype=torch.float64)
        >>> frames = eye.reshape(2, 2, 1)
        >>> head_average(eye[0], eye, torch.ones(2, 2, 3), frames).tolist()
        [1.0, 1.0, 1.0]
    """
    seen = frames.mT @ query  # (H, d_k)
    shown = keys @ frames  # (H, N, d_k)
    weights = (kernel_weights if kernel else attention_weights)(seen, shown, tau=tau)  # (H, N)
    each: Tensor = (weights.to(values.dtype).unsqueeze(-1) * values).sum(-2)  # (H, d_v)
    return each.mean(0)


def _require(query: Tensor, keys: Tensor, tau: float) -> None:
    if not tau > 0:
        raise ValueError(f"expected a positive temperature, found {tau}")
    if keys.dim() < 2 or keys.shape[-2] < 1 or keys.shape[-1] != query.shape[-1]:
        raise ValueError(
            f"expected keys (..., N, d), N >= 1, and a query (..., d), found {tuple(keys.shape)} "
            f"and {tuple(query.shape)}"
        )
