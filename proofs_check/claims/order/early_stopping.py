"""Claim G5, order.early-stopping: with few samples an intermediate stage generalises best."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import ENOUGH, HARMLESS, STOPPING, STOPPING_ID
from .misspecified import CHAIN_TEXT
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.order.trained")
_SAMPLE = "the flow on the moments of consecutive windows of one chain, measured on the exact law"

CLAIM = Claim(
    id=STOPPING_ID,
    number="G5",
    title="Early stopping as regularisation",
    paper=PAPER,
    place="abstract: “with implications for generalization in sequential tasks”",
    statements=(
        Statement(
            name="few-samples",
            role=Role.AS_STATED,
            text=STOPPING.text,
            latex=r"\min_t L(t)\le L(\infty)/1.05",
            hypotheses=(CHAIN_TEXT, _SAMPLE),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="many-samples",
            role=Role.AS_VERIFIED,
            text=ENOUGH.text,
            latex=r"L(\infty)\le 1.005\,\min_t L(t)",
            hypotheses=(CHAIN_TEXT, _SAMPLE),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="train-on",
            role=Role.CONTROL,
            text=HARMLESS.text,
            latex=r"L(\infty)\le 1.005\,\min_t L(t)",
            hypotheses=(CHAIN_TEXT, _SAMPLE),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="few-samples",
        ),
    ),
    producers=(
        Producer("forty-windows", "few-samples", Kind.TRAINED, _produced("stopping")),
        Producer("four-thousand", "many-samples", Kind.TRAINED, _produced("enough")),
        Producer("forty-to-the-end", "train-on", Kind.TRAINED, _produced("harmless")),
    ),
    rests_on=("order.stages",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
