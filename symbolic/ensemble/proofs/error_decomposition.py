"""B3, ensemble.error-decomposition: bias, variance and covariance of an average of heads.

E is linear, so the mean squared error of fbar = (1/H) sum f_h is a polynomial in the moments
mu(h) = E f_h and M(h, g) = E f_h f_g. Pairs are ordered pairs of different heads; H is written
m + 1, so that the number of pairs is not 0.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq
from . import uncorrelated

CLAIM = "ensemble.error-decomposition"

m, n = size("m"), size("n")
h, g, o, i, j = (index(name) for name in "hgoij")
H = m + 1
_HEADS = (h, 1, H)
mu, M = family("mu"), family("M")


def _decomposed(target: Any) -> tuple[Any, Any, Any]:
    """Mean bias, mean variance and mean covariance of moments mu and M."""
    bias = Sum(mu(h) - target, _HEADS) / H
    variance = Sum(M(h, h) - mu(h) ** 2, _HEADS) / H
    spans = (g, 1, h - 1), (g, h + 1, H)
    pairs = sum(Sum(M(h, g) - mu(h) * mu(g), span) for span in spans)
    return bias, variance, Sum(pairs, _HEADS) / (H * m)


def derivation() -> Derivation:
    """For all H = m + 1 >= 2, any moments, y = t + noise of variance s.

    Linearity of E gives E (fbar - y)^2 = (1/H^2) sum M(h, g) - (2/H) sum E f_h y + E y^2, and noise
    of mean zero that is uncorrelated with the heads E f_h y = t mu(h), E y^2 = t^2 + s; s = 0 for a
    fixed y. Conclusion: ``decomposition``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    X = family("X")
    target, noise, Y, E = (Symbol(name, real=True) for name in ("t", "s", "Y", "E"))
    bias, variance, covariance = _decomposed(target)
    setting = Setting(
        (m,),
        {h: (1, H), g: (1, H)},
        (target, noise, Y, E),
        (mu, M, X),
        {
            "m": "one less than the number of heads H = m + 1",
            "mu": "mu(h) = E f_h",
            "M": "M(h, g) = E f_h f_g",
            "X": "X(h) = E f_h y",
            "Y": "E y^2",
            "t": "the mean of y, the target",
            "s": "the variance of the noise in y",
            "E": "the mean squared error of the average",
        },
        {"bias": bias, "var": variance, "cov": covariance},
    )
    proof = Proof(CLAIM, "Bias, variance and covariance", setting, choose=_moments)
    opened = proof.suppose(
        eq(E, Sum(M(h, g), (g, 1, H), _HEADS) / H**2 - 2 * Sum(X(h), _HEADS) / H + Y),
        why="E is linear.",
    )
    cross = proof.suppose(
        ForAll(eq(X(h), target * mu(h)), _HEADS), why="The noise is uncorrelated with each head."
    )
    square = proof.suppose(eq(Y, target**2 + noise), why="The noise has mean zero.")
    crossed = proof.step(
        eq(Sum(X(h), _HEADS), target * Sum(mu(h), _HEADS)), TERMWISE, cross, why="Sum over heads."
    )
    inserted = proof.step(
        eq(
            E,
            Sum(M(h, g), (g, 1, H), _HEADS) / H**2
            - 2 * target * Sum(mu(h), _HEADS) / H
            + target**2
            + noise,
        ),
        COMBINATION,
        opened,
        crossed,
        square,
        parameters=(1, -2 / H, 1),
        why="Insert both.",
    )
    shown = bias**2 + variance / H + (1 - 1 / H) * covariance + noise
    whole = proof.step(
        eq(E, shown),
        COMBINATION,
        inserted,
        parameters=(1,),
        why="The sum over g is split at h; (1 - 1/H)/(H (H-1)) = 1/H^2.",
    )
    return proof.finish(decomposition=whole)


def outcomes() -> Derivation:
    """What `derivation` supposes of the moments, on any probability space of n points.

    Conclusion: ``finite-space``: the error is (1/H^2) sum E f_h f_g - (2 t/H) sum E f_h + t^2
    + E e^2 for any f_h and noise e with sum p = 1, sum p e = 0 and sum p e f_h = 0 for all h.

    Raises:
        DerivationFailed: a step is not decided.
    """
    f, p, e = family("f"), family("p"), family("e")
    target = Symbol("t", real=True)
    every = (o, 1, n)

    def mean(term: Any) -> Any:
        return Sum(p(o) * term, every)

    average = Sum(f(h, o), _HEADS) / H
    error = mean((average - target - e(o)) ** 2)
    setting = Setting(
        (m, n),
        {h: (1, H), g: (1, H), o: every[1:]},
        (target,),
        (f, p, e),
        {
            "m": "one less than the number of heads H = m + 1",
            "n": "the number of outcomes",
            "p": "their probabilities",
            "f": "f(h, o): what head h says at outcome o",
            "t": "the target",
            "e": "the noise in y = t + e",
        },
        {"E": error},
    )
    proof = Proof(
        CLAIM, "The error by moments, on a finite probability space", setting, choose=_space
    )
    one = proof.suppose(eq(Sum(p(o), every), 1), why="p are probabilities.")
    zero = proof.suppose(eq(mean(e(o)), 0), why="The noise has mean zero.")
    cross = proof.suppose(
        ForAll(eq(mean(e(o) * f(h, o)), 0), _HEADS),
        why="The noise is uncorrelated with each head.",
    )
    crossed = proof.step(
        eq(Sum(mean(e(o) * f(h, o)), _HEADS), 0), TERMWISE, cross, why="Sum over the heads."
    )
    means, squares = Sum(mean(f(h, o)), _HEADS), Sum(mean(f(h, o) * f(g, o)), (g, 1, H), _HEADS)
    opened = proof.step(
        eq(
            error,
            squares / H**2
            - 2 * target * means / H
            - 2 * Sum(mean(e(o) * f(h, o)), _HEADS) / H
            + target**2 * Sum(p(o), every)
            + 2 * target * mean(e(o))
            + mean(e(o) ** 2),
        ),
        NORMAL_FORM,
        why="Multiply out; the sums over heads and outcomes commute.",
    )
    plain = squares / H**2 - 2 * target * means / H + target**2 + mean(e(o) ** 2)
    inserted = proof.step(
        eq(error, plain),
        COMBINATION,
        opened,
        crossed,
        one,
        zero,
        parameters=(1, -2 / H, target**2, 2 * target),
        why="Insert all three.",
    )
    return proof.finish(finite_space=inserted)


