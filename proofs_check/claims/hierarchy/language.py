"""Claim F1, hierarchy.language: Dyck words of bounded depth are counted and drawn exactly."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "hierarchy.language"

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.language")

CLAIM = Claim(
    id=ID,
    number="F1",
    title="Counting and drawing Dyck words",
    paper=PAPER,
    place="abstract: “the Dyck language (a formal language of balanced bracket sequences), where "
    "the hierarchical ground truth is explicit”",
    statements=(
        Statement(
            name="counting",
            role=Role.AS_VERIFIED,
            text="There are c(n, 0) words of length n in Dyck-(k, m), where c(0, d) = [d = 0] and "
            "c(r, d) = k [d < m] c(r-1, d+1) + [d > 0] c(r-1, d-1).",
            latex=r"c(r,d)=k\,[d<m]\,c(r-1,d+1)+[d>0]\,c(r-1,d-1)",
            hypotheses=("k, m >= 1",),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="uniform",
            role=Role.AS_VERIFIED,
            text="The map from ranks 0, ..., c(n, 0) - 1 to words is one to one and onto, so that "
            "a uniform rank draws every word with probability 1/c(n, 0).",
            latex=r"\{0,\dots,c(n,0)-1\}\leftrightarrow D_{k,m}\cap\Sigma^n",
            hypotheses=("k, m >= 1",),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="unbounded",
            role=Role.CONTROL,
            text="There are k^(n/2) C(n/2) words of length n in Dyck-(k, m), with C Catalan's "
            "numbers.",
            latex=r"|D_{k,m}\cap\Sigma^{n}|=k^{n/2}\,\tfrac{1}{n/2+1}\tbinom{n}{n/2}",
            hypotheses=("k, m >= 1, n even",),
            expected=Expectation(Verdict.REFUTED),
            amended_by="counting",
        ),
    ),
    producers=(
        Producer("enumeration", "counting", Kind.EXACT, _produced("counts")),
        Producer("search", "counting", Kind.SEARCH, _produced("search_counts")),
        Producer("ranks", "uniform", Kind.EXACT, _produced("ranks")),
        Producer("inverse", "uniform", Kind.SEARCH, _produced("search_ranks")),
        Producer("floats", "uniform", Kind.SEARCH, _produced("float_agreement")),
        Producer("too-deep", "unbounded", Kind.EXACT, _produced("catalan")),
    ),
    omitted="an mpmath cross-check: everything is an integer",
)
