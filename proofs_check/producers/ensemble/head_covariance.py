"""Claim B6, ensemble.monotonicity: the covariance of two heads by their principal angles."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import torch
from hypothesis import strategies as st

from ....numeric.ensemble.monte_carlo import estimate, kernel_products
from ....numeric.ensemble.prescribed import frames_with_angles
from ....symbolic.ensemble import covariance as exact
from ....symbolic.ensemble.design import dot
from ....symbolic.ensemble.proofs import covariance as proof
from ...certificates import boxes, counterexample, exhaustive
from ...certificates.exhaustive import Listed
from ...certificates.formula import (
    Expression,
    at,
    equal,
    every,
    forall,
    implies,
    length,
    log,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.ensemble.monotonicity import ID
from ...evidence import Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from .principal_angles import pair

DIGITS = 60
ERRORS = 5
"""Standard errors within which a Monte Carlo mean has to be."""

A = var("a")


def determinant_derivation(_: Context) -> Outcome:
    """The determinant in the plane of each pair of principal vectors."""
    return derived(proof.determinant(), "block", "sines")


def covariance_derivation(_: Context) -> Outcome:
    """The order of the covariances."""
    return derived(proof.derivation(), "increasing", "least", "orthogonal")


def room_derivation(_: Context) -> Outcome:
    """Orthogonal heads need 2 d_k <= d."""
    return derived(proof.room(), "room")


def determinants(context: Context) -> Outcome:
    """det(I + a (Pi + Pi')) at rational frames with known angles, by triangular factors.

    I + a (P P^T + Q Q^T) = L U, whose determinant is the product of the diagonal of U, that is of
    d_k factors (1+a)^2 - a^2 c_i^2 and d - 2 d_k ones.
    """
    count = 4 if context.profile is Profile.QUICK else 40
    instances = [_factored(Random(f"{context.seed}:det:{n}"), 1 + n % 2) for n in range(count)]
    d, k = length("P"), length("P", 0)
    i, j, t = var("i"), var("j"), var("t")
    entry = number(0) ** abs(i - j) + A * sum_over(
        "t", k, at("P", i, t) * at("P", j, t) + at("Q", i, t) * at("Q", j, t)
    )
    product = sum_over("t", d, at("L", i, t) * at("U", t, j))
    shape = forall(
        "i",
        d,
        every(
            equal(at("L", i, i), 1),
            forall("j", i, every(equal(at("L", j, i), 0), equal(at("U", i, j), 0))),
        ),
    )
    cases = []
    for size in (1, 2):
        wide = equal(d, 2 * size)
        left: Expression = number(1)
        for r in range(2 * size):
            left = left * at("U", r, r)
        right: Expression = number(1)
        for r in range(size):
            right = right * ((1 + A) ** 2 - A**2 * at("c", r) ** 2)
        cases.append(implies(wide, equal(left, right)))
    formula = every(shape, forall("i", d, forall("j", d, equal(entry, product))), *cases)
    return Outcome(
        Finding.HOLDS,
        scope=f"{count} pairs of rational frames with known angles, d_k <= 2",
        certificates={"frames": exhaustive.certificate(ID, Listed(instances), formula)},
        numbers={"pairs": count},
    )


def _factored(random: Random, k: int) -> dict[str, Any]:
    case = pair(random, k)
    a = Fraction(random.randint(1, 8), random.randint(1, 4))
    P, Q = case["P"], case["Q"]
    d = len(P)
    rows = [
        [int(i == j) + a * (dot(P[i], P[j]) + dot(Q[i], Q[j])) for j in range(d)] for i in range(d)
    ]
    lower = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
    for i in range(d):
        for j in range(i + 1, d):
            lower[j][i] = rows[j][i] / rows[i][i]
            rows[j] = [x - lower[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    return {"P": P, "Q": Q, "c": case["c"], "a": a, "L": lower, "U": rows}


def over_boxes(context: Context) -> Outcome:
    """The covariance of two heads with two angles on whole boxes of bandwidths and angles.

    log(n cov/sigma^2) = -(1/2) sum log(1 - (a/(1+a))^2 x_i) lies between 0 and its value for
    aligned heads (here up to a thousandth, since the two meet); its slope in x_1 is positive.
    """
    share = (1 - 1 / (1 + A)) ** 2
    logarithm = -(log(1 - share * at("x", 0)) + log(1 - share * at("x", 1))) / 2
    aligned = 2 * log(1 + A) - log(1 + 2 * A)
    slope = share / (2 * (1 - share * at("x", 0)))
    top = Fraction(4) if context.profile is Profile.QUICK else Fraction(64)
    rates, unit = (Fraction(1, 4), top), (Fraction(0), Fraction(1))
    certificates, numbers = boxes.prove(
        ID,
        (
            boxes.Box("least", logarithm, {"a": rates, "x": [unit, unit]}, lower=Fraction(0)),
            boxes.Box(
                "greatest",
                aligned - logarithm,
                {"a": rates, "x": [unit, unit]},
                lower=-Fraction(1, 1000),
            ),
            boxes.Box("slope", slope, {"a": rates, "x": [unit]}, lower=Fraction(1, 51)),
        ),
    )
    return Outcome(
        Finding.HOLDS,
        scope=f"all 1/4 <= a <= {top} and all cos^2 in [0, 1]^2",
        certificates=certificates,
        numbers=numbers,
    )


def enclosures(context: Context) -> Outcome:
    """Arb's n cov/sigma^2 against mpmath's Gaussian integral, done by quadrature."""
    worst, cases = Fraction(0), 0
    count = 4 if context.profile is Profile.QUICK else 20
    mp = mpmath.MPContext()
    mp.dps = DIGITS + 10
    for n in range(count):
        random = Random(f"{context.seed}:mp:{n}")
        a = Fraction(random.randint(1, 12), random.randint(1, 4))
        squares = [Fraction(random.randint(0, 8), 8) for _ in range(1 + n % 3)]
        truth = exact.ratio(squares, a, digits=DIGITS)
        value = mp.mpf(1)
        for square in squares:
            value *= _plane(mp, mp.mpf(a.numerator) / a.denominator, square)
        known = Fraction(int(value * mp.mpf(10) ** (DIGITS + 5)), 10 ** (DIGITS + 5))
        worst = max(worst, truth.distance(known) * 10 ** (DIGITS - 5))
        cases += 1
    return compared(
        worst, cases, "Arb against mpmath's product of one-dimensional integrals",
        f"10^-{DIGITS - 5}", digits=DIGITS - 5,
    )  # fmt: skip


def _plane(mp: Any, a: Any, square: Fraction) -> Any:
    """E[K_h K_g]/(E K)^2 in one plane: y is integrated by hand, x by quadrature.

    The form is (1 + a + a c^2) x^2 + 2 a c z x y + (1 + a z^2) y^2.
    """
    c2 = mp.mpf(square.numerator) / square.denominator
    z2 = 1 - c2
    across = 1 + a * z2
    along = 1 + a + a * c2 - a * a * c2 * z2 / across
    # By the change of variable x = t/sqrt(along) the integral is that of a fixed Gaussian, which
    # quadrature on [-20, 20] takes to 80 digits (exp(-200) = 10^-87).
    mass = mp.quad(lambda t: mp.exp(-t * t / 2), mp.linspace(-20, 20, 9)) / mp.sqrt(2 * mp.pi)
    return mass * (1 + a) / mp.sqrt(across * along)


def monte_carlo(context: Context) -> Outcome:
    """Frames with prescribed angles in torch: E[K_h K_g] and E K within five standard errors."""
    draws = 100_000 if context.profile is Profile.QUICK else 4_000_000
    worst, cases = 0.0, 0
    for n, (cosines, d, a) in enumerate(
        (((0.5,), 2, 1.0), ((1.0, 0.0), 5, 4.0), ((0.6, 0.8), 4, 0.5), ((0.0, 0.0), 4, 2.0))
    ):
        generator = torch.Generator().manual_seed(context.seed % 2**32 + n)
        frames = frames_with_angles(cosines, d, generator=generator)
        both, one = kernel_products(frames, a, draws=draws, generator=generator)
        squares = [Fraction(c) ** 2 for c in cosines]
        mean = (1 + a) ** (-len(cosines) / 2)
        product = float(exact.ratio(squares, Fraction(a)).lower) * mean**2
        worst = max(worst, estimate(both).deviations(product) / ERRORS)
        worst = max(worst, estimate(one).deviations(mean) / ERRORS)
        cases += 2
    return compared(
        worst, cases, "torch float64 against exact expectations", f"{ERRORS} standard errors",
        draws=draws,
    )  # fmt: skip


def search_covariance(context: Context) -> Outcome:
    """Look for angles at which the covariance does not grow with every cosine, or falls below 1."""
    squares = st.builds(Fraction, st.integers(0, 12), st.just(12))
    case = st.tuples(
        st.lists(st.tuples(squares, squares), min_size=1, max_size=4),
        st.builds(Fraction, st.integers(1, 60), st.integers(1, 30)),
    )

    def holds(drawn: tuple[list[tuple[Fraction, Fraction]], Fraction]) -> bool:
        angles, a = drawn
        low, high = [min(pair) for pair in angles], [max(pair) for pair in angles]
        less, more = exact.squared_ratio(low, a), exact.squared_ratio(high, a)
        grows = less < more if low != high else less == more
        return grows and less >= 1 and (less == 1) == (not any(low))

    result = search(
        case, holds, examples=200 if context.profile is Profile.QUICK else 4000, seed=context.seed
    )
    return searched(result, "cos^2 of up to four angles and bandwidths", lambda _: {})


def uncorrelated(_: Context) -> Outcome:
    """Orthogonal heads have the covariance sigma^2/n and not 0."""
    share = (A / (1 + A)) ** 2
    square = 1 / (1 - share * var("x"))
    formula = implies(every(A > 0, equal(var("x"), 0)), equal(square, 0))
    return Outcome(
        Finding.VIOLATED,
        scope="d_k = 1, a right angle, a = 1",
        certificates={"right-angle": counterexample.certificate(ID, formula, {"a": 1, "x": 0})},
        detail="n cov/sigma^2 = 1",
    )
