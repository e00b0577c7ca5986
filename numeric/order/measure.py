"""What is read off a trajectory: stages, plateaus, competition and cooperation (claims G3, G4).

A stage is the passage of the population loss below the mean of two neighbouring plateau heights; a
plateau is where, between two stages, the loss falls most slowly. Heads compete while all of them
look at the most important lag, which makes the attention matrix nearly of rank one; they cooperate
when they look at different lags, which makes it nearly a permutation.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from .chain import Array


def stage_times(times: Array, losses: Array, plateaus: Sequence[float]) -> list[float | None]:
    """When each stage happens; None for one that does not.

    Args:
        times: increasing.
        losses: at these times.
        plateaus: L_0 > L_1 > ... > L_K.

    Example:
        >>> stage_times(np.arange(4.0), np.array([4.0, 2.9, 2.0, 2.0]), [4.0, 2.0, 1.0])
        [1.0, None]
    """
    found: list[float | None] = []
    for above, below in pairwise(plateaus):
        passed = np.flatnonzero(losses < (above + below) / 2)
        found.append(float(times[passed[0]]) if len(passed) else None)
    return found


def flattest(times: Array, losses: Array, after: float | None, before: float | None) -> float:
    """The loss where it falls most slowly between two times; infinity if there is no such time.

    Args:
        times: ``(n,)``, increasing.
        losses: ``(n,)``, at these.
        after: a time; None for a stage that did not happen.
        before: a time; None for the end.
    """
    if after is None:
        return float("inf")
    middle = (times[1:] + times[:-1]) / 2
    slope = np.abs(np.diff(losses) / np.diff(times))
    within = middle > after
    if before is not None:
        within &= middle < before
    if not within.any():
        return float("inf")
    place = np.flatnonzero(within)[np.argmin(slope[within])]
    return float((losses[place] + losses[place + 1]) / 2)


def effective_rank(matrix: Array) -> float:
    """The exponential of the entropy of the normalised singular values (Roy and Vetterli 2007).

    Args:
        matrix: not 0.

    Example:
        >>> round(effective_rank(np.eye(3)), 9), round(effective_rank(np.ones((3, 3))), 9)
        (3.0, 1.0)
    """
    values = np.linalg.svd(matrix, compute_uv=False)
    share = values / values.sum()
    share = share[share > 1e-15]
    return float(np.exp(-(share * np.log(share)).sum()))


def competition(times: Array, attention: Array, lag: int, until: float | None) -> float:
    """The largest, over the times before the given one, of the least weight of a head on a lag.

    Args:
        times: ``(n,)``.
        attention: ``(n, H, L)``.
        lag: from 1 on.
        until: the time of the second stage; None for the whole trajectory.
    """
    early = slice(None) if until is None else times < until
    least = attention[early, :, lag - 1].min(axis=1)
    return float(least.max()) if least.size else 0.0


def taken(attention: Array) -> list[int]:
    """The lag, from 1 on, that each head weights most.

    Args:
        attention: ``(H, L)``.
    """
    return [int(lag) + 1 for lag in attention.argmax(axis=1)]


def order_taken(attention: Array, above: float = 0.5) -> list[int]:
    """Lags in the order in which they are first left with more than ``above`` of a head for good.

    A lag counts from the first time after which some head keeps more than ``above`` on it.

    Args:
        attention: ``(n, H, L)``, along a trajectory.
        above: a weight.
    """
    held = (attention.max(axis=1) > above)[::-1]  # (n, L), last time first
    lasting = np.logical_and.accumulate(held, axis=0).sum(axis=0)
    lags = [lag for lag in range(attention.shape[2]) if lasting[lag] > 0]
    return [lag + 1 for lag in sorted(lags, key=lambda lag: -lasting[lag])]
