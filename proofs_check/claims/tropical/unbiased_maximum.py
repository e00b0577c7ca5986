"""Claim A8, tropical.unbiased-maximum: the largest number of cells without biases."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.unbiased-maximum"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.unbiased_maximum")

CLAIM = Claim(
    id=ID,
    number="A8",
    title="The largest overlay without biases",
    paper=PAPER,
    place="abstract: “via the Minkowski sum of Newton polytopes”",
    statements=(
        Statement(
            name="upper-bound",
            role=Role.AS_STATED,
            text="The Minkowski sum of H Newton polytopes with N vertices each has O(N^H) "
            "vertices, as an upper bound: at most N^H.",
            latex=r"f_0(P_1+\dots+P_H)\le N^H",
            hypotheses=(
                "H >= 1",
                "vertices are the cells of H heads without biases (tropical.overlay), each of "
                "which cuts a convex cell into at most N pieces",
            ),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="attained",
            role=Role.AS_VERIFIED,
            text="Keys on parabolas, kappa_hj = t_j (a_h, 0) - t_j^2 e_d with directions a_h in "
            "general position, have U(d, n_1, ..., n_H) cells, the vertices of their Minkowski "
            "sum.",
            latex=r"U=\sum_{\lvert S\rvert\le d-1}\prod_{i\in S}(n_i-1)+\binom{H-1}{d-1}",
            hypotheses=("no biases", "summands of one point dropped", "the stated sizes"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="greatest",
            role=Role.AS_VERIFIED,
            text="No Minkowski sum has more than U(d, n_1, ..., n_H) vertices (a theorem of "
            "Adiprasito and Sanyal, arXiv:1405.7368, and Weibel, which is searched for violations "
            "here and not proved).",
            latex=r"f_0(P_1+\dots+P_H)\le\sum_{\lvert S\rvert\le d-1}\prod_{i\in S}(n_i-1)"
            r"+\binom{H-1}{d-1}",
            hypotheses=("n_i >= 2 distinct points; summands of one point dropped",),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="all-labels",
            role=Role.AS_VERIFIED,
            text="For equal sizes U is N^H when H <= d - 1; it is N^d - (N-1)^d + 1 at H = d, "
            "N^d only for N <= 2; it is less than N^H for H > d and N >= 2. For N = 2 it is "
            "2 sum_{i<d} C(H-1, i).",
            latex=r"U(d,H,N)=R(d-1,H,N)+\binom{H-1}{d-1}:\quad U(d,d,N)=N^d-(N-1)^d+1,\quad"
            r" U(d,H,N)<N^H\ (H>d,\ N\ge2),\quad U(d,H,2)=2\sum_{i<d}\binom{H-1}{i}",
            hypotheses=(
                "d >= 2",
                "C(h, j) and powers by their recurrences",
                "for H <= d - 1 the value N^H is that of R(d - 1, H, N), derived for "
                "tropical.maximum",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="weibel",
            role=Role.AS_VERIFIED,
            text="For H >= d the formula equals Weibel's: for all H and N in the stated dimensions "
            "when the sizes are equal, and for all sizes at the stated (d, H).",
            latex=r"U=\alpha+\sum_{j=1}^{d-1}(-1)^{d-1-j}\binom{H-1-j}{d-1-j}"
            r"\sum_{\lvert S\rvert=j}\Bigl(\prod_{i\in S}n_i-\alpha\Bigr),"
            r"\quad\alpha=2(d-2\lfloor d/2\rfloor)",
            hypotheses=("H >= d >= 2", "n_i >= 2", "the stated dimensions"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="zonotopes",
            role=Role.AS_VERIFIED,
            text="Two keys a head give a zonotope, with 2 sum_{i<d} C(H-1, i) vertices in general "
            "position.",
            latex=r"N=2:\quad f_0=2\sum_{i=0}^{d-1}\binom{H-1}{i}",
            hypotheses=("the stated sizes (d, H)",),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="upper-half",
            role=Role.CONTROL,
            text="No Minkowski sum has more than R(d - 1, n_1, ..., n_H) vertices: the upper half "
            "counts.",
            latex=r"f_0\le\sum_{\lvert S\rvert\le d-1}\prod_{i\in S}(n_i-1)",
            expected=Expectation(Verdict.REFUTED),
            amended_by="greatest",
        ),
    ),
    producers=(
        Producer("labels-derivation", "upper-bound", Kind.SYMBOLIC, _produced("label_derivation")),
        Producer("grid", "attained", Kind.EXACT, _produced("attained")),
        Producer("torch", "attained", Kind.SEARCH, _produced("float_agreement")),
        Producer("search", "greatest", Kind.SEARCH, _produced("search_upper")),
        Producer("derivation", "all-labels", Kind.SYMBOLIC, _produced("formula_derivation")),
        Producer("weibel-derivation", "weibel", Kind.SYMBOLIC, _produced("weibel_derivation")),
        Producer("weibel-identities", "weibel", Kind.EXACT, _produced("weibel_identities")),
        Producer("zonotopes", "zonotopes", Kind.EXACT, _produced("zonotopes")),
        Producer("upper-half-search", "upper-half", Kind.SEARCH, _produced("search_upper_half")),
    ),
    rests_on=("tropical.cells", "tropical.overlay", "tropical.maximum"),
    omitted="a high-precision cross-check, since every quantity is an integer",
)
