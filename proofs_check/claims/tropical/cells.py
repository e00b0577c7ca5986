"""Claim A5, tropical.cells: which keys of a head ever win alone."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.cells"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.cells")

CLAIM = Claim(
    id=ID,
    number="A5",
    title="Cells of one head",
    paper=PAPER,
    place="abstract: “the O(N) bottleneck of single heads”",
    statements=(
        Statement(
            name="bottleneck",
            role=Role.AS_STATED,
            text="A single head with N keys has at most N cells, and N are attained.",
            latex=r"\max \#\text{cells} = N",
            hypotheses=("d = 1 with biases, or d >= 2",),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="exclusion",
            role=Role.AS_VERIFIED,
            text="A key on or below a convex combination of other lifted keys never wins alone.",
            latex=r"\kappa_j=\sum_i\lambda_i\kappa_i,\ b_j\le\sum_i\lambda_i b_i"
            r"\ \Rightarrow\ \forall x\ \exists i:\ \lambda_i>0,\ s_i(x)\ge s_j(x)",
            hypotheses=("N, d >= 1", "lambda_i >= 0", "sum lambda_i = 1"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="open",
            role=Role.AS_VERIFIED,
            text="A lead over another key at one query is kept on a ball around it: a strictly "
            "winning query lies inside the cell.",
            latex=r"s_j(x)-s_i(x)\ge\mu>0,\ \lvert h\rvert R<\mu,"
            r"\ \lvert\kappa_j-\kappa_i\rvert\le R\ \Rightarrow\ s_j(x+h)>s_i(x+h)",
            hypotheses=("d >= 1", "any other key i; for all of them: the least mu, the largest R"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="alternative",
            role=Role.AS_VERIFIED,
            text="Cell j is full-dimensional iff the lifted key is an upper vertex: a strictly "
            "winning rational query, or a convex combination of other keys that lies on or above.",
            latex=r"\operatorname{int} C_j\neq\emptyset \iff (\kappa_j,b_j)\notin"
            r"\operatorname{conv}\{(\kappa_i,b_i)\neq(\kappa_j,b_j)\}-\mathbb R_+e_{d+1}",
            hypotheses=("N, d >= 1", "without Rocq: the stated finite families of rational heads"),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.CERTIFIED}),
        ),
        Statement(
            name="unbiased",
            role=Role.AS_VERIFIED,
            text="Without biases the keys that win alone are the vertices of their convex hull.",
            latex=r"b=0:\quad \operatorname{int} C_j\neq\emptyset \iff"
            r" \kappa_j\in\operatorname{vert}\operatorname{conv}\{\kappa_i\}",
            hypotheses=("b = 0", "without Rocq: the stated finite families of rational keys"),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.CERTIFIED}),
        ),
        Statement(
            name="real-heads",
            role=Role.AS_VERIFIED,
            text="On the heads of a real checkpoint reading a real text, every key is certified as "
            "winning somewhere or never.",
            latex=r"\forall j:\ \exists q\ \forall i\ s_j(q)>s_i(q)\quad\text{or}\quad"
            r"\forall q\ \exists i\ s_i(q)\ge s_j(q)",
            hypotheses=("float32 values taken as dyadic rationals",),
            expected=Expectation(Verdict.CERTIFIED, {"-checkpoint": Verdict.NOT_RUN}),
        ),
        Statement(
            name="every-key",
            role=Role.CONTROL,
            text="Every key that differs from the others wins alone somewhere.",
            latex=r"\forall j:\ \operatorname{int} C_j\neq\emptyset",
            expected=Expectation(Verdict.REFUTED),
            amended_by="alternative",
        ),
        Statement(
            name="plain-vertices",
            role=Role.CONTROL,
            text="A key wins alone somewhere if its lifted point is a vertex of the lifted points' "
            "convex hull (the ray downwards left out).",
            latex=r"(\kappa_j,b_j)\in\operatorname{vert}\operatorname{conv}\{(\kappa_i,b_i)\}"
            r"\ \Rightarrow\ \operatorname{int} C_j\neq\emptyset",
            expected=Expectation(Verdict.REFUTED),
            amended_by="alternative",
        ),
    ),
    producers=(
        Producer("attained", "bottleneck", Kind.EXACT, _produced("attained")),
        Producer(
            "exclusion-derivation", "exclusion", Kind.SYMBOLIC, _produced("exclusion_derivation")
        ),
        Producer("open-derivation", "open", Kind.SYMBOLIC, _produced("open_derivation")),
        formal("alternative"),
        Producer("small-heads", "alternative", Kind.EXACT, _produced("small_heads")),
        Producer("larger-heads", "alternative", Kind.EXACT, _produced("larger_heads")),
        Producer("search", "alternative", Kind.SEARCH, _produced("search_alternative")),
        Producer("torch", "alternative", Kind.SEARCH, _produced("float_agreement")),
        formal("unbiased"),
        Producer("unbiased-small", "unbiased", Kind.EXACT, _produced("unbiased_small")),
        Producer(
            "checkpoint",
            "real-heads",
            Kind.EXACT,
            Deferred("headproof.proofs_check.producers.tropical.real_keys", "cells_of_heads"),
            needs=frozenset({"checkpoint"}),
        ),
        Producer("every-key-search", "every-key", Kind.SEARCH, _produced("search_every_key")),
        Producer(
            "plain-vertices-search",
            "plain-vertices",
            Kind.SEARCH,
            _produced("search_plain_vertices"),
        ),
    ),
    rests_on=("tropical.power-diagram",),
    omitted="a high-precision cross-check, since every quantity is rational",
)
