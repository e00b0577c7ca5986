"""Claim A3, tropical.routing-limit: attention routes to the whole argmax set, evenly."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import torch
from hypothesis import strategies as st

from ....numeric.tropical import routing_limit as floats
from ....symbolic.enclosures.ball import Enclosure
from ....symbolic.tropical import routing_limit as exact
from ....symbolic.tropical.proofs import routing_limit as proof
from ...certificates import ball, counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    at,
    count_over,
    equal,
    every,
    exists,
    exp,
    forall,
    implies,
    length,
    max_over,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.tropical.routing_limit import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...strategies import Scores, inverse_temperatures, scores, temperatures

DIGITS = 60
"""Of the two high-precision implementations."""

SHOWN = 50
"""Digits of the enclosures in certificates."""

N = length("s")
TAU, INVERSE = var("tau"), var("k")
OWN, ANY, RIVAL = at("s", var("j")), at("s", var("u")), at("s", var("i"))
TOP = max_over("t", N, at("s", var("t")))
WINNERS = count_over("u", N, equal(ANY, TOP))
WEIGHT = number(2) ** (INVERSE * (OWN - TOP)) / sum_over(
    "u", N, number(2) ** (INVERSE * (ANY - TOP))
)

Case = tuple[Scores, Fraction]


def limit_derivation(_: Context) -> Outcome:
    """The limits, for every N and every size of the argmax set."""
    return derived(proof.derivation(), "limit", "law")


def rate_derivation(_: Context) -> Outcome:
    """The rate, for every N and every size of the argmax set."""
    return derived(proof.derivation(), "rate")


def base_two(context: Context) -> Outcome:
    """The rate at integer scores in base 2, where every weight is rational.

    There exp(s / tau) = 2^(k s), and q = 2^(-k Delta) belongs to the best score below the maximum.
    """
    q = number(2) ** (INVERSE * (RIVAL - TOP))
    short = 1 / WINNERS - WEIGHT
    near = every(short >= 0, short <= (N - WINNERS) * q / WINNERS**2)
    small = every(WEIGHT > 0, WEIGHT <= q / WINNERS)
    each = every(implies(equal(OWN, TOP), near), implies(OWN < TOP, small))
    second = every(RIVAL < TOP, forall("u", N, implies(ANY < TOP, ANY <= RIVAL)))
    rate = forall("i", N, implies(second, forall("j", N, each)))
    even = implies(equal(WINNERS, N), forall("j", N, equal(WEIGHT, 1 / N)))
    largest = 4 if context.profile is Profile.QUICK else 5
    families = [
        Grid({"s": Entries((n,), range(4)), "k": Entries((), range(1, 4))})
        for n in range(1, largest + 1)
    ]
    return Outcome(
        Finding.HOLDS,
        scope=f"base 2: s in {{0..3}}^N, N = 1..{largest}, inverse temperature 1, 2, 3",
        certificates={
            f"N{n}": exhaustive.certificate(ID, family, every(rate, even))
            for n, family in enumerate(families, start=1)
        },
        numbers={"instances": sum(family.count for family in families)},
    )


def enclosures(context: Context) -> Outcome:
    """Arb's enclosures of the weights, crossed with mpmath; each one left as a certificate."""
    random = Random(context.seed)
    worst, cases = Fraction(0), 0
    certificates: dict[str, Certificate] = {}
    for case in range(8 if context.profile is Profile.QUICK else 40):
        s, tau = _random_case(random)
        found = exact.deviation_bounds(s, tau, digits=DIGITS)
        if found.distance.lower > found.bound.upper:
            return Outcome(Finding.VIOLATED, f"Arb puts the distance above its bound at {s}")
        weights = exact.weight_enclosures(s, tau, digits=DIGITS)
        twins = floats.weights_mp(s, tau, DIGITS)
        for value, truth in zip(twins, weights, strict=True):
            worst = max(worst, truth.distance(value) * 10**DIGITS / value)
            cases += 1
        certificates[f"weight{case}"] = _enclosure(s, tau, weights[0])
    bound = f"10^-{DIGITS} relative, on either side"
    agreed = compared(worst, cases, "Arb's enclosures against mpmath's values", bound)
    return Outcome(
        agreed.finding,
        scope=f"{len(certificates)} score vectors, N <= 10, by balls",
        certificates=certificates if agreed.finding is Finding.HOLDS else {},
        numbers={"digits": DIGITS, **agreed.numbers},
        detail="second implementation: mpmath",
    )


