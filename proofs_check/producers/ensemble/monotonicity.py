"""Claim B6, ensemble.monotonicity."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from ....symbolic.ensemble import covariance as exact
from ....symbolic.ensemble.counterexamples import NAMED, SQUARE, Pair, isotropic, search
from ....symbolic.ensemble.design import diversity, dot, frame
from ....symbolic.ensemble.proofs import isotropic as proof
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Listed
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    equal,
    every,
    forall,
    implies,
    length,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.ensemble.monotonicity import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search as hunt
from . import designs
from .rational_frames import frame as rational_frame

A, X, Y = var("a"), "x", "y"

_derivation = cache(proof.derivation)


def counterexamples(_: Context) -> Outcome:
    """The stated pairs of ensembles, each as a certificate."""
    return _refuted(NAMED.values(), "a plane with two points, a square, a 24-cell")


def found(_: Context) -> Outcome:
    """The simplest pairs of different lines on the square, by an exact search."""
    pairs = [
        search(SQUARE, heads=2, scale=5, size=2),
        search(SQUARE, heads=3, scale=1, higher=False),
    ]
    return _refuted([pair for pair in pairs if pair is not None], "all small lines on the square")


def _refuted(pairs: Any, scope: str) -> Outcome:
    certificates, numbers = {}, {}
    for n, pair in enumerate(pairs):
        name = pair.name if pair.name != "found" else f"found-{n}"
        centred = isotropic(pair.points)
        formula = designs.monotone(centred=centred)
        certificates[name] = counterexample.certificate(ID, formula, designs.instance(pair))
        numbers[name] = _told(pair, centred)
    return Outcome(
        Finding.VIOLATED if certificates else Finding.HOLDS,
        scope=scope,
        certificates=certificates,
        numbers=numbers,
        detail="HDI and mean squared error of both ensembles: equal HDI with different errors, or "
        "greater HDI with greater error",
    )


def _told(pair: Pair, centred: bool) -> str:
    (u, w), (v, z) = pair.indices, pair.errors
    sizes = f"N = {len(pair.points)}, d = {len(pair.points[0])}, H = {len(pair.one)}"
    return f"HDI {u}, MSE {v}; HDI {w}, MSE {z} ({sizes}{', isotropic' * centred})"


def gaussian(_: Context) -> Outcome:
    """Two pairs of heads with equal HDI and other covariance, and one the wrong way round."""
    half = Fraction(1, 2)
    cases = {
        "gaussian-equal": ((half, half), (Fraction(1), Fraction(0)), Fraction(4)),
        "gaussian-higher": (
            (Fraction(3, 5), Fraction(3, 5)),
            (Fraction(1), Fraction(0)),
            Fraction(4),
        ),
    }
    certificates, numbers = {}, {}
    for name, (x, y, a) in cases.items():
        u, v = exact.squared_ratio(x, a), exact.squared_ratio(y, a)
        instance = {"x": list(x), "y": list(y), "a": a, "u": u, "v": v}
        certificates[name] = counterexample.certificate(ID, _two_angles(), instance)
        numbers[name] = f"(n cov/sigma^2)^2 = {u} at cos^2 {x[0]}, {x[1]}; {v} at {y[0]}, {y[1]}"
    return Outcome(
        Finding.VIOLATED,
        scope="Gaussian design, d_k = 2, two heads, a = 4",
        certificates=certificates,
        numbers=numbers,
    )


def _two_angles() -> Condition:
    """The covariance of two heads with two principal angles decreases in HDI = 1 - mean cos^2."""

    def square(name: str) -> Expression:
        terms = [1 - (A / (1 + A)) ** 2 * at(name, i) for i in (0, 1)]
        return 1 / (terms[0] * terms[1])

    def index(name: str) -> Expression:
        return 1 - (at(name, 0) + at(name, 1)) / 2

    inside = [
        every(at(name, i) >= 0, at(name, i) <= 1, equal(length(name), 2))
        for name in (X, Y)
        for i in (0, 1)
    ]
    meant = every(equal(square(X), var("u")), equal(square(Y), var("v")))
    return implies(
        every(A > 0, *inside, meant, index(X) <= index(Y)),
        every(
            implies(equal(index(X), index(Y)), equal(var("u"), var("v"))),
            implies(index(X) < index(Y), var("v") < var("u")),
        ),
    )


def isotropic_derivation(_: Context) -> Outcome:
    """The error in the isotropic model, and that it decreases in HDI."""
    return derived(_derivation(), "error", "decreasing", "pairs", "norms", "noise", "square")


def ends_derivation(_: Context) -> Outcome:
    """Aligned and orthogonal heads."""
    return derived(_derivation(), "error", "aligned", "orthogonal", "pairs", "noise", "square")


def isotropic_designs(context: Context) -> Outcome:
    """The isotropic model at rational heads: the variance from covariances, and by H_eff."""
    count = 6 if context.profile is Profile.QUICK else 60
    H, k, d = length("F"), length("F", 0), length("F", 0, 0)
    h, g = var("h"), var("g")
    # The covariance of heads h and g is sigma^2 tr(Pi_h Pi_g)/k.
    entries = {
        name: sum_over("a", k, at("F", i, var("a"), var("p")) * at("F", i, var("a"), var("q")))
        for name, i in (("h", h), ("g", g))
    }
    trace = sum_over("p", d, sum_over("q", d, entries["h"] * entries["g"]))
    error = sum_over("h", H, sum_over("g", H, trace)) * var("v") / (H**2 * k)
    pairs = sum_over("h", H, sum_over("g", h, trace))
    index = 1 - 2 * pairs / (H * (H - 1) * k)
    effective = H / (1 + (H - 1) * (1 - index))
    inner = sum_over("p", d, at("F", h, var("a"), var("p")) * at("F", h, var("b"), var("p")))
    unit = forall(
        "h", H, forall("a", k, forall("b", k, equal(inner, _delta(var("a"), var("b"), k))))
    )
    formula = every(unit, equal(error, var("v") / effective))
    return Outcome(
        Finding.HOLDS,
        scope=f"{count} rational ensembles, H <= 3, d <= 3",
        certificates={
            "ensembles": exhaustive.certificate(
                ID,
                Listed([_ensemble(Random(f"{context.seed}:{n}")) for n in range(count)]),
                formula,
            )
        },
        numbers={"ensembles": count},
    )


def _delta(a: Expression, b: Expression, count: Expression) -> Expression:
    """1 if a = b, else 0: 0^0 is 1."""
    return number(0) ** abs(a - b)


def _ensemble(random: Random) -> dict[str, Any]:
    d, heads = random.randint(2, 3), random.randint(2, 3)
    k = random.randint(1, d - 1)
    rows = [rational_frame(random, d, k) for _ in range(heads)]
    vectors = [[[row[a] for row in P] for a in range(k)] for P in rows]
    return {"F": vectors, "v": Fraction(random.randint(1, 9), random.randint(1, 4))}


def search_isotropic(context: Context) -> Outcome:
    """Look for two rational ensembles that violate monotonicity in the isotropic model."""

    def error(heads: list[Any]) -> Fraction:
        total = [
            [sum(_projector(head, i, j) for head in heads) for j in range(len(heads[0][0]))]
            for i in range(len(heads[0][0]))
        ]
        square = sum((x * x for row in total for x in row), Fraction(0))
        return Fraction(square, len(heads) ** 2 * len(heads[0]))

    def holds(case: tuple[list[Any], list[Any]]) -> bool:
        one, other = ([frame(head) for head in ensemble] for ensemble in case)
        (u, w), (v, z) = (diversity(one), diversity(other)), (error(one), error(other))
        return ((u < w) == (z < v)) and ((u == w) == (v == z))

    result = hunt(
        _two_ensembles(),
        holds,
        examples=150 if context.profile is Profile.QUICK else 2000,
        seed=context.seed,
    )
    return searched(result, "pairs of ensembles in the isotropic model", _no_certificate)


def _projector(head: Any, i: int, j: int) -> Fraction:
    return sum((v[i] * v[j] / dot(v, v) for v in head), Fraction(0))


@st.composite
def _two_ensembles(draw: st.DrawFn) -> tuple[list[Any], list[Any]]:
    """Two ensembles of as many heads of one dimension: coordinate planes and turned ones."""
    d, heads = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    k = draw(st.integers(1, d - 1))

    def head() -> Any:
        P = rational_frame(Random(draw(st.integers(0, 10**6))), d, k)
        return [[row[a] for row in P] for a in range(k)]

    one = [head() for _ in range(heads)]
    other = [draw(st.sampled_from(one)) if draw(st.booleans()) else head() for _ in range(heads)]
    return one, other


def _no_certificate(_: Any) -> Mapping[str, Certificate]:
    return {}
