"""Claim E5, recovery.feed-forward: a ReLU layer after attention, from value queries."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "recovery.feed-forward"

_produced = partial(Deferred, "headproof.proofs_check.producers.recovery.feed_forward")

CLAIM = Claim(
    id=ID,
    number="E5",
    title="Attention with a feed-forward layer",
    paper=PAPER,
    place="abstract: “we recover a functionally equivalent Transformer”",
    statements=(
        Statement(
            name="equivalent",
            role=Role.AS_STATED,
            text="Attention followed by a ReLU layer without biases is recovered as a function.",
            latex=r"F(X)=\sum_k a_k\,\mathrm{relu}(b_k^T o(X)):\quad\hat F=F",
            hypotheses=(
                "d >= 2, base-2 softmax, integer W_h",
                "every head shows in the odd part",
                "sum_h V_h^T b_k not 0 and no two of them parallel",
            ),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="odd-part",
            role=Role.AS_VERIFIED,
            text="The odd part is attention: F(X) - F(-X) = sum_k a_k b_k^T o(X), o being odd.",
            latex=r"F(X)-F(-X)=\sum_k a_k\,b_k^T o(X)",
            hypotheses=("any number of neurons, dimension and length",),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="even",
            role=Role.CONTROL,
            text="The layer is odd by itself: sum_k a_k relu(-y_k) = -sum_k a_k relu(y_k).",
            latex=r"\sum_k a_k\,\mathrm{relu}(-y_k)=-\sum_k a_k\,\mathrm{relu}(y_k)",
            expected=Expectation(Verdict.REFUTED),
            amended_by="odd-part",
        ),
    ),
    producers=(
        Producer("search", "equivalent", Kind.SEARCH, _produced("recoveries")),
        Producer("derivation", "odd-part", Kind.SYMBOLIC, _produced("derivation")),
        Producer("grid", "odd-part", Kind.EXACT, _produced("grid")),
        Producer("odd-part-search", "odd-part", Kind.SEARCH, _produced("search_odd_part")),
        Producer("even-search", "even", Kind.SEARCH, _produced("search_even")),
    ),
    rests_on=("recovery.algorithm",),
    omitted="a certificate of the whole recovery: there is no kind for transcripts with a layer; "
    "balls, since every quantity is rational",
)
