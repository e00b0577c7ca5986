"""Claim C2, identification.never-identified: attention can never be fully identified."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "identification.never-identified"

_produced = partial(Deferred, "headproof.proofs_check.producers.identification.never_identified")

CLAIM = Claim(
    id=ID,
    number="C2",
    title="Attention is never fully identified",
    paper=PAPER,
    place="abstract: “attention can never be fully identified”",
    rests_on=("identification.query-key",),
    statements=(
        Statement(
            name="never",
            role=Role.AS_STATED,
            text="However many heads there are, some query and key parameters are unidentified: "
            "at H = d a scale of every head remains, 1/(2d) of all.",
            latex=r"\frac{Hd_k^2}{2d^2}>0,\qquad H=d:\ \frac{H}{2d^2}=\frac1{2d}>0",
            hypotheses=("W_Q and W_K are different parameters", "no biases needed"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="any-layer",
            role=Role.AS_VERIFIED,
            text="Something is left with rotations, groups, norms, gains and biases too.",
            latex=r"\dim\{\theta':f_{\theta'}=f_\theta\}>0",
            hypotheses=("the layers listed, W_Q and W_K different parameters",),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="tied",
            role=Role.CONTROL,
            text="Something is left even if W_Q = W_K.",
            latex=r"W_Q=W_K,\ d_k=1:\ \dim>0",
            expected=Expectation(Verdict.REFUTED),
            amended_by="never",
        ),
    ),
    producers=(
        Producer("positive", "never", Kind.SYMBOLIC, _produced("positive_derivation")),
        Producer("finest", "never", Kind.SYMBOLIC, _produced("finest_derivation")),
        Producer("one-dimension", "never", Kind.EXACT, _produced("one_dimension")),
        Producer("layers", "any-layer", Kind.EXACT, _produced("any_layer")),
        Producer("signs", "tied", Kind.EXACT, _produced("tied")),
    ),
    omitted="search, balls and high precision: see identification.query-key for the counts",
)
