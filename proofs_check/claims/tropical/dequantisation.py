"""Claim A1, tropical.dequantisation: the soft maximum lies within tau log N of the maximum."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.dequantisation"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.dequantisation")
_boxes = partial(Deferred, "headproof.proofs_check.producers.tropical.gap_boxes")

CLAIM = Claim(
    id=ID,
    number="A1",
    title="Dequantisation",
    paper=PAPER,
    place="abstract: “in the zero-temperature limit”",
    statements=(
        Statement(
            name="limit",
            role=Role.AS_STATED,
            text="In the zero-temperature limit the soft maximum of the scores becomes their "
            "maximum.",
            latex=r"\lim_{\tau\to 0^+} \tau\log\sum_{j=1}^N e^{s_j/\tau} = \max_j s_j",
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="bounds",
            role=Role.AS_VERIFIED,
            text="The soft maximum exceeds the maximum by at least 0 and at most tau log N.",
            latex=r"0 \le \tau\log\sum_{j=1}^N e^{s_j/\tau} - \max_j s_j \le \tau\log N",
            hypotheses=("N >= 1", "s in R^N", "tau > 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="equality",
            role=Role.AS_VERIFIED,
            text="The upper bound is attained iff all scores are equal, the lower one iff N = 1.",
            latex=r"\text{right} \iff s_1=\dots=s_N,\qquad \text{left} \iff N=1",
            hypotheses=("N >= 1", "s in R^N", "tau > 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="sharper",
            role=Role.CONTROL,
            text="For N >= 2 the soft maximum exceeds the maximum by at most tau log(N - 1).",
            latex=r"\tau\log\sum_{j=1}^N e^{s_j/\tau} - \max_j s_j \le \tau\log(N-1)",
            hypotheses=("N >= 2", "tau > 0"),
            expected=Expectation(Verdict.REFUTED),
            amended_by="bounds",
        ),
    ),
    producers=(
        Producer("limit-derivation", "limit", Kind.SYMBOLIC, _produced("limit_derivation")),
        Producer("derivation", "bounds", Kind.SYMBOLIC, _produced("derivation")),
        Producer("base-two", "bounds", Kind.EXACT, _produced("base_two")),
        Producer("enclosures", "bounds", Kind.BALL, _produced("enclosures")),
        Producer("boxes", "bounds", Kind.BALL, _boxes("soft_maximum")),
        Producer("search", "bounds", Kind.SEARCH, _produced("search_bounds")),
        Producer("torch", "bounds", Kind.SEARCH, _produced("float_agreement")),
        Producer(
            "equality-derivation", "equality", Kind.SYMBOLIC, _produced("equality_derivation")
        ),
        Producer("equality-search", "equality", Kind.SEARCH, _produced("search_equality")),
        Producer("sharper-search", "sharper", Kind.SEARCH, _produced("search_sharper")),
        formal("limit"),
        formal("bounds"),
        formal("equality"),
    ),
)
