"""Claim B8, ensemble.real-heads: trained heads against independent uniform subspaces."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "ensemble.real-heads"

_produced = partial(Deferred, "headproof.proofs_check.producers.ensemble.real_heads")
_CHECKPOINT = frozenset({"checkpoint"})

CLAIM = Claim(
    id=ID,
    number="B8",
    title="Trained heads against random subspaces",
    paper=PAPER,
    place="abstract: “the empirically observed specialization of attention heads”",
    statements=(
        Statement(
            name="null-law",
            role=Role.AS_VERIFIED,
            text="For independent uniform subspaces the mean overlap is d_k/d, with the stated "
            "variance; HDI has mean 1 - d_k/d.",
            latex=r"\mathbb E\,\tfrac{\operatorname{tr}(\Pi\Pi')}{d_k}=\tfrac{d_k}{d},\quad"
            r"\operatorname{Var}=\tfrac{2(d-d_k)^2}{d^2(d-1)(d+2)}",
            hypotheses=("the stated sizes and numbers of draws",),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="below-chance",
            role=Role.AS_VERIFIED,
            text="In every layer of a real checkpoint the query heads and the key heads are less "
            "diverse than all draws of as many random subspaces.",
            latex=r"\mathrm{HDI}_{\text{trained}}<\mathrm{HDI}_{\text{random}}",
            hypotheses=("all-MiniLM-L6-v2: 6 layers, 12 heads, d = 384, d_k = 32",),
            expected=Expectation(Verdict.SUPPORTED, {"-checkpoint": Verdict.NOT_RUN}),
            ours=True,
        ),
        Statement(
            name="two-ways",
            role=Role.AS_VERIFIED,
            text="Frames and dense projectors give the same HDI for all four projections of every "
            "layer of a real checkpoint.",
            latex=r"1-\tfrac{1}{d_k}\operatorname{mean}\lVert P_h^{\mathsf T}P_{h'}\rVert_F^2"
            r"=\tfrac{H}{H-1}\left(1-\operatorname{tr}(\bar\Pi^2)/d_k\right)",
            hypotheses=("float64, within the stated bound",),
            expected=Expectation(Verdict.SUPPORTED, {"-checkpoint": Verdict.NOT_RUN}),
        ),
        Statement(
            name="squared-mean",
            role=Role.CONTROL,
            text="A random coordinate subspace overlaps a fixed one by (d_k/d)^2 on average.",
            latex=r"\mathbb E\,\tfrac{\operatorname{tr}(\Pi\Pi')}{d_k}=(d_k/d)^2",
            expected=Expectation(Verdict.REFUTED),
            amended_by="null-law",
        ),
    ),
    producers=(
        Producer("moments", "null-law", Kind.SEARCH, _produced("moments")),
        Producer(
            "checkpoint", "below-chance", Kind.SEARCH, _produced("below_chance"), needs=_CHECKPOINT
        ),
        Producer(
            "checkpoint-projectors",
            "two-ways",
            Kind.SEARCH,
            _produced("two_ways"),
            needs=_CHECKPOINT,
        ),
        Producer("coordinates", "squared-mean", Kind.EXACT, _produced("coordinates")),
    ),
    rests_on=("ensemble.diversity-index",),
    omitted="a derivation of the null law, whose moments are checked on samples, and balls",
)
