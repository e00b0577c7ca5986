"""Claim B5, ensemble.diversity-index: HDI, its spectral form, H_eff and what bounds it."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "ensemble.diversity-index"

_produced = partial(Deferred, "headproof.proofs_check.producers.ensemble.diversity_index")
_HEADS = ("H >= 2", "orthogonal projectors of rank d_k in R^d")
_INDEX = (
    r"\mathrm{HDI}=1-\tfrac{1}{d_k}\operatorname{mean}_{h\ne h'}\operatorname{tr}(\Pi_h\Pi_{h'})"
)

CLAIM = Claim(
    id=ID,
    number="B5",
    title="The head diversity index",
    paper=PAPER,
    place="abstract: “the Head Diversity Index (HDI), a computable spectral measure”",
    statements=(
        Statement(
            name="measure",
            role=Role.AS_STATED,
            text="HDI, one less the mean overlap of pairs of heads, is a function of the spectrum "
            "of the mean projector.",
            latex=_INDEX + r"=\tfrac{H}{H-1}\left(1-\operatorname{tr}(\bar\Pi^2)/d_k\right)",
            hypotheses=_HEADS,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="range",
            role=Role.AS_VERIFIED,
            text="HDI lies between 0 and 1.",
            latex=r"0\le\mathrm{HDI}\le 1",
            hypotheses=_HEADS,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="effective",
            role=Role.AS_VERIFIED,
            text="The effective number of heads, H / (1 + (H-1)(1-HDI)), is d_k over the trace of "
            "the squared mean projector.",
            latex=r"H_{\mathrm{eff}}=\frac{H}{1+(H-1)(1-\mathrm{HDI})}"
            r"=\frac{d_k}{\operatorname{tr}(\bar\Pi^2)}",
            hypotheses=_HEADS,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="bound",
            role=Role.AS_VERIFIED,
            text="HDI is at most H/(H-1) (1 - d_k/d): 1 is out of reach when H d_k > d.",
            latex=r"\mathrm{HDI}\le\min\left(1,\tfrac{H}{H-1}\left(1-\tfrac{d_k}{d}\right)\right)",
            hypotheses=_HEADS,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="without-pairs",
            role=Role.CONTROL,
            text="HDI is at most 1 - d_k/d, its mean for random subspaces.",
            latex=r"\mathrm{HDI}\le 1-d_k/d",
            hypotheses=_HEADS,
            expected=Expectation(Verdict.REFUTED),
            amended_by="bound",
        ),
    ),
    producers=(
        Producer("spectral-derivation", "measure", Kind.SYMBOLIC, _produced("spectral_derivation")),
        Producer("rational-heads", "measure", Kind.EXACT, _produced("rational_heads")),
        Producer("torch", "measure", Kind.SEARCH, _produced("float_agreement")),
        Producer("range-derivation", "range", Kind.SYMBOLIC, _produced("range_derivation")),
        Producer(
            "effective-derivation", "effective", Kind.SYMBOLIC, _produced("effective_derivation")
        ),
        Producer("bound-derivation", "bound", Kind.SYMBOLIC, _produced("bound_derivation")),
        Producer("orthogonal-lines", "without-pairs", Kind.EXACT, _produced("orthogonal_lines")),
        formal("measure"),
        formal("range"),
        formal("effective"),
        formal("bound"),
    ),
    rests_on=("ensemble.principal-angles",),
    omitted="balls and a high-precision cross-check, since every quantity is rational",
)
