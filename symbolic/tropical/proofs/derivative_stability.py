"""A11, tropical.derivative-stability: the derivative of soft attention, and how small it is.

The derivative of Att by the query is taken along a direction, as the limit of difference
quotients. It is the covariance of values and keys under the weights, and a covariance is half the
mean over pairs, p_i p_j (v_i - v_j)(kappa_i - kappa_j); a pair counts once for i < j (induction
on the number of keys). Away from the walls all weights but one are at most rho = K exp(-Delta/tau)
together, and so is the sum over pairs. The norm of the matrix is its largest value between unit
vectors, so identity and bound are derived between any two.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Lambda, Limit, Sum, Symbol, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.derivative import DERIVATIVE
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.induction import INDUCTION
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, ForAll, eq, le

CLAIM = "tropical.derivative-stability"

N, K = size("N"), size("K")
i, j, k = index("i"), index("j"), index("k")
s, v, mu, p = family("s"), family("v"), family("mu"), family("p")
alpha, beta, delta = family("alpha"), family("beta"), family("delta")
h, tau = Symbol("h", positive=True), Symbol("tau", positive=True)
Delta, V, M = (Symbol(name, nonnegative=True) for name in ("Delta", "V", "M"))
x = Symbol("x", real=True)


def derivation() -> Derivation:
    """For all N: the derivative of Att is the covariance of v and mu under the weights, over tau.

    One component of the values (any), the derivative along any direction u of R^d, whatever d:
    mu_j = <kappa_j, u>. Conclusion: ``covariance``, with Z^2 p_i p_j = exp((s_i + s_j)/tau).

    Raises:
        DerivationFailed: a step is not decided.
    """
    every = (j, 1, N)
    weight, moved = exp(s(j) / tau), exp((s(j) + h * mu(j)) / tau)
    total = Sum(weight, every)
    out = Sum(moved * v(j), every) / Sum(moved, every)
    still = Sum(weight * v(j), every) / total
    mean = Sum(weight * mu(j), every) / total
    setting = Setting(
        (N,),
        {j: (1, N)},
        (tau, h),
        (s, v, mu),
        {
            "N": "the number of keys",
            "s": "the scores at the query",
            "v": "one component of the values",
            "mu": "mu(j) = <kappa_j, u>: how fast score j grows in the direction u",
            "h": "how far the query moves in that direction",
            "tau": "the temperature",
        },
        {"Att": out, "Z": total},
    )
    proof = Proof(CLAIM, "The derivative of soft attention", setting)
    covariance = Sum(weight * v(j) * mu(j), every) / total - still * mean
    shown = proof.step(
        eq(Limit((out - still) / h, h, 0, "+"), covariance / tau),
        DERIVATIVE,
        parameters=(out,),
        why="Quotient and chain rule.",
    )
    return proof.finish(covariance=shown)


def pairs() -> Derivation:
    """For all N and weights p: a covariance is a sum over pairs.

    sum_{i<j} p_i p_j (v_i - v_j)(mu_i - mu_j) = (sum p)(sum p v mu) - (sum p v)(sum p mu).
    Conclusion: ``pairs``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    pair = p(i) * p(j) * (v(i) - v(j)) * (mu(i) - mu(j))

    def counted(n: Any) -> Any:
        every = (j, 1, n)
        means = Sum(p(j) * v(j), every) * Sum(p(j) * mu(j), every)
        square = Sum(p(j), every) * Sum(p(j) * v(j) * mu(j), every)
        return eq(Sum(pair, (i, 1, j - 1), every), square - means)

    setting = Setting(
        (N,),
        {k: (0, N)},
        (),
        (p, v, mu),
        {
            "N": "the number of keys",
            "p": "the weights, of any sum",
            "v": "one component of the values",
            "mu": "mu(j) = <kappa_j, u>: how fast score j grows in the direction u",
        },
    )
    proof = Proof(CLAIM, "A covariance as a sum over pairs", setting)
    start = proof.step(eq(0, 0), NORMAL_FORM, why="No key makes no pair: empty sums.")
    assumed = proof.assume(counted(k), why="Suppose it for the first k keys.")
    following = proof.step(
        counted(k + 1), COMBINATION, assumed, parameters=(1,), why="The pairs of key k + 1."
    )
    step = proof.discharge(assumed, following, why="From k to k + 1.")
    every = proof.step(ForAll(counted(k), (k, 0, N)), INDUCTION, start, step, why="Induction on k.")
    every_key = proof.step(counted(N), INSTANCE, every, parameters=(N,), why="For all N keys.")
    return proof.finish(pairs=every_key)


