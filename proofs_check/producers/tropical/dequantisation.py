"""Claim A1, tropical.dequantisation: the soft maximum lies within tau log N of the maximum."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import torch
from hypothesis import strategies as st

from ....numeric.tropical import dequantisation as floats
from ....symbolic.enclosures.ball import Enclosure
from ....symbolic.tropical import dequantisation as exact
from ....symbolic.tropical.proofs import dequantisation as proof
from ...certificates import ball, counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    Condition,
    at,
    equal,
    every,
    exp,
    forall,
    iff,
    implies,
    length,
    log,
    max_over,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.tropical.dequantisation import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...strategies import Scores, scores, temperatures

DIGITS = 60
"""Relative digits of the two high-precision implementations."""

SHOWN = 50
"""Digits of the enclosures in certificates."""

N = length("s")
TAU = var("tau")
SCORE = at("s", var("j"))
GAP = TAU * log(sum_over("j", N, exp(SCORE / TAU))) - max_over("j", N, SCORE)

Case = tuple[Scores, Fraction]


def limit_derivation(_: Context) -> Outcome:
    """The limit, for every N."""
    return derived(proof.derivation(), "limit")


def derivation(_: Context) -> Outcome:
    """Both bounds, for every N."""
    return derived(proof.derivation(), "bounds")


def equality_derivation(_: Context) -> Outcome:
    """When the bounds are attained, for every N."""
    return derived(proof.derivation(), "right-equality", "left-equality")


def base_two(context: Context) -> Outcome:
    """The bounds and their equality cases at tau = 1 / log 2, where everything is an integer.

    There exp(s / tau) = 2^s, and the claim reads 2^max s <= sum_j 2^(s_j) <= N 2^max s.
    """
    total = sum_over("j", N, number(2) ** SCORE)
    top = number(2) ** max_over("j", N, SCORE)
    all_equal = forall("j", N, equal(SCORE, at("s", 0)))
    formula = every(
        top <= total,
        total <= N * top,
        iff(equal(total, N * top), all_equal),
        iff(equal(total, top), equal(N, 1)),
    )
    largest = 4 if context.profile is Profile.QUICK else 6
    families = [Grid({"s": Entries((n,), range(-2, 3))}) for n in range(1, largest + 1)]
    return Outcome(
        Finding.HOLDS,
        scope=f"base 2: all s in {{-2..2}}^N, N = 1..{largest}",
        certificates={
            f"N{n}": exhaustive.certificate(ID, family, formula)
            for n, family in enumerate(families, start=1)
        },
        numbers={"instances": sum(family.count for family in families)},
    )


def enclosures(context: Context) -> Outcome:
    """Arb's enclosures of gap and bound, crossed with mpmath; each one left as a certificate."""
    worst, certificates = Fraction(0), {}
    instances = _instances(context, 12 if context.profile is Profile.QUICK else 60)
    for i, (s, tau) in enumerate(instances):
        gap = exact.gap(s, tau, digits=DIGITS)
        limit = exact.gap_limit(len(s), tau, digits=DIGITS)
        if gap.upper < 0 or gap.lower > limit.upper:
            return _violated(s, tau, f"Arb puts the gap outside [0, tau log N] for s = {s}")
        worst = max(worst, _deviation(floats.gap_mp(s, tau, DIGITS), gap))
        certificates[f"gap{i}"] = _enclosure(s, tau, gap)
    bound = f"10^-{DIGITS} relative, on either side"
    agreed = compared(worst, len(instances), "Arb's enclosure against mpmath's value", bound)
    return Outcome(
        agreed.finding,
        scope=f"{len(instances)} score vectors, N <= 12, by balls",
        certificates=certificates if agreed.finding is Finding.HOLDS else {},
        numbers={"digits": DIGITS, **agreed.numbers},
        detail="second implementation: mpmath",
    )


def search_bounds(context: Context) -> Outcome:
    """Look for scores and a temperature at which a bound fails."""

    def holds(case: Case) -> bool:
        gap, limit = _enclosed(case)
        return gap.upper >= 0 and gap.lower <= limit.upper

    formula = implies(TAU > 0, every(GAP >= 0, GAP <= TAU * log(N)))
    return _search(context, holds, formula)


