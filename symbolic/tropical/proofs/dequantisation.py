"""A1, tropical.dequantisation: tau log sum exp(s/tau) lies between max s and max s + tau log N.

The maximum is s(k), for an index k with s(j) <= s(k) for all j. Everything follows from
G = sum_j exp((s_j - s_k)/tau): the term of k is 1 and the others lie in (0, 1].
"""

from __future__ import annotations

from random import Random

from sympy import Lambda, Limit, Sum, Symbol, exp, log

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.limit import LIMIT, SQUEEZE
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import EMPTY_SUM, TERMWISE, VANISHING_SUM, VANISHING_TERMS
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, Equivalence, ForAll, eq, le

CLAIM = "tropical.dequantisation"


def derivation() -> Derivation:
    """For all N, s in R^N, tau > 0: 0 <= tau log sum exp(s_j/tau) - max s <= tau log N.

    Conclusions: ``bounds``; ``right-equality`` iff all s_j are equal; ``left-equality`` iff N = 1;
    ``limit``: the gap tends to 0 as tau -> 0+.

    Raises:
        DerivationFailed: a step is not decided.
    """
    N, j, k, s = size("N"), index("j"), index("k"), family("s")
    tau, x, y = Symbol("tau", positive=True), Symbol("x", real=True), Symbol("y", positive=True)
    every = (j, 1, N)
    term = exp((s(j) - s(k)) / tau)
    G = Sum(term, every)
    below, above = Sum(term, (j, 1, k - 1)), Sum(term, (j, k + 1, N))
    gap = tau * log(Sum(exp(s(j) / tau), every)) - s(k)
    setting = Setting(
        (N,),
        {j: (1, N), k: (1, N)},
        (tau,),
        (s,),
        {
            "N": "the number of scores",
            "s": "the scores",
            "k": "an index at which the maximum is attained: max s = s(k)",
            "tau": "the temperature",
        },
        {"g": gap, "A": below, "B": above, "G": G, "E_j": term},
    )

    def at_zero(body: object) -> Limit:
        return Limit(body, tau, 0, "+")

    proof = Proof(CLAIM, "Dequantisation of the maximum", setting, choose=_scores)
    top = proof.suppose(ForAll(le(s(j), s(k)), every), why="s(k) is the maximum.")

    shift = proof.step(
        eq(gap, tau * log(G)), NORMAL_FORM, why="exp(s(k)/tau) is pulled out of the sum."
    )
    split = proof.step(
        eq(G, 1 + below + above), NORMAL_FORM, why="The sum is split at k, whose term is 1."
    )
    low = proof.step(le(0, below), SIGN, why="Every term is positive; k - 1 >= 0.")
    high = proof.step(le(0, above), SIGN, why="Every term is positive; N - k >= 0.")
    one = proof.step(le(1, G), COMBINATION, split, low, high, parameters=(-1, 1, 1), why="Add up.")
    log_one = proof.step(
        le(0, log(G)), MONOTONE, one, parameters=(Lambda(y, log(y)),), why="log increases."
    )
    left = proof.step(
        le(0, gap),
        COMBINATION,
        log_one,
        shift,
        parameters=(tau, -1),
        why="Multiply by tau > 0.",
    )

    each = proof.step(le(s(j), s(k)), INSTANCE, top, parameters=(j,), why="At the index j.")
    shrink = Lambda(x, exp((x - s(k)) / tau))
    small = proof.step(
        le(term, 1), MONOTONE, each, parameters=(shrink,), why="exp increases; exp 0 = 1."
    )
    all_small = proof.step(
        ForAll(le(term, 1), every), GENERALISATION, small, why="j was arbitrary."
    )
    count = proof.step(le(G, N), TERMWISE, all_small, why="N terms, each at most 1.")
    log_count = proof.step(
        le(log(G), log(N)), MONOTONE, count, parameters=(Lambda(y, log(y)),), why="log increases."
    )
    right = proof.step(
        le(gap, tau * log(N)),
        COMBINATION,
        log_count,
        shift,
        parameters=(tau, 1),
        why="Multiply by tau > 0.",
    )
    bounds = proof.step(
        Conjunction(le(0, gap), le(gap, tau * log(N))),
        CONSEQUENCE,
        left,
        right,
        why="Both bounds together.",
    )

    scaled_log = Lambda(y, tau * log(y))
    sum_full = proof.step(
        Equivalence(eq(gap, tau * log(N)), eq(G, N)),
        MONOTONE,
        parameters=(scaled_log,),
        why="tau log is injective.",
    )
    terms_full = proof.step(
        Equivalence(eq(Sum(1 - term, every), 0), ForAll(eq(1 - term, 0), every)),
        VANISHING_SUM,
        all_small,
        why="N - G is a sum of nonnegative terms.",
    )
    injective = proof.step(
        Equivalence(eq(1 - term, 0), eq(s(j), s(k))),
        MONOTONE,
        parameters=(shrink,),
        why="exp is injective.",
    )
    all_equal = proof.step(
        Equivalence(ForAll(eq(1 - term, 0), every), ForAll(eq(s(j), s(k)), every)),
        GENERALISATION,
        injective,
        why="j was arbitrary.",
    )
    right_equality = proof.step(
        Equivalence(eq(gap, tau * log(N)), ForAll(eq(s(j), s(k)), every)),
        CONSEQUENCE,
        sum_full,
        terms_full,
        all_equal,
        why="Chain the equivalences.",
    )

    sum_one = proof.step(
        Equivalence(eq(gap, 0), eq(G, 1)),
        MONOTONE,
        parameters=(scaled_log,),
        why="tau log is injective; log 1 = 0.",
    )
    rest_zero = proof.step(
        Equivalence(eq(below + above, 0), Conjunction(eq(below, 0), eq(above, 0))),
        VANISHING_TERMS,
        low,
        high,
        why="G - 1 is the sum of two nonnegative sums.",
    )
    none_below = proof.step(
        Equivalence(eq(below, 0), eq(k - 1, 0)),
        EMPTY_SUM,
        why="A sum of positive terms vanishes only when it has none.",
    )
    none_above = proof.step(
        Equivalence(eq(above, 0), eq(N - k, 0)),
        EMPTY_SUM,
        why="A sum of positive terms vanishes only when it has none.",
    )
    alone = proof.step(
        Equivalence(eq(N - 1, 0), Conjunction(eq(k - 1, 0), eq(N - k, 0))),
        VANISHING_TERMS,
        why="N - 1 = (k - 1) + (N - k), both nonnegative.",
    )
    left_equality = proof.step(
        Equivalence(eq(gap, 0), eq(N, 1)),
        CONSEQUENCE,
        sum_one,
        rest_zero,
        none_below,
        none_above,
        alone,
        why="Chain the equivalences.",
    )

    nothing = proof.step(eq(at_zero(0 * tau), 0), LIMIT, why="A constant.")
    vanishes = proof.step(eq(at_zero(tau * log(N)), 0), LIMIT, why="log N does not depend on tau.")
    limit = proof.step(
        eq(at_zero(gap), 0),
        SQUEEZE,
        left,
        right,
        nothing,
        vanishes,
        why="The gap lies between the two, whatever the scores.",
    )
    return proof.finish(
        bounds=bounds,
        right_equality=right_equality,
        left_equality=left_equality,
        limit=limit,
    )


def _scores(random: Random) -> Choice:
    """Scores with an index of their maximum; ties and equal scores are frequent."""
    count = random.randint(1, 4)
    levels = [rational(random) for _ in range(random.randint(1, 3))]
    scores = [random.choice(levels) for _ in range(count)]
    best = random.choice([j for j, s in enumerate(scores, 1) if s == max(scores)])
    return Choice({size("N"): count, index("k"): best}, {"s": lambda j: scores[j - 1]})
