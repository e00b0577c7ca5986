"""Claim B3, ensemble.error-decomposition.

`w` holds the weights of the heads on the points, `f` the regression function there and `t` at the
query, `v` the variance of the noise. The checker forms every term by itself.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

import torch
from hypothesis import strategies as st

from ....numeric.ensemble.monte_carlo import estimate, squared_errors
from ....symbolic.ensemble.design import decompose, frame, weights
from ....symbolic.ensemble.proofs import error_decomposition as proof
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Listed
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    equal,
    every,
    implies,
    length,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.ensemble.error_decomposition import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...strategies import rationals
from .rational_frames import distinct

ERRORS = 5
"""Standard errors within which a Monte Carlo mean has to be."""

H, N, V = length("w"), length("f"), var("v")


def _weight(h: str, j: str) -> Expression:
    return at("w", var(h), var(j))


def _bias() -> Expression:
    fitted = sum_over("j", N, _weight("h", "j") * at("f", var("j")))
    return sum_over("h", H, fitted - var("t")) / H


def _variance() -> Expression:
    return V * sum_over("h", H, sum_over("j", N, _weight("h", "j") ** 2)) / H


def _covariance() -> Expression:
    """Over unordered pairs, each once."""
    inner = sum_over("j", N, _weight("h", "j") * _weight("g", "j"))
    return 2 * V * sum_over("h", H, sum_over("g", var("h"), inner)) / (H * (H - 1))


def _error() -> Expression:
    """E (fbar - t)^2 of the mean weights, without the terms."""
    mean = sum_over("h", H, _weight("h", "j")) / H
    fitted = sum_over("j", N, mean * at("f", var("j")))
    return (fitted - var("t")) ** 2 + V * sum_over("j", N, mean**2)


def _decomposed() -> Condition:
    total = _bias() ** 2 + _variance() / H + (1 - 1 / H) * _covariance()
    return implies(H >= 2, equal(_error(), total))


def derivation(_: Context) -> Outcome:
    """The decomposition, for every H."""
    return derived(proof.derivation(), "decomposition")


def outcomes_derivation(_: Context) -> Outcome:
    """The moments, for every H and number of outcomes."""
    return derived(proof.outcomes(), "finite-space")


def design_derivation(_: Context) -> Outcome:
    """A fixed design, for every H and n."""
    return derived(proof.fixed_design(), "covariance", "average", "error")


def rational_designs(context: Context) -> Outcome:
    """Nadaraya-Watson heads on rational designs: every term, and that they add up."""
    count = 12 if context.profile is Profile.QUICK else 200
    instances = []
    for case in distinct(_design, count, context.seed):
        terms = decompose(case["w"], case["f"], target=case["t"], variance=case["v"])
        told = (terms.bias, terms.variance, terms.covariance, terms.error)
        instances.append({**case, **dict(zip(("b", "s", "c", "e"), told, strict=True))})
    formula = every(
        _decomposed(),
        equal(_bias(), var("b")),
        equal(_variance(), var("s")),
        equal(_covariance(), var("c")),
        equal(_error(), var("e")),
    )
    return Outcome(
        Finding.HOLDS,
        scope=f"{count} designs in base 2, H <= 3, N <= 4, d <= 3",
        certificates={"designs": exhaustive.certificate(ID, Listed(instances), formula)},
        numbers={"designs": count},
    )


def _design(random: Random) -> dict[str, Any]:
    """Heads that look at coordinate planes of integer points."""
    d, heads, count = random.randint(2, 3), random.randint(2, 3), random.randint(1, 4)
    points = [[random.randint(-2, 2) for _ in range(d)] for _ in range(count)]
    rows = []
    for _ in range(heads):
        seen = random.sample(range(d), random.randint(1, d - 1))
        head = frame([[int(i == c) for i in range(d)] for c in seen])
        rows.append(list(weights(head, points, query=[0] * d, scale=1)))
    return {
        "w": rows,
        "f": [Fraction(random.randint(-4, 4), random.randint(1, 3)) for _ in range(count)],
        "t": Fraction(random.randint(-4, 4), 3),
        "v": Fraction(random.randint(0, 6), 2),
    }


def search_terms(context: Context) -> Outcome:
    """Look for weights, signed ones too, at which the terms do not add up."""
    entry = rationals(3)

    @st.composite
    def cases(draw: st.DrawFn) -> dict[str, Any]:
        heads, count = draw(st.integers(2, 5)), draw(st.integers(1, 4))
        row = st.lists(entry, min_size=count, max_size=count)
        return {
            "w": draw(st.lists(row, min_size=heads, max_size=heads)),
            "f": draw(row),
            "t": draw(entry),
            "v": abs(draw(entry)),
        }

    def holds(case: dict[str, Any]) -> bool:
        return decompose(case["w"], case["f"], target=case["t"], variance=case["v"]).holds

    def refutation(case: dict[str, Any]) -> dict[str, Certificate]:
        return {"case": counterexample.certificate(ID, _decomposed(), case)}

    examples = 150 if context.profile is Profile.QUICK else 3000
    result = search(cases(), holds, examples=examples, seed=context.seed)
    return searched(result, "weights, H <= 5, N <= 4", refutation)


def monte_carlo(context: Context) -> Outcome:
    """Simulated noise in torch against the exact error, within five standard errors."""
    draws = 40_000 if context.profile is Profile.QUICK else 2_000_000
    worst = 0.0
    cases = distinct(_design, 6, context.seed + 1)
    for n, case in enumerate(cases):
        exact = decompose(case["w"], case["f"], target=case["t"], variance=case["v"]).error
        generator = torch.Generator().manual_seed((context.seed + n) % 2**32)
        found = squared_errors(
            _tensor(case["w"]),
            _tensor(case["f"]),
            target=float(case["t"]),
            deviation=sqrt(float(case["v"])),
            draws=draws,
            generator=generator,
        )
        if case["v"] == 0:  # no noise: the error is the bias, up to rounding
            worst = max(worst, float((found - float(exact)).abs().max()) / 1e-13)
        else:
            worst = max(worst, estimate(found).deviations(float(exact)) / ERRORS)
    return compared(
        worst, len(cases), "simulated noise against exact errors", f"{ERRORS} standard errors",
        draws=draws,
    )  # fmt: skip


def _tensor(values: Any) -> torch.Tensor:
    if isinstance(values[0], list):
        return torch.stack([_tensor(row) for row in values])
    return torch.tensor([float(value) for value in values], dtype=torch.float64)


def aligned(_: Context) -> Outcome:
    """Two equal heads: the variance is not halved."""
    formula = implies(H >= 2, equal(_error(), _bias() ** 2 + _variance() / H))
    half = Fraction(1, 2)
    instance = {"w": [[half, half], [half, half]], "f": [0, 0], "t": 0, "v": 1}
    return Outcome(
        Finding.VIOLATED,
        scope="two equal heads on two points",
        certificates={"heads": counterexample.certificate(ID, formula, instance)},
        detail="error 1/2, variance/H 1/4",
    )
