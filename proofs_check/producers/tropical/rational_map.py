"""Evidence of claim A4 on lifted values: the bound tau log N, strict, and a supremum."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from random import Random

import torch
from hypothesis import strategies as st

from ....numeric.tropical import rational_map as floats
from ....symbolic.derivations.derivation import Derivation
from ....symbolic.enclosures.ball import Enclosure
from ....symbolic.tropical import dequantisation
from ....symbolic.tropical import rational_map as exact
from ....symbolic.tropical.proofs import nearly_attained
from ....symbolic.tropical.proofs import rational_map as proof
from ...certificates import ball, counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid, Listed
from ...certificates.formula import (
    Condition,
    at,
    every,
    exp,
    implies,
    length,
    log,
    max_over,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.tropical.rational_map import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...strategies import Scores, rationals, temperatures

DIGITS = 60
"""Of the two high-precision implementations."""

SHOWN = 50
"""Decimal places of the enclosures in certificates."""

N = length("s")
TAU = var("tau")
SCORE, LIFTED = at("s", var("j")), at("s", var("j")) + at("u", var("j"))
TROPICAL = max_over("j", N, LIFTED) - max_over("j", N, SCORE)
OUT = sum_over("j", N, exp(LIFTED / TAU)) / sum_over("j", N, exp(SCORE / TAU))
ERROR = TAU * log(OUT) - TROPICAL
OUT_TWO = sum_over("j", N, number(2) ** LIFTED) / sum_over("j", N, number(2) ** SCORE)
"""The output at tau = 1/log 2, where exp(s/tau) = 2^s."""
RATIO = OUT_TWO / number(2) ** TROPICAL

Case = tuple[tuple[tuple[Fraction, Fraction], ...], Fraction]
"""Pairs (s_j, u_j), and tau."""


@cache
def _proof() -> Derivation:
    """Decided once; three statements are among its conclusions."""
    return proof.derivation()


def limit_derivation(_: Context) -> Outcome:
    """The limit, for every N."""
    return derived(_proof(), "limit")


def derivation(_: Context) -> Outcome:
    """Both bounds, for every N."""
    return derived(_proof(), "bounds")


def strict_derivation(_: Context) -> Outcome:
    """Neither bound is attained, for every N >= 2."""
    return derived(_proof(), "strict")


def supremum_derivation(_: Context) -> Outcome:
    """A family whose error tends to the bound, for every N >= 2."""
    return derived(nearly_attained.derivation(), "top", "error", "supremum")


def base_two(context: Context) -> Outcome:
    """The bounds at tau = 1/log 2: out lies between 2^T/N and N 2^T."""
    return _grid(context, every(RATIO <= N, N * RATIO >= 1))


def base_two_strict(context: Context) -> Outcome:
    """For N >= 2 strictly between."""
    return _grid(context, implies(N >= 2, every(RATIO < N, N * RATIO > 1)))


def base_two_family(_: Context) -> Outcome:
    """The family that comes near the bounds: within a factor 1 - (N - 1) 2^-t, on both sides."""
    depth = var("t")
    slack = 1 - (N - 1) / number(2) ** depth
    cases = [(n, t) for n in range(2, 7) for t in range(3, 13)]
    above = [{"s": [0, *[-t] * (n - 1)], "u": [0, *[t] * (n - 1)], "t": t} for n, t in cases]
    below = [{"s": [0] * n, "u": [0, *[-t] * (n - 1)], "t": t} for n, t in cases]
    return Outcome(
        Finding.HOLDS,
        scope="base 2: the family at N = 2..6, depths 3 to 12",
        certificates={
            "above": exhaustive.certificate(
                ID, Listed(above), every(RATIO < N, RATIO >= N * slack)
            ),
            "below": exhaustive.certificate(
                ID, Listed(below), every(N * RATIO > 1, N * RATIO * slack <= 1)
            ),
        },
        numbers={"instances": 2 * len(cases)},
    )


def _grid(context: Context, formula: Condition) -> Outcome:
    largest = 3 if context.profile is Profile.QUICK else 4
    families = [
        Grid({name: Entries((n,), range(-1, 2)) for name in ("s", "u")})
        for n in range(1, largest + 1)
    ]
    return Outcome(
        Finding.HOLDS,
        scope=f"base 2: all scores and log-values in {{-1, 0, 1}}, N = 1..{largest}",
        certificates={
            f"N{n}": exhaustive.certificate(ID, family, formula)
            for n, family in enumerate(families, start=1)
        },
        numbers={"instances": sum(family.count for family in families)},
    )


def enclosures(context: Context) -> Outcome:
    """Arb's enclosures of the error, crossed with mpmath; each one left as a certificate."""
    worst, certificates = Fraction(0), {}
    cases = _instances(context, 12 if context.profile is Profile.QUICK else 60)
    for case, (pairs, tau) in enumerate(cases):
        s, u = _columns(pairs)
        error = exact.deviation(s, u, tau, digits=DIGITS)
        limit = dequantisation.gap_limit(len(s), tau, digits=DIGITS)
        if error.lower > limit.upper or error.upper < -limit.upper:
            return Outcome(
                Finding.VIOLATED,
                "balls",
                certificates=_refutation((pairs, tau), _within(TAU * log(N))),
            )
        off = _outside(floats.deviation_mp(s, u, tau, DIGITS), error)
        worst = max(worst, off * 10**DIGITS / tau)
        certificates[f"error{case}"] = _enclosure(s, u, tau, error)
    bound = f"tau 10^-{DIGITS}, on either side"
    agreed = compared(worst, len(cases), "Arb's enclosure against mpmath's value", bound)
    return Outcome(
        agreed.finding,
        scope=f"{len(cases)} heads, N <= 10, by balls",
        certificates=certificates if agreed.finding is Finding.HOLDS else {},
        numbers={"digits": DIGITS, **agreed.numbers},
        detail="second implementation: mpmath, from the definition of the output",
    )


