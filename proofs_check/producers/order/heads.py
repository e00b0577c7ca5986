"""Claim T3c, order.certified-routing: scores of trained heads against the threshold of A10."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import mpmath

from ....numeric.experiment import NoJournal, stream_seed
from ....numeric.order.chain import Chain
from ....numeric.order.flow import FlowSettings
from ....numeric.order.measure import taken
from ....numeric.order.skeleton import Heads, trained_heads
from ....symbolic.errors import HeadproofError
from ...certificates import counterexample, exhaustive
from ...certificates.arrays import Array
from ...certificates.exhaustive import Listed
from ...certificates.formula import (
    Condition,
    at,
    different,
    every,
    exp,
    forall,
    implies,
    length,
    log,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.order.certified_routing import ID
from ...evidence import Finding, Outcome
from ...outcomes import compared

CHAIN = Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3))
EPS = Fraction(1, 4)
BITS = 20
_DIGITS = 30


def threshold(context: Context) -> Outcome:
    """Every head of every start."""
    starts = _starts(context)
    instances = [_instance(seed, h) for seed in starts for h in range(3)]
    lags = [sorted(taken(_heads(seed).attention)) for seed in starts]
    if any(found != [1, 2, 3] for found in lags):
        raise HeadproofError(f"expected heads that look at lags 1, 2, 3, found {lags}")
    least = min(float(max(row)) for seed in starts for row in _heads(seed).attention)
    family = Listed([{"s": i["s"], "lag": i["lag"]} for i in instances])
    return Outcome(
        Finding.HOLDS,
        scope=f"{len(starts)} starts, {len(instances)} heads; the share of positions is 1",
        certificates={"heads": exhaustive.certificate(ID, family, _leads(), digits=_DIGITS)},
        numbers={"least weight": f"{least:.4f}"},
    )


def high_precision(context: Context) -> Outcome:
    """The weights of the rounded scores at 50 digits against those of the flow in float64."""
    context_mp = mpmath.mp.clone()
    context_mp.dps = 50
    bound = context_mp.mpf(2) ** -BITS
    worst, cases = Fraction(0), 0
    for seed in _starts(context):
        heads = _heads(seed)
        for h in range(3):
            scores = [context_mp.mpf(s.numerator) / s.denominator for s in _instance(seed, h)["s"]]
            total = sum(context_mp.exp(s) for s in scores)
            for score, weight in zip(scores, heads.attention[h], strict=True):
                ratio = abs(context_mp.exp(score) / total - context_mp.mpf(float(weight))) / bound
                worst, cases = max(worst, Fraction(float(ratio))), cases + 1
    return compared(
        worst, cases, "weights of rounded scores at 50 digits against the flow's", "2^-20"
    )


def all_weight(context: Context) -> Outcome:
    """The head with the least weight on its lag."""
    chosen = [(seed, h) for seed in _starts(context) for h in range(3)]
    seed, h = min(chosen, key=lambda pair: float(max(_heads(pair[0]).attention[pair[1]])))
    j = var("j")
    claimed: Condition = 100 * exp(at("s", var("lag"))) >= 99 * sum_over(
        "j", length("s"), exp(at("s", j))
    )
    instance = _instance(seed, h)
    return Outcome(
        Finding.VIOLATED,
        scope=f"start {seed}, head {h + 1}",
        certificates={
            "head": counterexample.certificate(
                ID, claimed, {"s": instance["s"], "lag": instance["lag"]}, digits=_DIGITS
            )
        },
        numbers={"weight": f"{float(max(_heads(seed).attention[h])):.4f}"},
    )


def _leads() -> Condition:
    """The lead reaches the threshold, and the lag has the weight."""
    j, lag, n = var("j"), var("lag"), length("s")
    gap = log((n - 1) * (1 - EPS) / EPS)
    return every(
        forall("j", n, implies(different(j, lag), at("s", lag) - at("s", j) >= gap)),
        exp(at("s", lag)) >= (1 - EPS) * sum_over("j", n, exp(at("s", j))),
    )


def _starts(context: Context) -> range:
    count = 1 if context.profile is Profile.QUICK else 5
    return range(context.run_seed, context.run_seed + count)


@cache
def _heads(seed: int) -> Heads:
    return trained_heads(CHAIN, FlowSettings(), stream_seed(seed, "start"), NoJournal())


def _instance(seed: int, h: int) -> dict[str, Array]:
    row = [float(weight) for weight in _heads(seed).attention[h]]
    scores = [Fraction(round(float(mpmath.log(weight)) * 2**BITS), 2**BITS) for weight in row]
    return {"s": scores, "lag": row.index(max(row))}
