"""Claim T2a, zonotope.equivariance: to permute the tokens is to permute the outputs."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .layer import LAYER
from .paper import PAPER

ID = "zonotope.equivariance"

_produced = partial(Deferred, "headproof.proofs_check.producers.zonotope.equivariance")

CLAIM = Claim(
    id=ID,
    number="T2a",
    title="Permutation equivariance",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="equivariant",
            role=Role.AS_STATED,
            text="Matrix zonotopic attention is permutation equivariant.",
            latex=r"f(X_{s(1)},\dots,X_{s(n)})_q=f(X)_{s(q)}",
            hypotheses=(
                *LAYER,
                "for any function in place of tanh or exp, and any coefficients that do not "
                "depend on the order of the tokens",
            ),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.SUPPORTED}),
            ours=True,
        ),
        Statement(
            name="any-coefficients",
            role=Role.CONTROL,
            text="It is permutation equivariant whatever the coefficients depend on.",
            latex=r"\forall\beta:\ f(X_s)_q=f(X)_{s(q)}",
            hypotheses=("coefficients of the first token",),
            expected=Expectation(Verdict.REFUTED),
            amended_by="equivariant",
        ),
    ),
    producers=(
        formal("equivariant"),
        Producer("search", "equivariant", Kind.SEARCH, _produced("search_equivariant")),
        Producer("mpmath", "equivariant", Kind.SEARCH, _produced("digits_agreement")),
        Producer("first-token", "any-coefficients", Kind.EXACT, _produced("first_token")),
    ),
    omitted="balls, since both sides are compared exactly to base 2 and in mpmath to base e; a "
    "derivation, since its rules know no permutations",
)
