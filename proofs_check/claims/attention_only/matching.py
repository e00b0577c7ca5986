"""Claim D2, attention_only.matching: the attention-only decoder closest to a standard one."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "attention_only.matching"

_produced = partial(Deferred, "headproof.proofs_check.producers.attention_only.matching")
_FAMILY = "the family: the same options, head dimension and ratio of heads to groups"

CLAIM = Claim(
    id=ID,
    number="D2",
    title="Matched decoders",
    paper=PAPER,
    place="abstract: “matched separately for parameter count, training FLOPs, and depth”",
    statements=(
        Statement(
            name="exactly",
            role=Role.AS_STATED,
            text="Attention-only decoders are matched with standard ones in parameters and in "
            "training FLOPs: there is one of the same width and heads with equal cost.",
            latex=r"\exists L_S:\ P(L_S)=P_T",
            hypotheses=("matched is read as equal; gains, biases and embeddings are counted",),
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="closest, half-layer",
        ),
        Statement(
            name="closest",
            role=Role.AS_VERIFIED,
            text="There is a closest one in parameters, and one in operations of a training step, "
            "and the search finds all of them, with the depth, the width or both free.",
            latex=r"(w,L)\in\arg\min_{w,L\ge1}|C(w,L)-C_T|",
            hypotheses=(
                _FAMILY,
                "certified for nine standard decoders, among them the shapes of GPT-2, Llama 3 8B "
                "and the widths of the paper's range",
            ),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="half-layer",
            role=Role.AS_VERIFIED,
            text="With the depth free, the closest one misses by at most half the cost of a layer.",
            latex=r"\min_L|C(L)-C_T|\le\tfrac12(C(L+1)-C(L))",
            hypotheses=(
                "parameters, or operations of a training step with dense or causal scores",
                "two neighbouring depths cost at most and at least as much as the standard decoder",
                "RMS norms with gains, embeddings tied; any sizes",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="three-layers",
            role=Role.CONTROL,
            text="Three attention layers for each block give exactly as many parameters.",
            latex=r"P(3L_T)=P_T",
            hypotheses=("H d_k = d, f = 4 d, gains of the norms counted",),
            expected=Expectation(Verdict.REFUTED),
            amended_by="closest",
        ),
    ),
    producers=(
        Producer("no-depth", "exactly", Kind.EXACT, _produced("none_is_equal")),
        Producer("certificates", "closest", Kind.EXACT, _produced("certificates")),
        Producer("every-depth", "closest", Kind.EXACT, _produced("every_depth")),
        Producer("brute-force", "closest", Kind.SEARCH, _produced("search_closest")),
        Producer("derivation", "half-layer", Kind.SYMBOLIC, _produced("derivation")),
        Producer("search-half", "half-layer", Kind.SEARCH, _produced("search_half")),
        Producer("search-three", "three-layers", Kind.SEARCH, _produced("search_three")),
    ),
    rests_on=("attention_only.accounting",),
    omitted="balls and mpmath, since all costs are integers",
)