def search_bounds(context: Context) -> Outcome:
    """Look for a head whose error is beyond a bound."""

    def holds(case: Case) -> bool:
        error, limit = _enclosed(case)
        return error.lower <= limit.upper and -limit.upper <= error.upper

    return _search(context, holds, _within(TAU * log(N)))


def search_strict(context: Context) -> Outcome:
    """Look for a head of two keys or more whose error is not certainly inside the bounds."""

    def holds(case: Case) -> bool:
        error, limit = _enclosed(case)
        return len(case[0]) < 2 or (error.upper < limit.lower and -limit.lower < error.lower)

    formula = implies(every(TAU > 0, N >= 2), every(ERROR < TAU * log(N), ERROR > -TAU * log(N)))
    # Within 60 digits of the bound an enclosure decides nothing: moderate depths only.
    return _search(context, holds, formula, spread=8, coldest=Fraction(1, 2))


def search_half(context: Context) -> Outcome:
    """Refute the bound tau log(N)/2."""

    def holds(case: Case) -> bool:
        error, limit = _enclosed(case)
        return _size(error) <= limit.upper / 2

    return _search(context, holds, _within(TAU * log(N) / 2))


def search_fewer(context: Context) -> Outcome:
    """Refute the bound tau log(N - 1)."""

    def holds(case: Case) -> bool:
        pairs, tau = case
        error, _ = _enclosed(case)
        return len(pairs) < 2 or _size(error) <= dequantisation.gap_limit(len(pairs) - 1, tau).upper

    return _search(context, holds, implies(N >= 2, _within(TAU * log(N - 1))))


def float_agreement(context: Context) -> Outcome:
    """The torch implementation against Arb, within its own error bound."""
    worst, cases = Fraction(0), 0
    for pairs, tau in _instances(context, 60):
        s, u = (
            torch.tensor([float(value) for value in column], dtype=torch.float64)
            for column in _columns(pairs)
        )
        temperature = float(tau)
        value = floats.deviation(s, u.unsqueeze(-1), temperature)
        error = floats.deviation_error(s, u.unsqueeze(-1), temperature)
        truth = exact.deviation(
            [Fraction(entry) for entry in s.tolist()],
            [Fraction(entry) for entry in u.tolist()],
            Fraction(temperature),
            digits=DIGITS,
        )
        worst = max(worst, _outside(Fraction(value.item()), truth) / Fraction(error.item()))
        cases += 1
    return compared(worst, cases, "torch float64 against Arb", "rounding analysis: deviation_error")