def search_equality(context: Context) -> Outcome:
    """Look for scores at which a bound is attained and should not be, or the reverse."""

    def holds(case: Case) -> bool:
        s, _ = case
        gap, limit = _enclosed(case)
        # An enclosure that contains 0 does not show that the gap is 0; one that ends at 0 does.
        all_equal = len(set(s)) == 1
        return gap.meets(limit) == all_equal and (gap.upper == 0) == (len(s) == 1)

    formula = every(
        implies(TAU > 0, iff(equal(GAP, TAU * log(N)), forall("j", N, equal(SCORE, at("s", 0))))),
        implies(TAU > 0, iff(equal(GAP, 0), equal(N, 1))),
    )
    return _search(context, holds, formula, spread=6)


def search_sharper(context: Context) -> Outcome:
    """Refute the bound tau log(N - 1)."""

    def holds(case: Case) -> bool:
        s, tau = case
        return len(s) < 2 or exact.gap(s, tau).lower <= exact.gap_limit(len(s) - 1, tau).upper

    formula = implies(every(TAU > 0, N >= 2), GAP <= TAU * log(N - 1))
    return _search(context, holds, formula)


def float_agreement(context: Context) -> Outcome:
    """The torch implementation against Arb, within its own error bound."""
    worst, cases = Fraction(0), 0
    for s, tau in _instances(context, 60):
        row = torch.tensor([float(value) for value in s], dtype=torch.float64)
        temperature = float(tau)
        value, error = floats.gap(row, temperature), floats.gap_error(row, temperature)
        as_floats = [Fraction(entry) for entry in row.tolist()]
        truth = exact.gap(as_floats, Fraction(temperature), digits=DIGITS)
        worst = max(worst, truth.distance(Fraction(value.item())) / Fraction(error.item()))
        cases += 1
    return compared(worst, cases, "torch float64 against Arb", "rounding analysis of gap_error")


def _search(
    context: Context, holds: Callable[[Case], bool], formula: Condition, spread: int = 40
) -> Outcome:
    examples = 200 if context.profile is Profile.QUICK else 2000
    strategy = st.tuples(scores(spread=spread), temperatures())
    result = search(strategy, holds, examples=examples, seed=context.seed)

    def refutation(case: Case) -> dict[str, Certificate]:
        s, tau = case
        instance = {"s": list(s), "tau": tau}
        return {"case": counterexample.certificate(ID, formula, instance, digits=SHOWN)}

    return searched(result, "scores (N <= 8, ties, huge and tiny spreads) and tau", refutation)


def _enclosed(case: Case) -> tuple[Enclosure, Enclosure]:
    s, tau = case
    return exact.gap(s, tau), exact.gap_limit(len(s), tau)


def _instances(context: Context, count: int) -> list[Case]:
    """Score vectors with ties, equal scores, one score; temperatures over six decades."""
    random = Random(context.seed)
    found: list[Case] = [((Fraction(3),), Fraction(1)), ((Fraction(1),) * 5, Fraction(1, 7))]
    while len(found) < count:
        n = random.randint(2, 12)
        pool = [Fraction(random.randint(-99, 99), random.randint(1, 12)) for _ in range(n)]
        s = tuple(random.choice(pool) for _ in range(n))
        found.append((s, Fraction(10) ** random.randint(-2, 3) * random.randint(1, 9)))
    return found


def _deviation(value: Fraction, truth: Enclosure) -> Fraction:
    """The distance of a value from an enclosure, in units of 10^-DIGITS of the value."""
    distance = truth.distance(value)
    return distance * 10**DIGITS / abs(value) if distance else Fraction(0)


def _enclosure(s: Scores, tau: Fraction, gap: Enclosure) -> Certificate:
    """The gap to SHOWN decimal places, rounded outwards."""
    shown = gap.rounded(SHOWN)
    return ball.certificate(
        ID,
        GAP,
        box={"tau": (tau, tau)},
        given={"s": list(s)},
        enclosure=(shown.lower, shown.upper),
        digits=SHOWN + 30,
    )


def _violated(s: Scores, tau: Fraction, detail: str) -> Outcome:
    formula = every(GAP >= 0, GAP <= TAU * log(N))
    instance = {"s": list(s), "tau": tau}
    certificate = counterexample.certificate(ID, formula, instance, digits=SHOWN)
    return Outcome(Finding.VIOLATED, "balls", certificates={"case": certificate}, detail=detail)
