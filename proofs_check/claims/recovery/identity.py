"""Claim E1, recovery.identity: the number of copies enters the answer as in a rational function."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "recovery.identity"

_produced = partial(Deferred, "headproof.proofs_check.producers.recovery.identity")

_LETTERS = (
    "H, d >= 1, m >= 0",
    "f(x_1..x_n) = sum_h sum_j softmax_j(x_n^T W_h x_j) v_h.x_j",
    "F(m) = f(m copies of x + w, then x)",
)
_GAP = r"\sum_{h=1}^H\frac{v_h\cdot w}{1+m\,z_h},\qquad z_h=e^{x^TW_hw}"

CLAIM = Claim(
    id=ID,
    number="E1",
    title="Copies make a rational function",
    paper=PAPER,
    place="abstract: “samples of a rational function”",
    statements=(
        Statement(
            name="rational",
            role=Role.AS_STATED,
            text="By varying the number of copies of a token one obtains samples of a rational "
            "function, whose poles are those of the heads.",
            latex=rf"F(m)=\sum_h v_h\cdot(x+w)-{_GAP}",
            hypotheses=_LETTERS,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="proper",
            role=Role.AS_VERIFIED,
            text="Without its value at m = 0, and divided by m, the answer is a sum of H simple "
            "poles at -exp(-x^T W_h w) with residues v_h.w, and F(0) = sum_h v_h.x.",
            latex=r"F(m)-F(0)=m\sum_{h=1}^H\frac{v_h\cdot w}{m+e^{-x^TW_hw}}",
            hypotheses=_LETTERS,
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="all-copies",
            role=Role.CONTROL,
            text="The same with 1 + (m + 1) z_h in the denominators, as if the last token counted "
            "among the copies.",
            latex=r"F(m)=\sum_h v_h\cdot(x+w)-\sum_h\frac{v_h\cdot w}{1+(m+1)z_h}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="rational",
        ),
    ),
    producers=(
        Producer("derivation", "rational", Kind.SYMBOLIC, _produced("derivation")),
        formal("rational"),
        Producer("bilinear", "rational", Kind.SYMBOLIC, _produced("bilinear_derivation")),
        Producer("base-two", "rational", Kind.EXACT, _produced("base_two")),
        Producer("enclosures", "rational", Kind.BALL, _produced("enclosures")),
        Producer("search", "rational", Kind.SEARCH, _produced("search_rational")),
        Producer("torch", "rational", Kind.SEARCH, _produced("float_agreement")),
        Producer("proper-derivation", "proper", Kind.SYMBOLIC, _produced("proper_derivation")),
        formal("proper"),
        Producer("proper-base-two", "proper", Kind.EXACT, _produced("proper_base_two")),
        Producer("proper-search", "proper", Kind.SEARCH, _produced("search_proper")),
        Producer("all-copies-search", "all-copies", Kind.SEARCH, _produced("search_all_copies")),
    ),
)
