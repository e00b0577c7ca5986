"""The zero-temperature skeleton of heads that were trained on a chain (claims T3a, T3b).

A head's scores depend on the lag only, so the head is its distribution over lags and its map. At
temperature 0 it looks at its best lag alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..experiment import Journal, Measurements
from .chain import Array, Chain, least_loss
from .flow import FlowSettings, Trajectory, initial, integrate
from .measure import taken

_LARGEST = 1e6
"""Condition numbers of the attention matrix up to which the maps are taken from it."""


@dataclass(frozen=True)
class Heads:
    """The heads at the end of a trajectory.

    Args:
        attention: ``(H, L)``.
        maps: ``(H, V, V)``.
    """

    attention: Array
    maps: Array


def heads_of(path: Trajectory) -> Heads:
    """The maps A_h from W_l = sum_h a_hl A_h, where the attention has independent rows.

    Args:
        path: of which the last record is used.

    Raises:
        ValueError: it has not, and the heads cannot be told apart.
    """
    a = path.attention[-1]
    if not _told_apart(a):
        raise ValueError(f"expected independent rows of attention, found {a.tolist()}")
    maps = np.tensordot(np.linalg.pinv(a.T), path.maps[-1], axes=1)
    return Heads(a, maps)


def _told_apart(attention: Array) -> bool:
    H, L = attention.shape
    return H <= L and bool(np.linalg.cond(attention) <= _LARGEST)


def hardened(heads: Heads) -> Array:
    """``(L, V, V)``: W_l of heads that look at their best lag only.

    Args:
        heads: H of them.
    """
    best = np.eye(heads.attention.shape[1])[heads.attention.argmax(axis=1)]  # (H, L)
    found: Array = np.tensordot(best.T, heads.maps, axes=1)
    return found


def trained_heads(chain: Chain, settings: FlowSettings, seed: int, journal: Journal) -> Heads:
    """The heads of the flow from one start.

    Args:
        chain: that is learnt.
        settings: of the flow.
        seed: of the start.
        journal: keeps the state, so that a run that is stopped goes on.

    Raises:
        ValueError: the attention has dependent rows, and the heads cannot be told apart.
        ArithmeticError: the integrator gives up.
    """
    start = initial(settings, chain.window, chain.symbols, seed)
    return heads_of(integrate(chain.moments, settings, start, journal))


def skeleton(chain: Chain, settings: FlowSettings, seed: int, journal: Journal) -> Measurements:
    """Losses of the trained heads and of their skeleton, and the lags read off them.

    The loss of the skeleton is None where the heads cannot be told apart: the flow knows the sums
    W_l, from which the maps of heads with dependent attention do not follow.

    Args:
        chain: that is learnt.
        settings: of the flow.
        seed: of the start.
        journal: keeps the state, so that a run that is stopped goes on.

    Raises:
        ArithmeticError: the integrator gives up.

    Example:
        >>> from headproof.numeric.experiment import NoJournal
        >>> chain = Chain(3, (0.7, 0.3), (1, 2), (1, 2))
        >>> found = skeleton(chain, FlowSettings(heads=2, time=2000.0, samples=101), 0, NoJournal())
        >>> sorted(found["lags"])
        [1, 2]
    """
    start = initial(settings, chain.window, chain.symbols, seed)
    path = integrate(chain.moments, settings, start, journal)
    moments, attention = chain.moments, path.attention[-1]
    apart = _told_apart(attention)
    return {
        "lags": taken(attention),
        "truth": sorted(chain.lags),
        "attention": attention.tolist(),
        "soft": float(moments.loss(path.maps[-1])),
        "hard": float(moments.loss(hardened(heads_of(path)))) if apart else None,
        "levels": [least_loss(moments, chain.lags[:k]) for k in range(len(chain.lags) + 1)],
    }
