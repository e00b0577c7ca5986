"""Claim T2b, zonotope.containment: outputs lie in the relative interior of a zonotope."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .layer import LAYER
from .paper import PAPER

ID = "zonotope.containment"

_produced = partial(Deferred, "headproof.proofs_check.producers.zonotope.containment")

CLAIM = Claim(
    id=ID,
    number="T2b",
    title="Containment",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="interior",
            role=Role.AS_STATED,
            text="The output of a head lies in the relative interior of the zonotope C xbar + "
            "sum_i [-1, 1] G_i xbar, xbar being what the head attends to.",
            latex=r"f(X)_q\in\mathrm{ri}\Bigl(C\bar x+\sum_i[-1,1]\,G_i\bar x\Bigr)",
            hypotheses=(
                *LAYER,
                "the relative interior is the image of the open cube (Rockafellar, Convex "
                "Analysis, 6.6)",
            ),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="vertices",
            role=Role.AS_VERIFIED,
            text="The zonotope has at most 2 sum_{i<p} C(g - 1, i) vertices, and as many iff every "
            "min(g, p) of its generators are independent; for p = 1 iff one of them is not zero.",
            latex=r"|V|\le2\sum_{i<p}\binom{g-1}{i}",
            hypotheses=(
                "g >= 1 generators in p dimensions",
                "certified for twelve zonotopes with p <= 4 and g <= 9, in general position and "
                "not",
            ),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="always-as-many",
            role=Role.CONTROL,
            text="It always has 2 sum_{i<p} C(g - 1, i) vertices.",
            latex=r"|V|=2\sum_{i<p}\binom{g-1}{i}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="vertices",
        ),
    ),
    producers=(
        Producer("derivation", "interior", Kind.SYMBOLIC, _produced("derivation")),
        Producer("outputs", "interior", Kind.EXACT, _produced("outputs")),
        Producer("search", "interior", Kind.SEARCH, _produced("search_interior")),
        Producer("mpmath", "interior", Kind.SEARCH, _produced("digits_search")),
        Producer("counted", "vertices", Kind.EXACT, _produced("counted")),
        Producer("search-counts", "vertices", Kind.SEARCH, _produced("search_counts")),
        Producer("fewer", "always-as-many", Kind.EXACT, _produced("fewer")),
    ),
    omitted="balls, since membership is decided exactly to base 2 and the derivation is for exp",
)
