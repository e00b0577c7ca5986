"""Claim G1, order.misspecified: what a model can reach that may use some of the lags only."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "order.misspecified"

CHAIN_TEXT = (
    "5 symbols; lags 1, 2, 3 of importance 11/20, 3/10, 3/20; kernels x -> i x + 1 modulo 5"
)

HEIGHTS = {
    "additive-none": "0.400000",
    "additive-1": "0.272963",
    "additive-12": "0.247055",
    "additive-123": "0.241518",
    "bayes-12": "0.246510",
}
"""Losses to six places, which the certificates compare with the exact ones."""

_produced = partial(Deferred, "headproof.proofs_check.producers.order.misspecified")

CLAIM = Claim(
    id=ID,
    number="G1",
    title="Misspecified models of a chain of high order",
    paper=PAPER,
    place="abstract: “a sequence of increasingly expressive misspecified models”",
    statements=(
        Statement(
            name="nested",
            role=Role.AS_STATED,
            text="More lags never give a larger least loss; among the functions of the same lags "
            "the additive ones never give a smaller one.",
            latex=r"S\subseteq S'\Rightarrow L_{S'}\le L_S,\qquad B_S\le L_S",
            hypotheses=("one recurrent class of windows", "squared loss of the one-hot"),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="heights",
            role=Role.AS_VERIFIED,
            text="On the stated chain the least additive losses of lags {}, {1}, {1,2}, {1,2,3} "
            f"are {HEIGHTS['additive-none']}, {HEIGHTS['additive-1']}, {HEIGHTS['additive-12']}, "
            f"{HEIGHTS['additive-123']} and the Bayes loss of {{1,2}} is {HEIGHTS['bayes-12']}, "
            "to six places; the exact rationals stand in the certificates.",
            latex=r"L_S=\min_{W}\tfrac12\mathbb E\Bigl|e_{x_t}-\sum_{l\in S}W_l\,e_{x_{t-l}}"
            r"\Bigr|^2",
            hypotheses=(CHAIN_TEXT,),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="independent-lags",
            role=Role.CONTROL,
            text="The least loss is what it would be if the symbols at different lags were "
            "independent: (1 - 1/V)/2 times one less the sum of squared importances.",
            latex=r"L_S=\tfrac12\bigl(1-\tfrac1V\bigr)\bigl(1-\textstyle\sum_{i\in S}"
            r"\alpha_i^2\bigr)",
            hypotheses=(CHAIN_TEXT,),
            expected=Expectation(Verdict.REFUTED),
            amended_by="heights",
        ),
        Statement(
            name="additive-is-bayes",
            role=Role.CONTROL,
            text="The least additive loss of two lags is their Bayes loss.",
            latex=r"L_{\{1,2\}}=B_{\{1,2\}}",
            hypotheses=(CHAIN_TEXT,),
            expected=Expectation(Verdict.REFUTED),
            amended_by="heights",
        ),
    ),
    producers=(
        Producer("random-chains", "nested", Kind.SEARCH, _produced("search_nested")),
        Producer("normal-equations", "heights", Kind.EXACT, _produced("heights")),
        Producer("yule-walker", "heights", Kind.SEARCH, _produced("float_agreement")),
        Producer("first-lag", "independent-lags", Kind.EXACT, _produced("independent_lags")),
        Producer("two-lags", "additive-is-bayes", Kind.EXACT, _produced("additive_is_bayes")),
    ),
    omitted="balls and a high-precision cross-check, since every quantity is rational",
)
