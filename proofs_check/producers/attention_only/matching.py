"""Claim D2, attention_only.matching: the attention-only decoder closest to a standard one."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from hypothesis import strategies as st
from sympy import Symbol

from ....symbolic.attention_only.accounting import operations, parameters
from ....symbolic.attention_only.decoder import Decoder
from ....symbolic.attention_only.matching import (
    COSTS,
    VARY,
    Cost,
    Matching,
    Vary,
    family_member,
    match,
)
from ....symbolic.attention_only.proofs import matching as proofs
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import equal, exists, number, var
from ...certificates.matching import certificate
from ...certificates.matching import cost as cost_formula
from ...certificates.polynomial import polynomial
from ...claim import Context, Profile
from ...claims.attention_only.matching import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search
from .accounting import LLAMA
from .models import standard_decoders


def _plain(d: int, layers: int, heads: int) -> Decoder:
    return Decoder(d_model=d, layers=layers, heads=heads, ffn=4 * d, vocabulary=50257, context=1024)


STANDARD = {
    "tiny": replace(_plain(64, 4, 4), vocabulary=96, context=128),
    "small": _plain(256, 8, 4),
    "deep": _plain(256, 48, 4),
    "shallow": _plain(512, 2, 8),
    "middle": _plain(512, 12, 8),
    "one-head": replace(_plain(128, 3, 1), ffn=100),
    "wide-heads": replace(_plain(96, 6, 4), head_dim=64, kv_heads=2),
    "gpt2": replace(
        _plain(768, 12, 12), bias=("q", "k", "v", "o", "ffn"), norm="layer", positions="learned"
    ),
    "llama": LLAMA,
}
"""Standard decoders that are matched."""


def derivation(_: Context) -> Outcome:
    """For all sizes, each of three costs."""
    made = (proofs.by_parameters(), proofs.by_operations(), proofs.by_causal_operations())
    outcomes = [derived(each, "half") for each in made]
    first = outcomes[0]
    return replace(
        first,
        scope="every d, H, G, d_k, V, n, L",
        general=all(each.general for each in outcomes),
        argued=sum(each.argued for each in outcomes),
        numbers={"derivations": len(made)},
        detail="\n".join(each.detail for each in outcomes),
    )


def none_is_equal(_: Context) -> Outcome:
    """GPT-2: no depth up to three times the closest one, beyond which costs only grow, is equal."""
    standard = STANDARD["gpt2"]
    found = match(standard)
    i = Symbol("i", integer=True, nonnegative=True)
    family = family_member(standard, "depth", standard.groups, i + 1)
    written = {
        "parameters": parameters(family),
        "operations": operations(family, scores=found.scores).training,
    }
    made: dict[str, Certificate] = {}
    for each in found.matches:
        cost = polynomial(written[each.by], {i: "i"})
        formula = exists("i", var("N"), equal(cost, each.target))
        instance = {"N": 3 * each.members[0][1]}
        made[each.by] = counterexample.certificate(ID, formula, instance)
    return Outcome(
        Finding.VIOLATED,
        scope="the shape of GPT-2",
        certificates=made,
        detail="; ".join(f"closest by {m.by}: {m.residual()}" for m in found.matches),
    )


def certificates(_: Context) -> Outcome:
    """What was found for each standard decoder, whatever is free."""
    made: dict[str, Certificate] = {}
    rows: dict[str, str] = {}
    for name, decoder in STANDARD.items():
        for vary in VARY:
            found = match(decoder, vary=vary)
            made[f"{name}-{vary}"] = certificate(ID, found)
            rows[f"{name}, {vary}"] = "; ".join(_told(found, by) for by in COSTS)
    return Outcome(
        Finding.HOLDS,
        scope=f"{', '.join(STANDARD)}; free: {', '.join(VARY)}",
        certificates=made,
        numbers=rows,
    )


def every_depth(_: Context) -> Outcome:
    """The depths up to three times the one found, all of them, put before the checker."""
    made: dict[str, Certificate] = {}
    for name in ("tiny", "small", "gpt2"):
        found = match(STANDARD[name])
        for each in found.matches:
            groups = int(found.standard.decoder.groups)
            family = Grid(
                {
                    "w": Entries((), range(groups, groups + 1)),
                    "L": Entries((), range(1, 3 * each.members[0][1] + 1)),
                }
            )
            missed = abs(cost_formula(found, each.by, var("w"), var("L")) - each.target)
            made[f"{name}-{each.by}"] = exhaustive.certificate(
                ID, family, missed >= number(each.mismatch)
            )
    return Outcome(Finding.HOLDS, scope="tiny, small, gpt2: every depth", certificates=made)


def search_closest(context: Context) -> Outcome:
    """Look for a standard decoder for which trying everything finds something else."""

    def holds(case: tuple[Decoder, Vary]) -> bool:
        decoder, vary = case
        found = match(decoder, vary=vary)
        return all(_by_trial(found, by) == found.match(by).members for by in COSTS)

    examples = 25 if context.profile is Profile.QUICK else 400
    drawn = st.tuples(standard_decoders(), st.sampled_from(VARY))
    result = search(drawn, holds, examples=examples, seed=context.seed)
    return searched(result, "standard decoders, every member of the family tried", lambda _: {})


def search_half(context: Context) -> Outcome:
    """Look for a mismatch of more than half a layer."""

    def holds(decoder: Decoder) -> bool:
        found = match(decoder)
        for each in found.matches:
            w = int(decoder.groups)
            layer = _cost(found, each.by, (w, 2)) - _cost(found, each.by, (w, 1))
            reachable = _cost(found, each.by, (w, 1)) <= each.target
            if reachable and 2 * each.mismatch > layer:
                return False
        return True

    examples = 100 if context.profile is Profile.QUICK else 2000
    result = search(standard_decoders(), holds, examples=examples, seed=context.seed)
    return searched(result, "standard decoders", lambda _: {})


def search_three(context: Context) -> Outcome:
    """Refute that three times the depth has exactly as many parameters."""

    def holds(case: tuple[int, int]) -> bool:
        d, layers = case
        made = _plain(d, layers, 1)
        return bool(parameters(made) == parameters(made.without_ffn(layers=3 * layers)))

    sizes = st.tuples(st.integers(1, 64), st.integers(1, 12))
    result = search(sizes, holds, examples=50, seed=context.seed)

    def refutation(case: tuple[int, int]) -> dict[str, Certificate]:
        d, L = (Symbol(s, integer=True, positive=True) for s in ("d", "L"))
        made = Decoder(d_model=d, layers=L, heads=1, head_dim=d, ffn=4 * d, vocabulary=1, context=1)
        names = {d: "d", L: "L"}
        formula = equal(
            polynomial(parameters(made.without_ffn(layers=3 * L)), names),
            polynomial(parameters(made), names),
        )
        instance = {"d": case[0], "L": case[1]}
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "decoders with f = 4 d", refutation)


def _told(found: Matching, by: Cost) -> str:
    each = found.match(by)
    members = " or ".join(f"w = {w}, L = {L}" for w, L in each.members)
    return f"{by} {members} ({float(each.residual()):+.3g})"


def _cost(found: Matching, by: Cost, member: tuple[int, int]) -> int:
    made = family_member(found.standard.decoder, found.vary, *member)
    if by == "parameters":
        return int(parameters(made))
    return int(operations(made, tokens=found.tokens, scores=found.scores).training)


def _by_trial(found: Matching, by: Cost) -> tuple[tuple[int, int], ...]:
    """Every member whose cost is at most twice the target, or is the smallest, tried."""
    target, decoder = found.match(by).target, found.standard.decoder
    least = int(decoder.layers) if found.vary == "width" else 1
    costs: dict[tuple[int, int], int] = {}

    def small(w: int, L: int) -> bool:
        costs[w, L] = _cost(found, by, (w, L))
        return costs[w, L] <= 2 * target

    for w in count(1) if found.vary != "depth" else (int(decoder.groups),):
        if not small(w, least) and found.vary != "depth":
            break
        if found.vary != "width":
            L = 1
            while small(w, L):
                L += 1
    best = min(abs(value - target) for value in costs.values())
    return tuple(sorted(m for m, value in costs.items() if abs(value - target) == best))
