"""Claim A10, tropical.value-stability: soft attention is exponentially close to the winner's value.

The formulas speak of the gaps delta_i >= 0 of the keys that lose and of the differences a_i of
their values from the winner's: softmax depends on nothing else. With tau = 1/log 2 and integer
gaps everything is rational.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import torch
from hypothesis import strategies as st

from ....numeric.tropical import stability as floats
from ....symbolic.derivations.derivation import Derivation
from ....symbolic.tropical import stability_bounds as exact
from ....symbolic.tropical.proofs import value_stability as proof
from ...certificates import counterexample, exhaustive
from ...certificates.boxes import Box, prove
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    Condition,
    Expression,
    Number,
    at,
    equal,
    every,
    exp,
    forall,
    iff,
    implies,
    length,
    max_over,
    min_over,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.tropical.value_stability import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...strategies import rationals, temperatures

DIGITS = 60
SHOWN = 50

K, TAU = length("g"), var("tau")
GAP = at("g", var("i"))
WIDTH = length("a", 0)
COMPONENT = at("a", var("i"), var("c"))
OFF = sum_over("c", WIDTH, COMPONENT**2)

Case = tuple[tuple[Fraction, ...], tuple[tuple[Fraction, ...], ...], Fraction]


def derivation(_: Context) -> Outcome:
    """The bound, for every N and dimension."""
    return derived(_derivation(), "bound")


def attained(_: Context) -> Outcome:
    """When it is attained, for every N and dimension."""
    return derived(_derivation(), "attained", "alike")


@cache
def _derivation() -> Derivation:
    """One derivation has both conclusions."""
    return proof.derivation()


def squared_error(weight: Expression) -> Expression:
    """|Att - v*|^2 from the weights relative to the winner's, a formula in g(i)."""
    total = 1 + sum_over("i", K, weight)
    return sum_over("c", WIDTH, sum_over("i", K, weight * COMPONENT) ** 2) / total**2


def squared_bound(rho: Number) -> Expression:
    """(D rho/(1 + rho))^2 with the least possible D."""
    rho = number(0) + rho
    return max_over("i", K, OFF) * (rho / (1 + rho)) ** 2


def base_two(context: Context) -> Outcome:
    """The bound at tau = 1/log 2: all integer gaps and values of a grid."""
    weight, least = number(2) ** -GAP, number(2) ** -min_over("i", K, GAP)
    formula = squared_error(weight) <= squared_bound(K * least)
    return _grid(context, formula, "the bound")


def base_two_attained(context: Context) -> Outcome:
    """Equality iff all gaps and all values are equal, on the same grid."""
    weight, least = number(2) ** -GAP, number(2) ** -min_over("i", K, GAP)
    tied = forall("i", K, equal(GAP, at("g", 0)))
    shared = forall("i", K, forall("c", WIDTH, equal(COMPONENT, at("a", 0, var("c")))))
    formula = implies(
        max_over("i", K, OFF) > 0,
        iff(equal(squared_error(weight), squared_bound(K * least)), every(tied, shared)),
    )
    return _grid(context, formula, "equality")


def boxes(context: Context) -> Outcome:
    """The bound over whole boxes of gaps, values and temperatures, up to 1/100 of D."""
    largest = 1 if context.profile is Profile.QUICK else 2
    delta, lead = var("delta"), at("t", var("i"))
    count = length("t")
    weight = exp(-(delta + lead) / TAU)
    error = sum_over("i", count, weight * at("a", var("i"))) / (1 + sum_over("i", count, weight))
    rho = count * exp(-delta / TAU)
    half, one = Fraction(1, 2), 1
    made = [
        Box(
            f"error-of-{n + 1}-keys",
            rho / (1 + rho) - error,
            {
                "t": [(0, 1)] * n,
                "a": [(-1, 1)] * n,
                "delta": (half, one),
                "tau": (half, one),
            },
            lower=-Fraction(1, 100),
        )
        for n in range(1, largest + 1)
    ]
    # Away from the attained case the bound itself, without allowance.
    made += [
        Box(
            f"strict-for-{n + 1}-keys",
            rho / (1 + rho) - error,
            {
                "t": [(0, 1)] * n,
                "a": [(-1, half)] * n,
                "delta": (half, one),
                "tau": (half, one),
            },
            lower=0,
        )
        for n in range(1, largest + 2)
    ]
    certificates, numbers = prove(ID, tuple(made))
    return Outcome(
        Finding.HOLDS,
        scope=f"D = 1, one component, gaps and temperatures in [1/2, 2], N <= {largest + 2}",
        certificates=certificates,
        numbers=numbers,
        detail="leads t_i + delta, components a_i; up to 1/100 where the bound is attained",
    )