def _search(
    context: Context,
    holds: Callable[[Case], bool],
    formula: Condition,
    *,
    spread: int = 40,
    coldest: Fraction | None = None,
) -> Outcome:
    examples = 200 if context.profile is Profile.QUICK else 2000
    warm = temperatures() if coldest is None else temperatures().filter(lambda tau: tau >= coldest)
    strategy = st.tuples(_heads(spread), warm)
    result = search(strategy, holds, examples=examples, seed=context.seed)
    what = "scores and log-values (N <= 8, ties, level lifted scores) and tau"
    return searched(result, what, lambda case: _refutation(case, formula))


def _heads(spread: int) -> st.SearchStrategy[tuple[tuple[Fraction, Fraction], ...]]:
    """Pairs (s_j, u_j): free, all lifted scores equal, all scores equal."""
    value = rationals(spread)
    free = st.lists(st.tuples(value, value), min_size=1, max_size=8)
    column = st.lists(value, min_size=1, max_size=8)
    level = column.map(lambda s: [(a, -a) for a in s])
    tied = st.builds(lambda a, u: [(a, b) for b in u], value, column)
    return st.one_of(free, level, tied).map(tuple)


def _within(limit: object) -> Condition:
    return implies(TAU > 0, abs(ERROR) <= limit)  # type: ignore[operator]


def _refutation(case: Case, formula: Condition) -> dict[str, Certificate]:
    pairs, tau = case
    s, u = _columns(pairs)
    instance = {"s": list(s), "u": list(u), "tau": tau}
    return {"case": counterexample.certificate(ID, formula, instance, digits=SHOWN)}


def _enclosed(case: Case) -> tuple[Enclosure, Enclosure]:
    pairs, tau = case
    s, u = _columns(pairs)
    return exact.deviation(s, u, tau), dequantisation.gap_limit(len(s), tau)


def _columns(pairs: tuple[tuple[Fraction, Fraction], ...]) -> tuple[Scores, Scores]:
    return tuple(s for s, _ in pairs), tuple(u for _, u in pairs)


def _size(error: Enclosure) -> Fraction:
    """The least absolute value in an enclosure."""
    return max(error.lower, -error.upper, Fraction(0))


def _outside(value: Fraction, truth: Enclosure) -> Fraction:
    return max(truth.lower - value, value - truth.upper, Fraction(0))


def _instances(context: Context, count: int) -> list[Case]:
    """Heads with ties, level lifted scores, a single key; temperatures over four decades."""
    random = Random(context.seed)
    one, level = Fraction(1), (Fraction(0), Fraction(-9), Fraction(-9))
    found: list[Case] = [
        (((Fraction(3), Fraction(-2)),), one),
        (tuple((s, -s) for s in level), one),
        (tuple((Fraction(0), u) for u in level), one),
    ]
    while len(found) < count:
        n = random.randint(2, 10)
        pool = [Fraction(random.randint(-60, 60), random.randint(1, 12)) for _ in range(n)]
        pairs = tuple((random.choice(pool), random.choice(pool)) for _ in range(n))
        found.append((pairs, Fraction(10) ** random.randint(-1, 2) * random.randint(1, 9)))
    return found


def _enclosure(s: Scores, u: Scores, tau: Fraction, error: Enclosure) -> Certificate:
    """The error to SHOWN decimal places, rounded outwards."""
    scale = 10**SHOWN
    lower = Fraction(error.lower * scale // 1, scale) - Fraction(1, scale)
    upper = Fraction(-(-error.upper * scale // 1), scale) + Fraction(1, scale)
    return ball.certificate(
        ID,
        ERROR,
        box={"tau": (tau, tau)},
        given={"s": list(s), "u": list(u)},
        enclosure=(lower, upper),
        digits=SHOWN + 30,
    )
