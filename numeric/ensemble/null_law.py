"""What independent uniform subspaces would give (claim B8).

For two independent subspaces of dimension d_k, uniform on the Grassmannian of R^d, the overlap
t = tr(Pi Pi')/d_k has mean d_k/d and variance 2 (d - d_k)^2 / (d^2 (d - 1)(d + 2)) exactly. For H
of them the pairs are independent two by two (given one member, the law of the overlap does not
depend on it), so that HDI has mean 1 - d_k/d and the variance of t divided by H (H-1)/2, exactly.

Quantiles are sampled: of t by a matrix-variate beta law, whose cost does not depend on d; of HDI by
drawing all H frames, which is left out where it would take minutes. Draws and seed are part of the
answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

import numpy as np
import torch
from torch import Tensor

LEVELS = (0.005, 0.025, 0.25, 0.5, 0.75, 0.975, 0.995)
"""The quantiles that are given."""

JOINT_DRAWS = 200
"""Draws of the joint law of H subspaces."""

_BUDGET = 3e11
"""Floating-point operations spent on the joint law; beyond, its quantiles are left out."""


@dataclass(frozen=True)
class NullLaw:
    """The law of HDI and of one overlap when heads are independent and uniform.

    Args:
        d: width of the residual stream; d_k: dimension of a subspace; heads: H.
        index_mean: of HDI, exactly 1 - d_k/d.
        index_deviation: standard deviation of HDI, exact formula.
        index_quantiles: level -> sampled quantile of HDI; empty if not sampled.
        overlap_mean: of tr(Pi Pi')/d_k, exactly d_k/d.
        overlap_deviation: its standard deviation, exact formula.
        overlap_quantiles: level -> sampled quantile.
        draws: of the overlap; index_draws: of HDI.
        seed: of the draws.
    """

    d: int
    d_k: int
    heads: int
    index_mean: float
    index_deviation: float
    index_quantiles: Mapping[float, float]
    overlap_mean: float
    overlap_deviation: float
    overlap_quantiles: Mapping[float, float]
    draws: int
    index_draws: int
    seed: int

    def deviations(self, index: float) -> float:
        """How many standard deviations an HDI lies above the mean; 0 if the law is a point.

        Args:
            index: the HDI.
        """
        if self.index_deviation == 0:
            return 0.0
        return (index - self.index_mean) / self.index_deviation


def null_law(d: int, d_k: int, heads: int, *, draws: int = 2000, seed: int = 0) -> NullLaw:
    """The law for H = heads subspaces of dimension d_k in R^d.

    Args:
        d: the width of the residual stream.
        d_k: the dimension of a head.
        heads: H.
        draws: pairs of subspaces that are sampled.
        seed: of the draws.

    Raises:
        ValueError: not 1 <= d_k <= d, fewer than two heads, or fewer than 100 draws.

    Example:
        >>> law = null_law(384, 32, 12, draws=100)
        >>> round(law.index_mean, 3), law.draws, law.seed
        (0.917, 100, 0)
    """
    if not 1 <= d_k <= d or heads < 2 or draws < 100:
        found = f"d_k = {d_k}, d = {d}, heads = {heads}, draws = {draws}"
        raise ValueError(f"expected 1 <= d_k <= d, at least 2 heads and 100 draws, found {found}")
    generator = np.random.default_rng(seed)
    mean = d_k / d
    variance = 2 * (d - d_k) ** 2 / (d**2 * (d - 1) * (d + 2)) if d > 1 else 0.0
    pairs = heads * (heads - 1) // 2
    sample = overlap_sample(d, d_k, draws, generator)
    per_draw = heads * d * d_k**2 * (4 + heads)
    joint = JOINT_DRAWS if JOINT_DRAWS * per_draw <= _BUDGET else 0
    indices = index_sample(d, d_k, heads, joint, generator) if joint else None
    return NullLaw(
        d,
        d_k,
        heads,
        1 - mean,
        sqrt(variance / pairs),
        {} if indices is None else _quantiles(indices),
        mean,
        sqrt(variance),
        _quantiles(sample),
        draws,
        joint,
        seed,
    )


def overlap_sample(d: int, d_k: int, draws: int, generator: np.random.Generator) -> Tensor:
    """Draws of tr(Pi Pi')/d_k, (draws,).

    Against the first d_k coordinates, a uniform frame is [A; C] (A^T A + C^T C)^(-1/2) for Gaussian
    A and C, so t = tr((A^T A + C^T C)^-1 A^T A)/d_k; for d >= 2 d_k, C^T C = L L^T with Bartlett's
    triangular L. Otherwise C is drawn.

    Args:
        d: the dimension of the space.
        d_k: that of the subspaces.
        draws: how many.
        generator: the source of the draws.
    """
    A = torch.from_numpy(generator.standard_normal((draws, d_k, d_k)))
    inner = A.mT @ A
    rest = d - d_k
    if rest >= d_k:
        L = torch.from_numpy(generator.standard_normal((draws, d_k, d_k))).tril(-1)
        chi_squared = generator.chisquare(rest - np.arange(d_k), (draws, d_k))
        L = L + torch.diag_embed(torch.from_numpy(chi_squared).sqrt())
        total = inner + L @ L.mT
    else:
        C = torch.from_numpy(generator.standard_normal((draws, rest, d_k)))
        total = inner + C.mT @ C
    part = torch.linalg.solve(total, inner)
    traces: Tensor = part.diagonal(dim1=-2, dim2=-1).sum(-1)
    return traces / d_k


def index_sample(
    d: int, d_k: int, heads: int, draws: int, generator: np.random.Generator
) -> Tensor:
    """Draws of HDI, (draws,): H uniform frames each, by QR of Gaussian matrices.

    Args:
        d: the dimension of the space.
        d_k: that of the subspaces.
        heads: H, at least 2.
        draws: how many.
        generator: the source of the draws.
    """
    found = torch.empty(draws, dtype=torch.float64)
    for n in range(draws):
        gaussian = torch.from_numpy(generator.standard_normal((heads, d, d_k)))
        frames = torch.linalg.qr(gaussian).Q
        beside = frames.permute(1, 0, 2).reshape(d, heads * d_k)
        small = beside @ beside.mT if d < heads * d_k else beside.mT @ beside
        total = float(small.square().sum()) - heads * d_k  # off-diagonal pairs, both ways
        found[n] = 1 - total / (heads * (heads - 1) * d_k)
    return found


def _quantiles(sample: Tensor) -> dict[float, float]:
    levels = torch.tensor(LEVELS, dtype=torch.float64)
    values = torch.quantile(sample, levels).tolist()
    return dict(zip(LEVELS, values, strict=True))
