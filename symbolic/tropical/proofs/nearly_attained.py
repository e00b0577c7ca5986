"""A4, tropical.rational-map: heads whose error comes as near to tau log N as one likes.

All lifted scores are 0, so their soft maximum exceeds the maximum by the full tau log N; one score
is 0 and all the others are -1/q, so the soft maximum of the scores exceeds theirs by as little as
one likes.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from sympy import Lambda, Limit, Sum, Symbol, exp, log

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.limit import LIMIT
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Equivalence, ForAll, eq, le

CLAIM = "tropical.rational-map"

K, i, j = size("K"), index("i"), index("j")
s, u = family("s"), family("u")
tau, q = Symbol("tau", positive=True), Symbol("q", positive=True)
x, y = Symbol("x", real=True), Symbol("y", positive=True)


def derivation() -> Derivation:
    """For N = K + 1 >= 2 keys the error comes as near to tau log N as one likes.

    Key 0 has score 0, the K others -1/q, and u = -s. Conclusions: ``top`` (key 0 has the largest
    score); ``error`` (tau log out minus the tropical value, which is 0, is
    tau log N - tau log(1 + K exp(-1/(q tau)))); ``supremum`` (this tends to tau log N as q -> 0).

    Raises:
        DerivationFailed: a step is not decided.
    """
    others, every = (j, 1, K), (i, 0, K)
    Z = Sum(exp(s(i) / tau), every)
    product = exp(s(i) / tau) * exp(u(i) / tau)
    numerator = Sum(product, every)
    out = Sum(product / Z, every)
    error = tau * log(out) - (s(0) + u(0) - s(0))
    r = exp(-1 / (q * tau))
    shown = tau * log(K + 1) - tau * log(1 + K * r)
    setting = Setting(
        (K,),
        {j: (1, K), i: (0, K)},
        (tau, q),
        (s, u),
        {
            "K": "the number of keys but one: N = K + 1",
            "s": "the scores",
            "u": "the logarithms of the values, in units of 1/tau",
            "tau": "the temperature",
            "q": "-1/q is the score of every key but key 0",
        },
        {"e": error, "out": out, "A": numerator, "Z": Z},
    )
    proof = Proof(CLAIM, "The bound tau log N is a supremum", setting, choose=_family)
    first = proof.suppose(eq(s(0), 0), why="Key 0 has the score 0, ...")
    rest = proof.suppose(ForAll(eq(s(j), -1 / q), others), why="... the others a lower one.")
    level = proof.suppose(ForAll(eq(s(i) + u(i), 0), every), why="All lifted scores are 0.")

    scaled, logarithm = Lambda(x, exp(x / tau)), Lambda(y, log(y))
    one = proof.step(
        eq(exp(s(0) / tau), 1), MONOTONE, first, parameters=(scaled,), why="exp 0 = 1."
    )
    own = proof.step(eq(s(j), -1 / q), INSTANCE, rest, parameters=(j,), why="At the key j.")
    negative = proof.step(le(-1 / q, 0), SIGN, why="q is positive.")
    behind = proof.step(
        le(s(j), s(0)),
        COMBINATION,
        own,
        negative,
        first,
        parameters=(1, 1, -1),
        why="-1/q <= 0 = s(0).",
    )
    top = proof.step(ForAll(le(s(j), s(0)), others), GENERALISATION, behind, why="j was arbitrary.")
    power = proof.step(eq(exp(s(j) / tau), r), MONOTONE, own, parameters=(scaled,), why="Insert.")
    powers = proof.step(
        ForAll(eq(exp(s(j) / tau), r), others), GENERALISATION, power, why="j was arbitrary."
    )
    tail = proof.step(
        eq(Sum(exp(s(j) / tau), others), K * r), TERMWISE, powers, why="K equal terms."
    )
    split = proof.step(
        eq(Z, exp(s(0) / tau) + Sum(exp(s(j) / tau), others)), NORMAL_FORM, why="Key 0 apart."
    )
    below = proof.step(
        eq(Z, 1 + K * r), COMBINATION, split, one, tail, parameters=(1, 1, 1), why="Insert."
    )
    lifted = proof.step(eq(s(i) + u(i), 0), INSTANCE, level, parameters=(i,), why="At the key i.")
    unit = proof.step(eq(product, 1), MONOTONE, lifted, parameters=(scaled,), why="exp 0 = 1.")
    units = proof.step(ForAll(eq(product, 1), every), GENERALISATION, unit, why="i was arbitrary.")
    above = proof.step(eq(numerator, K + 1), TERMWISE, units, why="K + 1 terms, each 1.")
    difference = log(numerator) - log(Z)
    quotient = proof.step(
        eq(exp(log(out)), exp(difference)), NORMAL_FORM, why="The denominator is common."
    )
    injective = proof.step(
        Equivalence(eq(exp(log(out)), exp(difference)), eq(log(out), difference)),
        MONOTONE,
        parameters=(Lambda(x, exp(x)),),
        why="exp is injective.",
    )
    apart = proof.step(
        eq(log(out), difference), CONSEQUENCE, quotient, injective, why="So the logarithms agree."
    )
    log_above, log_below = (
        proof.step(eq(log(a), log(b)), MONOTONE, step, parameters=(logarithm,), why="Logarithms.")
        for a, b, step in ((numerator, K + 1, above), (Z, 1 + K * r, below))
    )
    lifted_first = proof.step(eq(s(0) + u(0), 0), INSTANCE, level, parameters=(0,), why="At key 0.")
    value = proof.step(
        eq(error, shown),
        COMBINATION,
        apart,
        log_above,
        log_below,
        lifted_first,
        first,
        parameters=(tau, tau, -tau, -1, 1),
        why="The tropical value is s(0) + u(0) - s(0) = 0.",
    )
    supremum = proof.step(
        eq(Limit(shown, q, 0, "+"), tau * log(K + 1)), LIMIT, why="exp(-1/(q tau)) tends to 0."
    )
    return proof.finish(top=top, error=value, supremum=supremum)


def _family(random: Random) -> Choice:
    """A member of the family."""
    depth = Fraction(random.randint(1, 6), random.randint(1, 2))

    def score(j: int) -> Fraction:
        return -depth if j else Fraction(0)

    return Choice({q: 1 / depth}, {"s": score, "u": lambda j: -score(j)})
