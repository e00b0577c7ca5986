"""Claim F2, hierarchy.generator: two heads of hard attention generate Dyck-(k, m)."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "hierarchy.generator"

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.generator")

CLAIM = Claim(
    id=ID,
    number="F2",
    title="Two heads generate Dyck-(k, m)",
    paper=PAPER,
    place="abstract: “stack-like attention patterns maintaining a last-in, first-out ordering”",
    statements=(
        Statement(
            name="two-heads",
            role=Role.AS_VERIFIED,
            text="Two layers of one head of hard attention each, with a ReLU layer of 2m neurons "
            "between them and a linear output, allow after every beginning of a word exactly the "
            "symbols that continue it, and the end exactly after words.",
            latex=r"z_s(w)>0\iff ws\in\operatorname{Pref}(D_{k,m}),\quad "
            r"z_{\mathrm{end}}(w)>0\iff w\in D_{k,m}",
            hypotheses=(
                "hard attention averages over all maxima (tropical.routing-limit)",
                "position i is given as i and 1/(i+1); the weights depend on the longest length",
            ),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="last-opening",
            role=Role.CONTROL,
            text="The bracket to close is the last opening symbol.",
            latex=r"\operatorname{top}(w)=\max\{j: w_j\ \text{opens}\}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="two-heads",
        ),
        Statement(
            name="without-recency",
            role=Role.CONTROL,
            text="All opening symbols at the depth of the top of the stack have its type, so that "
            "their average is as good as the last.",
            latex=r"d_a=d_b=d_n,\ w_a,w_b\ \text{open}\Rightarrow w_a=w_b",
            expected=Expectation(Verdict.REFUTED),
            amended_by="two-heads",
        ),
    ),
    producers=(
        Producer("all-sequences", "two-heads", Kind.EXACT, _produced("certified")),
        Producer("long-words", "two-heads", Kind.SEARCH, _produced("search_longer")),
        Producer("brackets", "last-opening", Kind.EXACT, _produced("last_opening")),
        Producer("averages", "without-recency", Kind.SEARCH, _produced("search_without_recency")),
    ),
    rests_on=("hierarchy.language", "tropical.routing-limit"),
    omitted="an mpmath cross-check: everything is rational",
)
