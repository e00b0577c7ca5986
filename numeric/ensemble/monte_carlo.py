"""Monte Carlo estimates with their standard errors (claims B3, B6).

Every estimate is a mean of independent draws and comes with the standard error of that mean. A
comparison with an exact value is made in standard errors, fixed beforehand; it may fail by chance,
at five of them once in two million, and then does so again with the same seed.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import torch
from torch import Tensor


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error.

    Args:
        mean: of the draws.
        error: the standard deviation of a draw divided by sqrt(draws).
        draws: how many there were.
    """

    mean: float
    error: float
    draws: int

    def deviations(self, exact: float) -> float:
        """How many standard errors the mean is away from a value.

        Args:
            exact: the value.

        Example:
            >>> Estimate(1.5, 0.25, 100).deviations(1.0)
            2.0
        """
        distance = abs(self.mean - exact)
        return distance / self.error if self.error > 0 else (0.0 if distance == 0 else float("inf"))


def estimate(draws: Tensor) -> Estimate:
    """The mean of draws, (n,), n >= 2.

    Args:
        draws: independent, of one law.

    Raises:
        ValueError: fewer than two draws.

    Example:
        >>> estimate(torch.tensor([0.0, 2.0], dtype=torch.float64))
        Estimate(mean=1.0, error=1.0, draws=2)
    """
    if draws.dim() != 1 or len(draws) < 2:
        raise ValueError(f"expected at least two draws, found shape {tuple(draws.shape)}")
    return Estimate(float(draws.mean()), float(draws.std()) / sqrt(len(draws)), len(draws))


def squared_errors(
    weights: Tensor,
    values: Tensor,
    *,
    target: float,
    deviation: float,
    draws: int,
    generator: torch.Generator,
) -> Tensor:
    """Draws of (fbar - f_0)^2 at fresh noise, (draws,).

    Args:
        weights: of each head on the points, (H, N).
        values: f at the points, (N,).
        target: f_0.
        deviation: sigma, of Gaussian noise.
        draws: how many.
        generator: of the noise.
    """
    noise = torch.randn(draws, len(values), generator=generator, dtype=torch.float64)
    responses = values + deviation * noise  # (draws, N)
    heads = responses @ weights.mT  # (draws, H)
    return (heads.mean(-1) - target).square()


def kernel_products(
    frames: Tensor, a: float, *, draws: int, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Draws of K_1 K_2 and of K_1 at X ~ N(0, I_d), K_h = exp(-a |P_h^T X|^2/2), (draws,) each.

    Args:
        frames: (2, d, d_k), orthonormal.
        a: 1/b^2 > 0.
        draws: how many.
        generator: of X.
    """
    X = torch.randn(draws, frames.shape[1], generator=generator, dtype=torch.float64)
    squares = (X @ frames).square().sum(-1)  # (2, draws)
    kernels = (-a * squares / 2).exp()
    return kernels[0] * kernels[1], kernels[0]
