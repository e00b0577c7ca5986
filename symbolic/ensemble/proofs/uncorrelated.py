"""Lemma of claims B3 and B6: the variance of linear combinations of uncorrelated noise.

C(s, t) is the covariance of the noise at s and at t: sigma^2 if s = t, else 0. Then
sum_s sum_t x_s y_t C(s, t) = sigma^2 sum_s x_s y_s, whatever the weights.
"""

from __future__ import annotations

from typing import Any

from sympy import Sum

from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.statement import ForAll, Statement, eq


def hypotheses(C: Any, s: Any, t: Any, count: Any, variance: Any) -> tuple[Statement, ...]:
    """C(s, s) = variance; C(s, t) = 0 for t < s and for t > s."""
    every = (s, 1, count)
    return (
        ForAll(eq(C(s, s), variance), every),
        ForAll(ForAll(eq(C(s, t), 0), (t, 1, s - 1)), every),
        ForAll(ForAll(eq(C(s, t), 0), (t, s + 1, count)), every),
    )


def collapse(
    proof: Proof,
    given: tuple[int, ...],
    x: Any,
    y: Any,
    *,
    C: Any,
    s: Any,
    t: Any,
    count: Any,
    variance: Any,
) -> int:
    """sum_s x(s) sum_t y(t) C(s, t) = variance sum_s x(s) y(s), from the hypotheses.

    Args:
        proof: to which the steps are added.
        given: the numbers of the three hypotheses.
        x: the weights of one combination, as a function of an index.
        y: those of the other.
        C: the covariances.
        s: an index 1..count of the setting.
        t: another.
        count: how many noises there are.
        variance: that of one.
    """
    every = (s, 1, count)
    diagonal, before, after = given
    own = proof.step(
        eq(C(s, s), variance), INSTANCE, diagonal, parameters=(s,), why="The noise at s itself."
    )
    parts = []
    for known, span in ((before, (t, 1, s - 1)), (after, (t, s + 1, count))):
        row = proof.step(
            ForAll(eq(C(s, t), 0), span), INSTANCE, known, parameters=(s,), why="At s."
        )
        parts.append(
            proof.step(
                eq(Sum(y(t) * C(s, t), span), 0),
                TERMWISE,
                row,
                parameters=(y(t),),
                why="Every term vanishes.",
            )
        )
    whole, (low, high) = Sum(y(t) * C(s, t), (t, 1, count)), parts
    split = proof.step(
        eq(
            whole,
            Sum(y(t) * C(s, t), (t, 1, s - 1))
            + y(s) * C(s, s)
            + Sum(y(t) * C(s, t), (t, s + 1, count)),
        ),
        NORMAL_FORM,
        why="The sum is split at t = s.",
    )
    inner = proof.step(
        eq(whole, variance * y(s)),
        COMBINATION,
        split,
        low,
        high,
        own,
        parameters=(1, 1, 1, y(s)),
        why="Only the term t = s is left.",
    )
    times = proof.step(
        eq(x(s) * whole, variance * x(s) * y(s)),
        COMBINATION,
        inner,
        parameters=(x(s),),
        why="Multiply by the weight.",
    )
    each = proof.step(
        ForAll(eq(x(s) * whole, variance * x(s) * y(s)), every),
        GENERALISATION,
        times,
        why="s was arbitrary.",
    )
    return proof.step(
        eq(Sum(x(s) * whole, every), variance * Sum(x(s) * y(s), every)),
        TERMWISE,
        each,
        why="Sum over s.",
    )
