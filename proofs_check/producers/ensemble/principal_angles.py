"""Claim B4, ensemble.principal-angles."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import torch

from ....numeric.ensemble.overlap import principal_cosines
from ....symbolic.ensemble.proofs import principal_angles as proof
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
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.ensemble.principal_angles import ID
from ...evidence import Finding, Outcome
from ...outcomes import compared, derived
from .rational_frames import ANGLES, Matrix, distinct, orthogonal, product, transposed

D, K = length("P"), length("c")


def _entry(name: str, row: str, column: str) -> Expression:
    return at(name, var(row), var(column))


def _orthonormal(name: str, rows: Expression) -> Condition:
    """The columns of a matrix are orthonormal."""

    def gram(a: str, b: str) -> Expression:
        return sum_over("i", rows, _entry(name, "i", a) * _entry(name, "i", b))

    return forall(
        "a",
        K,
        every(
            equal(gram("a", "a"), 1),
            forall("b", K, implies(var("b") < var("a"), equal(gram("a", "b"), 0))),
        ),
    )


def _kernel() -> Expression:
    """The trace of the product of both projectors, coordinate by coordinate."""

    def projector(name: str) -> Expression:
        return sum_over("a", K, _entry(name, "i", "a") * _entry(name, "j", "a"))

    return sum_over("i", D, sum_over("j", D, projector("P") * projector("Q")))


def _decomposed() -> Condition:
    """P^T Q = U diag(c) V^T with orthogonal U and V and 0 <= c <= 1: c are the singular values."""
    left = sum_over("i", D, _entry("P", "i", "a") * _entry("Q", "i", "b"))
    right = sum_over("t", K, _entry("U", "a", "t") * at("c", var("t")) * _entry("V", "b", "t"))
    cosine = at("c", var("t"))
    return every(
        _orthonormal("P", D),
        _orthonormal("Q", D),
        _orthonormal("U", K),
        _orthonormal("V", K),
        forall("t", K, every(cosine >= 0, cosine <= 1)),
        forall("a", K, forall("b", K, equal(left, right))),
    )


def kernel_derivation(_: Context) -> Outcome:
    """The kernel, for every d and d_k."""
    return derived(proof.derivation(), "kernel", "nonnegative")


def rational_subspaces(context: Context) -> Outcome:
    """Pairs of subspaces whose principal angles are known, cosines and all."""
    count = 8 if context.profile is Profile.QUICK else 60
    instances = distinct(lambda r: pair(r, r.randint(1, 3)), count, context.seed)
    formula = every(_decomposed(), equal(_kernel(), sum_over("t", K, at("c", var("t")) ** 2)))
    return Outcome(
        Finding.HOLDS,
        scope=f"{count} pairs of rational subspaces, d_k <= 3, d = 2 d_k",
        certificates={"pairs": exhaustive.certificate(ID, Listed(instances), formula)},
        numbers={"pairs": count},
    )


def plain_cosines(_: Context) -> Outcome:
    """Two lines at the angle with cosine 3/5: the trace is 9/25."""
    formula = implies(_decomposed(), equal(_kernel(), sum_over("t", K, at("c", var("t")))))
    three, four = Fraction(3, 5), Fraction(4, 5)
    one = [[Fraction(1)]]
    instance = {
        "P": [[Fraction(1)], [Fraction(0)]],
        "Q": [[three], [four]],
        "U": one,
        "V": one,
        "c": [three],
    }
    return Outcome(
        Finding.VIOLATED,
        scope="two lines in the plane",
        certificates={"lines": counterexample.certificate(ID, formula, instance)},
        detail="cosine 3/5, trace 9/25",
    )


def float_agreement(context: Context) -> Outcome:
    """The singular values of torch against the known cosines.

    Each entry of P^T P' errs by (d + 2) u at most (unit columns, rounded entries), the matrix by
    d_k times that, and the SVD is backward stable: 64 d u is generous for d <= 6.
    """
    worst, cases = Fraction(0), 0
    for n in range(40):
        case = pair(Random(f"{context.seed}:torch:{n}"), 1 + n % 3)
        P, Q = (
            torch.tensor([[float(x) for x in row] for row in case[name]], dtype=torch.float64)
            for name in "PQ"
        )
        found = principal_cosines(P, Q).tolist()
        bound = Fraction(64 * len(case["P"])) / 2**53
        for value, truth in zip(found, sorted(case["c"], reverse=True), strict=True):
            worst = max(worst, abs(Fraction(value) - truth) / bound)
            cases += 1
    return compared(worst, cases, "torch float64 against rational cosines", "64 d u")


def pair(random: Random, k: int) -> dict[str, Any]:
    """P = A_1 U^T and Q = (A_1 C + A_2 S) V^T with A = [A_1 A_2] orthogonal: P^T Q = U C V^T."""
    A, U, V = orthogonal(random, 2 * k), orthogonal(random, k), orthogonal(random, k)
    chosen = [random.choice(ANGLES) for _ in range(k)]
    cosines = [Fraction(c) for c, _ in chosen]
    mixed: Matrix = [[row[t] * c + row[k + t] * s for t, (c, s) in enumerate(chosen)] for row in A]
    first = [row[:k] for row in A]
    return {
        "P": product(first, transposed(U)),
        "Q": product(mixed, transposed(V)),
        "U": U,
        "V": V,
        "c": cosines,
    }
