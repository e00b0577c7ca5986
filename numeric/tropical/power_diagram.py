"""A2, tropical.power-diagram, in floats: the best scores and the nearest sites.

The two sides of the claim are computed by different formulas: inner products on one side, squared
distances of coordinate differences on the other. Both come with a rounding bound, and what they
answer is a set of candidates that is certain to contain the exact argmax (argmin): a single
candidate decides the matter, more than one means that float64 does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from torch import Tensor

from .high_precision import Number, context, mpf, mpf_fraction
from .rounding import TINY, float64, gamma, outward


@dataclass(frozen=True)
class Candidates:
    """Which keys may be the best at each point.

    Args:
        mask: (..., M, N) bool, true for every key of the exact argmax (argmin) set.
        margin: (..., M), how far the best computed value is ahead of the second (0 for N = 1).
        error: (..., M), the largest rounding bound of a value at the point.
    """

    mask: Tensor
    margin: Tensor
    error: Tensor

    @property
    def decided(self) -> Tensor:
        """(..., M) bool: a single candidate, which then is the exact answer."""
        return self.mask.sum(-1) == 1


def scores(keys: Tensor, biases: Tensor, points: Tensor) -> Tensor:
    """s_j(x) = <kappa_j, x> + b_j.

    Args:
        keys: (..., N, d).
        biases: (..., N).
        points: (..., M, d).

    Returns:
        (..., M, N), within `scores_error` of the exact values for the float inputs.

    Raises:
        ValueError: shapes that do not fit, or numbers that are not finite.

    Example:
        >>> import torch
        >>> scores(torch.eye(2), torch.tensor([0.0, 5.0]), torch.tensor([[1.0, 2.0]])).tolist()
        [[1.0, 7.0]]
    """
    k, b, x = _head(keys, biases, points)
    return x @ k.mT + b.unsqueeze(-2)


def scores_error(keys: Tensor, biases: Tensor, points: Tensor) -> Tensor:
    """A bound on |`scores` - exact|: gamma_{d+1} (sum_i |k_i x_i| + |b|), plus underflow.

    Args:
        keys: (..., N, d).
        biases: (..., N).
        points: (..., M, d).

    Returns:
        (..., M, N).

    Raises:
        ValueError: as for `scores`.
    """
    k, b, x = _head(keys, biases, points)
    size = x.abs() @ k.abs().mT + b.abs().unsqueeze(-2)
    d = k.shape[-1]
    return outward(gamma(d + 1) * size + d * TINY)


def winners(keys: Tensor, biases: Tensor, points: Tensor) -> Candidates:
    """The keys that may have the best score at each point (see `Candidates`).

    Args:
        keys: (..., N, d).
        biases: (..., N).
        points: (..., M, d).

    Raises:
        ValueError: as for `scores`.

    Example:
        >>> import torch
        >>> head = torch.tensor([[0.0], [1.0], [3.0]]), torch.tensor([0.0, 0.0, -4.0])
        >>> winners(*head, torch.tensor([[1.0]])).mask.tolist()
        [[False, True, False]]
    """
    return _candidates(scores(keys, biases, points), scores_error(keys, biases, points))


def power_weights(keys: Tensor, biases: Tensor) -> Tensor:
    """w_j = |kappa_j|^2 + 2 b_j, (..., N); error at most gamma_{d+1} (|kappa_j|^2 + 2 |b_j|).

    Args:
        keys: (..., N, d).
        biases: (..., N).

    Raises:
        ValueError: shapes that do not fit, or numbers that are not finite.

    Example:
        >>> import torch
        >>> power_weights(torch.tensor([[3.0, 4.0]]), torch.tensor([1.0])).tolist()
        [27.0]
    """
    k, b = float64(keys, "keys"), float64(biases, "biases")
    if k.dim() < 2 or b.shape[-1:] != k.shape[-2:-1]:
        raise ValueError(
            f"expected keys (..., N, d) and biases (..., N), "
            f"found {tuple(k.shape)} and {tuple(b.shape)}"
        )
    return (k * k).sum(-1) + 2 * b


def power_distances(keys: Tensor, weights: Tensor, points: Tensor) -> Tensor:
    """|x - kappa_j|^2 - w_j, (..., M, N).

    Args:
        keys: (..., N, d).
        weights: (..., N), w_j.
        points: (..., M, d).

    Raises:
        ValueError: as for `scores`.

    Example:
        >>> import torch
        >>> sites, weights = torch.tensor([[0.0], [2.0]]), torch.tensor([0.0, 1.0])
        >>> power_distances(sites, weights, torch.tensor([[1.0]])).tolist()
        [[1.0, 0.0]]
    """
    k, w, x = _head(keys, weights, points)
    apart = x.unsqueeze(-2) - k.unsqueeze(-3)  # (..., M, N, d)
    return (apart * apart).sum(-1) - w.unsqueeze(-2)


def power_distances_error(keys: Tensor, biases: Tensor, points: Tensor) -> Tensor:
    """A bound on |`power_distances` with computed `power_weights` - exact|.

    A coordinate difference has one rounding, its square two more and one of its own, the sum
    d - 1, the last subtraction one: gamma_{d+3} |x - kappa|^2; the weight gamma_{d+1}
    (|kappa|^2 + 2 |b|), with the last subtraction gamma_{d+2}. The squares are taken as computed,
    for which two more roundings are allowed.

    Args:
        keys: (..., N, d).
        biases: (..., N).
        points: (..., M, d).

    Returns:
        (..., M, N).

    Raises:
        ValueError: as for `scores`.
    """
    k, b, x = _head(keys, biases, points)
    apart = x.unsqueeze(-2) - k.unsqueeze(-3)
    size = (apart * apart).sum(-1) + ((k * k).sum(-1) + 2 * b.abs()).unsqueeze(-2)
    d = k.shape[-1]
    return outward(gamma(d + 5) * size + 2 * d * TINY)


def nearest(keys: Tensor, biases: Tensor, points: Tensor) -> Candidates:
    """The keys that may be nearest in power distance at each point (see `Candidates`).

    Takes biases and not weights, because the bound has to cover the rounding of the weights too.

    Args:
        keys: (..., N, d).
        biases: (..., N).
        points: (..., M, d).

    Raises:
        ValueError: as for `scores`.

    Example:
        >>> import torch
        >>> head = torch.tensor([[0.0], [1.0], [3.0]]), torch.tensor([0.0, 0.0, -4.0])
        >>> nearest(*head, torch.tensor([[1.0]])).mask.tolist()
        [[False, True, False]]
    """
    values = power_distances(keys, power_weights(keys, biases), points)
    return _candidates(-values, power_distances_error(keys, biases, points))


def scores_mp(
    keys: Sequence[Sequence[Number]], biases: Sequence[Number], x: Sequence[Number], digits: int
) -> tuple[Fraction, ...]:
    """The scores at one point by mpmath, each within 10^-digits (sum_i |k_i x_i| + |b|).

    Args:
        keys: N of d numbers.
        biases: N.
        x: the point, d numbers.
        digits: correct decimal digits.

    Raises:
        ValueError: digits < 1.

    Example:
        >>> scores_mp([[1, 2]], [Fraction(1, 2)], [3, 4], 50)
        (Fraction(23, 2),)
    """
    mp = context(digits, extra_bits=len(x).bit_length() + 20)
    point = [mpf(mp, value) for value in x]
    return tuple(
        mpf_fraction(mp.fdot([mpf(mp, a) for a in key], point) + mpf(mp, b))
        for key, b in zip(keys, biases, strict=True)
    )


def power_distances_mp(
    keys: Sequence[Sequence[Number]], biases: Sequence[Number], x: Sequence[Number], digits: int
) -> tuple[Fraction, ...]:
    """|x - kappa_j|^2 - |kappa_j|^2 - 2 b_j at one point by mpmath.

    Each within 10^-digits (|x - kappa_j|^2 + |kappa_j|^2 + 2 |b_j|).

    Args:
        keys: N of d numbers.
        biases: N.
        x: the point, d numbers.
        digits: correct decimal digits.

    Raises:
        ValueError: digits < 1.

    Example:
        >>> power_distances_mp([[1, 2]], [0], [3, 4], 50)  # 8 - 5
        (Fraction(3, 1),)
    """
    mp = context(digits, extra_bits=len(x).bit_length() + 20)
    point = [mpf(mp, value) for value in x]
    found = []
    for key, b in zip(keys, biases, strict=True):
        site = [mpf(mp, a) for a in key]
        apart = mp.fsum([p - a for p, a in zip(point, site, strict=True)], squared=True)
        weight = mp.fsum(site, squared=True) + 2 * mpf(mp, b)
        found.append(mpf_fraction(apart - weight))
    return tuple(found)


def _head(keys: Tensor, biases: Tensor, points: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    k, b, x = float64(keys, "keys"), float64(biases, "biases"), float64(points, "points")
    fits = k.dim() >= 2 and x.dim() >= 2 and b.dim() >= 1
    if not fits or b.shape[-1] != k.shape[-2] or x.shape[-1] != k.shape[-1] or k.numel() == 0:
        raise ValueError(
            "expected keys (..., N, d), biases (..., N) and points (..., M, d), found "
            f"{tuple(k.shape)}, {tuple(b.shape)} and {tuple(x.shape)}"
        )
    return k, b, x


def _candidates(values: Tensor, errors: Tensor) -> Candidates:
    """Every j whose value could reach the certain lower bound on the maximum."""
    floor = (values - errors).amax(-1, keepdim=True)
    # The two float sums round as well: one ulp of the larger side is added to the errors.
    slack = 4 * gamma(1) * (values.abs().amax(-1, keepdim=True) + errors.amax(-1, keepdim=True))
    mask = values + errors + slack >= floor
    best = values.topk(min(2, values.shape[-1]), dim=-1).values
    margin = best[..., 0] - best[..., -1]
    return Candidates(mask, margin, errors.amax(-1))
