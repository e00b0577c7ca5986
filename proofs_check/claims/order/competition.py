"""Claim G4, order.competition: all heads first look at one lag, then each at its own."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import COMPETITION, COMPETITION_ID, EQUAL_RATES, SPECIALISED, UNDECAYED
from .misspecified import CHAIN_TEXT
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.order.trained")
_MODEL = "three heads, softmax over positions; eps = .01, rate ratio 20"

CLAIM = Claim(
    id=COMPETITION_ID,
    number="G4",
    title="From competition to cooperation",
    paper=PAPER,
    place="abstract: “from a competitive phase, where all heads focus on the statistically most "
    "important positions, to a cooperative phase, where different heads specialize”",
    statements=(
        Statement(
            name="competition",
            role=Role.AS_STATED,
            text=COMPETITION.text,
            latex=r"\max_{t<t_2}\min_h a_{h1}>\tfrac12,\quad "
            r"\operatorname{erank}(a):\ {<}1.3\to{>}2.5",
            hypotheses=(CHAIN_TEXT, _MODEL, "weight decay .001 on the maps"),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="needs-decay",
            role=Role.AS_VERIFIED,
            text=UNDECAYED.text,
            latex=r"\lambda=0:\ \min_h\max_l a_{hl}\le .85",
            hypotheses=(CHAIN_TEXT, _MODEL, "no weight decay"),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="needs-fast-scores",
            role=Role.AS_VERIFIED,
            text=EQUAL_RATES.text,
            latex=r"\rho=1:\ |\ell_1-L_{\{1\}}|>.002",
            hypotheses=(CHAIN_TEXT, "three heads, softmax over positions; eps = .01, decay .001"),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="without-decay",
            role=Role.CONTROL,
            text=SPECIALISED.text,
            latex=r"\lambda=0:\ \min_h\max_l a_{hl}>.85",
            hypotheses=(CHAIN_TEXT, _MODEL, "no weight decay"),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="needs-decay",
        ),
    ),
    producers=(
        Producer("flow", "competition", Kind.TRAINED, _produced("competition")),
        Producer("no-decay", "needs-decay", Kind.TRAINED, _produced("undecayed")),
        Producer("equal-rates", "needs-fast-scores", Kind.TRAINED, _produced("equal_rates")),
        Producer("no-decay-specialises", "without-decay", Kind.TRAINED, _produced("specialised")),
    ),
    rests_on=("order.stages",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
