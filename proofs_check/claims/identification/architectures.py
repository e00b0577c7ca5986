"""Claim C5, identification.architectures: what the paper does not treat, counted the same way."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "identification.architectures"

_produced = partial(Deferred, "headproof.proofs_check.producers.identification.architectures")
_torch = partial(Deferred, "headproof.proofs_check.producers.identification.jacobian")
_SUPPORTED = Expectation(Verdict.SUPPORTED)

CLAIM = Claim(
    id=ID,
    number="C5",
    title="Identification of modern layers and of whole decoders",
    paper=PAPER,
    place="beyond the paper, which touches on RoPE and GQA",
    rests_on=("identification.query-key", "identification.block"),
    statements=(
        Statement(
            name="layers",
            role=Role.AS_VERIFIED,
            text="ALiBi, tied W_Q = W_K, a further logit, gains after normalised queries and keys, "
            "gains before the projections, and a LayerNorm there: exact counts.",
            latex=r"W_Q=W_K:\ \tfrac{Hd_k(d_k-1)}2;\quad\text{gains: }H+G+d_k;\quad"
            r"\text{input gains: }+d;\quad\text{LayerNorm: }+(H+2G)d_k",
            hypotheses=("the layers listed", "norms: eps = 0, 2 <= d_k <= d"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="latent",
            role=Role.AS_VERIFIED,
            text="Latent attention (MLA) hides r_q^2 + r_kv^2 + H (d_nope^2 + d_v^2) + d_rope; "
            "norms of the latent vectors leave rotations and a length, their gains are hidden.",
            latex=r"r_q^2+r_{kv}^2+H(d_{\mathrm{nope}}^2+d_v^2)+d_{\mathrm{rope}}",
            hypotheses=("every width is at most what its neighbours span", "distinct frequencies"),
            expected=_SUPPORTED,
        ),
        Statement(
            name="latent-instance",
            role=Role.AS_VERIFIED,
            text="At integer points of small latent layers the Jacobian has exactly the rank that "
            "the count says.",
            latex=r"\operatorname{rank}Df_\theta=P-u",
            hypotheses=("the points listed; no norms",),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="decoder",
            role=Role.AS_VERIFIED,
            text="A decoder hides what its layers hide and a symmetry of the residual stream: all "
            "of GL(d) without norms, rotations and a scale with RMS norms, with LayerNorm those of "
            "d - 1 dimensions and the mean; a shift between tokens and learned positions; and, "
            "without norms but with b_Q, b_K and b_O, a translation of the stream before every "
            "layer.",
            latex=r"L\,u_{\mathrm{block}}+d^2,\qquad L\,u_{\mathrm{block}}+\tfrac{d(d-1)}2+1+d",
            hypotheses=("logits as outputs; more tokens than dimensions; the decoders listed",),
            expected=_SUPPORTED,
        ),
        Statement(
            name="alibi-shows-the-key-bias",
            role=Role.CONTROL,
            text="A bias on distances makes the key bias visible.",
            latex=r"u=u_{b_K=0}\quad\text{with ALiBi}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="layers",
        ),
        Statement(
            name="gains-keep-the-rotations",
            role=Role.CONTROL,
            text="Gains after normalised queries and keys leave the rotations of a head.",
            latex=r"u\ge H\tfrac{d_k(d_k-1)}2",
            expected=Expectation(Verdict.REFUTED),
            amended_by="layers",
        ),
    ),
    producers=(
        Producer("grid", "layers", Kind.EXACT, _produced("layers")),
        Producer("torch", "layers", Kind.SEARCH, _torch("beyond")),
        Producer("jacobians", "latent", Kind.SEARCH, _produced("latent")),
        Producer("points", "latent-instance", Kind.EXACT, _produced("latent_points")),
        Producer("logits", "decoder", Kind.SEARCH, _produced("decoders")),
        Producer("alibi", "alibi-shows-the-key-bias", Kind.EXACT, _produced("alibi")),
        Producer("gains", "gains-keep-the-rotations", Kind.EXACT, _produced("gains")),
    ),
    omitted="derivations: those of identification.query-key; balls: every number is an integer",
)
