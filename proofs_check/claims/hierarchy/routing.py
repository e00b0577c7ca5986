"""Claim F7, hierarchy.routing: where a trained head provably looks."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .head_criteria import LOOKS, ROUTING_ID
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.routing")
_trained = partial(Deferred, "headproof.proofs_check.producers.hierarchy.trained")
_SMALL = "Dyck-(4, 4), 24 symbols; 2 layers of one head, d = 24; weights multiples of 2^-12"

CLAIM = Claim(
    id=ROUTING_ID,
    number="F7",
    title="Where a trained head provably looks",
    paper=PAPER,
    place="abstract: “stack-like attention patterns”",
    statements=(
        Statement(
            name="places",
            role=Role.AS_VERIFIED,
            text="After every beginning of a word up to the length of the certificate the head of "
            "the last layer has its largest weight at the position that the certificate names; how "
            "many of these are the top of the stack, and how many of those have more than half of "
            "the weight, is counted.",
            latex=r"s_{i,j^*}>s_{i,j}\ \forall j\ne j^*",
            hypotheses=(
                "the trained weights as the dyadic rationals that they are; LayerNorm, softmax and "
                "all sums over the real numbers",
                _SMALL,
            ),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="looks",
            role=Role.AS_VERIFIED,
            text=LOOKS.text,
            latex=r"\arg\max_j s_{ij}=\operatorname{top}(i)",
            hypotheses=(_SMALL,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
        ),
        Statement(
            name="first-layer",
            role=Role.CONTROL,
            text="After every beginning of a word the head of the first layer has its largest "
            "weight at the top of the stack.",
            latex=r"\arg\max_j s^{(1)}_{ij}=\operatorname{top}(i)",
            hypotheses=(_SMALL,),
            expected=Expectation(Verdict.REFUTED),
            amended_by="places",
        ),
    ),
    producers=(
        Producer("enclosures", "places", Kind.BALL, _produced("places")),
        Producer("floats", "places", Kind.SEARCH, _produced("floats")),
        Producer("shares", "looks", Kind.TRAINED, _trained("looks")),
        Producer("elsewhere", "first-layer", Kind.BALL, _produced("first_layer")),
    ),
    rests_on=("hierarchy.language", "tropical.value-stability"),
    omitted="a property search: the family is exhausted",
)
