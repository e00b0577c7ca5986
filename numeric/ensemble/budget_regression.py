"""A regression in which the law of the head budget can be measured (claim B7).

Inputs are uniform on {0, 1}^m, the query is 0, and head h sees d_k coordinates of its own. At the
fixed squared bandwidth tau the Gaussian kernel gives theta = exp(-1/2 tau) for every seen
coordinate that is 1. The regression function A^(1/2) prod_j (1 - s (1 - 2 x_j)) has mean 1 over a
coordinate that is not seen, and rho = 1 - s (1 - theta)/(1 + theta) over one that is seen,
so that the bias of a head is A^(1/2) rho^d_k (its value (1 - s)^m at the query aside):

    alpha = -2 log rho,    C = E K^2/(E K)^2 = 2 (1 + theta^2)/(1 + theta)^2.

Each head has n points of its own, so that heads are uncorrelated, as the law supposes. On one
common sample they are not: heads of no common coordinate have the covariance sigma^2/n (claim B6).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt

import torch
from torch import Tensor

from .monte_carlo import Estimate, estimate
from .nadaraya_watson import kernel_weights


@dataclass(frozen=True)
class Regression:
    """The parameters of the simulated regression.

    Args:
        m: coordinates of the input.
        n: training points.
        D: the budget H d_k, at most m.
        tau: the squared bandwidth.
        s: how much one coordinate matters, in (0, 1).
        A: the squared bias at d_k = 0.
        variance: sigma^2 of the noise.

    Raises:
        ValueError: a parameter out of its range.
    """

    m: int = 24
    n: int = 1024
    D: int = 24
    tau: float = 0.25
    s: float = 0.5
    A: float = 1.0
    variance: float = 16.0

    def __post_init__(self) -> None:
        """Check the ranges."""
        counts = 1 <= self.D <= self.m and self.n >= 1
        if not (counts and self.tau > 0 and 0 < self.s < 1 and self.A > 0 and self.variance > 0):
            raise ValueError(f"expected 1 <= D <= m and positive parameters, s < 1, found {self}")

    @property
    def theta(self) -> float:
        """The kernel at distance 1."""
        return exp(-1 / (2 * self.tau))

    @property
    def alpha(self) -> float:
        """The rate at which the squared bias decays.

        Example:
            >>> round(Regression().alpha, 3)
            0.959
        """
        return -2 * log(1 - self.s * (1 - self.theta) / (1 + self.theta))

    @property
    def growth(self) -> float:
        """C, the factor by which each coordinate raises the variance."""
        return 2 * (1 + self.theta**2) / (1 + self.theta) ** 2

    def law(self, d_k: int) -> float:
        """The law's mean squared error at H d_k = D.

        Args:
            d_k: the dimension of a head.
        """
        noise = self.variance * self.growth**d_k * d_k / (self.n * self.D)
        return self.A * exp(-self.alpha * d_k) + noise

    def leading(self, d_k: int) -> bool:
        """Whether C^d_k is at most n/20: the law is the leading order in C^d_k/n.

        A head whose kernel holds less than one point has the variance sigma^2 of that point and
        not sigma^2 C^d_k/n, so that the law says too much for large d_k.

        Args:
            d_k: the dimension of a head.
        """
        return self.growth**d_k <= self.n / 20

    @property
    def dimensions(self) -> tuple[int, ...]:
        """The divisors of D: H is then an integer."""
        return tuple(d for d in range(1, self.D + 1) if self.D % d == 0)


def measure(
    model: Regression, d_k: int, *, draws: int, seed: int, common: bool = False
) -> Estimate:
    """The mean squared error of H = D/d_k averaged Nadaraya-Watson heads at the query 0.

    Args:
        model: the regression.
        d_k: a divisor of D.
        draws: training sets.
        seed: of the data.
        common: one sample for all heads instead of one for each.

    Raises:
        ValueError: d_k does not divide D.
    """
    if d_k < 1 or model.D % d_k:
        raise ValueError(f"expected a divisor of {model.D}, found {d_k}")
    generator = torch.Generator().manual_seed(seed)
    heads = model.D // d_k
    errors = torch.empty(draws, dtype=torch.float64)
    for draw in range(draws):
        errors[draw] = _draw(model, d_k, heads, generator, common=common)
    return estimate(errors)


def _draw(
    model: Regression, d_k: int, heads: int, generator: torch.Generator, *, common: bool
) -> Tensor:
    samples = 1 if common else heads
    x = torch.randint(2, (samples, model.n, model.m), generator=generator, dtype=torch.float64)
    f = sqrt(model.A) * (1 - model.s * (1 - 2 * x)).prod(-1)  # (samples, n)
    noise = torch.randn(samples, model.n, generator=generator, dtype=torch.float64)
    y = f + sqrt(model.variance) * noise
    query = torch.zeros(d_k, dtype=torch.float64)
    each = []
    for h in range(heads):
        own = 0 if common else h
        seen = x[own, :, h * d_k : (h + 1) * d_k]  # (n, d_k)
        weights = kernel_weights(query, seen, tau=model.tau, priors=False)  # (n,)
        each.append((weights * y[own]).sum())
    target = sqrt(model.A) * (1 - model.s) ** model.m
    return (torch.stack(each).mean() - target).square()
