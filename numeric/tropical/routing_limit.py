"""A3, tropical.routing-limit, in floats: softmax weights and how fast they become the limit law.

With m scores at the maximum and Delta the distance to the next one below, the mass outside the
argmax set is T/(m + T), T = sum over the others of exp(-(max s - s_j)/tau), and
T <= (N - m) exp(-Delta/tau): with rho = (N - m)/m exp(-Delta/tau) the total variation distance to
the uniform law on the argmax set is at most rho/(1 + rho), with equality iff all the others tie.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import torch
from torch import Tensor

from .dequantisation import DEEPEST
from .high_precision import Number, context, exact_row, mpf, mpf_fraction
from .inputs import score_rows, temperatures
from .rounding import FUNCTION, TINY, U, gamma, outward


def weights(scores: Tensor, temperature: Tensor | float) -> Tensor:
    """p_j = exp(s_j/tau) / sum_i exp(s_i/tau).

    Args:
        scores: (..., N), N >= 1.
        temperature: tau > 0, a number or broadcastable to (...).

    Returns:
        (..., N) float64, within `weights_error` of the exact weights for the float inputs.

    Raises:
        ValueError: no scores, values that are not finite or beyond 2^500, or tau <= 0.

    Example:
        >>> weights(torch.tensor([3.0, 3.0]), 0.1).tolist()
        [0.5, 0.5]
    """
    _, terms = _terms(scores, temperature)
    return terms / terms.sum(-1, keepdim=True)


def weights_error(scores: Tensor, temperature: Tensor | float) -> Tensor:
    """A bound on |`weights` - exact|, (..., N).

    Each term e_j = exp((s_j - m)/tau) is off by (2.2 u |z_j| + 4 u) e_j, or by 2^-1022 where it is
    flushed (see `dequantisation.gap_error`); the sum, which is at least 1, by the sum of these
    and gamma_N of itself. A quotient is off by the relative errors of both sides and u.

    Args:
        scores: (..., N), N >= 1.
        temperature: tau > 0, a number or broadcastable to (...).

    Raises:
        ValueError: as for `weights`.
    """
    depths, terms = _terms(scores, temperature)
    N = terms.shape[-1]
    total = terms.sum(-1, keepdim=True)
    each = terms * (2.2 * U * depths.clamp(min=-800).abs() + FUNCTION) + TINY
    whole = each.sum(-1, keepdim=True) + gamma(N) * total
    return outward((each + terms * (whole / total + 2 * U)) / (total - whole))


def limit(scores: Tensor) -> Tensor:
    """The uniform law on the argmax set, (..., N); ties are ties of the float inputs.

    Args:
        scores: (..., N), N >= 1.

    Raises:
        ValueError: no scores, or values that are not finite or beyond 2^500.

    Example:
        >>> limit(torch.tensor([1.0, 2.0, 2.0])).tolist()
        [0.0, 0.5, 0.5]
    """
    s = score_rows(scores)
    top = (s == s.amax(-1, keepdim=True)).to(torch.float64)
    return top / top.sum(-1, keepdim=True)


def total_variation(scores: Tensor, temperature: Tensor | float) -> Tensor:
    """The mass outside the argmax set, (...): the distance of `weights` from `limit`.

    Error at most N times that of `weights`.

    Args:
        scores: (..., N), N >= 1.
        temperature: tau > 0, a number or broadcastable to (...).

    Raises:
        ValueError: as for `weights`.
    """
    s = score_rows(scores)
    outside = s < s.amax(-1, keepdim=True)
    return (weights(s, temperature) * outside).sum(-1)


def deviation_bound(scores: Tensor, temperature: Tensor | float) -> Tensor:
    """The bound rho/(1 + rho) on the total variation distance, (...), rounded upwards.

    rho = (N - m)/m exp(-Delta/tau); 0 if all scores are equal.

    Args:
        scores: (..., N), N >= 1.
        temperature: tau > 0, a number or broadcastable to (...).

    Raises:
        ValueError: as for `weights`.

    Example:
        >>> s = torch.tensor([0.0, -1.0, -1.0])  # the others tie: attained
        >>> bool(deviation_bound(s, 0.5) >= total_variation(s, 0.5))
        True
    """
    s = score_rows(scores)
    N = s.shape[-1]
    top = s.amax(-1, keepdim=True)
    ties = (s == top).sum(-1)  # m
    below = s.masked_fill(s == top, -torch.inf).amax(-1)
    depth = (below - top.squeeze(-1)) / temperatures(temperature)  # -Delta/tau, -inf if all tie
    rho = (N - ties) / ties * torch.exp(depth)
    slack = 2.2 * U * depth.clamp(min=-800).abs() + FUNCTION + 6 * U
    bound = outward(rho / (1 + rho) * (1 + slack))
    return torch.where(ties == N, torch.zeros_like(bound), bound)


def weights_mp(scores: Sequence[Number], temperature: Number, digits: int) -> tuple[Fraction, ...]:
    """The weights by mpmath as fractions, each to a relative error of 10^-digits.

    Weights of scores more than 10^6 temperatures below the maximum are returned as 0: they are
    below 10^-434294.

    Args:
        scores: at least one.
        temperature: tau > 0.
        digits: correct decimal digits.

    Raises:
        ValueError: no scores, tau <= 0, or digits < 1.

    Example:
        >>> sum(weights_mp([0, 1, 5], 1, 50)) - 1 < Fraction(1, 10**49)
        True
    """
    values, tau = exact_row(scores, temperature)
    top = max(values)
    depths = [(s - top) / tau for s in values]
    mp = context(digits, extra_bits=DEEPEST.bit_length() + len(values).bit_length() + 20)
    terms = [mp.exp(mpf(mp, z)) if z >= -DEEPEST else 0 for z in depths]
    total = mp.fsum(terms)
    return tuple(mpf_fraction(term / total) if term else Fraction(0) for term in terms)


def _terms(scores: Tensor, temperature: Tensor | float) -> tuple[Tensor, Tensor]:
    """(s_j - max s)/tau and its exponential."""
    s = score_rows(scores)
    depths = (s - s.amax(-1, keepdim=True)) / temperatures(temperature).unsqueeze(-1)
    return depths, torch.exp(depths)
