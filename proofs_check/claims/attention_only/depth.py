"""Claim D6, attention_only.depth: what a deep stack needs to train."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import ALL_LEARN, DEPTH_ID, NEEDS_NORM, NONE_LEARNS, TOLERATES
from .paper import PAPER
from .published import DEEP

_produced = partial(Deferred, "headproof.proofs_check.producers.attention_only.trained")
_DEEP = "48 layers of width 32, 100 steps of 8 x 64 symbols"

CLAIM = Claim(
    id=DEPTH_ID,
    number="D6",
    title="Deep attention-only stacks",
    paper=PAPER,
    place="abstract: “QK-normalization, not feed-forward layers or residual gating, keeps "
    "48-layer attention-only stacks trainable”",
    statements=(
        Statement(
            name="needs-norm",
            role=Role.AS_STATED,
            text=NEEDS_NORM.text,
            latex=r"\ell_{\text{bare}}\ge\ell_1-.1",
            hypotheses=(
                _DEEP,
                "learning rate .004",
            ),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="all-learn",
        ),
        Statement(
            name="all-learn",
            role=Role.AS_VERIFIED,
            text=ALL_LEARN.text,
            latex=r"\ell\le\ell_1-.1",
            hypotheses=(
                _DEEP,
                "learning rate .004",
            ),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="tolerates",
            role=Role.AS_VERIFIED,
            text=TOLERATES.text,
            latex=r"\ell_{\text{QK-norm}}\le\ell_{\text{bare}}-.1",
            hypotheses=(
                _DEEP,
                "learning rate .03",
            ),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="all-learn",
        ),
        Statement(
            name="none-learns",
            role=Role.CONTROL,
            text=NONE_LEARNS.text,
            latex=r"\ell_{\text{FFN}}\ge\ell_1-.1",
            hypotheses=(
                _DEEP,
                "learning rate .004",
            ),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="all-learn",
        ),
        *(figure.statement() for figure in DEEP),
    ),
    producers=(
        Producer("trained-needs-norm", "needs-norm", Kind.TRAINED, _produced("needs_norm")),
        Producer("trained-all-learn", "all-learn", Kind.TRAINED, _produced("all_learn")),
        Producer("trained-tolerates", "tolerates", Kind.TRAINED, _produced("tolerates")),
        Producer("trained-none-learns", "none-learns", Kind.TRAINED, _produced("none_learns")),
        *(
            Producer(f"run-{figure.name}", figure.name, Kind.TRAINED, _produced("published"))
            for figure in DEEP
        ),
    ),
    rests_on=("attention_only.training",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
