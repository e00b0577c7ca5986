"""Claim B2, ensemble.head-average: averaged heads are averaged kernel regressions."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "ensemble.head-average"

_produced = partial(Deferred, "headproof.proofs_check.producers.ensemble.head_average")

CLAIM = Claim(
    id=ID,
    number="B2",
    title="Multi-head attention as an ensemble",
    paper=PAPER,
    place="abstract: “MHA is a structured ensemble of H NW estimators”",
    statements=(
        Statement(
            name="ensemble",
            role=Role.AS_STATED,
            text="The uniform average of H heads is the average of H Nadaraya-Watson estimators, "
            "each on its own projected coordinates and with the prior weights "
            "exp(|P_h^T k|^2/2 tau).",
            latex=r"\frac1H\sum_h\mathrm{Att}_h=\frac1H\sum_h\frac{\sum_j K_h(P_h^{\mathsf T}q,"
            r"P_h^{\mathsf T}k_j)\,e^{|P_h^{\mathsf T}k_j|^2/2\tau}\,v_{hj}}"
            r"{\sum_j K_h\,e^{|P_h^{\mathsf T}k_j|^2/2\tau}}",
            hypotheses=("H, N >= 1", "tau > 0", "any projections, of queries and of keys"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="single",
            role=Role.CONTROL,
            text="The average of H heads is a single head whose scores are the averages.",
            latex=r"\frac1H\sum_h\operatorname{softmax}(s_h)=\operatorname{softmax}"
            r"\left(\tfrac1H\sum_h s_h\right)",
            expected=Expectation(Verdict.REFUTED),
            amended_by="ensemble",
        ),
    ),
    producers=(
        Producer("derivation", "ensemble", Kind.SYMBOLIC, _produced("derivation")),
        Producer("base-two", "ensemble", Kind.EXACT, _produced("base_two")),
        Producer("torch", "ensemble", Kind.SEARCH, _produced("float_agreement")),
        Producer("averaged-scores", "single", Kind.EXACT, _produced("averaged_scores")),
    ),
    rests_on=("ensemble.nadaraya-watson",),
    omitted="balls and mpmath: the weights of one head are enclosed in claim B1",
)
