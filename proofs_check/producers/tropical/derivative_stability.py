"""Claim A11, tropical.derivative-stability: off the walls the derivative is small.

One component of values (a_i = <a, v_i>) and keys (k_i = <u, kappa_i>) at a time, a and u unit
vectors: the spectral norm is the largest such derivative.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

import torch
from hypothesis import strategies as st

from ....numeric.tropical import stability as floats
from ....symbolic.enclosures.ball import gaps
from ....symbolic.tropical import stability_bounds as exact
from ....symbolic.tropical.proofs import derivative_stability as proof
from ...certificates import counterexample, identity
from ...certificates.boxes import Box, prove
from ...certificates.formula import (
    Condition,
    at,
    every,
    exp,
    implies,
    length,
    max_over,
    min_over,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.tropical.derivative_stability import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...strategies import rationals

DIGITS, SHOWN = 60, 50
TAU, N = var("tau"), length("s")
FIRST, SECOND = var("i"), var("j")

Case = tuple[tuple[Fraction, ...], tuple[Fraction, ...], tuple[Fraction, ...], Fraction]


def derivation(_: Context) -> Outcome:
    """The derivative as a covariance, for every N and d."""
    return derived(proof.derivation(), "covariance")


def pairs(_: Context) -> Outcome:
    """A covariance as a sum over pairs, for every N."""
    return derived(proof.pairs(), "pairs")


def bound(_: Context) -> Outcome:
    """The bound, for every N and between any two unit vectors."""
    return derived(proof.bound(), "derivative", "bound")


def expanded(context: Context) -> Outcome:
    """The sum over pairs as a polynomial identity, for small N."""
    largest = 4 if context.profile is Profile.QUICK else 7
    p, v, k = (partial(at, name) for name in "pvk")
    certificates = {}
    for n in range(1, largest + 1):
        left = sum_over(
            "i",
            n,
            sum_over(
                "j", FIRST, p(FIRST) * p(SECOND) * (v(FIRST) - v(SECOND)) * (k(FIRST) - k(SECOND))
            ),
        )
        means = sum_over("i", n, p(FIRST) * v(FIRST)) * sum_over("i", n, p(FIRST) * k(FIRST))
        right = (
            sum_over("i", n, p(FIRST)) * sum_over("i", n, p(FIRST) * v(FIRST) * k(FIRST)) - means
        )
        shapes = {name: [n] for name in "pvk"}
        certificates[f"N{n}"] = identity.certificate(ID, variables=shapes, left=left, right=right)
    return Outcome(
        Finding.HOLDS, scope=f"polynomial identity, N <= {largest}", certificates=certificates
    )


def boxes(context: Context) -> Outcome:
    """The bound over whole boxes of gaps, values, keys and temperatures."""
    count, delta = length("t"), var("delta")

    e, f = exp(-(delta + at("t", FIRST)) / TAU), exp(-(delta + at("t", SECOND)) / TAU)
    inner = sum_over(
        "j", FIRST, e * f * (at("a", FIRST) - at("a", SECOND)) * (at("b", FIRST) - at("b", SECOND))
    )
    total = sum_over("i", count, e * at("a", FIRST) * at("b", FIRST)) + sum_over("i", count, inner)
    slope = total / (1 + sum_over("i", count, e)) ** 2
    rho = count * exp(-delta / TAU)
    half = Fraction(1, 2)
    made = tuple(
        Box(
            f"slope-of-{n + 1}-keys",
            (rho - slope) / TAU,
            {
                "t": [(0, 1)] * n,
                "a": [(0, 1)] * n,
                "b": [(0, 1)] * n,
                "delta": (half, 1),
                "tau": (half, 1),
            },
            lower=0,
        )
        for n in range(1, 3 if context.profile is Profile.QUICK else 4)
    )
    certificates, numbers = prove(ID, made)
    return Outcome(
        Finding.HOLDS,
        scope="diameters 1, gaps in [1/2, 2], temperatures in [1/2, 1]",
        certificates=certificates,
        numbers=numbers,
    )


def walls(_: Context) -> Outcome:
    """tanh(x/tau) has the slope 1/(tau cosh^2), near a wall larger than any C exp(-1/tau)."""
    grown = exp(2 * var("x") / TAU)
    slope = 4 * grown / (1 + grown) ** 2 / TAU
    formula = implies(
        every(var("x") > 0, TAU > 0, var("C") > 0), slope <= 4 * var("C") * exp(-1 / TAU)
    )
    certificates = {}
    for n in range(4):
        C = 10**n
        instance = {"x": Fraction(1, 100 * C), "tau": Fraction(1, 10 * C), "C": C}
        name = f"C-{C}"
        certificates[name] = counterexample.certificate(ID, formula, instance, digits=SHOWN)
    return Outcome(
        Finding.VIOLATED,
        scope="tanh at a tenth of a temperature from the wall",
        certificates=certificates,
        detail="for every C: tau = 1/(10 C), x = tau/10, where the slope is above 0.9/tau",
    )


def search_bound(context: Context) -> Outcome:
    """Look for scores, values, keys and a temperature at which the bound fails."""
    return _search(context, Fraction(1))


def search_eighth(context: Context) -> Outcome:
    """Refute an eighth of the bound."""
    return _search(context, Fraction(1, 8))


def float_agreement(context: Context) -> Outcome:
    """Torch's sum over pairs against Arb and mpmath; the covariance form beside it."""
    random = Random(context.seed)
    worst, lost, cases = Fraction(0), 0, 0
    for _ in range(40):
        count = random.randint(1, 8)
        s, v, k = ([random.uniform(-4, 4) for _ in range(count)] for _ in range(3))
        tau = 2.0 ** random.randint(-4, 2)
        scores = torch.tensor(s, dtype=torch.float64)
        values, keys = (torch.tensor([row], dtype=torch.float64).T for row in (v, k))
        truth = exact.pair_sum(s, v, k, Fraction(tau), digits=DIGITS)
        second = floats.pair_gradient_mp(s, v, k, tau, DIGITS)
        if truth.distance(second) > Fraction(1, 10 ** (DIGITS - 5)):
            return compared(2, 1, "mpmath against Arb", f"10^-{DIGITS - 5}")
        found = floats.pair_gradient(scores, values, keys, tau).item()
        error = floats.pair_gradient_error(scores, values, keys, tau).item()
        other = floats.covariance_gradient(scores, values, keys, tau).item()
        off = truth.distance(Fraction(found))
        worst = max(worst, off / Fraction(error))
        lost += truth.distance(Fraction(other)) > 1000 * Fraction(error)
        cases += 1
    return compared(
        worst,
        cases,
        "torch float64 against Arb",
        "rounding analysis of pair_gradient_error",
        digits=DIGITS,
        **{"cases in which the covariance form is 1000 times worse than that": lost},
    )


