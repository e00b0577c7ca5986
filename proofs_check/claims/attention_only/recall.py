"""Claim D4, attention_only.recall: what is lost is recall from the weights."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import CONTEXT_LOST, GROUNDED, LOW_CONTEXT, PARAMETRIC, RECALL_ID
from .paper import PAPER
from .published import RECALLED

_produced = partial(Deferred, "headproof.proofs_check.producers.attention_only.trained")
_TEXT = (
    "character model of Python's library sources, width 64, standard decoder of 4 layers, 600 "
    "steps of 8 x 128 symbols: a toy, only orderings can carry over"
)
_MADE = "1,024 facts and 8 pairs, width 32, standard decoder of 2 layers, 500 steps"

CLAIM = Claim(
    id=RECALL_ID,
    number="D4",
    title="Recall from context and from weights",
    paper=PAPER,
    place="abstract: “attention-only models are better on context-grounded answers and worse where "
    "knowledge must come from weights”",
    statements=(
        Statement(
            name="grounded",
            role=Role.AS_STATED,
            text=GROUNDED.text,
            latex=r"\Delta_{\text{grounded}}<0<\Delta_{\text{recalled}}",
            hypotheses=(
                _TEXT,
                "grounded and recalled as in numeric.attention_only.recall, 6 symbols",
            ),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="facts",
        ),
        Statement(
            name="low-context",
            role=Role.AS_STATED,
            text=LOW_CONTEXT.text,
            latex=r"\Delta_{1..4}>\Delta_{65..128}",
            hypotheses=(_TEXT,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="facts",
        ),
        Statement(
            name="facts",
            role=Role.AS_VERIFIED,
            text=PARAMETRIC.text,
            latex=r"a_{\text{facts}}\ge a'_{\text{facts}}+.2",
            hypotheses=(_MADE,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="context-lost",
            role=Role.CONTROL,
            text=CONTEXT_LOST.text,
            latex=r"a_{\text{pairs}}\ge a'_{\text{pairs}}+.2",
            hypotheses=(_MADE,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="facts",
        ),
        *(figure.statement() for figure in RECALLED),
    ),
    producers=(
        Producer("trained-grounded", "grounded", Kind.TRAINED, _produced("grounded")),
        Producer("trained-low-context", "low-context", Kind.TRAINED, _produced("low_context")),
        Producer("trained-facts", "facts", Kind.TRAINED, _produced("parametric")),
        Producer("trained-context-lost", "context-lost", Kind.TRAINED, _produced("context_lost")),
        *(
            Producer(f"run-{figure.name}", figure.name, Kind.TRAINED, _produced("published"))
            for figure in RECALLED
        ),
    ),
    rests_on=("attention_only.training",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
