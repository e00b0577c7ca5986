"""A3, tropical.routing-limit: at temperature 0+ the weights tend to the uniform law on the argmax.

With the terms E_j and their sum G of `partition`, p_j = E_j/G. The bounds on both squeeze p_j
between functions of tau whose limits are decided by rule.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from sympy import Lambda, Limit, Sum, Symbol, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.limit import LIMIT, SQUEEZE
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE, ZERO_PRODUCT
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, RESCALING, SIGN
from ...derivations.setting import Setting
from ...derivations.statement import (
    Conjunction,
    Disjunction,
    Equivalence,
    ForAll,
    Implication,
    eq,
    le,
    lt,
)
from .partition import (
    CLAIM,
    EVERY,
    MOST,
    TERM,
    Delta,
    G,
    N,
    Q,
    chi,
    i,
    j,
    k,
    loser_term,
    m,
    partition,
    s,
    tau,
    winner_term,
)

P = exp(s(j) / tau) / Sum(exp(s(i) / tau), (i, 1, N))
_Y = Symbol("y", positive=True)
INVERSE = Lambda(_Y, 1 / _Y)


def derivation() -> Derivation:
    """For all N, s in R^N: p_j -> 1/m for each of the m winners and p_j -> 0 for the others.

    Conclusions: ``rate`` (0 <= 1/m - p_j <= (N - m) q/m^2 for winners, 0 < p_j <= q/m for the
    others, q = exp(-Delta/tau)); ``limit``; ``law`` (the limits sum to 1); ``spread`` (a
    winner's limit is below 1 iff m > 1: the law is not that of one of the winners).

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (N, m),
        {i: (1, N), j: (1, N), k: (1, N)},
        (tau, Delta),
        (s, chi),
        {
            "N": "the number of keys",
            "m": "the number of winners",
            "s": "the scores",
            "chi": "1 for winners, 0 for the others",
            "k": "a winner: max s = s(k)",
            "Delta": "a positive lower bound on the gap of the others",
            "tau": "the temperature",
        },
        {"p_j": P, "G": G, "E_j": TERM, "q": Q},
    )
    proof = Proof(CLAIM, "The limit of routing is uniform on the argmax", setting, choose=_ties)
    binary = proof.suppose(ForAll(eq(chi(j) * (1 - chi(j)), 0), EVERY), why="chi is an indicator.")
    count = proof.suppose(eq(Sum(chi(j), EVERY), m), why="There are m winners.")
    tie = proof.suppose(
        ForAll(eq(chi(j) * (s(k) - s(j)), 0), EVERY), why="Winners have the greatest score."
    )
    gap = proof.suppose(
        ForAll(le(0, (1 - chi(j)) * (s(k) - s(j) - Delta)), EVERY),
        why="The others are at least Delta below.",
    )
    each = proof.step(
        eq(chi(j) * (1 - chi(j)), 0), INSTANCE, binary, parameters=(j,), why="At the index j."
    )
    cases = proof.step(
        Disjunction(eq(chi(j), 1), eq(chi(j), 0)),
        ZERO_PRODUCT,
        each,
        why="Key j is a winner or it is not.",
    )
    wins = proof.assume(eq(chi(j), 1), why="First case: j is a winner.")
    loses = proof.assume(eq(chi(j), 0), why="Second case: j is no winner.")
    full = winner_term(proof, tie, wins)
    small = loser_term(proof, gap, loses)
    fewer, above, below = partition(proof, each, cases, count, (wins, full), (loses, small))
    share = proof.step(
        eq(P, TERM / G), NORMAL_FORM, why="Numerator and denominator are divided by exp(s(k)/tau)."
    )
    at_most = proof.step(
        le(1 / G, 1 / m), MONOTONE, above, parameters=(INVERSE,), why="1/y decreases."
    )
    winner = _winner(proof, wins, full, fewer, below, share, at_most)
    loser = _loser(proof, loses, small, share, at_most)
    rate = proof.step(
        Conjunction(*(Implication(eq(chi(j), v), bound) for v, bound in ((1, _NEAR), (0, _SMALL)))),
        CONSEQUENCE,
        winner[0],
        loser[0],
        why="Both cases together.",
    )
    to = [Implication(eq(chi(j), v), eq(_limit(P), u)) for v, u in ((1, 1 / m), (0, 0))]
    limit = proof.step(
        ForAll(Conjunction(*to), EVERY),
        GENERALISATION,
        proof.step(Conjunction(*to), CONSEQUENCE, winner[1], loser[1], why="Both cases together."),
        why="j was arbitrary.",
    )
    law = proof.step(
        eq(Sum(chi(j) / m, EVERY), 1),
        COMBINATION,
        count,
        parameters=(1 / m,),
        why="m winners of weight 1/m.",
    )
    spread = proof.step(
        Equivalence(lt(1, m), lt(1 / m, 1)), RESCALING, parameters=(1 / m,), why="Divide by m."
    )
    return proof.finish(rate=rate, limit=limit, law=law, spread=spread)


