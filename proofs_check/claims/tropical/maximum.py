"""Claim A7, tropical.maximum: the largest number of cells of several heads."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.maximum"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.maximum")

CLAIM = Claim(
    id=ID,
    number="A7",
    title="The largest overlay",
    paper=PAPER,
    place="abstract: “multi-head aggregation expands the polyhedral complexity to O(N^H)”",
    statements=(
        Statement(
            name="upper-bound",
            role=Role.AS_STATED,
            text="H heads with N keys each have O(N^H) cells, as an upper bound: at most N^H, or "
            "N_1 ... N_H for unequal heads.",
            latex=r"\#\text{cells} \le \prod_h N_h = N^H",
            hypotheses=(
                "H >= 1",
                "a head with N keys cuts a convex cell into at most N pieces (each key wins on a "
                "convex set)",
            ),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="tight",
            role=Role.AS_STATED,
            text="The order N^H is reached whatever the number of heads: for all d, H and N some H "
            "heads with N keys in R^d have N^H cells.",
            latex=r"\forall d, H, N\ \exists\ \text{heads}:\ \#\text{cells} = N^H",
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="opposite",
        ),
        Statement(
            name="formula",
            role=Role.AS_VERIFIED,
            text="R(d, H, N) is N^H for H <= d, and less than N^H for H > d and N >= 2.",
            latex=r"R(d,H,N)=\sum_{j=0}^{\min(d,H)}\binom Hj(N-1)^j:\quad"
            r" R=N^H\ (H\le d),\qquad R<N^H\ (H>d,\ N\ge2)",
            hypotheses=("d, H >= 1", "C(h, j) and powers by their recurrences"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="opposite",
            role=Role.AS_VERIFIED,
            text="Of two labels that differ in every head at most one has a cell, if weights "
            "w_h >= 0 make the key differences a_h vanish: sum_h w_h a_h = 0. For H > d and "
            "N >= 2 there always are such labels, since H vectors of R^d are dependent; so N^H "
            "cells are out of reach.",
            latex=r"w\ge0,\ \textstyle\sum_h w_h=1,\ \sum_h w_h a_h=0,\ t_h(z)\ge0\ \forall h"
            r"\ \Rightarrow\ \forall x\ \exists h:\ w_h>0,\ t_h(x)\ge0,\qquad"
            r" t_h(x)=\langle a_h,x\rangle+b_h",
            hypotheses=(
                "a_h = kappa_{h,J_h} - kappa_{h,J'_h}",
                "that H > d vectors of R^d are linearly dependent is used and not derived",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="attained",
            role=Role.AS_VERIFIED,
            text="Heads with N_h - 1 parallel walls each, in general position, have R cells.",
            latex=r"\#\text{cells} = \sum_{j=0}^{\min(d,H)} e_j(N_1-1,\dots,N_H-1)",
            hypotheses=("the stated sizes (d, N_1, ..., N_H)",),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="reached",
            role=Role.AS_VERIFIED,
            text="For all d and N_1, ..., N_H there are H heads with N_h keys, each reading one "
            "linear form, that have at least R(d, N_1, ..., N_H) cells.",
            latex=r"\forall d,N_1,\dots,N_H\ \exists\ \text{heads}:\ \#\text{cells}\ge"
            r"\sum_{j=0}^{\min(d,H)} e_j(N_1-1,\dots,N_H-1)",
            hypotheses=("N_h >= 1",),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.NOT_RUN}),
        ),
        Statement(
            name="greatest",
            role=Role.AS_VERIFIED,
            text="No heads have more than R(d, N_1, ..., N_H) cells (a theorem of Montufar, Ren "
            "and Zhang, arXiv:2104.08135, which is searched for violations here and not proved).",
            latex=r"\#\text{cells} \le \sum_{j=0}^{\min(d,H)} e_j(N_1-1,\dots,N_H-1)",
            hypotheses=("N_h counts distinct scores",),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="two-keys",
            role=Role.AS_VERIFIED,
            text="For N = 2 the heads are H hyperplanes, and R is Zaslavsky's number of regions, "
            "which H neurons have too.",
            latex=r"R(d,H,2)=\sum_{j=0}^{\min(d,H)}\binom Hj",
            hypotheses=("the stated sizes (d, H)",),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="key-biases",
            role=Role.AS_VERIFIED,
            text="If biases come only from a query bias, b_hj = <b_Q, k_hj>, then d_k >= 2 is "
            "needed: with d_k = 1 a head has at most two cells, and (d, H, N) = (2, 3, 4) gives "
            "7 cells instead of 37; with d_k = 2 all 37 are attained.",
            latex=r"d_k=1:\ \#\text{cells of a head}\le2;\qquad"
            r" (d,H,N)=(2,3,4):\ 7\ (d_k=1),\ 37\ (d_k=2)",
            hypotheses=("the stated heads",),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="one-degree-less",
            role=Role.CONTROL,
            text="The sum up to min(d, H) - 1 is an upper bound already.",
            latex=r"\#\text{cells} \le \sum_{j=0}^{\min(d,H)-1} e_j(N_1-1,\dots,N_H-1)",
            expected=Expectation(Verdict.REFUTED),
            amended_by="greatest",
        ),
        Statement(
            name="every-label",
            role=Role.CONTROL,
            text="If every key wins alone in its head, then every label has a cell.",
            latex=r"\#\text{cells of head } h = N_h\ \forall h"
            r"\ \Rightarrow\ \#\text{cells}=\prod_h N_h",
            expected=Expectation(Verdict.REFUTED),
            amended_by="attained",
        ),
    ),
    producers=(
        Producer("labels-derivation", "upper-bound", Kind.SYMBOLIC, _produced("label_derivation")),
        Producer("missing-labels", "tight", Kind.EXACT, _produced("missing_labels")),
        Producer("formula-derivation", "formula", Kind.SYMBOLIC, _produced("formula_derivation")),
        formal("formula"),
        Producer("derivation", "opposite", Kind.SYMBOLIC, _produced("opposite_derivation")),
        Producer("grid", "attained", Kind.EXACT, _produced("attained")),
        Producer("torch", "attained", Kind.SEARCH, _produced("float_agreement")),
        formal("reached"),
        Producer("search", "greatest", Kind.SEARCH, _produced("search_upper")),
        Producer("arrangements", "two-keys", Kind.EXACT, _produced("two_keys")),
        Producer("factored-heads", "key-biases", Kind.EXACT, _produced("key_biases")),
        Producer(
            "one-degree-less-search",
            "one-degree-less",
            Kind.SEARCH,
            _produced("search_one_degree_less"),
        ),
        Producer("every-label-search", "every-label", Kind.SEARCH, _produced("search_every_label")),
    ),
    rests_on=("tropical.cells", "tropical.overlay"),
    omitted="a high-precision cross-check, since every quantity is an integer",
)
