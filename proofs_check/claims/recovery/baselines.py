"""Claim E6, recovery.baselines: one head, and heads in known orthogonal subspaces."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "recovery.baselines"

_produced = partial(Deferred, "headproof.proofs_check.producers.recovery.baselines")

CLAIM = Claim(
    id=ID,
    number="E6",
    title="Baselines",
    paper=PAPER,
    place="abstract: “O(d²) value queries to recover the single-head parameters”",
    statements=(
        Statement(
            name="single-head",
            role=Role.AS_STATED,
            text="One head is recovered from d^2 + d value queries of at most 2 tokens.",
            latex=r"d^2+d",
            hypotheses=("H = 1", "base-2 softmax, integer W"),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="orthogonal",
            role=Role.AS_VERIFIED,
            text="Heads in known orthogonal subspaces U_h are recovered from d + d sum_h dim U_h "
            "value queries of at most 2 tokens.",
            latex=r"d+d\sum_h\dim U_h",
            hypotheses=("v_h in U_h, W_h = W_h P_h, U_h spanned by basis vectors",),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="any-heads",
            role=Role.CONTROL,
            text="What the algorithm for one head reads off copies of x + w is right for two heads "
            "too: F(1) - F(0) = c/(1 + rho) with rho a power of 2.",
            latex=r"\sum_h\frac{c_h}{1+2^{-L_h}}=\frac{\sum_h c_h}{1+2^{e}}\text{ for some }e",
            hypotheses=("H = 2, |L_h| <= 3", "|e| <= 12"),
            expected=Expectation(Verdict.REFUTED),
            amended_by="single-head",
        ),
    ),
    producers=(
        Producer("single-head-search", "single-head", Kind.SEARCH, _produced("search_single_head")),
        Producer("orthogonal-search", "orthogonal", Kind.SEARCH, _produced("search_orthogonal")),
        Producer("any-heads-search", "any-heads", Kind.SEARCH, _produced("search_any_heads")),
    ),
    rests_on=("recovery.identity",),
    omitted="certificates: the kind recovery knows the schedule of E3 only; a derivation; balls",
)