_NEAR = Conjunction(le(0, 1 / m - P), le(1 / m - P, (N - m) * Q / m**2))
_SMALL = Conjunction(lt(0, P), le(P, Q / m))


def _limit(e: object) -> Limit:
    return Limit(e, tau, 0, "+")


def _winner(
    proof: Proof, wins: int, full: int, fewer: int, below: int, share: int, at_most: int
) -> tuple[int, int]:
    """The bounds and the limit of p_j for a winner, as implications."""
    least = 1 / MOST
    inverse = proof.step(
        eq(P, 1 / G),
        COMBINATION,
        share,
        full,
        parameters=(1, 1 / G),
        why="The term of a winner is 1.",
    )
    upper = proof.step(
        le(P, 1 / m), COMBINATION, inverse, at_most, parameters=(1, 1), why="Insert."
    )
    positive = proof.step(lt(0, MOST), SIGN, fewer, why="m > 0 and N - m >= 0.")
    at_least = proof.step(
        le(least, 1 / G), MONOTONE, below, positive, parameters=(INVERSE,), why="1/y decreases."
    )
    lower = proof.step(
        le(least, P),
        COMBINATION,
        inverse,
        at_least,
        positive,
        parameters=(-1, 1, 0),
        why="Insert.",
    )
    more = proof.step(le(0, (N - m) * Q), SIGN, fewer, why="Both factors are nonnegative.")
    wider = proof.step(le(m, MOST), COMBINATION, more, parameters=(1,), why="Add m on both sides.")
    shrink = proof.step(
        le(least, 1 / m), MONOTONE, wider, positive, parameters=(INVERSE,), why="1/y decreases."
    )
    slope = (N - m) * Q / m
    rate = proof.step(
        le(1 / m - P, slope / m),
        COMBINATION,
        lower,
        shrink,
        positive,
        fewer,
        parameters=(1, slope, 0, 0),
        why="1/m - 1/(m + (N - m) q) = ((N - m) q/m) / (m + (N - m) q).",
    )
    bounds = proof.step(
        _NEAR, CONSEQUENCE, upper, rate, why="Both bounds on the weight of a winner."
    )
    below_limit = proof.step(
        le(1 / m - slope / m, P), COMBINATION, rate, parameters=(1,), why="Rearrange."
    )
    tends = proof.step(
        eq(_limit(1 / m - slope / m), 1 / m), LIMIT, why="exp(-Delta/tau) tends to 0."
    )
    still = proof.step(eq(_limit(1 / m), 1 / m), LIMIT, why="A constant.")
    limit = proof.step(
        eq(_limit(P), 1 / m), SQUEEZE, below_limit, upper, tends, still, why="Between the two."
    )
    return (
        proof.discharge(wins, bounds, why="For winners."),
        proof.discharge(wins, limit, why="For winners."),
    )


def _loser(proof: Proof, loses: int, small: int, share: int, at_most: int) -> tuple[int, int]:
    """The bounds and the limit of p_j for a key that is no winner, as implications."""
    positive = proof.step(lt(0, P), SIGN, why="Both are positive.")
    upper = proof.step(
        le(P, Q / m),
        COMBINATION,
        share,
        small,
        at_most,
        parameters=(1, 1 / G, Q),
        why="E_j <= q and 1/G <= 1/m.",
    )
    bounds = proof.step(
        _SMALL, CONSEQUENCE, positive, upper, why="Both bounds on the weight of the others."
    )
    weak = proof.step(le(0, P), SIGN, why="Both are positive.")
    zero = proof.step(eq(_limit(0 * tau), 0), LIMIT, why="A constant.")
    tends = proof.step(eq(_limit(Q / m), 0), LIMIT, why="exp(-Delta/tau) tends to 0.")
    limit = proof.step(eq(_limit(P), 0), SQUEEZE, weak, upper, zero, tends, why="Between the two.")
    return (
        proof.discharge(loses, bounds, why="For the others."),
        proof.discharge(loses, limit, why="For the others."),
    )


def _ties(random: Random) -> Choice:
    """Scores with a given set of winners, the others at least a gap below."""
    count = random.randint(1, 4)
    chosen = [random.randint(0, 1) for _ in range(count)]
    chosen[random.randrange(count)] = 1
    best, gap = rational(random), rational(random, positive=True)
    scores = [best if win else best - gap - random.randint(0, 2) * Fraction(1, 2) for win in chosen]
    winner = random.choice([n for n, win in enumerate(chosen, 1) if win])
    return Choice(
        {N: count, m: sum(chosen), k: winner, Delta: gap},
        {"s": lambda n: scores[n - 1], "chi": lambda n: Fraction(chosen[n - 1])},
    )
