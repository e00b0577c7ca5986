"""B7, ensemble.budget: how the best head dimension grows, and why the bandwidth must be fixed.

At the minimiser delta, M = (1 + g delta) exp((alpha + g) delta) (see `budget`), so log M is a known
function of delta and grows with it; ratios are taken as delta = 1/r^2, r -> 0+. With a bandwidth
optimised for each dimension the variance term decays like (nH)^(-2 beta/(2 beta + x)) instead.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import mpmath
from sympy import Lambda, Limit, Symbol, exp, log

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.limit import LIMIT, SQUEEZE
from ...derivations.rules.logic import CONSEQUENCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.tangent import TANGENT
from ...derivations.setting import Setting, size
from ...derivations.statement import Conjunction, eq, le
from .budget_curve import CLAIM, MEANING, A, D, M, alpha, g, minimised, n, v, x

r, s, beta = (Symbol(name, positive=True) for name in ("r", "s", "beta"))
_Y, _Z = Symbol("y", positive=True), Symbol("z", real=True)
_MP = mpmath.MPContext()
_MP.dps = 100
_LOG, _EXP = Lambda(_Y, log(_Y)), Lambda(_Z, exp(_Z))


def _log_below(proof: Proof, argument: Any) -> int:
    """log(1 + y) <= y, for a y that is decided positive or nonnegative."""
    above = proof.step(
        le(1 + argument, exp(argument)),
        TANGENT,
        parameters=(_EXP, 0, argument),
        why="exp lies above its tangent at 0.",
    )
    return proof.step(
        le(log(1 + argument), argument),
        MONOTONE,
        above,
        parameters=(_LOG,),
        why="log increases.",
    )


def growth() -> Derivation:
    """For all n (M is proportional to it), alpha, C = e^g > 1.

    Conclusions: ``bounds`` (for M of the minimiser x >= 0: log M/(alpha + 2g) <= x <=
    log M/(alpha + g)), ``limit`` ((alpha + s^2) delta/log M -> 1 as delta = 1/r^2 -> oo, where
    s^2 = log C).

    Raises:
        DerivationFailed: a step is not decided.
    """
    grown = exp((alpha + g) * x) * (1 + g * x)
    size_of = log(M)
    rate = alpha + s**2
    tall = log(exp(rate / r**2) * (1 + s**2 / r**2))
    ratio = rate / (rate + r**2 * log(1 + s**2 / r**2))
    setting = Setting(
        (n, D),
        {},
        (A, alpha, g, v, x, r, s),
        meaning=MEANING
        | {
            "s": "the square root of log C",
            "x": "the minimiser",
            "r": "one over the square root of the minimiser",
        },
        abbreviations={"M": M},
    )
    proof = Proof(CLAIM, "The best dimension grows like log M", setting, choose=_minimiser)
    given = proof.suppose(eq(M, grown), why="x is the minimiser, by the threshold.")
    logs = proof.step(
        eq(size_of, log(grown)), MONOTONE, given, parameters=(_LOG,), why="Take logarithms."
    )
    opened = proof.step(
        eq(log(grown), (alpha + g) * x + log(1 + g * x)), NORMAL_FORM, why="log of a product."
    )
    spread = proof.step(
        eq(size_of, (alpha + g) * x + log(1 + g * x)),
        COMBINATION,
        logs,
        opened,
        parameters=(1, 1),
        why="Both.",
    )
    positive = proof.step(le(0, g * x), SIGN, why="Both factors are nonnegative.")
    one = proof.step(
        le(0, log(1 + g * x)),
        MONOTONE,
        proof.step(le(1, 1 + g * x), COMBINATION, positive, parameters=(1,), why="Add 1."),
        parameters=(_LOG,),
        why="log increases.",
    )
    below = _log_below(proof, g * x)
    upper = proof.step(
        le(x, size_of / (alpha + g)),
        COMBINATION,
        one,
        spread,
        parameters=(1 / (alpha + g), -1 / (alpha + g)),
        why="Leave out log(1 + g x) >= 0.",
    )
    lower = proof.step(
        le(size_of / (alpha + 2 * g), x),
        COMBINATION,
        below,
        spread,
        parameters=(1 / (alpha + 2 * g), 1 / (alpha + 2 * g)),
        why="log(1 + g x) <= g x.",
    )
    bounds = proof.step(
        Conjunction(le(size_of / (alpha + 2 * g), x), le(x, size_of / (alpha + g))),
        CONSEQUENCE,
        lower,
        upper,
        why="Both.",
    )
    limit = _limit(proof, rate, tall, ratio)
    return proof.finish(bounds=bounds, limit=limit)


def _limit(proof: Proof, rate: Any, tall: Any, ratio: Any) -> int:
    """rate/r^2 over log M tends to 1: the logarithm is at most 2 s/r, of lower order."""
    square = proof.step(
        le(1 + s**2 / r**2, (1 + s / r) ** 2),
        SIGN,
        why="The square has 2 s/r more.",
    )
    above = proof.step(
        le(1 + s / r, exp(s / r)),
        TANGENT,
        parameters=(_EXP, 0, s / r),
        why="exp lies above its tangent at 0.",
    )
    squared = proof.step(
        le((1 + s / r) ** 2, exp(2 * s / r)),
        MONOTONE,
        above,
        parameters=(Lambda(_Y, _Y**2),),
        why="Squares of positive numbers increase.",
    )
    both = proof.step(
        le(1 + s**2 / r**2, exp(2 * s / r)),
        COMBINATION,
        square,
        squared,
        parameters=(1, 1),
        why="Chain.",
    )
    small = proof.step(
        le(log(1 + s**2 / r**2), 2 * s / r),
        MONOTONE,
        both,
        parameters=(_LOG,),
        why="log increases.",
    )
    least = rate / (rate + 2 * s * r)
    cover = proof.step(
        le(r**2 * log(1 + s**2 / r**2), 2 * s * r),
        COMBINATION,
        small,
        parameters=(r**2,),
        why="Multiply by r^2.",
    )
    more = proof.step(le(1, 1 + s**2 / r**2), SIGN, why="A positive number is added.")
    log_positive = proof.step(
        le(0, log(1 + s**2 / r**2)), MONOTONE, more, parameters=(_LOG,), why="log increases."
    )
    low = proof.step(
        le(rate, rate + r**2 * log(1 + s**2 / r**2)),
        COMBINATION,
        log_positive,
        parameters=(r**2,),
        why="Add what is not negative.",
    )
    wide = proof.step(
        le(rate + r**2 * log(1 + s**2 / r**2), rate + 2 * s * r),
        COMBINATION,
        cover,
        parameters=(1,),
        why="Add the rate.",
    )
    inverse = Lambda(_Y, rate / _Y)
    at_most = proof.step(
        le(ratio, 1), MONOTONE, low, log_positive, parameters=(inverse,), why="1/y decreases."
    )
    at_least = proof.step(
        le(least, ratio), MONOTONE, wide, log_positive, parameters=(inverse,), why="1/y decreases."
    )
    tends = proof.step(eq(Limit(least, r, 0, "+"), 1), LIMIT, why="2 s r tends to 0.")
    still = proof.step(eq(Limit(r**0, r, 0, "+"), 1), LIMIT, why="A constant.")
    whole = proof.step(
        eq(rate / r**2, ratio * tall),
        NORMAL_FORM,
        log_positive,
        why="log M = rate/r^2 + log(1 + s^2/r^2).",
    )
    limit = proof.step(
        eq(Limit(ratio, r, 0, "+"), 1),
        SQUEEZE,
        at_least,
        at_most,
        tends,
        still,
        why="Between the two.",
    )
    return proof.step(
        Conjunction(eq(rate / r**2, ratio * tall), eq(Limit(ratio, r, 0, "+"), 1)),
        CONSEQUENCE,
        whole,
        limit,
        why="The ratio and its limit.",
    )


def contrast() -> Derivation:
    """For all n: with bandwidths optimised for each dimension.

    Bias exp(-alpha x) and error exp(-2 beta L/(2 beta + x)), L = log(n H), are of one order where
    alpha x (2 beta + x) = 2 beta L. Conclusions: ``balance`` (alpha x^2 = 2 beta L x/(2 beta + x)),
    ``limit`` (the factor tends to 1 as x = 1/r -> oo: x grows like sqrt(2 beta L/alpha)).

    Raises:
        DerivationFailed: a step is not decided.
    """
    y, H = Symbol("x", positive=True), size("H")
    L = log(n * H)
    setting = Setting(
        (n, H),
        {},
        (alpha, beta, y, r),
        meaning={
            "n": "the number of training points",
            "H": "the number of heads",
            "alpha": "the rate at which the squared bias decays in the dimension",
            "beta": "the smoothness of the regression function",
            "x": "the dimension at which both errors are of one order",
            "r": "1/x",
        },
        abbreviations={"L": L},
    )
    proof = Proof(CLAIM, "The contrast: optimised bandwidths", setting, choose=_balanced)
    given = proof.suppose(
        eq(alpha * y * (2 * beta + y), 2 * beta * L), why="Both exponents are equal."
    )
    balance = proof.step(
        eq(alpha * y**2, 2 * beta * L * (y / (2 * beta + y))),
        COMBINATION,
        given,
        parameters=(y / (2 * beta + y),),
        why="Multiply by x/(2 beta + x).",
    )
    limit = proof.step(
        eq(Limit(1 / (2 * beta * r + 1), r, 0, "+"), 1), LIMIT, why="x/(2 beta + x) with x = 1/r."
    )
    return proof.finish(balance=balance, limit=limit)


def _minimiser(random: Random) -> Choice:
    """A dimension and the A for which it is the minimiser, to 80 digits."""
    values = {letter: rational(random, positive=True) for letter in (alpha, g, v)}
    sizes = {n: random.randint(1, 3), D: random.randint(1, 3)}
    best = random.choice((Fraction(0), Fraction(1), Fraction(5, 3)))
    scale = values[v] / (values[alpha] * sizes[n] * sizes[D])
    return Choice(
        {**sizes, **values, x: best, A: minimised(values[alpha], values[g], best) * scale}
    )


def _balanced(random: Random) -> Choice:
    """A dimension and the rate alpha for which both errors are of one order there."""
    b, at = rational(random, positive=True), rational(random, positive=True)
    sizes = {n: random.randint(2, 4), size("H"): random.randint(1, 4)}
    exponent = Fraction(int(_MP.log(sizes[n] * sizes[size("H")]) * 10**80), 10**80)
    rate = 2 * b * exponent / (at * (2 * b + at))
    return Choice({**sizes, beta: b, Symbol("x", positive=True): at, alpha: rate})
