"""Claim T1a, equivariance.permutation: equivariant iff the group permutes the heads."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "equivariance.permutation"

_produced = partial(Deferred, "headproof.proofs_check.producers.equivariance.permutation")

CLAIM = Claim(
    id=ID,
    number="T1a",
    title="Equivariance permutes the heads",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="permuted",
            role=Role.AS_STATED,
            text="Attention is equivariant iff the group permutes its canonical heads.",
            latex=r"f(\rho(g)X)=\rho_{out}(g)f(X)\ \forall g, X \iff "
            r"(\rho(g)^TW_h\rho(g),\rho_{out}(g)^{-1}V_h\rho(g))=(W_{\pi_gh},V_{\pi_gh})",
            hypotheses=(
                "G finite, rho and rho_out real representations",
                "f(x_1..x_n) = sum_h sum_j softmax_j(x_n^T W_h x_j) V_h x_j",
                "W_h distinct, V_h nonzero (every f has such heads)",
            ),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.CERTIFIED}),
            ours=True,
        ),
        Statement(
            name="right-action",
            role=Role.AS_VERIFIED,
            text="The permutations act from the right: pi_(gk) = pi_k pi_g.",
            latex=r"\pi_{gk}=\pi_k\pi_g",
            hypotheses=("f equivariant",),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.SUPPORTED}),
        ),
        Statement(
            name="each-alone",
            role=Role.CONTROL,
            text="In an equivariant function every canonical head is equivariant by itself.",
            latex=r"\pi_g=\mathrm{id}",
            hypotheses=("f equivariant",),
            expected=Expectation(Verdict.REFUTED),
            amended_by="permuted",
        ),
    ),
    producers=(
        formal("permuted"),
        Producer("recovered", "permuted", Kind.EXACT, _produced("recovered")),
        Producer("broken", "permuted", Kind.EXACT, _produced("broken")),
        Producer("search", "permuted", Kind.SEARCH, _produced("search_permuted")),
        Producer("torch", "permuted", Kind.SEARCH, _produced("float_agreement")),
        Producer("mpmath", "permuted", Kind.SEARCH, _produced("digits_agreement")),
        formal("right-action"),
        Producer("composition", "right-action", Kind.SEARCH, _produced("search_composition")),
        Producer("alone", "each-alone", Kind.SEARCH, _produced("search_alone")),
    ),
    rests_on=("recovery.uniqueness",),
    omitted="balls, since both sides are compared exactly and, for the true softmax, in mpmath; a "
    "derivation, since its rules do not speak of functions of all sequences",
)
