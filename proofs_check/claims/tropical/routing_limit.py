"""Claim A3, tropical.routing-limit: attention routes to the whole argmax set, evenly."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.routing-limit"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.routing_limit")

CLAIM = Claim(
    id=ID,
    number="A3",
    title="Routing limit",
    paper=PAPER,
    place="abstract: “in the zero-temperature limit”",
    statements=(
        Statement(
            name="limit",
            role=Role.AS_STATED,
            text="In the zero-temperature limit attention becomes hard: the weights tend to the "
            "uniform law on the keys of the largest score.",
            latex=r"\lim_{\tau\to0^+} p_j = \frac{1}{\lvert T\rvert}\ (j\in T),\quad"
            r" 0\ (j\notin T),\qquad T=\arg\max_j s_j",
            hypotheses=("N >= 1", "s in R^N"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="rate",
            role=Role.AS_VERIFIED,
            text="With m winners and a gap Delta to the next score, each winner's weight lies "
            "below 1/m by at most (N - m) q / m^2 and each other weight below q / m, where "
            "q = exp(-Delta / tau).",
            latex=r"0 \le \tfrac1m - p_j \le \tfrac{N-m}{m^2}\,e^{-\Delta/\tau}\ (j\in T),\qquad"
            r" 0 < p_j \le \tfrac1m e^{-\Delta/\tau}\ (j\notin T)",
            hypotheses=("N >= 1", "s in R^N", "tau > 0", "m = |T|", "Delta > 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="single",
            role=Role.CONTROL,
            text="The weights tend to one member of the argmax set: for integer scores in base 2 "
            "some weight is at least 1 - N 2^(-k) at inverse temperature k.",
            latex=r"\max_j p_j \ge 1 - N\,2^{-k}",
            hypotheses=("s in Z^N", "k >= 1"),
            expected=Expectation(Verdict.REFUTED),
            amended_by="limit",
        ),
    ),
    producers=(
        Producer("limit-derivation", "limit", Kind.SYMBOLIC, _produced("limit_derivation")),
        Producer("rate-derivation", "rate", Kind.SYMBOLIC, _produced("rate_derivation")),
        Producer("base-two", "rate", Kind.EXACT, _produced("base_two")),
        Producer("enclosures", "rate", Kind.BALL, _produced("enclosures")),
        Producer("search", "rate", Kind.SEARCH, _produced("search_rate")),
        Producer("torch", "rate", Kind.SEARCH, _produced("float_agreement")),
        Producer("single-search", "single", Kind.SEARCH, _produced("search_single")),
        formal("limit"),
        formal("rate"),
    ),
    rests_on=("tropical.dequantisation",),
)
