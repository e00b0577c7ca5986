"""Claim B5, ensemble.diversity-index."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import torch

from ....numeric.ensemble.overlap import diversity_index, overlaps, spectral_index
from ....numeric.ensemble.subspaces import row_spaces
from ....symbolic.ensemble.proofs import diversity_index as proof
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
from ...claims.ensemble.diversity_index import ID
from ...evidence import Finding, Outcome
from ...outcomes import compared, derived
from .rational_frames import Matrix, distinct, frame

H, D, K, SIZE = length("R"), var("d"), var("k"), length("R", 0)
"""R(h, d i + j): the entries of head h's projector, row by row."""


def _entry(h: str, i: str, j: str) -> Expression:
    return at("R", var(h), D * var(i) + var(j))


def _overlap(h: str, g: str) -> Expression:
    return sum_over("s", SIZE, at("R", var(h), var("s")) * at("R", var(g), var("s")))


def _projectors() -> Condition:
    """Each R is symmetric, its own square, and of trace k."""
    square = sum_over("t", D, _entry("h", "i", "t") * _entry("h", "t", "j"))
    entry = _entry("h", "i", "j")
    return every(
        equal(SIZE, D * D),
        forall(
            "h",
            H,
            every(
                equal(sum_over("i", D, _entry("h", "i", "i")), K),
                forall(
                    "i",
                    D,
                    forall(
                        "j", D, every(equal(entry, _entry("h", "j", "i")), equal(entry, square))
                    ),
                ),
            ),
        ),
    )


def _index() -> Expression:
    """One less the mean over h < h' of the overlap, divided by k: each pair once."""
    pairs = sum_over("h", H, sum_over("g", var("h"), _overlap("h", "g")))
    return 1 - 2 * pairs / (H * (H - 1) * K)


def _squared_mean() -> Expression:
    """tr(Pbar^2)."""
    return sum_over("s", SIZE, (sum_over("h", H, at("R", var("h"), var("s"))) / H) ** 2)


def spectral_derivation(_: Context) -> Outcome:
    """The spectral form, for every H, d and d_k."""
    return derived(proof.derivation(), "spectral", "pairs", "square")


def range_derivation(_: Context) -> Outcome:
    """0 <= HDI <= 1."""
    return derived(proof.derivation(), "range", "pairs")


def effective_derivation(_: Context) -> Outcome:
    """The effective number of heads."""
    return derived(proof.derivation(), "effective", "pairs", "square", "number")


def bound_derivation(_: Context) -> Outcome:
    """The bound, and 1."""
    return derived(proof.derivation(), "bound", "range", "pairs")


def rational_heads(context: Context) -> Outcome:
    """Rational projectors: all four statements, each pair of heads counted once."""
    count = 8 if context.profile is Profile.QUICK else 60
    instances = distinct(_heads, count, context.seed)
    hdi, mean = _index(), _squared_mean()
    ratio = H / (H - 1)
    formula = every(
        _projectors(),
        hdi >= 0,
        hdi <= 1,
        equal(hdi, ratio * (1 - mean / K)),
        equal(H / (1 + (H - 1) * (1 - hdi)), K / mean),
        hdi <= ratio * (1 - K / D),
    )
    return Outcome(
        Finding.HOLDS,
        scope=f"{count} sets of 2 to 4 rational projectors, d <= 4",
        certificates={"heads": exhaustive.certificate(ID, Listed(instances), formula)},
        numbers={"instances": count},
    )


def orthogonal_lines(_: Context) -> Outcome:
    """Two orthogonal lines in the plane: HDI is 1, and 1 - d_k/d is 1/2."""
    formula = implies(_projectors(), _index() <= 1 - K / D)
    instance = {"R": [[1, 0, 0, 0], [0, 0, 0, 1]], "d": 2, "k": 1}
    return Outcome(
        Finding.VIOLATED,
        scope="two orthogonal lines",
        certificates={"lines": counterexample.certificate(ID, formula, instance)},
        detail="HDI 1, 1 - d_k/d = 1/2",
    )


def float_agreement(context: Context) -> Outcome:
    """The two forms in torch against exact projectors.

    An overlap is a sum of d_k^2 squares of inner products of d terms of unit vectors, whose frames
    err by O(d u): 256 d H u covers frames, products and sums for d <= 4, H <= 4.
    """
    worst, cases = Fraction(0), 0
    for n in range(40):
        random = Random(f"{context.seed}:torch:{n}")
        d, heads = random.randint(2, 4), random.randint(2, 4)
        k = random.randint(1, d)
        frames = [frame(random, d, k) for _ in range(heads)]
        rows = [
            torch.tensor([[float(x) for x in row] for row in P], dtype=torch.float64).mT
            for P in frames
        ]
        found = row_spaces(rows)
        truth = _exact_index([_projector(P) for P in frames], k)
        bound = Fraction(256 * d * heads) / 2**53
        for value in (diversity_index(overlaps(found)), spectral_index(found)):
            worst = max(worst, abs(Fraction(value) - truth) / bound)
            cases += 1
    return compared(worst, cases, "torch float64 against rational projectors", "256 d H u")


def _heads(random: Random) -> dict[str, Any]:
    d, heads = random.randint(1, 4), random.randint(2, 4)
    k = random.randint(1, d)
    projectors = [_projector(frame(random, d, k)) for _ in range(heads)]
    return {"R": [[x for row in R for x in row] for R in projectors], "d": d, "k": k}


def _projector(P: Matrix) -> Matrix:
    return [[sum((x * y for x, y in zip(r, s, strict=True)), Fraction(0)) for s in P] for r in P]


def _exact_index(projectors: list[Matrix], k: int) -> Fraction:
    total, pairs = Fraction(0), 0
    for n, one in enumerate(projectors):
        for other in projectors[:n]:
            total += sum(
                (x * y for r, s in zip(one, other, strict=True) for x, y in zip(r, s, strict=True)),
                Fraction(0),
            )
            pairs += 1
    return 1 - total / (pairs * k)
