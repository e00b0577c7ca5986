"""Claim B7, ensemble.budget.

With a = alpha, g = log C and L = log M the minimiser is the zero of the increasing function
phi(t) = (a + g) t + log(1 + g t) - L: the same as F'(t) = 0, without the scale of F.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import mpmath
from hypothesis import strategies as st

from ....numeric.ensemble.budget_regression import Regression, measure
from ....symbolic.ensemble.budget import Law
from ....symbolic.ensemble.proofs import budget as proof
from ....symbolic.ensemble.proofs import budget_growth as growth_proof
from ...certificates import ball, boxes, counterexample, exhaustive, identity
from ...certificates.exhaustive import Listed
from ...certificates.formula import (
    Expression,
    at,
    equal,
    every,
    exists,
    exp,
    forall,
    implies,
    length,
    log,
    var,
)
from ...claim import Context, Profile
from ...claims.ensemble.budget import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search

DIGITS = 60
SHOWN = 50
ERRORS = 5
"""Standard errors within which a measured error has to be."""

_derivation = cache(proof.derivation)

ALPHA, G, L, T = var("alpha"), var("g"), var("L"), var("t")


def growth_derivation(_: Context) -> Outcome:
    """The bounds and the limit."""
    return derived(growth_proof.growth(), "bounds", "limit")


def minimiser_derivation(_: Context) -> Outcome:
    """Convexity, the stationary point, uniqueness."""
    names = "convex", "stationary", "unique", "value", "formula"
    return derived(_derivation(), *names)


def threshold_derivation(_: Context) -> Outcome:
    """When the minimiser is at least t, and when it is positive."""
    return derived(_derivation(), "threshold", "positive", "value", "formula")


def integer_derivation(_: Context) -> Outcome:
    """Nothing beyond the floor or the ceiling is better."""
    return derived(_derivation(), "integer", "value", "formula")


def contrast_derivation(_: Context) -> Outcome:
    """Optimised bandwidths."""
    return derived(growth_proof.contrast(), "balance", "limit")


def enclosures(context: Context) -> Outcome:
    """Arb's minimiser to 50 decimals: phi is negative at its lower end, positive at its upper."""
    certificates: dict[str, Certificate] = {}
    count = 10 if context.profile is Profile.QUICK else 60
    size = log(ALPHA * var("A") * var("N") / var("v"))
    for n in range(count):
        law, rate, growth = _law(Random(f"{context.seed}:{n}"))
        shown = law.minimiser(digits=DIGITS).rounded(SHOWN)
        given = {"A": law.A, "N": law.n * law.D, "v": law.variance, "alpha": rate}
        for end, t in (("lower", shown.lower), ("upper", shown.upper)):
            bounds = (None, Fraction(0)) if end == "lower" else (Fraction(0), None)
            certificates[f"minimiser{n}-{end}"] = ball.certificate(
                ID,
                _of_growth(size),
                box={"C": (growth, growth)},
                given={**given, "t": t},
                enclosure=bounds,
                digits=SHOWN + 30,
            )
    return Outcome(
        Finding.HOLDS,
        scope=f"{count} sets of parameters, minimisers of either sign",
        certificates=certificates,
        numbers={"decimals": SHOWN},
    )


def _of_growth(size: Expression) -> Expression:
    """The function phi in terms of C."""
    g = log(var("C"))
    return (ALPHA + g) * T + log(1 + g * T) - size


def _law(random: Random) -> tuple[Law, Fraction, Fraction]:
    """A law with rational alpha and C."""
    rate = Fraction(random.randint(1, 12), random.randint(1, 6))
    growth = 1 + Fraction(random.randint(1, 12), random.randint(1, 6))
    law = Law.of(
        A=Fraction(random.randint(1, 9), random.randint(1, 9)),
        alpha=rate,
        C=growth,
        variance=Fraction(random.randint(1, 9), random.randint(1, 3)),
        n=10 ** random.randint(0, 9),
        D=random.randint(1, 4096),
    )
    return law, rate, growth


