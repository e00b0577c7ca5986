"""Claim T3b, order.read-off: lags and the stack rule, from the weights alone."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from ..hierarchy.head_criteria import (
    LAGS,
    LAST_OPENING,
    READ_OFF_ID,
    STACK_RULE,
)
from .title import TITLE

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.trained")
_HEADS = "heads of the experiment hierarchy: flows on chains, transformers on nested structure"

CLAIM = Claim(
    id=READ_OFF_ID,
    number="T3b",
    title="What heads look for, read off the weights",
    paper=TITLE,
    place="our formulation: the set of lags or the stack rule, recovered from weights alone",
    statements=(
        Statement(
            name="lags",
            role=Role.AS_VERIFIED,
            text=LAGS.text,
            latex=r"\{\arg\max_l p_{hl}\}=\{1,\dots,K\}",
            hypotheses=(_HEADS,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="stack-rule",
            role=Role.AS_VERIFIED,
            text=STACK_RULE.text,
            latex=r"\arg\max_j s_{ij}=\operatorname{top}(i)",
            hypotheses=(_HEADS,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="last-opening",
            role=Role.CONTROL,
            text=LAST_OPENING.text,
            latex=r"\arg\max_j s_{ij}=\max\{j:w_j\ \text{opens}\}",
            hypotheses=(_HEADS,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="stack-rule",
        ),
    ),
    producers=(
        Producer("lags", "lags", Kind.TRAINED, _produced("lags")),
        Producer("stack-rule", "stack-rule", Kind.TRAINED, _produced("stack_rule")),
        Producer("last-opening", "last-opening", Kind.TRAINED, _produced("last_opening")),
    ),
    rests_on=("order.skeleton",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
