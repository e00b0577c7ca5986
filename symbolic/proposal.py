"""Float proposals for many cone decisions at once; nothing here is ever believed.

The least-squares problem of `cone` in doubles, for a batch of systems in one go: the active-set
method of Lawson and Hanson with every linear-algebra step vectorised over the batch, so that the
cost of the interpreter is shared. A proposal is a guess at the rows that combine to zero, and at a
solution; the caller certifies one of them exactly or falls back on `cone.decide`. Wrong proposals
therefore cost time, never truth, and no tolerance below matters to an answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]

_NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class Proposals:
    """Guesses for a batch of B systems.

    Args:
        supports: (B, n + 1) row indices, -1 where a slot is empty.
        directions: (B, n) candidates for a solution u.
        gaps: (B,) the last residual: about 0 if the rows combine to zero, else positive.
    """

    supports: Indices
    directions: Floats
    gaps: Floats

    def support(self, b: int) -> list[int]:
        """The proposed rows of system b."""
        slots = self.supports[b]
        return sorted(int(j) for j in slots[slots >= 0])


def propose(systems: Floats) -> Proposals:
    """Propose an answer to each of B strict systems A_b u > 0 of m rows.

    Args:
        systems: (B, m, n), rows of length about 1.

    Example:
        >>> guess = propose(np.array([[[1.0, 0.0], [-1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]]))
        >>> guess.support(0), bool((guess.directions[1] > 0).all())
        ([0, 1], True)
    """
    B, m, n = systems.shape
    slots = np.full((B, n + 1), -1, dtype=np.intp)
    weights = np.zeros((B, n + 1))
    sums = np.zeros((B, n))  # sum of y_i a_i
    gaps = np.ones(B)  # 1 - sum of y_i
    running = np.arange(B) if m else np.arange(0)
    for _ in range(4 * (n + 2)):
        if not running.size:
            break
        part = systems if running.size == B else systems[running]
        gains = gaps[running, None] - np.einsum("bmn,bn->bm", part, sums[running])
        inside = slots[running]
        rows, places = np.nonzero(inside >= 0)
        gains[rows, inside[rows, places]] = -np.inf
        entering = gains.argmax(axis=1)
        best = gains[np.arange(running.size), entering]
        free = (inside < 0).any(axis=1)
        goes_on = (best > _NEGLIGIBLE) & free & (gaps[running] > _NEGLIGIBLE)
        running, entering = running[goes_on], entering[goes_on]
        if not running.size:
            break
        place = (slots[running] < 0).argmax(axis=1)
        slots[running, place] = entering
        _descend(systems, slots, weights, running)
        chosen = systems[running[:, None], slots[running]] * weights[running, :, None]
        sums[running] = chosen.sum(axis=1)
        gaps[running] = 1.0 - weights[running].sum(axis=1)
    return Proposals(slots, sums, gaps)


def _descend(systems: Floats, slots: Indices, weights: Floats, active: Indices) -> None:
    """Move to the least-squares weights of the slots, dropping rows whose weight would fall."""
    size = slots.shape[1]
    while active.size:
        filled = slots[active] >= 0  # (b, n + 1)
        rows = systems[active[:, None], slots[active]] * filled[:, :, None]
        gram = rows @ rows.transpose(0, 2, 1) + filled[:, :, None] * filled[:, None, :]
        gram[:, np.arange(size), np.arange(size)] += np.where(filled, 1e-14, 1.0)
        target = np.linalg.solve(gram, filled[:, :, None].astype(float))[:, :, 0]
        falls = filled & (target <= 0)
        settled = ~falls.any(axis=1)
        weights[active[settled]] = np.where(filled[settled], target[settled], 0.0)
        active, filled = active[~settled], filled[~settled]
        target, falls = target[~settled], falls[~settled]
        if not active.size:
            return
        now = weights[active]
        with np.errstate(divide="ignore", invalid="ignore"):
            shares = np.where(falls, now / (now - target), np.inf)
        first = shares.argmin(axis=1)
        share = np.clip(shares.min(axis=1), 0.0, 1.0)
        moved = now + share[:, None] * (target - now)
        # The first to reach zero leaves in any case, so that the loop ends whatever is rounded.
        leaves = filled & (moved <= 0)
        leaves[np.arange(active.size), first] = True
        slots[active] = np.where(leaves, -1, slots[active])
        weights[active] = np.where(leaves | ~filled, 0.0, moved)