def second_implementation(context: Context) -> Outcome:
    """Arb's Lambert W against mpmath's, at 60 digits."""
    worst, cases = Fraction(0), 0
    mp = mpmath.MPContext()
    mp.dps = DIGITS + 20

    def number(x: Fraction) -> Any:
        return mp.mpf(x.numerator) / x.denominator

    for n in range(40 if context.profile is Profile.QUICK else 400):
        law, rate, growth = _law(Random(f"{context.seed}:mp:{n}"))
        g = mp.log(number(growth))
        kappa = (number(rate) + g) / g
        size = number(rate * law.A * law.n * law.D / law.variance)
        value = (mp.lambertw(kappa * mp.exp(kappa) * size).real / kappa - 1) / g
        known = Fraction(int(value * mp.mpf(10) ** (DIGITS + 5)), 10 ** (DIGITS + 5))
        found = law.minimiser(digits=DIGITS + 5)
        worst = max(worst, found.distance(known) * 10**DIGITS)
        cases += 1
    return compared(worst, cases, "Arb's minimiser against mpmath's", f"10^-{DIGITS}")


def unit(_: Context) -> Outcome:
    """A = alpha = log C = 1 and n D/sigma^2 = 2 e^2: F'(1) = 0, as an identity in e."""
    e = var("e")
    scale = 1 / (2 * e**2)
    slope = -(1 / e) + scale * e * 2
    return Outcome(
        Finding.HOLDS,
        scope="A = alpha = 1, C = e, n D/sigma^2 = 2 e^2: d_k* = 1 exactly",
        certificates={
            "slope": identity.certificate(ID, variables={"e": ()}, left=slope, right=e - e)
        },
    )


def brute_force(context: Context) -> Outcome:
    """All of 1..D at rational parameters, ties among them; alpha = log r."""
    count = 20 if context.profile is Profile.QUICK else 200
    instances = [_rational(Random(f"{context.seed}:{n}")) for n in range(count)]
    tie = Law.of(A=1, alpha="log 2", C=2, variance=Fraction(1, 4), n=1, D=6)
    instances.append(_instance(tie))
    x, best = var("x"), at("best", 0)
    found = exists("i", length("best"), equal(x + 1, at("best", var("i"))))
    inside = forall(
        "i",
        length("best"),
        every(at("best", var("i")) >= 1, at("best", var("i")) <= var("D")),
    )
    formula = every(
        inside,
        forall(
            "x",
            var("D"),
            every(
                _error(best) <= _error(x + 1),
                implies(equal(_error(best), _error(x + 1)), found),
                implies(found, equal(_error(best), _error(x + 1))),
            ),
        ),
    )
    return Outcome(
        Finding.HOLDS,
        scope=f"{count + 1} sets of rational parameters, every d_k of 1..D",
        certificates={"integers": exhaustive.certificate(ID, Listed(instances), formula)},
        numbers={"ties": sum(len(instance["best"]) > 1 for instance in instances)},
    )


def _error(x: Expression) -> Expression:
    return var("A") / var("r") ** x + var("s") * x * var("C") ** x


def _instance(law: Law) -> dict[str, Any]:
    """The parameters and the best integers as `Law` has them."""
    return {
        "A": law.A,
        "r": law.alpha.value,
        "C": law.C,
        "s": law.scale,
        "D": law.D,
        "best": list(law.best()),
    }


def _rational(random: Random) -> dict[str, Any]:
    return _instance(
        Law.of(
            A=random.randint(1, 9),
            alpha=f"log {random.choice(('2', '3/2', '5/4', '3'))}",
            C=Fraction(random.choice((3, 4, 5)), random.choice((1, 2))),
            variance=Fraction(random.randint(1, 9), random.randint(1, 3)),
            n=10 ** random.randint(0, 6),
            D=random.randint(1, 40),
        )
    )


