"""Claim A10, tropical.value-stability: soft attention is exponentially close to hard attention."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.value-stability"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.value_stability")

_HYPOTHESES = (
    "N >= 2 (for N = 1 both sides are 0)",
    "tau > 0",
    "key j* wins by at least Delta >= 0",
    "|v_j - v_j*| <= D for all j",
)
_RHO = r"\rho=(N-1)e^{-\Delta/\tau}"

CLAIM = Claim(
    id=ID,
    number="A10",
    title="Value stability",
    paper=PAPER,
    place="abstract: “exponentially tight differential approximation bounds”",
    statements=(
        Statement(
            name="uniform",
            role=Role.AS_STATED,
            text="Finite-temperature attention approximates the polyhedral skeleton with an "
            "exponentially small error: at every query without a tie the distance of soft from "
            "hard attention is at most C exp(-1/tau) D, with one constant C for all queries.",
            latex=r"\exists C\ \forall x,\tau:\quad |\mathrm{Att}_\tau(x)-v_{j^*}|"
            r"\le C\,e^{-1/\tau}\,D",
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="bound",
        ),
        Statement(
            name="bound",
            role=Role.AS_VERIFIED,
            text="Where the best score leads by Delta, soft attention is within D rho/(1 + rho) of "
            "the winner's value, rho = (N - 1) exp(-Delta/tau): exponentially close in the gap.",
            latex=rf"|\mathrm{{Att}}_\tau-v_{{j^*}}|\le D\,\frac{{\rho}}{{1+\rho}},\quad {_RHO}",
            hypotheses=_HYPOTHESES,
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="attained",
            role=Role.AS_VERIFIED,
            text="For D > 0 the bound is attained iff all other keys are exactly Delta behind and "
            "share one value, at distance D.",
            latex=r"|\mathrm{Att}_\tau-v_{j^*}|=D\,\frac{\rho}{1+\rho}\iff s_j=s_{j^*}-\Delta,\ "
            r"v_j=w,\ |w-v_{j^*}|=D\quad(j\ne j^*)",
            hypotheses=(*_HYPOTHESES, "D > 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="sharper",
            role=Role.CONTROL,
            text="For N >= 3 the factor N - 1 can be replaced by N - 2.",
            latex=r"|\mathrm{Att}_\tau-v_{j^*}|\le D\,\frac{\rho'}{1+\rho'},\quad"
            r"\rho'=(N-2)e^{-\Delta/\tau}",
            hypotheses=("N >= 3", *_HYPOTHESES[1:]),
            expected=Expectation(Verdict.REFUTED),
            amended_by="bound",
        ),
    ),
    producers=(
        Producer("walls", "uniform", Kind.EXACT, _produced("walls")),
        Producer("derivation", "bound", Kind.SYMBOLIC, _produced("derivation")),
        Producer("base-two", "bound", Kind.EXACT, _produced("base_two")),
        Producer("boxes", "bound", Kind.BALL, _produced("boxes")),
        Producer("search", "bound", Kind.SEARCH, _produced("search_bound")),
        Producer("torch", "bound", Kind.SEARCH, _produced("float_agreement")),
        Producer("attained-derivation", "attained", Kind.SYMBOLIC, _produced("attained")),
        Producer("attained-base-two", "attained", Kind.EXACT, _produced("base_two_attained")),
        Producer("sharper-search", "sharper", Kind.SEARCH, _produced("search_sharper")),
        formal("bound"),
    ),
    rests_on=("tropical.routing-limit",),
)
