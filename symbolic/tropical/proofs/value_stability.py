"""A10, tropical.value-stability: how far soft attention is from the value of the winning key.

At a query one key wins; the K = N - 1 others are at least Delta behind and their values within D
of the winner's, v. The length of Att - v is its largest component along a unit vector, so the
bound is derived for the component along any unit vector a. With E_i = exp(-delta_i/tau) and
R = sum E_i that component is sum_i E_i A_i/(1 + R), A_i = <a, w_i - v> <= D, and
R <= rho = K exp(-Delta/tau). What is lost on the way is a sum of two nonnegative parts, one for the
gaps and one for the values: the bound is attained iff both vanish.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

from sympy import Lambda, Sum, Symbol, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, RESCALING, SIGN
from ...derivations.rules.summation import TERMWISE, VANISHING_SUM, VANISHING_TERMS
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, Equivalence, ForAll, Statement, eq, le

CLAIM = "tropical.value-stability"

K, d = size("K"), size("d")
i, c = index("i"), index("c")
v, w, delta, a = family("v"), family("w"), family("delta"), family("a")
t, tau = Symbol("t", real=True), Symbol("tau", positive=True)
Delta, D = Symbol("Delta", nonnegative=True), Symbol("D", positive=True)
x, y = Symbol("x", real=True), Symbol("y", positive=True)

OTHERS, COMPONENTS = (i, 1, K), (c, 1, d)
E = exp(-delta(i) / tau)
R = Sum(E, OTHERS)
Q = exp(-Delta / tau)
RHO = K * Q
A = Sum(a(c) * (w(i, c) - v(c)), COMPONENTS)
OFF = Sum((w(i, c) - v(c)) ** 2, COMPONENTS)
TURNED = Sum((w(i, c) - v(c) - D * a(c)) ** 2, COMPONENTS)
UNIT = Sum(a(c) ** 2, COMPONENTS)
SHARE, FALLS = Lambda(y, 1 - 1 / (1 + y)), Lambda(x, exp(-x / tau))
BOUND = D * RHO / (1 + RHO)


def derivation() -> Derivation:
    """For all K, d and unit vectors a: <a, Att - v> <= D rho/(1 + rho), and when it is attained.

    Conclusions: ``bound``; ``attained`` (equality iff every other key is Delta behind and
    A_i = D); ``alike`` (then w_i = v + D a: the others share one value, at distance D).

    Raises:
        DerivationFailed: a step is not decided.
    """
    lost = exp((t - delta(i)) / tau)
    out = (exp(t / tau) * v(c) + Sum(lost * w(i, c), OTHERS)) / (exp(t / tau) + Sum(lost, OTHERS))
    error = Sum(a(c) * (out - v(c)), COMPONENTS)
    setting = Setting(
        (K, d),
        {i: (1, K), c: (1, d)},
        (t, tau, Delta, D),
        (v, w, delta, a),
        {
            "K": "the number N - 1 of the other keys",
            "d": "the dimension of the values",
            "t": "the score of the key that wins",
            "v": "its value",
            "w": "w(i, c): the values of the others",
            "delta": "how far the scores of the others are behind",
            "Delta": "a lower bound on that, the gap",
            "D": "a bound on the distances of the values from v",
            "a": "a unit vector",
            "tau": "the temperature",
        },
        {"Att": out, "E_i": E, "R": R, "q": Q, "e": error, "A_i": A},
    )
    proof = Proof(CLAIM, "Value stability", setting, choose=_head)
    gap = proof.suppose(ForAll(le(Delta, delta(i)), OTHERS), why="The others are behind, ...")
    near = proof.suppose(ForAll(le(OFF, D**2), OTHERS), why="... their values not far off.")
    unit = proof.suppose(eq(UNIT, 1), why="a is a unit vector.")

    weighted = Sum(E * A, OTHERS)
    shown = proof.step(
        eq(error, weighted / (1 + R)), NORMAL_FORM, why="The winner's own term drops out."
    )
    close = proof.step(le(OFF, D**2), INSTANCE, near, parameters=(i,), why="At the key i.")
    square = proof.step(le(0, TURNED), SIGN, why="A sum of squares.")
    opened = proof.step(eq(TURNED, OFF - 2 * D * A + D**2 * UNIT), NORMAL_FORM, why="Multiply out.")
    along = proof.step(
        le(A, D),
        COMBINATION,
        close,
        square,
        opened,
        unit,
        parameters=(1 / (2 * D), 1 / (2 * D), 1 / (2 * D), D / 2),
        why="The Cauchy-Schwarz inequality.",
    )
    weighed = proof.step(
        le(E * A, D * E), COMBINATION, along, parameters=(E,), why="Multiply by E_i > 0."
    )
    each = proof.step(
        ForAll(le(E * A, D * E), OTHERS), GENERALISATION, weighed, why="i was arbitrary."
    )
    total = proof.step(le(weighted, D * R), TERMWISE, each, why="Sum over the others.")

    apart = proof.step(le(Delta, delta(i)), INSTANCE, gap, parameters=(i,), why="At the key i.")
    small = proof.step(le(E, Q), MONOTONE, apart, parameters=(FALLS,), why="exp(-x) falls.")
    smalls = proof.step(ForAll(le(E, Q), OTHERS), GENERALISATION, small, why="i was arbitrary.")
    rest = proof.step(le(R, RHO), TERMWISE, smalls, why="Sum over the others.")
    share = proof.step(
        le(R / (1 + R), RHO / (1 + RHO)), MONOTONE, rest, parameters=(SHARE,), why="y/(1+y) rises."
    )
    bound = proof.step(
        le(error, BOUND),
        COMBINATION,
        shown,
        total,
        share,
        parameters=(1, 1 / (1 + R), D),
        why="Divide by 1 + R.",
    )

    mass, values = BOUND - D * R / (1 + R), (D * R - weighted) / (1 + R)
    parts = proof.step(
        eq(BOUND - error, mass + values),
        COMBINATION,
        shown,
        parameters=(1,),
        why="What is lost, in two parts.",
    )
    massive = proof.step(le(0, mass), COMBINATION, share, parameters=(D,), why="As above.")
    valued = proof.step(
        le(0, values), COMBINATION, total, parameters=(1 / (1 + R),), why="As above."
    )
    vanish = proof.step(
        Equivalence(eq(mass + values, 0), Conjunction(eq(mass, 0), eq(values, 0))),
        VANISHING_TERMS,
        massive,
        valued,
        why="Two nonnegative parts.",
    )
    tied = _tied(proof, mass, smalls)
    distant = _distant(proof, values, each)
    nothing = Conjunction(ForAll(eq(Delta, delta(i)), OTHERS), ForAll(eq(A, D), OTHERS))
    lossless = proof.step(
        Equivalence(eq(mass + values, 0), nothing),
        CONSEQUENCE,
        vanish,
        tied,
        distant,
        why="Chain the equivalences.",
    )
    attained = proof.step(
        Equivalence(eq(error, BOUND), nothing),
        CONSEQUENCE,
        lossless,
        _rewritten(proof, eq(error, BOUND), parts, mass + values),
        why="Chain the equivalences.",
    )
    alike = _alike(proof, close, opened, unit)
    return proof.finish(bound=bound, attained=attained, alike=alike)


def _rewritten(proof: Proof, equal: Statement, parts: int, found: Any) -> int:
    """The bound is attained iff the sum of the parts is zero."""
    forth = proof.assume(equal, why="Suppose that the bound is attained.")
    zero = proof.step(
        eq(found, 0), COMBINATION, parts, forth, parameters=(-1, -1), why="Nothing is lost."
    )
    there = proof.discharge(forth, zero, why="One direction.")
    back = proof.assume(eq(found, 0), why="Suppose that nothing is lost.")
    again = proof.step(equal, COMBINATION, parts, back, parameters=(-1, -1), why="Attained.")
    and_back = proof.discharge(back, again, why="The other direction.")
    return proof.step(
        Equivalence(equal, eq(found, 0)), CONSEQUENCE, there, and_back, why="Both directions."
    )


def _tied(proof: Proof, mass: Any, smalls: int) -> int:
    """Nothing of the mass is lost iff all others are exactly Delta behind."""
    tie = eq(Delta, delta(i))
    shares = proof.step(
        Equivalence(eq(mass, 0), eq(RHO, R)),
        MONOTONE,
        parameters=(Lambda(y, D * (1 - 1 / (1 + y))),),
        why="D y/(1+y) is injective.",
    )
    summed = proof.step(
        Equivalence(eq(Sum(Q - E, OTHERS), 0), ForAll(eq(Q - E, 0), OTHERS)),
        VANISHING_SUM,
        smalls,
        why="rho - R is a sum of nonnegative terms.",
    )
    one = proof.step(
        Equivalence(eq(Q - E, 0), tie), MONOTONE, parameters=(FALLS,), why="exp is injective."
    )
    every = _everywhere(proof, one, eq(Q - E, 0), tie)
    return proof.step(
        Equivalence(eq(mass, 0), ForAll(tie, OTHERS)),
        CONSEQUENCE,
        shares,
        summed,
        every,
        why="Chain the equivalences.",
    )


def _distant(proof: Proof, values: Any, each: int) -> int:
    """Nothing of the values is lost iff all others are D ahead of v in the direction a."""
    term, there = D * E - E * A, eq(A, D)
    scaled = proof.step(
        Equivalence(eq(Sum(term, OTHERS), 0), eq(values, 0)),
        RESCALING,
        parameters=(1 / (1 + R),),
        why="A positive factor.",
    )
    summed = proof.step(
        Equivalence(eq(Sum(term, OTHERS), 0), ForAll(eq(term, 0), OTHERS)),
        VANISHING_SUM,
        each,
        why="Nonnegative terms.",
    )
    freed = proof.step(
        Equivalence(eq(term, 0), there), RESCALING, parameters=(-1 / E,), why="E_i > 0."
    )
    every = _everywhere(proof, freed, eq(term, 0), there)
    return proof.step(
        Equivalence(eq(values, 0), ForAll(there, OTHERS)),
        CONSEQUENCE,
        scaled,
        summed,
        every,
        why="Chain the equivalences.",
    )


def _alike(proof: Proof, close: int, opened: int, unit: int) -> int:
    """A value within D of v that is D ahead in the direction a is v + D a."""
    there = proof.assume(eq(A, D), why="Suppose that A_i = D.")
    least = proof.step(
        le(TURNED, 0),
        COMBINATION,
        close,
        opened,
        unit,
        there,
        parameters=(1, 1, D**2, -2 * D),
        why="The square of a distance that is at most 0.",
    )
    return proof.discharge(there, least, why="So w_i is v + D a.")


def _everywhere(proof: Proof, one: int, left: Statement, right: Statement) -> int:
    """From an equivalence at the key i that for all keys."""
    return proof.step(
        Equivalence(ForAll(left, OTHERS), ForAll(right, OTHERS)),
        GENERALISATION,
        one,
        why="i was arbitrary.",
    )


def _head(random: Random) -> Choice:
    """Values, gaps and a unit vector; every third time the bound is attained."""
    others, dimension = random.randint(1, 3), random.randint(1, 2)
    winner = [rational(random) for _ in range(dimension)]
    unit = random.choice(_UNITS[dimension])
    behind = [rational(random, positive=True) for _ in range(others)]
    if random.randrange(3) == 0:
        far = rational(random, positive=True)
        values = [[b + far * e for b, e in zip(winner, unit, strict=True)]] * others
        behind = [behind[0]] * others
    else:
        values = [[rational(random) for _ in range(dimension)] for _ in range(others)]
        farthest = max(
            sum(((p - q) ** 2 for p, q in zip(value, winner, strict=True)), Fraction(0))
            for value in values
        )
        far = Fraction(isqrt(int(4 * farthest)) + 1, 2)
    return Choice(
        {K: others, d: dimension, Delta: min(behind), D: far},
        {
            "v": lambda c: winner[c - 1],
            "w": lambda i, c: values[i - 1][c - 1],
            "delta": lambda i: behind[i - 1],
            "a": lambda c: unit[c - 1],
        },
    )


_UNITS = {
    1: ([Fraction(1)], [Fraction(-1)]),
    2: ([Fraction(3, 5), Fraction(-4, 5)], [Fraction(0), Fraction(1)]),
}
