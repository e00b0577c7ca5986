"""Cross-entropy on the population, and its misspecified minima (a control of claim G3).

Logits are sums of linear maps of the centred past one-hots, as in the attention model: without a
bias, so that even one lag does not reach the entropy given that symbol. The loss is convex in
the maps, so L-BFGS finds its least value for every set of lags; no closed form is known.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from .chain import Array, Chain


def cross_entropy(chain: Chain, maps: Array) -> float:
    """E[-log softmax(sum_l W_l z_l)_y] over the exact law, for maps ``(L, V, V)``.

    Args:
        chain: whose law it is.
        maps: W, centred before they are used.

    Returns:
        In nats.
    """
    return _loss(chain, _logits(chain, maps))


def least_cross_entropy(chain: Chain, lags: tuple[int, ...]) -> float:
    """The least cross-entropy of maps that use the given lags only.

    Args:
        chain: whose law it is.
        lags: each in 1..L; none is allowed.

    Returns:
        In nats; what L-BFGS comes to, an upper bound of the least value.
    """
    V, L = chain.symbols, chain.window
    if not lags:
        return float(np.log(V))  # the law of one symbol is uniform
    places = [lag - 1 for lag in lags]
    joint = chain.next_law * chain.law  # (next, x_{t-1}, ..., x_{t-L})

    def objective(flat: Array) -> tuple[float, Array]:
        maps = np.zeros((L, V, V))
        maps[places] = flat.reshape(len(places), V, V)
        logits = _logits(chain, maps)
        difference = softmax(logits, axis=0) * chain.law - joint
        slopes = []
        for place in places:
            others = tuple(axis for axis in range(1, L + 1) if axis != place + 1)
            by_symbol = difference.sum(axis=others)  # (next, symbol at the lag)
            slopes.append(by_symbol - by_symbol.mean(axis=1, keepdims=True))
        return _loss(chain, logits), np.stack(slopes).reshape(-1)

    found: Any = minimize(
        objective,
        np.zeros(len(places) * V * V),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 5000, "ftol": 1e-15, "gtol": 1e-9},
    )
    return float(found.fun)


def _logits(chain: Chain, maps: Array) -> Array:
    """``(V,) * (L + 1)``: next first."""
    V, L = chain.symbols, chain.window
    total = np.zeros((V,) * (L + 1))
    for place, each in enumerate(maps):
        shape = [V] + [1] * L
        shape[place + 1] = V
        total = total + (each - each.mean(axis=1, keepdims=True)).reshape(shape)
    return total


def _loss(chain: Chain, logits: Array) -> float:
    return float(-(chain.next_law * chain.law * log_softmax(logits, axis=0)).sum())
