"""Float proposals for Gordan's alternative, many small systems at once.

For unit rows f_1..f_m in R^n either some u has f_k . u > 0 for all k, or some lambda >= 0, not
zero, has sum_k lambda_k f_k = 0. Both answers come from one linear program and its dual,

    max { t : f_k . u >= t for all k, |u_i| <= 1 }  =  min { |sum_k lambda_k f_k|_1 : lambda in the
    simplex },

whose value is positive exactly in the first case. The minimum is found by the primal simplex
method on dense tableaux, one tableau a system, and the pivots of all systems are made in the same
numpy calls: the region tree asks thousands of questions with a dozen rows each, and a call to any
solver would cost more than the pivots. Cost: about (n + m + 2) (n + 1) multiply-adds a pivot and
a few n pivots a system. The starting basis is one row and the box, so no first phase is needed.

Nothing here is exact and nothing is trusted: `open_cells` turns a proposal into an exact point or
exact multipliers, and asks an exact method where it cannot. Every operation is elementwise within
one system, so a system's proposal does not depend on what else is in the batch: that is what
makes certificates equal for any number of processes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

_PIVOT = 1e-9
_CLOSED = 1e-11


@dataclass(frozen=True)
class Proposals:
    """What the programs of one batch of K systems came to.

    Args:
        margin: (K,) the values t; NaN where the pivots did not end.
        direction: (K, n) the u of the maximum.
        support: (K, n + 1) the rows in the final basis, -1 where the basis holds a box side.
        weight: (K, n + 1) their lambda.
    """

    margin: Floats
    direction: Floats
    support: Integers
    weight: Floats


def propose(rows: Floats, counts: Integers, start: Integers) -> Proposals:
    """Solve the programs of K systems.

    Args:
        rows: (K, M, n) rows of largest entry 1 in absolute value; those from ``counts`` on are
            padding and are ignored.
        counts: (K,) the number of rows of each system.
        start: (K,) the row that forms the starting basis.
    """
    K, M, n = rows.shape
    margin, direction = np.full(K, np.nan), np.zeros((K, n))
    support, weight = np.full((K, n + 1), -1, dtype=np.int64), np.zeros((K, n + 1))
    tableau, costs, basis = _first_tableau(rows, counts, start)
    open_ = np.arange(K)
    for _ in range(20 + 4 * (n + M)):
        entering = costs[:, :-1].argmin(axis=1)
        here = np.arange(len(open_))
        # The last entry of the costs is minus the value of the program.
        ended = (costs[here, entering] > -_PIVOT) | (-costs[:, -1] < _CLOSED)
        if ended.any():
            done = open_[ended]
            margin[done] = -costs[ended, -1]
            direction[done] = 1 - costs[ended, :n]
            support[done] = np.where(basis[ended] >= 2 * n, basis[ended] - 2 * n, -1)
            weight[done] = tableau[ended, :, -1]
            going = ~ended
            open_, tableau, costs = open_[going], tableau[going], costs[going]
            basis, entering = basis[going], entering[going]
            here = np.arange(len(open_))
        if not len(open_):
            break
        column = tableau[here, :, entering]  # (K', n + 1)
        room = column > _PIVOT
        ratios = np.where(room, tableau[:, :, -1] / np.where(room, column, 1.0), np.inf)
        leaving = ratios.argmin(axis=1)
        pivot = tableau[here, leaving] / column[here, leaving][:, None]  # (K', C)
        tableau -= column[:, :, None] * pivot[:, None, :]
        tableau[here, leaving] = pivot
        costs -= costs[here, entering][:, None] * pivot
        basis[here, leaving] = entering
    return Proposals(margin, direction, support, weight)


def _first_tableau(
    rows: Floats, counts: Integers, start: Integers
) -> tuple[Floats, Floats, Integers]:
    """The tableaux, reduced costs and basis of: lambda = 1 on the starting row.

    Columns: p_1..p_n, q_1..q_n (the residual is p - q), the lambdas, the right-hand side.
    """
    K, M, n = rows.shape
    here = np.arange(K)
    first = rows[here, start]  # (K, n)
    sign = np.where(first >= 0, 1.0, -1.0)
    padding = np.arange(M) >= counts[:, None]
    moved = sign[:, :, None] * (rows - first[:, None, :]).transpose(0, 2, 1)  # (K, n, M)
    moved[np.broadcast_to(padding[:, None, :], moved.shape)] = 0.0
    tableau = np.zeros((K, n + 1, 2 * n + M + 1))
    diagonal = np.arange(n)
    tableau[:, diagonal, diagonal] = sign
    tableau[:, diagonal, n + diagonal] = -sign
    tableau[:, :n, 2 * n : -1] = -moved
    tableau[:, :n, -1] = np.abs(first)
    tableau[:, n, 2 * n : -1] = ~padding
    tableau[:, n, -1] = 1.0
    costs = np.empty((K, 2 * n + M + 1))
    costs[:, :n] = 1 - sign
    costs[:, n : 2 * n] = 1 + sign
    costs[:, 2 * n : -1] = 0.0
    costs[:, -1] = 0.0
    for i in range(n):  # term by term: numpy's own sums depend on the memory layout
        costs[:, 2 * n : -1] += moved[:, i]
        costs[:, -1] -= np.abs(first[:, i])
    costs[:, 2 * n : -1][padding] = np.inf
    basis = np.empty((K, n + 1), dtype=np.int64)
    basis[:, :n] = np.where(sign > 0, diagonal, n + diagonal)
    basis[:, n] = 2 * n + start
    return tableau, costs, basis
