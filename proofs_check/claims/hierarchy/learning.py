"""Claim F3, hierarchy.learning: two layers of one head learn bounded Dyck words."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import (
    FORGETS,
    LEARNING_ID,
    LEARNS,
)
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.trained")
_MODEL = (
    "Dyck-(4, 8), 64 symbols, uniform words; 2 pre-LN layers of one head, d = 48, 2000 steps of 32"
)

CLAIM = Claim(
    id=LEARNING_ID,
    number="F3",
    title="Two layers learn Dyck words",
    paper=PAPER,
    place="abstract: “transformers trained on the Dyck language”",
    statements=(
        Statement(
            name="learns",
            role=Role.AS_STATED,
            text=LEARNS.text,
            latex=r"\min_\delta\operatorname{acc}(\delta)\ge .97",
            hypotheses=(_MODEL,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="forgets",
            role=Role.CONTROL,
            text=FORGETS.text,
            latex=r"\min_\delta\operatorname{acc}(\delta)\le .9",
            hypotheses=(_MODEL,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="learns",
        ),
    ),
    producers=(
        Producer("learns", "learns", Kind.TRAINED, _produced("learns")),
        Producer("forgets", "forgets", Kind.TRAINED, _produced("forgets")),
    ),
    rests_on=("hierarchy.language",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
