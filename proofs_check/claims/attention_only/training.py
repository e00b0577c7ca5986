"""Claim D3, attention_only.training: what deleting feed-forward layers costs at each matching."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import CLOSES, COSTS, FREE, ORDERING, PLAIN, TRAINING_ID
from .paper import PAPER
from .published import GAPS

_produced = partial(Deferred, "headproof.proofs_check.producers.attention_only.trained")
_TEXT = (
    "character model of Python's library sources, width 64, standard decoder of 4 layers, 600 "
    "steps of 8 x 128 symbols: a toy, only orderings can carry over"
)

CLAIM = Claim(
    id=TRAINING_ID,
    number="D3",
    title="The price of deletion, by matching",
    paper=PAPER,
    place="abstract: “the standard transformer leads by 0.47 nats at matched depth and 0.26 nats "
    "at matched FLOPs”",
    statements=(
        Statement(
            name="ordering",
            role=Role.AS_STATED,
            text=ORDERING.text,
            latex=r"\Delta_{\text{in place}}>\Delta_{\text{FLOPs}}>\Delta_{\text{parameters}}",
            hypotheses=(_TEXT,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="closes",
            role=Role.AS_STATED,
            text=CLOSES.text,
            latex=r"\Delta_{\text{parameters}}\le\tfrac12\Delta_{\text{in place}}",
            hypotheses=(_TEXT,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="costs",
        ),
        Statement(
            name="costs",
            role=Role.AS_VERIFIED,
            text=COSTS.text,
            latex=r"\Delta_{\text{in place}}\ge.03",
            hypotheses=(_TEXT,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="plain",
            role=Role.AS_VERIFIED,
            text=PLAIN.text,
            latex=r"\Delta_{\text{parameters}}\le.3",
            hypotheses=(
                _TEXT,
                "no QK-norm",
            ),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="free",
            role=Role.CONTROL,
            text=FREE.text,
            latex=r"\Delta_{\text{in place}}\le.003",
            hypotheses=(_TEXT,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="costs",
        ),
        *(figure.statement() for figure in GAPS),
    ),
    producers=(
        Producer("trained-ordering", "ordering", Kind.TRAINED, _produced("ordering")),
        Producer("trained-closes", "closes", Kind.TRAINED, _produced("closes")),
        Producer("trained-costs", "costs", Kind.TRAINED, _produced("costs")),
        Producer("trained-plain", "plain", Kind.TRAINED, _produced("plain")),
        Producer("trained-free", "free", Kind.TRAINED, _produced("free")),
        *(
            Producer(f"run-{figure.name}", figure.name, Kind.TRAINED, _produced("published"))
            for figure in GAPS
        ),
    ),
    rests_on=("attention_only.matching",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
