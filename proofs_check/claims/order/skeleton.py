"""Claim T3a, order.skeleton: what survives at temperature zero."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from ..hierarchy.head_criteria import (
    CHAIN_SKELETON,
    DYCK_SKELETON,
    SKELETON_ID,
    UNDECAYED_SKELETON,
    WHOLE_SKELETON,
)
from .title import TITLE

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.trained")
_HEADS = "heads of the experiment hierarchy: flows on chains, transformers on nested structure"

CLAIM = Claim(
    id=SKELETON_ID,
    number="T3a",
    title="The skeleton of trained heads",
    paper=TITLE,
    place="our formulation: replace each trained head by its zero-temperature limit",
    statements=(
        Statement(
            name="chains",
            role=Role.AS_VERIFIED,
            text=CHAIN_SKELETON.text,
            latex=r"L(\tau\to 0)-L\le .001",
            hypotheses=(_HEADS,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="dyck",
            role=Role.AS_VERIFIED,
            text=DYCK_SKELETON.text,
            latex=r"\operatorname{acc}(\tau_2\to 0)\ge .95,\ \operatorname{acc}(\tau_1\to 0)\le .6",
            hypotheses=(_HEADS,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="needs-decay",
            role=Role.AS_VERIFIED,
            text=UNDECAYED_SKELETON.text,
            latex=r"\lambda=0:\ L(\tau\to 0)-L>.005",
            hypotheses=(_HEADS,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="whole",
            role=Role.CONTROL,
            text=WHOLE_SKELETON.text,
            latex=r"\operatorname{acc}(\tau\to 0)\ge .9",
            hypotheses=(_HEADS,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="dyck",
        ),
    ),
    producers=(
        Producer("chains", "chains", Kind.TRAINED, _produced("chain_skeleton")),
        Producer("dyck", "dyck", Kind.TRAINED, _produced("dyck_skeleton")),
        Producer("needs-decay", "needs-decay", Kind.TRAINED, _produced("undecayed_skeleton")),
        Producer("whole", "whole", Kind.TRAINED, _produced("whole_skeleton")),
    ),
    rests_on=("order.competition", "hierarchy.learning", "tropical.routing-limit"),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
