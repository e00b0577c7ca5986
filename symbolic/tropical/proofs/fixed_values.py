"""A4, tropical.rational-map: with values held fixed the limit is constant on each cell.

At a query M keys share the largest score and K others are at least Delta behind. The output minus
the mean of the winners' values is sum_i E_i (w_i - mean)/(M + sum_i E_i), E_i = exp(-delta_i/tau):
the winners' own deviations cancel. So the limit depends on the set of winners and on nothing else
about the query, and jumps where that set changes.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Lambda, Limit, Sum, Symbol, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.limit import LIMIT, SQUEEZE
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, ForAll, eq, le

CLAIM = "tropical.rational-map"

M, K = size("M"), size("K")
j, i = index("j"), index("i")
v, w, delta = family("v"), family("w"), family("delta")
t, tau = Symbol("t", real=True), Symbol("tau", positive=True)
Delta, D = Symbol("Delta", positive=True), Symbol("D", nonnegative=True)
x, y = Symbol("x", real=True), Symbol("y", positive=True)

OTHERS = (i, 1, K)
MEAN = Sum(v(j), (j, 1, M)) / M
TERM = exp(-delta(i) / tau)
R = Sum(TERM, OTHERS)
T = Sum(TERM * (w(i) - MEAN), OTHERS)
Q = exp(-Delta / tau)
BOUND = D * K * Q / M


def derivation() -> Derivation:
    """For all M, K: the output tends to the mean value of the M keys that win.

    Conclusions: ``rate`` (the distance is at most D K exp(-Delta/tau)/M, where the other values lie
    within D of the mean); ``limit``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    lost = exp((t - delta(i)) / tau)
    out = (Sum(exp(t / tau) * v(j), (j, 1, M)) + Sum(lost * w(i), OTHERS)) / (
        M * exp(t / tau) + Sum(lost, OTHERS)
    )
    setting = Setting(
        (M, K),
        {j: (1, M), i: (1, K)},
        (t, tau, Delta, D),
        (v, w, delta),
        {
            "M": "the number of keys that win",
            "K": "the number of the other keys",
            "t": "the largest score",
            "v": "the values of the keys that win",
            "w": "the values of the others",
            "delta": "how far the scores of the others are behind",
            "Delta": "a positive lower bound on that",
            "D": "a bound on the distance of the other values from the mean",
            "tau": "the temperature",
        },
        {"out": out, "mean": MEAN, "E_i": TERM, "R": R, "T": T, "q": Q},
    )
    proof = Proof(CLAIM, "Fixed values: the limit is constant on cells", setting, choose=_tie)
    gap = proof.suppose(ForAll(le(Delta, delta(i)), OTHERS), why="The others are behind.")
    near = proof.suppose(
        ForAll(le(w(i) - MEAN, D), OTHERS), why="Their values are not far off, ..."
    )
    also = proof.suppose(ForAll(le(-D, w(i) - MEAN), OTHERS), why="... on either side.")

    shown = proof.step(
        eq(out - MEAN, T / (M + R)), NORMAL_FORM, why="The deviations of the winners cancel."
    )
    apart = proof.step(le(Delta, delta(i)), INSTANCE, gap, parameters=(i,), why="At the key i.")
    small = proof.step(
        le(TERM, Q), MONOTONE, apart, parameters=(Lambda(x, exp(-x / tau)),), why="exp(-x) falls."
    )
    smalls = proof.step(ForAll(le(TERM, Q), OTHERS), GENERALISATION, small, why="i was arbitrary.")
    rest = proof.step(le(R, K * Q), TERMWISE, smalls, why="Sum over the others.")
    positive = proof.step(le(0, R), SIGN, why="exp is positive.")
    more = proof.step(le(M, M + R), COMBINATION, positive, parameters=(1,), why="Add M.")
    inverse = proof.step(
        le(1 / (M + R), 1 / M), MONOTONE, more, parameters=(Lambda(y, 1 / y),), why="1/y falls."
    )
    above = _side(proof, near, inverse, rest, 1)
    below = _side(proof, also, inverse, rest, -1)
    upper = proof.step(
        le(out - MEAN, BOUND), COMBINATION, shown, above, parameters=(1, 1), why="Insert."
    )
    lower = proof.step(
        le(-BOUND, out - MEAN), COMBINATION, shown, below, parameters=(-1, 1), why="Insert."
    )
    rate = proof.step(
        Conjunction(le(-BOUND, out - MEAN), le(out - MEAN, BOUND)),
        CONSEQUENCE,
        lower,
        upper,
        why="Both bounds together.",
    )

    def to(e: Any) -> Any:
        return eq(Limit(e, tau, 0, "+"), MEAN)

    limit = proof.step(
        to(out),
        SQUEEZE,
        proof.step(le(MEAN - BOUND, out), COMBINATION, lower, parameters=(1,), why="Rearrange."),
        proof.step(le(out, MEAN + BOUND), COMBINATION, upper, parameters=(1,), why="Rearrange."),
        proof.step(to(MEAN - BOUND), LIMIT, why="exp(-Delta/tau) tends to 0."),
        proof.step(to(MEAN + BOUND), LIMIT, why="exp(-Delta/tau) tends to 0."),
        why="Between the two.",
    )
    return proof.finish(rate=rate, limit=limit)


def _side(proof: Proof, near: int, inverse: int, rest: int, sign: int) -> int:
    """T/(M + R) <= D K q/M for sign 1, the same of -T for sign -1."""
    off = sign * (w(i) - MEAN)
    bounded = proof.step(
        le(off, D) if sign > 0 else le(-D, -off),
        INSTANCE,
        near,
        parameters=(i,),
        why="At the key i.",
    )
    term = le(sign * TERM * (w(i) - MEAN), D * TERM)
    one = proof.step(term, COMBINATION, bounded, parameters=(TERM,), why="Multiply by E_i > 0.")
    every = proof.step(ForAll(term, OTHERS), GENERALISATION, one, why="i was arbitrary.")
    total = proof.step(le(sign * T, D * R), TERMWISE, every, why="Sum over the others.")
    at_most = proof.step(
        le(sign * T, D * K * Q), COMBINATION, total, rest, parameters=(1, D), why="R <= K q."
    )
    return proof.step(
        le(sign * T / (M + R), BOUND),
        COMBINATION,
        at_most,
        inverse,
        parameters=(1 / (M + R), D * K * Q),
        why="Divide by M + R >= M.",
    )


def _tie(random: Random) -> Choice:
    """Values of either sign, with gaps and a bound that often are the least possible."""
    winners, others = random.randint(1, 3), random.randint(1, 3)
    values = [rational(random) for _ in range(winners)]
    rest = [rational(random) for _ in range(others)]
    behind = [rational(random, positive=True) for _ in range(others)]
    mean = sum(values, Fraction(0)) / winners
    spread = max(abs(value - mean) for value in rest) + random.randint(0, 1)
    return Choice(
        {M: winners, K: others, Delta: min(behind), D: spread},
        {
            "v": lambda j: values[j - 1],
            "w": lambda i: rest[i - 1],
            "delta": lambda i: behind[i - 1],
        },
    )
