"""Claim T2d, zonotope.separation: more than a static projection."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "zonotope.separation"

_produced = partial(Deferred, "headproof.proofs_check.producers.zonotope.separation")
_HEAD = (
    "one zonotopic head of dimension 1: (c + a tanh(t m)) times what it attends to, m the mean of "
    "the tokens; a, t > 0"
)

CLAIM = Claim(
    id=ID,
    number="T2d",
    title="More than a static projection",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="strictly-more",
            role=Role.AS_STATED,
            text="Zonotopic attention computes what no attention with static values does: on n "
            "equal tokens x > 0 every static layer, of any number of heads, doubles when x does; "
            "the zonotopic head more than doubles.",
            latex=r"f_{static}(2x)=2f_{static}(x),\qquad f(2x)>2f(x)",
            hypotheses=(
                _HEAD,
                "static: sum_h sum_j p_hj V_h x_j with any weights of sum one at x and at 2 x",
                "it also computes every static layer (G_i = 0)",
            ),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="doubles",
            role=Role.CONTROL,
            text="The zonotopic head doubles on doubled tokens, as static values do.",
            latex=r"f(2x)=2f(x)",
            hypotheses=(_HEAD,),
            expected=Expectation(Verdict.REFUTED),
            amended_by="strictly-more",
        ),
    ),
    producers=(
        Producer("derivation", "strictly-more", Kind.SYMBOLIC, _produced("derivation")),
        Producer("margin", "strictly-more", Kind.BALL, _produced("margin")),
        Producer("search", "strictly-more", Kind.SEARCH, _produced("search_static")),
        Producer("mpmath", "strictly-more", Kind.SEARCH, _produced("digits_agreement")),
        Producer("one-token", "doubles", Kind.EXACT, _produced("doubles")),
    ),
    rests_on=("zonotope.containment",),
)
