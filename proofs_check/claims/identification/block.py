"""Claim C4, identification.block: W_V and W_O, and a whole attention block."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "identification.block"

_produced = partial(Deferred, "headproof.proofs_check.producers.identification.block")

CLAIM = Claim(
    id=ID,
    number="C4",
    title="Unidentified parameters of a whole block",
    paper=PAPER,
    place="our extension of “the ratio of unidentified parameters” to all four matrices",
    rests_on=("identification.query-key", "identification.biases"),
    statements=(
        Statement(
            name="shares",
            role=Role.AS_VERIFIED,
            text="The commutants between W_Q and W_K and between W_V and W_O together are 1/(2H) "
            "of the four matrices, with RoPE 1/(4d) + 1/(4H).",
            latex=r"\frac{2Hd_k^2}{4d^2}=\frac1{2H},\qquad"
            r"\frac{Hd_k+Hd_k^2}{4d^2}=\frac1{4d}+\frac1{4H}",
            hypotheses=("d = H d_k", "distinct frequencies"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="block",
            role=Role.AS_VERIFIED,
            text="The fibre of the block's function is the product of those of the scores and of "
            "the products W_V W_O: exact for a grid of layers, with their biases, and for 768/12 "
            "and 4096/32/8 with RoPE.",
            latex=r"\dim_{\mathrm{block}}=\dim_{QK}+\dim_{VO}",
            hypotheses=("the layers listed", "generic weights: no two heads with the same scores"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="function",
            role=Role.AS_VERIFIED,
            text="The rank of the Jacobian of the outputs themselves, softmax included, is that of "
            "the count.",
            latex=r"\operatorname{rank}Df_\theta=P-u",
            hypotheses=("one layer between embedding and unembedding, exactly modulo a prime",),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="the-same-with-rope",
            role=Role.CONTROL,
            text="RoPE leaves the block's share at 1/(2H).",
            latex=r"u/(4d^2)=1/(2H)\quad\text{for 12/3 with RoPE}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="shares",
        ),
    ),
    producers=(
        Producer("plain", "shares", Kind.SYMBOLIC, _produced("plain_derivation")),
        Producer("rotated", "shares", Kind.SYMBOLIC, _produced("rotated_derivation")),
        Producer("grid", "block", Kind.EXACT, _produced("grid")),
        Producer("real-layers", "block", Kind.EXACT, _produced("real_layers")),
        Producer("outputs", "function", Kind.SEARCH, _produced("outputs")),
        Producer("rope", "the-same-with-rope", Kind.EXACT, _produced("rope")),
    ),
    omitted="balls and high precision: every number is an integer",
)