def search_rate(context: Context) -> Outcome:
    """Look for scores whose weights are further from the limit law than the bound allows."""

    def holds(case: Case) -> bool:
        found = exact.deviation_bounds(*case)
        return found.distance.lower <= found.bound.upper

    examples = 200 if context.profile is Profile.QUICK else 2000
    strategy = st.tuples(scores(), temperatures())
    result = search(strategy, holds, examples=examples, seed=context.seed)

    def refutation(case: Case) -> dict[str, Certificate]:
        s, tau = case
        top, losers = max(s), [value for value in s if value != max(s)]
        m = len(s) - len(losers)
        lost = 1 - m * exp(top / TAU) / sum_over("j", N, exp(OWN / TAU))
        gap = top - max(losers)
        formula = lost <= Fraction(len(losers), m) * exp(-gap / TAU)
        instance = {"s": list(s), "tau": tau}
        return {"case": counterexample.certificate(ID, formula, instance, digits=SHOWN)}

    return searched(result, "scores (N <= 8, ties, huge and tiny spreads) and tau", refutation)


def search_single(context: Context) -> Outcome:
    """Refute that one key gets all the weight."""
    integers = st.lists(st.integers(0, 9), min_size=1, max_size=6)

    def holds(case: tuple[list[int], int]) -> bool:
        s, k = case
        largest = max(exact.weights(s, inverse_temperature=k))
        return largest >= 1 - Fraction(len(s), 2**k)

    result = search(
        st.tuples(integers, inverse_temperatures()), holds, examples=400, seed=context.seed
    )
    formula = exists("j", N, WEIGHT >= 1 - N / number(2) ** INVERSE)

    def refutation(case: tuple[list[int], int]) -> dict[str, Certificate]:
        s, k = case
        return {"case": counterexample.certificate(ID, formula, {"s": s, "k": k})}

    return searched(result, "integer scores (N <= 6) and inverse temperatures up to 12", refutation)


def float_agreement(context: Context) -> Outcome:
    """The torch implementation against Arb, within its own error bound."""
    random = Random(context.seed)
    worst, cases = Fraction(0), 0
    for _ in range(60):
        s, tau = _random_case(random)
        row = torch.tensor([float(value) for value in s], dtype=torch.float64)
        temperature = float(tau)
        values = floats.weights(row, temperature).tolist()
        errors = floats.weights_error(row, temperature).tolist()
        as_floats = [Fraction(entry) for entry in row.tolist()]
        truths = exact.weight_enclosures(as_floats, Fraction(temperature), digits=40)
        for value, error, truth in zip(values, errors, truths, strict=True):
            worst = max(worst, truth.distance(Fraction(value)) / Fraction(error))
            cases += 1
        if tuple(map(Fraction, floats.limit(row).tolist())) != tuple(
            Fraction(float(share)) for share in exact.limit(as_floats)
        ):
            return Outcome(Finding.VIOLATED, f"torch's limit law differs at {as_floats}")
    return compared(worst, cases, "torch float64 against Arb", "rounding analysis of weights_error")


def _random_case(random: Random) -> Case:
    """Scores with frequent ties; temperatures over three decades."""
    n = random.randint(1, 10)
    pool = [Fraction(random.randint(-60, 60), random.randint(1, 9)) for _ in range(n)]
    s = tuple(random.choice(pool) for _ in range(n))
    return s, Fraction(10) ** random.randint(-1, 2) * random.randint(1, 9)


def _enclosure(s: Scores, tau: Fraction, weight: Enclosure) -> Certificate:
    """The first weight to SHOWN decimal places, rounded outwards."""
    shown = weight.rounded(SHOWN)
    return ball.certificate(
        ID,
        1 / sum_over("j", N, exp((OWN - at("s", 0)) / TAU)),
        box={"tau": (tau, tau)},
        given={"s": list(s)},
        enclosure=(shown.lower, shown.upper),
        digits=SHOWN + 30,
    )
