"""Claim T3c, order.certified-routing: heads on chains provably look at their lag."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .misspecified import CHAIN_TEXT
from .title import TITLE

ID = "order.certified-routing"

_produced = partial(Deferred, "headproof.proofs_check.producers.order.heads")
_HEADS = "three heads of the flow (eps = .01, rate ratio 20, decay .001), one or five starts"

CLAIM = Claim(
    id=ID,
    number="T3c",
    title="Heads provably look at their lag",
    paper=TITLE,
    place="our formulation: the share of positions at which a head provably looks at the claimed "
    "token",
    statements=(
        Statement(
            name="threshold",
            role=Role.AS_VERIFIED,
            text="Each trained head's best score leads by at least log((N-1)(1-eps)/eps), eps = "
            "1/4, N = 3 lags, and by A10 its lag has at least 3/4 of the weight: "
            "at every position, "
            "for the scores depend on the lag alone. The three lags are 1, 2, 3.",
            latex=r"\Delta_h\ge\log\tfrac{(N-1)(1-\varepsilon)}{\varepsilon},\quad "
            r"p_{h,l_h}\ge 1-\varepsilon",
            hypotheses=(CHAIN_TEXT, _HEADS, "the scores rounded to multiples of 2^-20"),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="all-weight",
            role=Role.CONTROL,
            text="Each trained head has at least 99% of its weight on its lag.",
            latex=r"p_{h,l_h}\ge .99",
            hypotheses=(CHAIN_TEXT, _HEADS),
            expected=Expectation(Verdict.REFUTED),
            amended_by="threshold",
        ),
    ),
    producers=(
        Producer("flows", "threshold", Kind.BALL, _produced("threshold")),
        Producer("high-precision", "threshold", Kind.SEARCH, _produced("high_precision")),
        Producer("least", "all-weight", Kind.BALL, _produced("all_weight")),
    ),
    rests_on=("order.competition", "order.read-off", "tropical.value-stability"),
    omitted="a property search: the heads are those of the starts named",
)
