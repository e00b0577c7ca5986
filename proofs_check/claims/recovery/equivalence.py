"""Claim E7, recovery.equivalence: the recovered model is the oracle, on sequences never asked."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "recovery.equivalence"

_produced = partial(Deferred, "headproof.proofs_check.producers.recovery.equivalence")

CLAIM = Claim(
    id=ID,
    number="E7",
    title="Equality on fresh sequences",
    paper=PAPER,
    place="abstract: “recovers the canonical pairs up to permutation”",
    statements=(
        Statement(
            name="fresh",
            role=Role.AS_VERIFIED,
            text="The recovered model gives the oracle's exact answer to sequences of three "
            "or more distinct tokens, which the schedule never asks.",
            latex=r"\hat f(x_1,\dots,x_n)=f(x_1,\dots,x_n)",
            hypotheses=("base-2 softmax, integer W_h", "the models of the certificates, H <= 12"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="permutation",
            role=Role.AS_STATED,
            text="Recovery gives the canonical pairs up to permutation: the order in which heads "
            "are planted makes no difference, nor do heads split in parts or added to cancel.",
            latex=r"\{(\hat W_h,\hat v_h)\}=\{(W_h,v_h)\}",
            hypotheses=("base-2 softmax, integer W_h",),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="schedule-suffices",
            role=Role.CONTROL,
            text="Two models with one and the same number of heads that agree at a single query of "
            "copies agree at sequences of three distinct tokens.",
            latex=r"f(x+w,x)=\hat f(x+w,x)\ \Rightarrow\ f=\hat f",
            expected=Expectation(Verdict.REFUTED),
            amended_by="fresh",
        ),
    ),
    producers=(
        Producer("transcripts", "fresh", Kind.EXACT, _produced("transcripts")),
        Producer("search", "permutation", Kind.SEARCH, _produced("search_permutation")),
        Producer(
            "schedule-suffices-search",
            "schedule-suffices",
            Kind.SEARCH,
            _produced("search_schedule_suffices"),
        ),
    ),
    rests_on=("recovery.algorithm",),
    omitted="a derivation, since it is E2 that makes equality on all sequences follow; balls",
)
