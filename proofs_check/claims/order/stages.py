"""Claim G3, order.stages: trained attention passes the losses of misspecified models."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import (
    ADDITIVE,
    BAYES,
    ENTROPY,
    EVERY_START,
    HEADS,
    IMPORTANCE,
    PLATEAUS,
    SGD,
    STAGES_ID,
)
from .misspecified import CHAIN_TEXT
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.order.trained")
_MODEL = "three heads, softmax over positions; eps = .01, rate ratio 20, decay .001"

CLAIM = Claim(
    id=STAGES_ID,
    number="G3",
    title="Lags are learnt one by one",
    paper=PAPER,
    place="abstract: “transformers learn the task incrementally, with each stage corresponding to "
    "learning how to copy information from a subset of positions”",
    statements=(
        Statement(
            name="plateaus",
            role=Role.AS_STATED,
            text=PLATEAUS.text,
            latex=r"L_\emptyset\to L_{\{1\}}\to L_{\{1,2\}}\to L_{\{1,2,3\}}",
            hypotheses=(CHAIN_TEXT, _MODEL),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="additive-heights",
            role=Role.AS_VERIFIED,
            text=ADDITIVE.text,
            latex=r"4\,|\ell-L_{\{1,2\}}|<|\ell-B_{\{1,2\}}|",
            hypotheses=(CHAIN_TEXT, _MODEL),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="sgd",
            role=Role.AS_VERIFIED,
            text=SGD.text,
            latex=r"t_k^{\mathrm{SGD}}/t_k^{\mathrm{flow}}\in[1/1.1,1.1]",
            hypotheses=(CHAIN_TEXT, _MODEL, "64 chains of 64 fresh symbols a step, rate .25"),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="importance",
            role=Role.AS_VERIFIED,
            text=IMPORTANCE.text,
            latex=r"\alpha_2>\alpha_3>\alpha_1\Rightarrow 2,3,1",
            hypotheses=(_MODEL,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="every-start",
            role=Role.CONTROL,
            text=EVERY_START.text,
            latex=r"\alpha_2>\alpha_3>\alpha_1\Rightarrow 2,3,1\ \text{always}",
            hypotheses=(_MODEL,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="importance",
        ),
        Statement(
            name="heads",
            role=Role.AS_VERIFIED,
            text=HEADS.text,
            latex=r"H=2:\ L\to L_{\{1,2\}};\quad H=6,\ K=5:\ L\to L_{\{1,\dots,5\}}",
            hypotheses=(_MODEL,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="cross-entropy",
            role=Role.AS_VERIFIED,
            text=ENTROPY.text,
            latex=r"\mathbb E[-\log\operatorname{softmax}(f)_{x_t}]",
            hypotheses=(CHAIN_TEXT, "Adam, rates .002 and .006"),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="bayes-heights",
            role=Role.CONTROL,
            text=BAYES.text,
            latex=r"4\,|\ell-B_{\{1,2\}}|<|\ell-L_{\{1,2\}}|",
            hypotheses=(CHAIN_TEXT, _MODEL),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="additive-heights",
        ),
    ),
    producers=(
        Producer("flow", "plateaus", Kind.TRAINED, _produced("plateaus")),
        Producer("flow-heights", "additive-heights", Kind.TRAINED, _produced("additive")),
        Producer("sampled-chains", "sgd", Kind.TRAINED, _produced("sgd")),
        Producer("permuted", "importance", Kind.TRAINED, _produced("importance")),
        Producer("every-permuted", "every-start", Kind.TRAINED, _produced("every_start")),
        Producer("two-and-six", "heads", Kind.TRAINED, _produced("heads")),
        Producer("adam", "cross-entropy", Kind.TRAINED, _produced("entropy")),
        Producer("flow-bayes", "bayes-heights", Kind.TRAINED, _produced("bayes")),
    ),
    rests_on=("order.misspecified",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