def bound() -> Derivation:
    """For all K: the derivative is at most V M rho/tau in absolute value, rho = K exp(-Delta/tau).

    Along any unit vectors a (of values) and u (of queries), with alpha_i = <a, v_i - v> and
    beta_i = <u, kappa_i - kappa> relative to the winning key: V bounds the diameter of the values,
    hence |alpha_i| and |alpha_i - alpha_j|, M that of the keys. Conclusions: ``derivative`` (what
    it is, by pairs) and ``bound``, both signs.

    Raises:
        DerivationFailed: a step is not decided.
    """
    others, again = (i, 1, K), (j, 1, K)
    E, q = exp(-delta(i) / tau), exp(-Delta / tau)
    R, rho = Sum(E, others), K * q
    moved = exp((h * beta(i) - delta(i)) / tau)
    out = Sum(moved * alpha(i), others) / (1 + Sum(moved, others))
    still = Sum(E * alpha(i), others) / (1 + R)
    product = alpha(i) * beta(i)
    pair = (alpha(i) - alpha(j)) * (beta(i) - beta(j))
    weights = E * exp(-delta(j) / tau)
    setting = Setting(
        (K,),
        {i: (1, K), j: (1, K)},
        (tau, h, Delta, V, M),
        (alpha, beta, delta),
        {
            "K": "the number N - 1 of the keys that lose",
            "alpha": "the component of v_i - v along a unit vector, v the winner's value",
            "beta": "the component of kappa_i - kappa along a unit vector u, likewise",
            "delta": "how far the scores of the others are behind",
            "Delta": "a lower bound on that, the gap",
            "V": "the diameter of the values",
            "M": "the diameter of the keys",
            "h": "how far the query moves in the direction u",
            "tau": "the temperature",
        },
        {"E_i": E, "R": R, "q": q, "Att": out},
    )
    winner, rest = Sum(E * product, others), Sum(weights * pair, again, others)
    slope = (winner + rest / 2) / (tau * (1 + R) ** 2)
    proof = Proof(CLAIM, "Derivative stability", setting, choose=_keys)
    gap = proof.suppose(ForAll(le(Delta, delta(i)), others), why="The others are behind.")
    own = [
        proof.suppose(ForAll(le(sign * product, V * M), others), why="Diameters, to the winner ...")
        for sign in (1, -1)
    ]
    mutual = [
        proof.suppose(
            ForAll(ForAll(le(sign * pair, V * M), again), others), why="... and to one another."
        )
        for sign in (1, -1)
    ]
    shown = proof.step(
        eq(Limit((out - still) / h, h, 0, "+"), slope),
        DERIVATIVE,
        parameters=(out,),
        why="Quotient and chain rule; pairs with the winner, then all others.",
    )
    apart = proof.step(le(Delta, delta(i)), INSTANCE, gap, parameters=(i,), why="At the key i.")
    falls = Lambda(x, exp(-x / tau))
    small = proof.step(le(E, q), MONOTONE, apart, parameters=(falls,), why="exp(-x) falls.")
    smalls = proof.step(ForAll(le(E, q), others), GENERALISATION, small, why="i was arbitrary.")
    few = proof.step(le(R, rho), TERMWISE, smalls, why="Sum over the others.")
    positive = proof.step(le(0, R**2 * (3 + 2 * R)), SIGN, why="R > 0.")
    sides = []
    for number, sign in enumerate((1, -1)):
        one = proof.step(
            le(sign * product, V * M), INSTANCE, own[number], parameters=(i,), why="At the key i."
        )
        weighed = le(sign * E * product, V * M * E)
        scaled = proof.step(weighed, COMBINATION, one, parameters=(E,), why="Multiply by E_i.")
        every = proof.step(ForAll(weighed, others), GENERALISATION, scaled, why="Any i.")
        first = proof.step(le(sign * winner, V * M * R), TERMWISE, every, why="Sum.")
        row = proof.step(
            ForAll(le(sign * pair, V * M), again),
            INSTANCE,
            mutual[number],
            parameters=(i,),
            why="At the key i.",
        )
        two = proof.step(le(sign * pair, V * M), INSTANCE, row, parameters=(j,), why="And j.")
        both = le(sign * weights * pair, V * M * weights)
        scaled = proof.step(both, COMBINATION, two, parameters=(weights,), why="Multiply.")
        inner = proof.step(ForAll(both, again), GENERALISATION, scaled, why="Any j.")
        summed = le(sign * Sum(weights * pair, again), V * M * E * R)
        line = proof.step(summed, TERMWISE, inner, why="Sum over j.")
        outer = proof.step(ForAll(summed, others), GENERALISATION, line, why="Any i.")
        second = proof.step(le(sign * rest, V * M * R**2), TERMWISE, outer, why="Sum over i.")
        scale = 1 / (tau * (1 + R) ** 2)
        sides.append(
            proof.step(
                le(sign * slope, V * M * rho / tau),
                COMBINATION,
                first,
                second,
                positive,
                few,
                parameters=(scale, scale / 2, V * M * scale / 2, V * M / tau),
                why="R + R^2/2 <= R (1 + R)^2, and R <= rho.",
            )
        )
    both_sides = proof.step(
        Conjunction(le(slope, V * M * rho / tau), le(-slope, V * M * rho / tau)),
        CONSEQUENCE,
        *sides,
        why="Both signs.",
    )
    return proof.finish(derivative=shown, bound=both_sides)


def _keys(random: Random) -> Choice:
    """Components within the diameters, gaps above the least."""
    others = random.randint(1, 3)
    values, keys = ([rational(random) for _ in range(others)] for _ in range(2))
    behind = [rational(random, positive=True) for _ in range(others)]

    def width(numbers: list[Fraction]) -> Fraction:
        return max(*numbers, Fraction(0)) - min(*numbers, Fraction(0))

    return Choice(
        {K: others, Delta: min(behind), V: width(values), M: width(keys)},
        {
            "alpha": lambda i: values[i - 1],
            "beta": lambda i: keys[i - 1],
            "delta": lambda i: behind[i - 1],
        },
    )
