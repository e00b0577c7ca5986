"""Claim F7, hierarchy.routing."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from ....numeric.hierarchy.interventions import softmaxes, watched
from ....numeric.hierarchy.small import restored
from ....symbolic.errors import HeadproofError
from ....symbolic.hierarchy.dyck import Dyck
from ....symbolic.hierarchy.parse import parse
from ....symbolic.hierarchy.transformer import looks
from ...certificates.transformer import certificate
from ...claim import Context, Profile
from ...claims.hierarchy.head_criteria import ROUTING_ID
from ...evidence import Certificate, Finding, Json, Outcome
from ...outcomes import compared
from ...training.run import train
from .trained import NAME

FLOAT_BOUND = Fraction(1, 1000)
"""Of scores up to some tens in float32, after two layers of sums of 24 and 48 terms: LayerNorm
keeps the entries near 1, and 10^-7 times a few hundred operations stays below 10^-3 by far."""


def places(context: Context) -> Outcome:
    """One certificate for each seed."""
    certificates: dict[str, Certificate] = {}
    numbers: dict[str, Json] = {}
    scope = ""
    for seed, small in _small(context):
        language = Dyck(small["types"], small["depth"])
        head = (len(small["network"]["layers"]) - 1, 0)
        found = certificate(ROUTING_ID, small["network"], head, language, length=small["longest"])
        certificates[f"seed-{seed}"] = found
        data = found["data"]
        numbers[f"seed {seed}: on the top, with most of the weight, of"] = (
            f"{data['top']}, {data['most']}, {data['behind']}"
        )
        scope = (
            f"all beginnings of up to {small['longest']} symbols of Dyck-({language.types}, "
            f"{language.depth}), models of profile {_profile(context)}"
        )
    return Outcome(Finding.HOLDS, scope=scope, certificates=certificates, numbers=numbers)


def floats(context: Context) -> Outcome:
    """The leads of the enclosures against torch in float32, on short beginnings."""
    worst, cases = Fraction(0), 0
    for _, small in _small(context)[:1]:
        model = restored(small["network"])
        layer = softmaxes(model)[-1]
        language = Dyck(small["types"], small["depth"])
        words = [word for word in language.prefixes(3) if word]
        for look in looks(small["network"], (len(model.blocks) - 1, 0), words):
            with watched(layer) as seen, torch.no_grad():
                model(torch.tensor([[2 * language.types, *look.word]]))
            scores = seen[0][0, 0, -1].double().log()
            others = torch.cat([scores[: look.key], scores[look.key + 1 :]])
            lead = Fraction(float(scores[look.key] - others.max()))
            assert look.lead is not None
            worst, cases = max(worst, abs(lead - look.lead) / FLOAT_BOUND), cases + 1
    return compared(worst, cases, "leads in float32 against Arb's enclosures", "1e-3")


def first_layer(context: Context) -> Outcome:
    """A beginning after which the head of the first layer looks elsewhere."""
    seed, small = _small(context)[0]
    language = Dyck(small["types"], small["depth"])
    for look in looks(small["network"], (0, 0), language.prefixes(small["longest"])):
        top = parse(language, look.word).top[-1] if look.word else None
        if top is None or look.key == top + 1:
            continue
        found = certificate(ROUTING_ID, small["network"], (0, 0), language, words=[look.word])
        return Outcome(
            Finding.VIOLATED,
            scope=f"seed {seed}, one beginning",
            certificates={"elsewhere": found},
            detail=f"after {list(look.word)} it looks at position {look.key}, the top is {top + 1}",
        )
    raise HeadproofError("the first layer's head looks at the top of the stack everywhere")


def _profile(context: Context) -> str:
    return "smoke" if context.profile is Profile.QUICK else context.profile.value


def _small(context: Context) -> list[tuple[int, Json]]:
    """The small models of the experiment, by seed."""

    def found(folder: Path) -> list[tuple[int, Json]]:
        training = train(
            NAME, profile=_profile(context), seed=context.run_seed, out=folder, plots=False
        )
        return [(result.seed, result.measurements["small"]) for result in training.results]

    if context.runs is not None:
        return found(context.runs)
    with TemporaryDirectory() as folder:
        return found(Path(folder))
