"""A3, tropical.routing-limit: at temperature 0+ the weights tend to the uniform law on the argmax.

The argmax set is given by its indicator chi, its size m = sum chi, and a lower bound Delta > 0
on the gap of every other key. With E_j = exp((s_j - s_k)/tau), 1 for winners and at most
q = exp(-Delta/tau) for the others, G = sum E lies between m and m + (N - m) q, and p_j = E_j/G.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from sympy import Lambda, Limit, Sum, Symbol, exp

from ...derivation import Derivation
from ...instance import Choice, rational
from ...proof import Proof
from ...rules.equality import NORMAL_FORM
from ...rules.limit import LIMIT, SQUEEZE
from ...rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE, ZERO_PRODUCT
from ...rules.monotone import MONOTONE
from ...rules.order import COMBINATION, RESCALING, SIGN
from ...rules.summation import TERMWISE
from ...setting import Setting, family, index, size
from ...statement import Conjunction, Disjunction, Equivalence, ForAll, Implication, eq, le, lt

CLAIM = "tropical.routing-limit"

N, m = size("N"), size("m")
i, j, k = index("i"), index("j"), index("k")
s, chi = family("s"), family("chi")
tau, Delta = Symbol("tau", positive=True), Symbol("Delta", positive=True)
x, y = Symbol("x", real=True), Symbol("y", positive=True)

EVERY = (j, 1, N)
TERM = exp((s(j) - s(k)) / tau)
G = Sum(exp((s(i) - s(k)) / tau), (i, 1, N))
Q = exp(-Delta / tau)
P = exp(s(j) / tau) / Sum(exp(s(i) / tau), (i, 1, N))
MOST = m + (N - m) * Q
INVERSE = Lambda(y, 1 / y)


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
    full = _winner_term(proof, tie, wins)
    small = _loser_term(proof, gap, loses)
    fewer, above, below = _partition(proof, each, cases, count, (wins, full), (loses, small))
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


def _winner_term(proof: Proof, tie: int, wins: int) -> int:
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
        parameters=(Lambda(x, exp((x - s(k)) / tau)),),
        why="exp 0 = 1.",
    )


def _loser_term(proof: Proof, gap: int, loses: int) -> int:
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
        parameters=(Lambda(x, exp((x - s(k)) / tau)),),
        why="exp increases.",
    )


def _partition(
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


def _under(proof: Proof, goal: object, case: tuple[int, int], multipliers: tuple) -> int:  # type: ignore[type-arg]
    """The implication from a case to a goal that combines the case with one more step."""
    assumption, step = case
    reached = proof.step(
        goal, COMBINATION, assumption, step, parameters=multipliers, why="In this case."
    )
    return proof.discharge(assumption, reached, why="The case is closed.")


def _sum_up(proof: Proof, term: object, total: object, step: int) -> int:
    """From a relation of terms at j, that of the sums over all j."""
    every = proof.step(ForAll(term, EVERY), GENERALISATION, step, why="j was arbitrary.")
    return proof.step(total, TERMWISE, every, why="Sum over all keys.")


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
