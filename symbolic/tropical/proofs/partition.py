"""The terms of a head's partition function: the letters of A3, tropical.routing-limit.

The argmax set is given by its indicator chi, its size m = sum chi, and a lower bound Delta > 0
on the gap of every other key. E_j = exp((s_j - s_k)/tau) is 1 for winners and at most
q = exp(-Delta/tau) for the others, so G = sum E lies between m and m + (N - m) q.
"""

from __future__ import annotations

from typing import Any

from sympy import Lambda, Sum, Symbol, exp

from ...derivations.proof import Proof
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import family, index, size
from ...derivations.statement import ForAll, eq, le

CLAIM = "tropical.routing-limit"

N, m = size("N"), size("m")
i, j, k = index("i"), index("j"), index("k")
s, chi = family("s"), family("chi")
tau, Delta = Symbol("tau", positive=True), Symbol("Delta", positive=True)
_X = Symbol("x", real=True)

EVERY = (j, 1, N)
TERM = exp((s(j) - s(k)) / tau)
G = Sum(exp((s(i) - s(k)) / tau), (i, 1, N))
Q = exp(-Delta / tau)
MOST = m + (N - m) * Q


def winner_term(proof: Proof, tie: int, wins: int) -> int:
    """E_j = 1, for a winner."""
    at = proof.step(
        eq(chi(j) * (s(k) - s(j)), 0), INSTANCE, tie, parameters=(j,), why="At the index j."
    )
    equal = proof.step(
        eq(s(j), s(k)),
        COMBINATION,
        at,
        wins,
        parameters=(-1, s(k) - s(j)),
        why="chi(j) = 1, so the score is the greatest.",
    )
    return proof.step(
        eq(TERM, 1),
        MONOTONE,
        equal,
        parameters=(Lambda(_X, exp((_X - s(k)) / tau)),),
        why="exp 0 = 1.",
    )


def loser_term(proof: Proof, gap: int, loses: int) -> int:
    """E_j <= q, for any other key."""
    at = proof.step(
        le(0, (1 - chi(j)) * (s(k) - s(j) - Delta)),
        INSTANCE,
        gap,
        parameters=(j,),
        why="At the index j.",
    )
    apart = proof.step(
        le(s(j), s(k) - Delta),
        COMBINATION,
        at,
        loses,
        parameters=(1, -(s(k) - s(j) - Delta)),
        why="chi(j) = 0, so the gap is at least Delta.",
    )
    return proof.step(
        le(TERM, Q),
        MONOTONE,
        apart,
        parameters=(Lambda(_X, exp((_X - s(k)) / tau)),),
        why="exp increases.",
    )


def partition(
    proof: Proof,
    each: int,
    cases: int,
    count: int,
    winner: tuple[int, int],
    loser: tuple[int, int],
) -> tuple[int, int, int]:
    """N - m >= 0, m <= G and G <= m + (N - m) q."""
    square = proof.step(le(0, (1 - chi(j)) ** 2), SIGN, why="A square.")
    rest = proof.step(
        le(0, 1 - chi(j)),
        COMBINATION,
        square,
        each,
        parameters=(1, -1),
        why="(1 - chi)^2 = 1 - chi, since chi^2 = chi.",
    )
    fewer = _sum_up(proof, le(0, 1 - chi(j)), le(0, N - Sum(chi(j), EVERY)), rest)
    fewer = proof.step(
        le(0, N - m), COMBINATION, fewer, count, parameters=(1, -1), why="There are m winners."
    )
    positive = proof.step(le(0, TERM), SIGN, why="exp is positive.")
    high = chi(j) + (1 - chi(j)) * Q
    low_goal, high_goal = le(chi(j), TERM), le(TERM, high)
    low = proof.step(
        low_goal,
        CONSEQUENCE,
        cases,
        _under(proof, low_goal, winner, (1, -1)),
        _under(proof, low_goal, (loser[0], positive), (1, 1)),
        why="In both cases.",
    )
    up = proof.step(
        high_goal,
        CONSEQUENCE,
        cases,
        _under(proof, high_goal, winner, (-(1 - Q), 1)),
        _under(proof, high_goal, loser, (-(1 - Q), 1)),
        why="In both cases.",
    )
    low_sum = _sum_up(proof, low_goal, le(Sum(chi(j), EVERY), G), low)
    above = proof.step(
        le(m, G), COMBINATION, low_sum, count, parameters=(1, -1), why="There are m winners."
    )
    high_sum = _sum_up(proof, high_goal, le(G, Sum(high, EVERY)), up)
    below = proof.step(
        le(G, MOST),
        COMBINATION,
        high_sum,
        count,
        parameters=(1, 1 - Q),
        why="There are m winners and N - m others.",
    )
    return fewer, above, below


def _under(proof: Proof, goal: Any, case: tuple[int, int], multipliers: tuple[Any, Any]) -> int:
    """The implication from a case to a goal that combines the case with one more step."""
    assumption, step = case
    reached = proof.step(
        goal, COMBINATION, assumption, step, parameters=multipliers, why="In this case."
    )
    return proof.discharge(assumption, reached, why="The case is closed.")


def _sum_up(proof: Proof, term: Any, total: Any, step: int) -> int:
    """From a relation of terms at j, that of the sums over all j."""
    every = proof.step(ForAll(term, EVERY), GENERALISATION, step, why="j was arbitrary.")
    return proof.step(total, TERMWISE, every, why="Sum over all keys.")
