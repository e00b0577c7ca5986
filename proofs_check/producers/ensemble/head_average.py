"""Claim B2, ensemble.head-average, in base 2 (see nadaraya_watson) and in torch."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import torch

from ....numeric.ensemble.nadaraya_watson import head_average, weights_error
from ....symbolic.ensemble.proofs import head_average as proof
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Listed
from ...certificates.formula import Expression, at, equal, length, number, sum_over, var
from ...claim import Context, Profile
from ...claims.ensemble.head_average import ID
from ...evidence import Finding, Outcome
from ...outcomes import compared, derived
from .rational_frames import distinct

H, N, D, K = length("P"), length("k"), length("q"), length("P", 0)


def _seen(a: Expression) -> Expression:
    """A coordinate of P_h^T q."""
    return sum_over("c", D, at("P", var("h"), a, var("c")) * at("q", var("c")))


def _shown(j: str, a: Expression) -> Expression:
    """A coordinate of P_h^T k_j."""
    return sum_over("c", D, at("P", var("h"), a, var("c")) * at("k", var(j), var("c")))


def _average(weight: Any) -> Expression:
    values = sum_over("j", N, weight("j") * at("v", var("h"), var("j")))
    return sum_over("h", H, values / sum_over("j", N, weight("j"))) / H


def _score(j: str) -> Expression:
    a = var("a")
    return number(4) ** sum_over("a", K, _seen(a) * _shown(j, a))


def _kernel(j: str) -> Expression:
    a = var("a")
    apart = sum_over("a", K, (_seen(a) - _shown(j, a)) ** 2)
    norm = sum_over("a", K, _shown(j, a) ** 2)
    return number(2) ** -apart * number(2) ** norm


def derivation(_: Context) -> Outcome:
    """The average, for every H, N and d_k."""
    return derived(proof.derivation(), "heads", "average")


def base_two(context: Context) -> Outcome:
    """Integer projections, keys and queries: rational weights on both sides."""
    count = 12 if context.profile is Profile.QUICK else 200
    family = Listed(distinct(_heads, count, context.seed))
    formula = equal(_average(_score), _average(_kernel))
    return Outcome(
        Finding.HOLDS,
        scope=f"base 2: {count} ensembles, H <= 3, N <= 4, d <= 3",
        certificates={"ensembles": exhaustive.certificate(ID, family, formula)},
        numbers={"ensembles": count},
    )


def _heads(random: Random) -> dict[str, Any]:
    d, heads, count = random.randint(1, 3), random.randint(1, 3), random.randint(1, 4)
    k = random.randint(1, d)

    def row(length: int) -> list[int]:
        return [random.randint(-1, 1) for _ in range(length)]

    return {
        "P": [[row(d) for _ in range(k)] for _ in range(heads)],
        "k": [row(d) for _ in range(count)],
        "q": row(d),
        "v": [[Fraction(random.randint(-5, 5), 3) for _ in range(count)] for _ in range(heads)],
    }


def float_agreement(context: Context) -> Outcome:
    """Both torch averages against each other: each weight errs by its bound, values are at most 1.

    The coordinates of a head err by (d + 2) u times norms; their bound is that of `weights_error`
    with |q| + |k| of the whole space and d in place of d_k, twice, and (N + 4) u for the sums.
    """
    worst, cases = 0.0, 0
    for n in range(40):
        generator = torch.Generator().manual_seed(context.seed % 2**32 + n)
        d, heads, count = 2 + n % 7, 1 + n % 4, 1 + n % 9
        k = 1 + n % d

        def normal(*shape: int, made: torch.Generator = generator) -> torch.Tensor:
            return torch.randn(*shape, generator=made, dtype=torch.float64)

        frames = torch.linalg.qr(normal(heads, d, k)).Q
        query, keys = normal(d), normal(count, d)
        values = torch.rand(heads, count, 3, generator=generator, dtype=torch.float64)
        one = head_average(query, keys, values, frames)
        other = head_average(query, keys, values, frames, kernel=True)
        bound = count * (4 * float(weights_error(query, keys)) + (count + 4) * 2.0**-53)
        worst = max(worst, float((one - other).abs().max()) / bound)
        cases += 1
    return compared(worst, cases, "softmax heads against kernel heads, torch", "rounding analysis")


def averaged_scores(_: Context) -> Outcome:
    """Heads e1 and e2 on the keys (2, 0) and (0, 1), query (1, 1), values 1 and 0."""
    summed = sum_over(
        "j", N, number(2) ** sum_over("h", H, _exponent("j")) * at("v", 0, var("j"))
    ) / sum_over("j", N, number(2) ** sum_over("h", H, _exponent("j")))
    formula = equal(_average(_score), summed)
    instance = {"P": [[[1, 0]], [[0, 1]]], "k": [[2, 0], [0, 1]], "q": [1, 1], "v": [[1, 0]] * 2}
    return Outcome(
        Finding.VIOLATED,
        scope="two heads on two keys in the plane",
        certificates={"heads": counterexample.certificate(ID, formula, instance)},
    )


def _exponent(j: str) -> Expression:
    """Half of the exponent of 4: the mean over two heads of scores, in base 2."""
    a = var("a")
    return sum_over("a", K, _seen(a) * _shown(j, a))
