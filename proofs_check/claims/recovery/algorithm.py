"""Claim E3, recovery.algorithm: every head from 4 H d^2 - 2H + 1 value queries."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "recovery.algorithm"

_produced = partial(Deferred, "headproof.proofs_check.producers.recovery.algorithm")

_SOFTMAX = "base-2 softmax, integer W_h: every answer is rational"

CLAIM = Claim(
    id=ID,
    number="E3",
    title="The algorithm and its queries",
    paper=PAPER,
    place="abstract: “it uses exactly 4Hd²-2H+1 value queries of maximum length 2H+1”",
    statements=(
        Statement(
            name="known",
            role=Role.AS_STATED,
            text="With H known the canonical pairs are recovered from exactly 4 H d^2 - 2H + 1 "
            "value queries of at most 2H + 1 tokens.",
            latex=r"4Hd^2-2H+1",
            hypotheses=(_SOFTMAX, "the models, dimensions and drawings of the certificates"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="bounded",
            role=Role.AS_STATED,
            text="With a bound H0 >= H they are recovered from exactly 4 H0 d^2 - 2 H0 + 1 value "
            "queries of at most 2 H0 + 1 tokens.",
            latex=r"4H_0d^2-2H_0+1",
            hypotheses=(_SOFTMAX, "the models, dimensions and drawings of the certificates"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="count",
            role=Role.AS_VERIFIED,
            text="The schedule has 4 H d^2 - 2H + 1 queries: F(0) once, and 2H for each of d^2 "
            "pairs and of d^2 - 1 sums of pairs.",
            latex=r"1+2H\bigl(d^2+d(d-1)+(d-1)\bigr)=4Hd^2-2H+1",
            hypotheses=("H, d >= 1",),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="detected",
            role=Role.AS_VERIFIED,
            text="A bound H0 costs less if H is read off the first pair and used from then on: "
            "2 H0 + 1 + 2H (2 d^2 - 2) queries recover the models of the certificates.",
            latex=r"2H_0+1+2H(2d^2-2)",
            hypotheses=(_SOFTMAX, "the models, dimensions and drawings of the certificates"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="right",
            role=Role.AS_VERIFIED,
            text="No model is recovered wrongly: what comes back is the canonical form, equal W "
            "merged and zero v dropped, from H as well as from a bound.",
            latex=r"\mathrm{recover}(f)=\mathrm{canonical}(f)",
            hypotheses=(_SOFTMAX,),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="one-fewer",
            role=Role.CONTROL,
            text="The schedule has 4 H d^2 - 2H queries.",
            latex=r"1+2H\bigl(d^2+d(d-1)+(d-1)\bigr)=4Hd^2-2H",
            expected=Expectation(Verdict.REFUTED),
            amended_by="count",
        ),
        Statement(
            name="without-sums",
            role=Role.CONTROL,
            text="The sums of pairs are not needed: two models that answer alike to all copies of "
            "all x_i + w_j answer alike to copies of x_i + w_1 + w_2.",
            latex=r"F^1_{x_i,w_j}=F^2_{x_i,w_j}\ \forall i,j\ \Rightarrow\ "
            r"F^1_{x_i,w_1+w_2}=F^2_{x_i,w_1+w_2}",
            hypotheses=("v_h.x = 0, v_h.w_j = 1",),
            expected=Expectation(Verdict.REFUTED),
            amended_by="known",
        ),
    ),
    producers=(
        Producer("transcripts", "known", Kind.EXACT, _produced("known_transcripts")),
        Producer("bound-transcripts", "bounded", Kind.EXACT, _produced("bound_transcripts")),
        Producer("derivation", "count", Kind.SYMBOLIC, _produced("derivation")),
        Producer("detected-transcripts", "detected", Kind.EXACT, _produced("detected_transcripts")),
        Producer("search", "right", Kind.SEARCH, _produced("search_right")),
        Producer("one-fewer-search", "one-fewer", Kind.SEARCH, _produced("search_one_fewer")),
        Producer(
            "without-sums-search", "without-sums", Kind.SEARCH, _produced("search_without_sums")
        ),
        formal("count"),
    ),
    rests_on=("recovery.identity", "recovery.uniqueness"),
    omitted="balls, since the answers are exact; true exponentials are the subject of E1",
)