def fixed_design() -> Derivation:
    """For all H = m + 1, n: heads that weight the same n noisy responses, y_j = f(j) + eps_j.

    Conclusions: ``covariance`` (of two heads: sigma^2 <w_h, w_g>), ``average`` (the variance of the
    average: sigma^2 |wbar|^2), ``error`` (MSE = (sum wbar f - f0)^2 + sigma^2 |wbar|^2).

    Raises:
        DerivationFailed: a step is not decided.
    """
    w, f, C = family("w"), family("f"), family("C")
    target, v = Symbol("f_0", real=True), Symbol("v", nonnegative=True)
    every = (i, 1, n)

    def mean(k: Any) -> Any:
        return Sum(w(h, k), _HEADS) / H

    def form(x: Any, y: Any) -> Any:
        return Sum(x(i) * Sum(y(j) * C(i, j), (j, 1, n)), every)

    setting = Setting(
        (m, n),
        {h: (1, H), g: (1, H), i: (1, n), j: (1, n)},
        (target, v),
        (w, f, C),
        {
            "m": "one less than the number of heads H = m + 1",
            "n": "the number of points",
            "w": "w(h, j): the weight of head h on point j",
            "f": "the regression function at the points",
            "f_0": "the regression function at the query",
            "C": "C(i, j): the covariance of the noise at points i and j",
            "v": "sigma^2",
        },
        {"wbar_i": mean(i)},
    )
    proof = Proof(CLAIM, "A fixed design with uncorrelated noise", setting, choose=_design)
    given = tuple(
        proof.suppose(statement, why="The noise is uncorrelated, of variance v.")
        for statement in uncorrelated.hypotheses(C, i, j, n, v)
    )
    arguments: dict[str, Any] = {"C": C, "s": i, "t": j, "count": n, "variance": v}
    pair = uncorrelated.collapse(proof, given, lambda k: w(h, k), lambda k: w(g, k), **arguments)
    average = uncorrelated.collapse(proof, given, mean, mean, **arguments)
    bias = Sum(mean(i) * f(i), every) - target
    error = proof.step(
        eq(
            bias**2 + form(mean, mean),
            bias**2 + v * Sum(mean(i) ** 2, every),
        ),
        COMBINATION,
        average,
        parameters=(1,),
        why="Bias and variance of the average.",
    )
    return proof.finish(covariance=pair, average=average, error=error)


def _moments(random: Random) -> Choice:
    """Moments of a finite space and the letters that they define."""
    heads = random.randint(2, 4)
    means = [rational(random) for _ in range(heads)]
    table = [[rational(random) for _ in range(heads)] for _ in range(heads)]
    target, noise = rational(random), abs(rational(random))
    second = target**2 + noise
    total = sum((x for row in table for x in row), Fraction(0))
    error = total / heads**2 - 2 * target * sum(means, Fraction(0)) / heads + second
    letters = {"t": target, "s": noise, "Y": second, "E": error}
    return Choice(
        {m: heads - 1} | {Symbol(name, real=True): x for name, x in letters.items()},
        {
            "mu": lambda k: means[int(k) - 1],
            "M": lambda a, b: table[int(a) - 1][int(b) - 1],
            "X": lambda k: target * means[int(k) - 1],
        },
    )


def _space(random: Random) -> Choice:
    """Outcomes in pairs with noise +e, -e on which the heads agree."""
    heads, pairs = random.randint(2, 3), random.randint(1, 2)
    chances = [Fraction(random.randint(1, 3)) for _ in range(pairs)]
    total = 2 * sum(chances, Fraction(0))
    noise = [rational(random) for _ in range(pairs)]
    said = [[rational(random) for _ in range(pairs)] for _ in range(heads)]
    return Choice(
        {m: heads - 1, n: 2 * pairs},
        {
            "p": lambda k: chances[(int(k) - 1) // 2] / total,
            "e": lambda k: noise[(int(k) - 1) // 2] * (1 if int(k) % 2 else -1),
            "f": lambda a, b: said[int(a) - 1][(int(b) - 1) // 2],
        },
    )


def _design(random: Random) -> Choice:
    variance = abs(rational(random))
    return Choice(
        {Symbol("v", nonnegative=True): variance},
        {"C": lambda a, b: variance if a == b else Fraction(0)},
    )
