"""Claim F4, hierarchy.decodable: depth, distance and top of the stack can be read off linearly."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import (
    DECODABLE_ID,
    DECODES,
    DISTANCE,
    SELECTIVE,
)
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.trained")
_MODEL = (
    "Dyck-(4, 8), 64 symbols, uniform words; 2 pre-LN layers of one head, d = 48, 2000 steps of 32"
)

CLAIM = Claim(
    id=DECODABLE_ID,
    number="F4",
    title="Depth, distance and top are decodable",
    paper=PAPER,
    place="abstract: “depth, distance, and top-of-stack signals are all decodable”",
    statements=(
        Statement(
            name="decodes",
            role=Role.AS_STATED,
            text=DECODES.text,
            latex=r"R^2_{\mathrm{depth}}\ge .95,\ R^2_{\log\mathrm{distance}}\ge .7",
            hypotheses=(_MODEL,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="selective",
            role=Role.AS_VERIFIED,
            text=SELECTIVE.text,
            latex=r"R^2_{\mathrm{trained}}-R^2_{\mathrm{untrained}}",
            hypotheses=(_MODEL,),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="distance-is-learnt",
            role=Role.CONTROL,
            text=DISTANCE.text,
            latex=r"R^2_{\mathrm{trained}}-R^2_{\mathrm{untrained}}\ge .5",
            hypotheses=(_MODEL,),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="selective",
        ),
    ),
    producers=(
        Producer("decodes", "decodes", Kind.TRAINED, _produced("decodes")),
        Producer("selective", "selective", Kind.TRAINED, _produced("selective")),
        Producer("distance-is-learnt", "distance-is-learnt", Kind.TRAINED, _produced("distance")),
    ),
    rests_on=("hierarchy.learning",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