def _search(context: Context, share: Fraction) -> Outcome:
    def holds(case: Case) -> bool:
        scores, values, keys, tau = case
        behind = sorted(gaps(scores))
        slope = exact.pair_sum(scores, values, keys, tau)
        size = max(abs(slope.lower), abs(slope.upper)) - slope.width
        diameters = (max(values) - min(values)) * (max(keys) - min(keys))
        if not diameters or len(scores) < 2:
            return size <= 0
        limit = exact.decay(len(scores) - 1, behind[1], tau)
        return size <= share * diameters * limit.upper / tau

    v, k, s = (partial(at, name) for name in "vks")
    top = max_over("m", N, s(var("m")))
    weight = exp((s(FIRST) - top) / TAU)
    other = exp((s(SECOND) - top) / TAU)
    inner = sum_over("j", FIRST, weight * other * (v(FIRST) - v(SECOND)) * (k(FIRST) - k(SECOND)))
    slope = sum_over("i", N, inner) / sum_over("i", N, weight) ** 2 / TAU
    width_v = max_over("i", N, v(FIRST)) - min_over("i", N, v(FIRST))
    width_k = max_over("i", N, k(FIRST)) - min_over("i", N, k(FIRST))
    # The second best score: keys are numbered so that the two best come first.
    decay = (N - 1) * exp((s(1) - s(0)) / TAU)
    formula: Condition = implies(
        every(TAU > 0, N >= 2, s(0) >= s(1)), abs(slope) <= share * width_v * width_k * decay / TAU
    )
    examples = 150 if context.profile is Profile.QUICK else 2000
    result = search(_cases(), holds, examples=examples, seed=context.seed)

    def refutation(case: Case) -> dict[str, Certificate]:
        scores, values, keys, tau = case
        order = sorted(range(len(scores)), key=lambda i: -scores[i])
        instance = {
            name: [row[i] for i in order]
            for name, row in (("s", scores), ("v", values), ("k", keys))
        }
        made = counterexample.certificate(ID, formula, {**instance, "tau": tau}, digits=SHOWN)
        return {"case": made}

    return searched(result, "scores (tied, far apart), values, keys, tau; N <= 5", refutation)


@st.composite
def _cases(draw: st.DrawFn) -> Case:
    count = draw(st.integers(1, 5))
    pool = draw(st.lists(rationals(9), min_size=1, max_size=count))
    scores = tuple(draw(st.sampled_from(pool)) for _ in range(count))
    values, keys = (
        tuple(draw(st.lists(rationals(5), min_size=count, max_size=count))) for _ in range(2)
    )
    return scores, values, keys, draw(st.sampled_from([Fraction(2) ** n for n in range(-3, 4)]))
