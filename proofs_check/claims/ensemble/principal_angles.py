"""Claim B4, ensemble.principal-angles: the overlap of two heads in principal angles."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "ensemble.principal-angles"

_produced = partial(Deferred, "headproof.proofs_check.producers.ensemble.principal_angles")

CLAIM = Claim(
    id=ID,
    number="B4",
    title="Principal angles of two heads",
    paper=PAPER,
    place="abstract: “governed by the principal angles between learned projection subspaces”",
    statements=(
        Statement(
            name="kernel",
            role=Role.AS_VERIFIED,
            text="The trace of the product of two heads' projectors is the squared Frobenius norm "
            "of the product of their frames.",
            latex=r"\operatorname{tr}(\Pi\Pi') = \lVert P^{\mathsf T}P'\rVert_F^2 \ge 0,"
            r"\quad \Pi=PP^{\mathsf T}",
            hypotheses=("P, P' real matrices of d rows and d_k columns",),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="cosines",
            role=Role.AS_VERIFIED,
            text="It is the sum of the squared cosines of the principal angles, the singular "
            "values of the product of the frames.",
            latex=r"\operatorname{tr}(\Pi\Pi')=\sum_i\cos^2\theta_i,\quad"
            r" P^{\mathsf T}P'=U\operatorname{diag}(\cos\theta_i)V^{\mathsf T}",
            hypotheses=("orthonormal frames", "the stated finite family of rational subspaces"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="plain-cosines",
            role=Role.CONTROL,
            text="It is the sum of the cosines themselves.",
            latex=r"\operatorname{tr}(\Pi\Pi')=\sum_i\cos\theta_i",
            expected=Expectation(Verdict.REFUTED),
            amended_by="cosines",
        ),
    ),
    producers=(
        Producer("derivation", "kernel", Kind.SYMBOLIC, _produced("kernel_derivation")),
        Producer("rational-subspaces", "cosines", Kind.EXACT, _produced("rational_subspaces")),
        Producer("torch", "cosines", Kind.SEARCH, _produced("float_agreement")),
        Producer("plain", "plain-cosines", Kind.EXACT, _produced("plain_cosines")),
    ),
    omitted="balls and a high-precision cross-check, since every quantity is rational",
)
