"""Claim E4, recovery.conditioning: the error of the heads is a multiple of that of the answers."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "recovery.conditioning"

_produced = partial(Deferred, "headproof.proofs_check.producers.recovery.conditioning")

CLAIM = Claim(
    id=ID,
    number="E4",
    title="Conditioning",
    paper=PAPER,
    place="abstract: “at most a model- and query-dependent constant multiple of the output error”",
    statements=(
        Statement(
            name="multiple",
            role=Role.AS_STATED,
            text="If every answer is off by at most eps <= 1/(1000 kappa), every entry of W_h and "
            "v_h is off by at most 2 kappa eps, kappa being the norm of the Jacobian of recovery "
            "at the model and the queries.",
            latex=r"\|(\hat W,\hat v)-(W,v)\|_\infty\le 2\kappa\,\varepsilon",
            hypotheses=(
                "kappa = the largest row sum of |d(W, v)/d(answers)|",
                "eps <= 1/(1000 kappa)",
                "the pairs that only tell which pole belongs to which head, which kappa does not "
                "cover, tell it right",
            ),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="not-amplified",
            role=Role.CONTROL,
            text="The residue of a single head is off by no more than an answer is.",
            latex=r"c=\frac{G(1)\,G(2)}{G(1)-G(2)}:\quad|\hat c-c|\le|\hat G(1)-G(1)|",
            expected=Expectation(Verdict.REFUTED),
            amended_by="multiple",
        ),
    ),
    producers=(
        Producer("noise", "multiple", Kind.SEARCH, _produced("noise")),
        Producer("kappa", "multiple", Kind.SEARCH, _produced("kappa_agreement")),
        Producer("torch", "multiple", Kind.SEARCH, _produced("float_recoveries")),
        Producer(
            "not-amplified-search", "not-amplified", Kind.SEARCH, _produced("search_not_amplified")
        ),
    ),
    rests_on=("recovery.algorithm",),
    omitted="a derivation of the threshold: that the linear regime reaches to 1/(1000 kappa), and "
    "that kappa grows exponentially in H, is measured",
)
