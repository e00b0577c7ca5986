"""Claim C7, identification.rebalancing: what takes an update out of the fibre."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .gradient import FACTORS
from .gradient import ID as GRADIENT
from .paper import PAPER

ID = "identification.rebalancing"

_produced = partial(Deferred, "headproof.proofs_check.producers.identification.rebalancing")
_PROVED = Expectation(Verdict.PROVED)
_REFUTED = Expectation(Verdict.REFUTED)
_TRAINED = Expectation(Verdict.SUPPORTED, {"quick": Verdict.NOT_RUN})
_STEP = (
    "copy task, d = 32, one layer in float64; one Adam step from a balanced point, at three step "
    "sizes"
)


def _trained(name: str, kind: str) -> Producer:
    return Producer(f"training-{name}", name, Kind.TRAINED, _produced(kind))


CLAIM = Claim(
    id=ID,
    number="C7",
    title="Rebalancing and projection",
    paper=PAPER,
    place="abstract: “a ‘rebalancing’ approach that can ‘fix’ updates that overlap unidentified "
    "subspaces”",
    statements=(
        Statement(
            name="fix",
            role=Role.AS_STATED,
            text="Replacing the factors after a step by balanced ones of the same product takes "
            "the step's overlap with the fibre away.",
            latex=r"L_+^{\mathsf T}L_+=R_+^{\mathsf T}R_+\;\Rightarrow\;"
            r"\langle(L_+-L,R_+-R),(LX,-RX^{\mathsf T})\rangle=0",
            hypotheses=("L, R balanced before the step", "any balanced factors afterwards"),
            expected=_REFUTED,
            ours=True,
            amended_by="procrustes",
        ),
        Statement(
            name="moved",
            role=Role.AS_VERIFIED,
            text="Factors P = L g and Q with R = Q g^T have the product of L and R: the function "
            "stays.",
            latex=r"P=Lg,\;R=Qg^{\mathsf T}\;\Rightarrow\;PQ^{\mathsf T}=LR^{\mathsf T}",
            hypotheses=(FACTORS, "no rotation, or g commutes with it"),
            expected=_PROVED,
        ),
        Statement(
            name="projected",
            role=Role.AS_VERIFIED,
            text="A step less the tangent vector of the X that solves the normal equation is "
            "orthogonal to the fibre.",
            latex=r"L^{\mathsf T}LX+XR^{\mathsf T}R=L^{\mathsf T}S-T^{\mathsf T}R\;\Rightarrow\;"
            r"\langle(S-LX,T+RX^{\mathsf T}),(LY,-RY^{\mathsf T})\rangle=0",
            hypotheses=(FACTORS, "(S, T): the step", "every Y", "no rotation"),
            expected=_PROVED,
        ),
        Statement(
            name="procrustes",
            role=Role.AS_VERIFIED,
            text="Balanced factors rotated to the previous ones (Procrustes) leave a share below a "
            "tenth of the raw step's that falls with the square of the step; projected steps have "
            "a share of at most 1e-20.",
            latex=r"p(s)/p(s/2)\in[3.5,4.5],\qquad p<\tfrac1{10}p_{\mathrm{raw}}",
            hypotheses=(_STEP,),
            expected=_TRAINED,
        ),
        Statement(
            name="plain-svd",
            role=Role.AS_VERIFIED,
            text="Followed by a plain SVD the step overlaps more than it did by itself.",
            latex=r"p_{\mathrm{SVD}}>p_{\mathrm{raw}}",
            hypotheses=(_STEP, "no rotation"),
            expected=_TRAINED,
        ),
        Statement(
            name="same",
            role=Role.AS_VERIFIED,
            text="Balancing after a step changes no logit by more than 1e-12 of the largest; with "
            "rotations only the commutant may be moved: an SVD regardless of them changes one by "
            "more than 1e-3.",
            latex=r"\lVert f_{\mathrm{balanced}}-f\rVert_\infty\le10^{-12}\lVert f\rVert_\infty",
            hypotheses=(_STEP,),
            expected=_TRAINED,
        ),
        Statement(
            name="next",
            role=Role.AS_VERIFIED,
            text="Balancing does not stop the next step of Adam: its share is above 1e-3.",
            latex=r"p_{\mathrm{next}}>10^{-3}",
            hypotheses=(_STEP,),
            expected=_TRAINED,
        ),
        Statement(
            name="balanced-sign",
            role=Role.CONTROL,
            text="At balanced factors the sign of the gradient is orthogonal to the fibre.",
            latex=r"L^{\mathsf T}L=R^{\mathsf T}R\;\Rightarrow\;"
            r"\langle(\operatorname{sign}\dot L,\operatorname{sign}\dot R),"
            r"(LX,-RX^{\mathsf T})\rangle=0",
            expected=_REFUTED,
            amended_by="next",
        ),
        Statement(
            name="blind",
            role=Role.CONTROL,
            text="Any g may be moved between the factors, whatever rotation stands between them.",
            latex=r"(lg)T(rg^{-\mathsf T})^{\mathsf T}=lTr^{\mathsf T}",
            expected=_REFUTED,
            amended_by="moved",
        ),
    ),
    producers=(
        Producer("quarter-turn", "fix", Kind.EXACT, _produced("fix")),
        Producer("derivation", "moved", Kind.SYMBOLIC, _produced("moved")),
        Producer("integers", "moved", Kind.EXACT, _produced("moved_integers")),
        Producer("search", "moved", Kind.SEARCH, _produced("moved_search")),
        Producer("projection-derivation", "projected", Kind.SYMBOLIC, _produced("projected")),
        Producer("projection-search", "projected", Kind.SEARCH, _produced("projected_search")),
        _trained("procrustes", "trained_procrustes"),
        _trained("plain-svd", "trained_plain_svd"),
        _trained("same", "trained_same"),
        _trained("next", "trained_next"),
        Producer("five-and-five", "balanced-sign", Kind.EXACT, _produced("balanced_sign")),
        Producer("one-stretch", "blind", Kind.EXACT, _produced("blind")),
    ),
    rests_on=(GRADIENT,),
    omitted="balls: the identities are polynomial and decided exactly",
)
