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
from scipy.optimize import nnls

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]

_NEGLIGIBLE = 1e-13
_CLEAR = 1e-5
"""A solution with every row at least this far (relative to its length) needs no improvement."""


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


def propose_support(columns: Floats, target: Floats) -> list[int]:
    """Propose which columns combine to the target with weights >= 0, or come nearest to it.

    One system at a time (scipy's non-negative least squares), with any last coordinate.

    Example:
        >>> propose_support(np.array([[1.0, -1.0, 0.0], [1.0, 1.0, 1.0]]), np.array([-1.0, 1.0]))
        [1]
    """
    try:
        weights, _ = nnls(columns, target)
    except RuntimeError:  # too many iterations: no proposal
        return []
    return [int(j) for j in np.flatnonzero(weights)]


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
    search = _Search(systems)
    if not m or not n:
        return search.proposals()
    search.begin()
    running = np.arange(B)
    ready = np.zeros(B, dtype=bool)
    for _ in range(12 * (n + 2)):
        # Systems whose weights have settled take in a row, the others go on descending.
        if ready.any():
            ended = search.enter(running[ready])
            if ended.any():
                stay = np.ones(running.size, dtype=bool)
                stay[np.flatnonzero(ready)[ended]] = False
                running = running[stay]
                if not running.size:
                    break
        ready = search.descend(running)
    return search.proposals()


class _Search:
    """The state of the active-set method on a batch: n + 1 slots for rows in each system."""

    def __init__(self, systems: Floats) -> None:
        B, m, n = systems.shape
        self.columns = np.ones((B, n + 1, m))
        self.columns[:, :-1] = systems.transpose(0, 2, 1)
        self.slots = np.full((B, n + 1), -1, dtype=np.intp)
        self.rows = np.zeros((B, n + 1, n + 1))  # the row (a_i, 1) of each slot, or zeros
        self.weights = np.zeros((B, n + 1))
        self._diagonal = np.arange(n + 1)

    def begin(self) -> None:
        """Start with the extreme rows in n + 1 directions, those of a simplex about the origin.

        Rows that surround the origin are often among them; what gets a negative weight goes.
        """
        B, size, _ = self.columns.shape
        n = size - 1
        corners = np.vstack([np.eye(n), np.full((1, n), -1.0 / np.sqrt(n))])
        extreme = (corners @ self.columns[:, :-1]).argmax(axis=2)  # (B, n + 1)
        again = np.tril(extreme[:, :, None] == extreme[:, None, :], -1).any(axis=2)
        self.slots = np.where(again, -1, extreme)
        self.rows = self.columns.transpose(0, 2, 1)[np.arange(B)[:, None], extreme]
        self.rows[again] = 0.0

    def enter(self, ready: Indices) -> NDArray[np.bool_]:
        """Let the row of largest gain into each system; True where the search has ended."""
        weights, rows = self.weights[ready], self.rows[ready]
        residual = -(weights[:, None, :] @ rows)  # (b, 1, n + 1): minus the sum, and the gap
        residual[:, 0, -1] += 1.0
        gains = (residual @ self.columns[ready])[:, 0]  # (b, m)
        entering = gains.argmax(axis=1)
        best = gains.max(axis=1)
        gap = residual[:, 0, -1]
        length = np.sqrt((residual[:, 0, :-1] ** 2).sum(axis=1))
        empty = self.slots[ready] < 0
        enough = np.maximum(gap - _CLEAR * length, _NEGLIGIBLE)
        full = empty.sum(axis=1) == 0
        ended: NDArray[np.bool_] = (best <= enough) & (length > 0.0)
        ended |= (gap <= _NEGLIGIBLE) | full
        goes_on = ready[~ended]
        place, entering = empty.argmax(axis=1)[~ended], entering[~ended]
        self.slots[goes_on, place] = entering
        self.rows[goes_on, place] = self.columns[goes_on, :, entering]
        return ended

    def descend(self, active: Indices) -> NDArray[np.bool_]:
        """Move to the least-squares weights of the slots, or until a row drops out on the way.

        Returns:
            True where the weights have settled.
        """
        rows = self.rows[active]
        filled = rows[:, :, -1]  # 1 where a slot is filled, 0 where it is empty
        gram = rows @ rows.transpose(0, 2, 1)
        # A unit pivot for an empty slot; a hair on the others, against dependent rows.
        gram[:, self._diagonal, self._diagonal] += 1.0 + 1e-14 - filled
        try:
            target = np.linalg.solve(gram, filled[:, :, None])[:, :, 0]
        except np.linalg.LinAlgError:  # dependent rows whose hair was rounded away
            target = (np.linalg.pinv(gram, hermitian=True) @ filled[:, :, None])[:, :, 0]
        falls = (filled > 0) & (target <= 0)
        settled: NDArray[np.bool_] = falls.sum(axis=1) == 0
        if settled.all():
            self.weights[active] = target
            return settled
        now = self.weights[active]
        way = now - target  # 0 for a row of weight 0 that is to stay there: it leaves at once
        shares = np.where(falls, now / np.where(falls & (way > 0), way, 1.0), np.inf)
        first = shares.argmin(axis=1)
        share = np.minimum(shares.min(axis=1), 1.0)
        moved = now + share[:, None] * (target - now)
        # The first to reach zero leaves in any case, so that the loop ends whatever is rounded.
        leaves = falls & (moved <= 0)
        leaves[np.arange(active.size), first] |= ~settled
        moved[leaves] = 0.0
        self.weights[active] = moved
        drop, slot = np.nonzero(leaves)
        self.slots[active[drop], slot] = -1
        self.rows[active[drop], slot] = 0.0
        return settled

    def proposals(self) -> Proposals:
        """The rows, sums and gaps reached."""
        sums = (self.weights[:, None, :] @ self.rows)[:, 0]
        return Proposals(self.slots, sums[:, :-1], 1.0 - sums[:, -1])
