"""The surrogate of the learning dynamics: gradient flow of a tensor factorisation (claim G2).

The target is sum_k alpha_k e_k (x) e_k, the model sum_h a_h (x) b_h with a, b of shape (H, K), and

    R = diag(alpha) - a^T b,   da/dt = b R^T,   db/dt = a R

is the gradient flow of |R|_F^2 / 2. From a small start mode k grows like exp(alpha_k t): modes are
learnt one by one. Three integrators that share nothing but the equation: an explicit Runge-Kutta
method of order 8, an implicit one (Radau, order 5), and Taylor series in mpmath, whose coefficients
the quadratic and cubic terms give by Cauchy products. None is validated: their agreement is what
says that the figures are those of the flow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import mpmath
import numpy as np
from scipy.integrate import solve_ivp

from .chain import Array

Method = Literal["DOP853", "Radau"]


@dataclass(frozen=True)
class SurrogatePath:
    """A solution at increasing times.

    Args:
        times: ``(n,)``.
        a: ``(n, H, K)``.
        b: ``(n, H, K)``.
        alpha: ``(K,)``.
    """

    times: Array
    a: Array
    b: Array
    alpha: Array

    @property
    def product(self) -> Array:
        """``(n, K, K)``: a^T b."""
        found: Array = np.einsum("nhj,nhk->njk", self.a, self.b)
        return found

    @property
    def losses(self) -> Array:
        """``(n,)``: |R|_F^2 / 2."""
        residual = np.diag(self.alpha) - self.product
        return np.asarray(0.5 * (residual**2).sum(axis=(1, 2)))

    @property
    def conserved(self) -> Array:
        """``(n, H, H)``: a a^T - b b^T."""
        of_a: Array = np.einsum("nhk,ngk->nhg", self.a, self.a)
        of_b: Array = np.einsum("nhk,ngk->nhg", self.b, self.b)
        return of_a - of_b

    def stage_times(self) -> list[float | None]:
        """When mode k reaches alpha_k / 2, by linear interpolation; None if it does not."""
        found: list[float | None] = []
        for k, alpha in enumerate(self.alpha):
            strength = self.product[:, k, k]
            passed = np.flatnonzero(strength >= alpha / 2)
            if not len(passed):
                found.append(None)
            elif passed[0] == 0:
                found.append(float(self.times[0]))
            else:
                n = int(passed[0])
                low, high = strength[n - 1], strength[n]
                part = (alpha / 2 - low) / (high - low)
                found.append(float(self.times[n - 1] + part * (self.times[n] - self.times[n - 1])))
        return found


def start(heads: int, modes: int, scale: float, seed: int) -> tuple[Array, Array]:
    """Initial a and b, ``(H, K)``: normal of standard deviation eps.

    Args:
        heads: H.
        modes: K.
        scale: eps.
        seed: of the draw.
    """
    generator = np.random.default_rng(seed)
    a, b = generator.standard_normal((2, heads, modes))
    return scale * a, scale * b


def integrate(
    alpha: Sequence[float],
    initial: tuple[Array, Array],
    until: float,
    *,
    method: Method = "DOP853",
    samples: int = 2001,
    tolerance: float = 1e-10,
) -> SurrogatePath:
    """The flow by scipy, at evenly spaced times.

    Args:
        alpha: ``(K,)``, positive.
        initial: a and b, ``(H, K)`` each.
        until: the last time.
        method: of integration.
        samples: how many times.
        tolerance: relative; the absolute one is this times the largest start.

    Raises:
        ValueError: the shapes do not fit, or alpha is not positive.
        ArithmeticError: scipy gives up.
    """
    strengths, shape = _validated(alpha, initial)
    target = np.diag(strengths)
    half = shape[0] * shape[1]

    def derivative(_: float, state: Array) -> Array:
        a, b = state[:half].reshape(shape), state[half:].reshape(shape)
        residual = target - a.T @ b
        return np.concatenate([(b @ residual.T).reshape(-1), (a @ residual).reshape(-1)])

    flat = np.concatenate([initial[0].reshape(-1), initial[1].reshape(-1)])
    times = np.linspace(0.0, until, samples)
    size = float(np.abs(flat).max()) or 1.0
    solved: Any = solve_ivp(
        derivative,
        (0.0, until),
        flat,
        method=method,
        t_eval=times,
        rtol=tolerance,
        atol=tolerance * size,
    )
    if not solved.success:
        raise ArithmeticError(f"the surrogate was not integrated: {solved.message}")
    states = solved.y.T
    a, b = states[:, :half].reshape(-1, *shape), states[:, half:].reshape(-1, *shape)
    return SurrogatePath(times, a, b, strengths)


def integrate_mp(
    alpha: Sequence[float],
    initial: tuple[Array, Array],
    until: float,
    *,
    steps: int,
    order: int = 30,
    digits: int = 50,
) -> tuple[list[list[Any]], list[list[Any]]]:
    """The a and b at the last time, by Taylor series in mpmath.

    Args:
        alpha: ``(K,)``, positive; taken exactly as the floats are.
        initial: a and b, ``(H, K)`` each.
        until: the last time.
        steps: of equal length.
        order: of the series.
        digits: of the working precision.

    Returns:
        Rows of mpmath numbers.

    Raises:
        ValueError: the shapes do not fit, or alpha is not positive.
    """
    strengths, (H, K) = _validated(alpha, initial)
    context = mpmath.mp.clone()
    context.dps = digits
    target = [context.mpf(float(x)) for x in strengths]
    length = context.mpf(until) / steps
    a0, b0 = ([[context.mpf(float(x)) for x in row] for row in part] for part in initial)
    for _ in range(steps):
        a, b, r = [a0], [b0], []
        for n in range(order):
            r.append(
                [
                    [
                        (target[j] if n == 0 and j == k else context.mpf(0))
                        - context.fsum(
                            a[i][h][j] * b[n - i][h][k] for i in range(n + 1) for h in range(H)
                        )
                        for k in range(K)
                    ]
                    for j in range(K)
                ]
            )
            a.append(
                [
                    [
                        context.fsum(
                            b[i][h][k] * r[n - i][j][k] for i in range(n + 1) for k in range(K)
                        )
                        / (n + 1)
                        for j in range(K)
                    ]
                    for h in range(H)
                ]
            )
            b.append(
                [
                    [
                        context.fsum(
                            a[i][h][j] * r[n - i][j][k] for i in range(n + 1) for j in range(K)
                        )
                        / (n + 1)
                        for k in range(K)
                    ]
                    for h in range(H)
                ]
            )
        a0, b0 = (
            [
                [context.polyval([c[h][k] for c in reversed(series)], length) for k in range(K)]
                for h in range(H)
            ]
            for series in (a, b)
        )
    return a0, b0


def _validated(
    alpha: Sequence[float], initial: tuple[Array, Array]
) -> tuple[Array, tuple[int, int]]:
    strengths = np.asarray(alpha, dtype=np.float64)
    a, b = initial
    if strengths.ndim != 1 or not len(strengths) or strengths.min() <= 0:
        raise ValueError(f"expected positive strengths, found {alpha}")
    if a.ndim != 2 or a.shape != b.shape or a.shape[1] != len(strengths) or a.shape[0] < 1:
        raise ValueError(
            f"expected a and b of shape (H, {len(strengths)}), found {a.shape} and {b.shape}"
        )
    return strengths, (int(a.shape[0]), int(a.shape[1]))
