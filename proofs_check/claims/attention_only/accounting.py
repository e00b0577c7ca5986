"""Claim D1, attention_only.accounting: parameters and operations to the unit."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Profile, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "attention_only.accounting"

_produced = partial(Deferred, "headproof.proofs_check.producers.attention_only.accounting")
_STANDARD = "H d_k = d, as many key/value heads as heads, two matrices of d x 4d in the layer"

CLAIM = Claim(
    id=ID,
    number="D1",
    title="Accounting",
    paper=PAPER,
    place="abstract: “two thirds of a transformer's non-embedding parameters”",
    statements=(
        Statement(
            name="any-decoder",
            role=Role.AS_STATED,
            text="Feed-forward networks hold two thirds of a transformer's non-embedding "
            "parameters.",
            latex=r"3P_{ffn}=2(P_{ffn}+P_{att})",
            hypotheses=("read of every decoder: grouped heads, any width of the hidden layer",),
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="share",
        ),
        Statement(
            name="share",
            role=Role.AS_VERIFIED,
            text="The feed-forward layer holds two thirds of the 12 d^2 matrix entries of a block.",
            latex=r"P_{att}=4d^2,\qquad P_{ffn}=8d^2=\tfrac23(P_{ffn}+P_{att})",
            hypotheses=(
                f"{_STANDARD}, or three of d x 8d/3",
                "matrices only: gains, biases and embeddings are left out",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="depth",
            role=Role.AS_VERIFIED,
            text="An attention-only decoder has as many matrix entries in its blocks iff it has "
            "three times the depth; for grouped heads, any width f and m = 2 or 3 matrices, iff "
            "2 d_k (H + G) L_S = (2 d_k (H + G) + m f) L_T.",
            latex=r"4d^2L_S=12d^2L_T\iff L_S=3L_T",
            hypotheses=(_STANDARD, "the second part: any sizes"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="operations",
            role=Role.AS_VERIFIED,
            text="Its blocks take as many operations iff L_S/L_T = (6 d + n)/(2 d + n) with dense "
            "scores, (12 d + n + 1)/(4 d + n + 1) with causal ones; both lie between 1 and 3.",
            latex=r"\frac{L_S}{L_T}=\frac{6d+n}{2d+n},\qquad\frac{12d+n+1}{4d+n+1}",
            hypotheses=(
                _STANDARD,
                "operations of matrix products, 2 a b c for (a x b)(b x c); n tokens",
                "forward, or forward and backward: both in the same ratio",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="training",
            role=Role.AS_VERIFIED,
            text="A training step takes three times the operations of a forward pass.",
            latex=r"F_{fwd}+F_{bwd}=3F_{fwd}",
            hypotheses=(
                "every product is differentiated by both factors; nothing is recomputed",
                "grouped heads, a gated layer or none, dense or causal scores",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="counted",
            role=Role.AS_VERIFIED,
            text="The formulas agree to the unit with the parameters of torch models and with "
            "torch's FLOP counter on explicit products, forward and backward.",
            latex=r"P=|\theta|,\qquad F_{fwd}=F^{torch}_{fwd},\ F_{bwd}=F^{torch}_{bwd}",
            hypotheses=(
                "grouped heads, gated layer or none, biases, tied embeddings, norms of queries "
                "and keys, residual gates; any batch and length",
                "dense scores by a masked product, causal ones by products row by row; a fused "
                "kernel is not seen by the counter on a processor",
            ),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="three-times",
            role=Role.CONTROL,
            text="A FLOP-matched attention-only decoder has three times the depth.",
            latex=r"L_S=3L_T",
            hypotheses=(_STANDARD,),
            expected=Expectation(Verdict.REFUTED),
            amended_by="operations",
        ),
    ),
    producers=(
        Producer("large-decoder", "any-decoder", Kind.EXACT, _produced("large_decoder")),
        Producer("derivation-share", "share", Kind.SYMBOLIC, _produced("derive_share")),
        Producer("derivation-depth", "depth", Kind.SYMBOLIC, _produced("derive_depth")),
        Producer("derivation-compute", "operations", Kind.SYMBOLIC, _produced("derive_compute")),
        Producer("ratios", "operations", Kind.EXACT, _produced("ratios")),
        Producer("derivation-training", "training", Kind.SYMBOLIC, _produced("derive_training")),
        Producer("torch", "counted", Kind.SEARCH, _produced("search_counted")),
        Producer("formulas", "counted", Kind.SEARCH, _produced("search_formulas")),
        Producer(
            "library",
            "counted",
            Kind.SEARCH,
            _produced("library_models"),
            since=Profile.FULL,
            needs=frozenset({"checkpoint"}),
        ),
        Producer("search-three-times", "three-times", Kind.SEARCH, _produced("search_three_times")),
    ),
    omitted="balls and mpmath, since all quantities are integers",
)
