"""Claim E2, recovery.uniqueness: 2H + 1 answers to copies determine H poles."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "recovery.uniqueness"

_produced = partial(Deferred, "headproof.proofs_check.producers.recovery.uniqueness")

CLAIM = Claim(
    id=ID,
    number="E2",
    title="Answers determine the poles",
    paper=PAPER,
    place="abstract: “whose interpolation separates the canonical heads”",
    statements=(
        Statement(
            name="separates",
            role=Role.AS_STATED,
            text="Interpolation separates the heads: two functions of a query of copies, each of "
            "a constant and at most H simple poles, that agree at 2H + 1 nodes have the same "
            "constant, the same poles with residues other than zero, and the same residues.",
            latex=r"K+\sum_{h=1}^{n}\frac{a_h}{t_i+r_h}=0\ (i=1..n+1)\ \Rightarrow\ "
            r"K=a_1=\dots=a_n=0,\qquad n\le2H",
            hypotheses=(
                "n >= 2 is the number of distinct poles of both (a pole of residue 0 may be added)",
                "r_1 < .. < r_n positive, t_1 < .. < t_(n+1) not negative",
            ),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="poles",
            role=Role.AS_VERIFIED,
            text="Without a constant n nodes determine n poles (Cauchy's matrix has an inverse).",
            latex=r"\sum_{h=1}^{n}\frac{a_h}{t_i+r_h}=0\ (i=1..n)\ \Rightarrow\ a_1=\dots=a_n=0",
            hypotheses=("n >= 2", "r and t as before"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="models",
            role=Role.AS_VERIFIED,
            text="From queries to heads: two canonical models, of H and H' heads, that give the "
            "same answers to all queries of m <= H + H' copies of x + w and then x have the same "
            "heads up to a permutation. Two models that need not be canonical agree on all "
            "sequences iff they agree on those queries, iff for every matrix M their heads with "
            "W_h = M have values of equal sums; and every model has the function of a canonical "
            "one.",
            latex=r"f=f'\ \text{on all queries of }m\le H+H'\text{ copies}\ \Rightarrow\ "
            r"\exists\sigma\ \forall h:\ (W_h,v_h)=(W'_{\sigma(h)},v'_{\sigma(h)})",
            hypotheses=(
                "H, H', d >= 0",
                "canonical: W_h distinct, v_h nonzero",
                "values may be vectors: V_h a matrix",
            ),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.NOT_RUN}),
        ),
        Statement(
            name="fewer-nodes",
            role=Role.CONTROL,
            text="2H nodes suffice: two functions of a query of copies with H poles that agree at "
            "m = 0..2H - 1 agree at m = 2H.",
            latex=r"F_1(m)=F_2(m)\ (m=0..2H-1)\ \Rightarrow\ F_1(2H)=F_2(2H)",
            hypotheses=("F_i(m) = K_i - sum_h c_ih/(1 + m z_ih)", "z_ih > 0"),
            expected=Expectation(Verdict.REFUTED),
            amended_by="separates",
        ),
    ),
    producers=(
        Producer("derivation", "separates", Kind.SYMBOLIC, _produced("derivation")),
        Producer("elimination", "separates", Kind.SYMBOLIC, _produced("elimination")),
        Producer("search", "separates", Kind.SEARCH, _produced("search_separates")),
        Producer("poles-derivation", "poles", Kind.SYMBOLIC, _produced("poles_derivation")),
        Producer("poles-search", "poles", Kind.SEARCH, _produced("search_poles")),
        formal("models"),
        Producer("fewer-nodes-search", "fewer-nodes", Kind.SEARCH, _produced("search_fewer_nodes")),
        formal("separates"),
        formal("poles"),
    ),
    rests_on=("recovery.identity",),
    omitted="exact certificates and balls, since the derivation holds for every number of poles",
)