def search_integer(context: Context) -> Outcome:
    """Look for rational parameters whose best integer is not the one that brute force finds."""
    ratio = st.fractions(Fraction(11, 10), 4, max_denominator=10)
    whole = st.integers(1, 30)
    case = st.tuples(ratio, ratio, whole, whole, st.integers(0, 8), whole)

    def holds(drawn: tuple[Fraction, Fraction, int, int, int, int]) -> bool:
        r, C, A, variance, power, D = drawn
        alpha = f"log {r}" if r.denominator > 1 else f"log {r.numerator}"
        law = Law.of(A=A, alpha=alpha, C=C, variance=variance, n=10**power, D=D)
        errors = [A / r**x + law.scale * x * C**x for x in range(1, D + 1)]
        return law.best() == tuple(x for x, e in enumerate(errors, 1) if e == min(errors))

    examples = 150 if context.profile is Profile.QUICK else 3000
    result = search(case, holds, examples=examples, seed=context.seed)
    return searched(result, "rational parameters, D <= 30", lambda _: {})


def over_boxes(_: Context) -> Outcome:
    """An explicit approximation within a quarter, on a whole box of alpha, log C and log M.

    With d = (L - log(1 + g L/(a + g)))/(a + g), d <= L/(a + g), so that
    phi(d) = log(1 + g d) - log(1 + g L/(a + g)) <= 0; and phi(d + 1/4) >= 0.
    """
    start = (L - log(1 + G * L / (ALPHA + G))) / (ALPHA + G)
    half, two = Fraction(1, 2), Fraction(2)
    sides = {"alpha": (half, two), "g": (half, two), "L": (two, Fraction(40))}
    # The terms in L cancel in phi(d + 1/4): what is left are the two logarithms.
    rest = log(1 + G * L / (ALPHA + G))
    below = (ALPHA + G) * start - L
    above = (ALPHA + G) / 4 + log(1 + G * (start + Fraction(1, 4))) - rest
    certificates, numbers = boxes.prove(
        ID,
        (
            boxes.Box("below", below, sides, upper=Fraction(0)),
            boxes.Box("above", above, sides, lower=Fraction(0)),
        ),
    )
    return Outcome(
        Finding.HOLDS,
        scope="1/2 <= alpha, log C <= 2, 2 <= log M <= 40, the whole box",
        certificates=certificates,
        numbers=numbers,
    )


def simulated(context: Context) -> Outcome:
    """Measured errors against the law, and where the least of them is."""
    model = Regression()
    draws = 60 if context.profile is Profile.QUICK else 2000
    sizes = [d for d in model.dimensions if model.leading(d)]
    found = {d: measure(model, d, draws=draws, seed=context.seed % 2**32) for d in sizes}
    worst = max(e.deviations(model.law(d)) / ERRORS for d, e in found.items())
    predicted = min(sizes, key=model.law)
    least = min(found.values(), key=lambda e: e.mean)
    best = found[predicted]
    apart = (best.mean - least.mean) / (ERRORS * max(best.error, least.error))
    numbers = {f"d_k = {d}": f"{e.mean:.4f} +- {e.error:.4f}" for d, e in found.items()}
    laws = {f"law at {d}": f"{model.law(d):.4f}" for d in sizes}
    return compared(
        max(worst, apart), len(sizes), "measured errors against the law",
        f"{ERRORS} standard errors", draws=draws,
        **{"best d_k by the law": predicted}, **numbers, **laws,
    )  # fmt: skip


def plain_logarithm(_: Context) -> Outcome:
    """At alpha = log C = 1, log M = 4, t = 2 the slope is not 0, since 1 + g t = 3."""
    formula = equal((1 + G * T) * exp((ALPHA + G) * T - L), 1)
    formula = implies(equal(T * (ALPHA + G), L), formula)
    instance = {"alpha": 1, "g": 1, "L": 4, "t": 2}
    return Outcome(
        Finding.VIOLATED,
        scope="alpha = log C = 1, log M = 4",
        certificates={"slope": counterexample.certificate(ID, formula, instance, digits=30)},
        detail="(1 + g t) e^{(alpha + g) t} is 3 M, not M",
    )