def walls(_: Context) -> Outcome:
    """N = 2, values +-1, scores +-x: Att = tanh(x/tau) misses 1 by more than any C exp(-1/tau)."""
    error = 2 / (1 + exp(2 * var("x") / TAU))
    formula = implies(
        every(var("x") > 0, TAU > 0, var("C") > 0), error <= 2 * var("C") * exp(-1 / TAU)
    )
    instances = {
        f"C-{10**n}": {"x": Fraction(1, 100 * 10**n), "tau": Fraction(1, 10 * 10**n), "C": 10**n}
        for n in range(4)
    }
    return Outcome(
        Finding.VIOLATED,
        scope="tanh at a hundredth of a temperature from the wall",
        certificates={
            name: counterexample.certificate(ID, formula, instance, digits=SHOWN)
            for name, instance in instances.items()
        },
        detail="for every C: tau = 1/(10 C), x = tau/10, where the error is above 0.9",
    )


def search_bound(context: Context) -> Outcome:
    """Look for gaps, values and a temperature at which the bound fails."""

    def holds(case: Case) -> bool:
        error, bound = exact.squared_error(*case), exact.squared_bound(*case)
        return error.lower <= bound.upper

    formula = implies(TAU > 0, squared_error(exp(-GAP / TAU)) <= squared_bound(_rho(K)))
    return _search(context, holds, formula)


def search_sharper(context: Context) -> Outcome:
    """Refute the bound with N - 2 in place of N - 1."""

    def holds(case: Case) -> bool:
        gaps, _, _ = case
        if len(gaps) < 2:
            return True
        error = exact.squared_error(*case)
        return error.lower <= exact.squared_bound(*case, count=len(gaps) - 1).upper

    formula = implies(
        every(TAU > 0, K >= 2), squared_error(exp(-GAP / TAU)) <= squared_bound(_rho(K - 1))
    )
    return _search(context, holds, formula)


def float_agreement(context: Context) -> Outcome:
    """Torch against Arb within its rounding bound, and against mpmath."""
    from random import Random

    random = Random(context.seed)
    worst, cases = Fraction(0), 0
    for _ in range(40):
        count, width = random.randint(1, 9), random.randint(1, 3)
        scores = [random.uniform(-4, 4) for _ in range(count)]
        values = [[random.uniform(-2, 2) for _ in range(width)] for _ in range(count)]
        tau = 2.0 ** random.randint(-5, 3)
        s, v = torch.tensor(scores, dtype=torch.float64), torch.tensor(values, dtype=torch.float64)
        found, error = floats.attention(s, v, tau), floats.attention_error(s, v, tau)
        for c in range(width):
            column = [row[c] for row in values]
            truth = exact.attention(scores, column, Fraction(tau))
            second = floats.attention_mp(scores, column, tau, DIGITS)
            if truth.distance(second) > Fraction(1, 10 ** (DIGITS - 5)):
                return compared(2, 1, "mpmath against Arb", f"10^-{DIGITS - 5}")
            off = truth.distance(Fraction(found[c].item()))
            worst, cases = max(worst, off / Fraction(error[c].item())), cases + 1
    return compared(worst, cases, "torch float64 against Arb", "rounding analysis", digits=DIGITS)


def _rho(count: Number) -> Expression:
    return count * exp(-min_over("i", K, GAP) / TAU)


def _grid(context: Context, formula: Condition, what: str) -> Outcome:
    sizes = ((1, 1), (2, 1), (2, 2)) if context.profile is Profile.QUICK else (
        (1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (4, 1)
    )  # fmt: skip
    families = {
        f"{n + 1}-keys-{d}-components": Grid(
            {"g": Entries((n,), range(3)), "a": Entries((n, d), range(-1, 2))}
        )
        for n, d in sizes
    }
    return Outcome(
        Finding.HOLDS,
        scope=f"base 2, {what}: gaps 0..2, components -1..1, (N, d) up to {sizes[-1]}",
        certificates={
            name: exhaustive.certificate(ID, family, formula) for name, family in families.items()
        },
        numbers={"instances": sum(family.count for family in families.values())},
    )


@st.composite
def _cases(draw: st.DrawFn) -> Case:
    count, width = draw(st.integers(1, 5)), draw(st.integers(1, 3))
    pool = draw(st.lists(rationals(9).map(abs), min_size=1, max_size=count))
    gaps = [draw(st.sampled_from(pool)) for _ in range(count)]
    values = draw(st.lists(st.tuples(*[rationals(5)] * width), min_size=1, max_size=count))
    chosen = tuple(draw(st.sampled_from(values)) for _ in range(count))
    return tuple(gaps), chosen, draw(temperatures())


def _search(context: Context, holds: object, formula: Condition) -> Outcome:
    assert callable(holds)
    examples = 150 if context.profile is Profile.QUICK else 2000
    result = search(_cases(), holds, examples=examples, seed=context.seed)

    def refutation(case: Case) -> dict[str, Certificate]:
        gaps, values, tau = case
        instance = {"g": list(gaps), "a": [list(row) for row in values], "tau": tau}
        return {"case": counterexample.certificate(ID, formula, instance, digits=SHOWN)}

    return searched(result, "gaps (tied, huge, zero), values and tau; N <= 6, d <= 3", refutation)
