"""The gradient flow of the attention model on the population loss, in closed form (claim G3).

The model is f = sum_h sum_l softmax(p_h)_l A_h z_l, its loss E|y - f|^2 / 2. With a_h = softmax p_h
and W_l = sum_h a_hl A_h, G_l = T_l - sum_m W_m Sigma_ml its gradient flow is

    dA_h/dt = sum_l a_hl G_l - lambda A_h
    dp_h/dt = rho a_h * (g_h - <a_h, g_h>),   g_hl = <A_h, G_l>

rho is the ratio of the two learning rates and lambda the weight decay. It is integrated by an
adaptive Runge-Kutta method of order 5(4), interval by interval, so that it can be interrupted; the
step of the solver begins anew in each interval, so an interruption changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import softmax

from ..experiment import Journal, State
from .chain import Array, Moments


@dataclass(frozen=True)
class FlowSettings:
    """How the flow runs.

    Args:
        heads: H.
        scale: of the initial maps and scores, eps.
        ratio: rho.
        decay: lambda.
        time: until when.
        samples: how many times are recorded, i^2 growing evenly from 0 to the end: early stages are
            short.
        tolerance: relative, of the integrator; the absolute one is 10^-4 of it.
    """

    heads: int = 3
    scale: float = 1e-2
    ratio: float = 20.0
    decay: float = 1e-3
    time: float = 5000.0
    samples: int = 2001
    tolerance: float = 1e-6


@dataclass(frozen=True)
class Trajectory:
    """What a training or a flow went through.

    Args:
        times: ``(n,)``.
        maps: ``(n, L, V, V)``: W_l.
        attention: ``(n, H, L)``: a_hl.
    """

    times: Array
    maps: Array
    attention: Array


def initial(settings: FlowSettings, window: int, symbols: int, seed: int) -> tuple[Array, Array]:
    """A ``(H, V, V)`` and p ``(H, L)``: normal of standard deviation eps.

    Args:
        settings: H and eps.
        window: L.
        symbols: V.
        seed: of the draw.
    """
    generator = np.random.default_rng(seed)
    maps = settings.scale * generator.standard_normal((settings.heads, symbols, symbols))
    scores = settings.scale * generator.standard_normal((settings.heads, window))
    return maps, scores


def integrate(
    moments: Moments, settings: FlowSettings, start: tuple[Array, Array], journal: Journal
) -> Trajectory:
    """The trajectory from a start (A, p).

    Args:
        moments: of the population or of a sample.
        settings: of the flow.
        start: A ``(H, V, V)`` and p ``(H, L)``.
        journal: keeps the state, so that a run that is stopped goes on.

    Returns:
        ``samples`` records from 0 to ``time``.

    Raises:
        ArithmeticError: the integrator gives up.
    """
    H, V, L = settings.heads, moments.symbols, moments.window
    cut = H * V * V

    def derivative(_: float, state: Array) -> Array:
        A, p = state[:cut].reshape(H, V, V), state[cut:].reshape(H, L)
        a = softmax(p, axis=1)
        G = moments.residual(np.tensordot(a.T, A, axes=1))
        toward = np.tensordot(a, G, axes=1) - settings.decay * A
        g = A.reshape(H, -1) @ G.reshape(L, -1).T
        scores = settings.ratio * a * (g - (a * g).sum(axis=1, keepdims=True))
        return np.concatenate([toward.reshape(-1), scores.reshape(-1)])

    times = settings.time * np.linspace(0.0, 1.0, settings.samples) ** 2
    states = np.empty((settings.samples, cut + H * L))
    states[0] = np.concatenate([start[0].reshape(-1), start[1].reshape(-1)])
    done, chunk = 1, 100
    if (kept := journal.resume()) is not None:
        done = int(kept["done"])
        states[:done] = kept["states"].numpy()

    def whole() -> State:
        import torch

        return {"done": done, "states": torch.from_numpy(states[:done].copy())}

    while done < settings.samples:
        until = min(done + chunk, settings.samples)
        solved: Any = solve_ivp(
            derivative,
            (times[done - 1], times[until - 1]),
            states[done - 1],
            t_eval=times[done:until],
            rtol=settings.tolerance,
            atol=1e-4 * settings.tolerance,
        )
        if not solved.success:
            raise ArithmeticError(f"the flow was not integrated: {solved.message}")
        states[done:until] = solved.y.T
        done = until
        journal.advance(done, settings.samples, whole)
    A = states[:, :cut].reshape(-1, H, V, V)
    attention = softmax(states[:, cut:].reshape(-1, H, L), axis=2)
    return Trajectory(times, np.einsum("nhl,nhab->nlab", attention, A), attention)
