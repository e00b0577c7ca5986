"""Claim D5, attention_only.spectra: which weights settle first, and where rank goes."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import CONTENT_RANK, RELOCATES, ROUTING_RANK, SETTLES, SPECTRA_ID
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.attention_only.trained")
_TEXT = (
    "character model of Python's library sources, width 64, standard decoder of 4 layers, 600 "
    "steps of 8 x 128 symbols: a toy, only orderings can carry over"
)

CLAIM = Claim(
    id=SPECTRA_ID,
    number="D5",
    title="Spectra through training",
    paper=PAPER,
    place="abstract: “routing matrices (Q/K) crystallize early, content matrices accumulate rank "
    "slowly”",
    statements=(
        Statement(
            name="settles",
            role=Role.AS_STATED,
            text=SETTLES.text,
            latex=r"t_{QK}<\min(t_V,t_O)",
            hypotheses=(
                _TEXT,
                "with QK-norm; 13 measures",
            ),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="content-rank",
        ),
        Statement(
            name="relocates",
            role=Role.AS_STATED,
            text=RELOCATES.text,
            latex=r"\operatorname{srank}(W_O-W_O^0)\ \text{larger}",
            hypotheses=(
                _TEXT,
                "with QK-norm",
            ),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="content-rank",
        ),
        Statement(
            name="content-rank",
            role=Role.AS_VERIFIED,
            text=CONTENT_RANK.text,
            latex=r"\operatorname{srank}(\Delta W_V),\operatorname{srank}(\Delta W_O)"
            r">\operatorname{srank}(\Delta QK)",
            hypotheses=(
                _TEXT,
                "with QK-norm",
            ),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="routing-rank",
            role=Role.CONTROL,
            text=ROUTING_RANK.text,
            latex=r"\operatorname{srank}(\Delta QK)>\operatorname{srank}(\Delta W_O)",
            hypotheses=(
                _TEXT,
                "with QK-norm",
            ),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="content-rank",
        ),
    ),
    producers=(
        Producer("trained-settles", "settles", Kind.TRAINED, _produced("settles")),
        Producer("trained-relocates", "relocates", Kind.TRAINED, _produced("relocates")),
        Producer("trained-content-rank", "content-rank", Kind.TRAINED, _produced("content_rank")),
        Producer("trained-routing-rank", "routing-rank", Kind.TRAINED, _produced("routing_rank")),
    ),
    rests_on=("attention_only.training",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
