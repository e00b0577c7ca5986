"""Claim A9, tropical.depth: the number of affine pieces of deep hard attention."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.depth"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.depth")

CLAIM = Claim(
    id=ID,
    number="A9",
    title="Depth",
    paper=PAPER,
    place="abstract: “tight asymptotic bounds on the number of linear regions ... "
    "(Θ(N^{d_model L}))”",
    statements=(
        Statement(
            name="order",
            role=Role.AS_STATED,
            text="Whatever the number of heads, the largest number of linear regions of L layers "
            "on R^d is of the order N^(d L): at least c N^(d L) for some c > 0 and all N.",
            latex=r"\max\#\text{pieces}=\Theta(N^{dL})",
            hypotheses=("d, H, L and the width m of the ReLU layers fixed", "N -> infinity"),
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="digits",
        ),
        Statement(
            name="digits",
            role=Role.AS_VERIFIED,
            text="L layers that extract digits have exactly N^(min(H,d) L) cells, all with "
            "different affine maps. For H <= d that is as many as there are labels, so no network "
            "without ReLU layers has more; for H >= d it is N^(d L).",
            latex=r"\#\text{cells}=\#\text{pieces}=N^{\min(H,d)\,L}",
            hypotheses=(
                "frozen context, residual, N >= 1 keys a head",
                "without Rocq: the stated (d, H, N, L)",
            ),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.CERTIFIED}),
        ),
        Statement(
            name="every-digit",
            role=Role.AS_VERIFIED,
            text="At the input with digits i_1, ..., i_L and any remainder strictly between, layer "
            "l sees i w + y, w being its unit, i its digit and 0 < y < w, and key i beats every "
            "other strictly: every sequence of digits is the label of a cell.",
            latex=r"x=\sum_l i_l N^{-l}+\theta N^{-L},\ 0<\theta<1\ \Rightarrow\ "
            r"s_{i_l}(x_l)>s_j(x_l)\ \forall j\ne i_l",
            hypotheses=("N, L >= 1", "scores s_j = j x_l - N^(-l) j (j + 1) / 2", "one coordinate"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="labels",
            role=Role.AS_VERIFIED,
            text="Without ReLU layers there are at most N^(H L) cells, and a ReLU layer of width m "
            "multiplies by at most 2^m: the exponent of N is at most H L.",
            latex=r"\#\text{cells}\le N^{HL}",
            hypotheses=(
                "the heads of all layers cut one after the other, each a convex cell into at most "
                "N convex pieces, since what a layer sees is affine on the cell",
                "derived for any number of heads of any sizes; a neuron is a head of two keys",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="bound",
            role=Role.AS_VERIFIED,
            text="No network has more pieces than R(d, H, N)^L, times sum_{j<=d} C(m, j) for each "
            "ReLU layer (from the bound of Montufar, Ren and Zhang, arXiv:2104.08135, for one "
            "layer, which is searched for violations here and not proved). For fixed H >= d, m and "
            "L this is of the order N^(d L).",
            latex=r"\#\text{pieces}\le\Bigl(R(d,H,N)\sum_{j\le d}\binom mj\Bigr)^L",
            hypotheses=("d, H, N, L >= 1",),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="additive",
            role=Role.CONTROL,
            text="Layers add pieces: there are at most L (R(d, H, N) - 1) + 1.",
            latex=r"\#\text{pieces}\le L\,(R(d,H,N)-1)+1",
            expected=Expectation(Verdict.REFUTED),
            amended_by="bound",
        ),
    ),
    producers=(
        Producer("too-few-heads", "order", Kind.EXACT, _produced("too_few_heads")),
        formal("digits"),
        Producer("grid", "digits", Kind.EXACT, _produced("digits")),
        Producer("torch", "digits", Kind.SEARCH, _produced("float_agreement")),
        Producer("digit-derivation", "every-digit", Kind.SYMBOLIC, _produced("digit_derivation")),
        Producer("label-derivation", "labels", Kind.SYMBOLIC, _produced("label_derivation")),
        Producer("search", "bound", Kind.SEARCH, _produced("search_bound")),
        Producer("random-networks", "bound", Kind.SEARCH, _produced("random_networks")),
        Producer("additive-search", "additive", Kind.SEARCH, _produced("search_additive")),
    ),
    rests_on=("tropical.maximum", "tropical.routing-limit"),
    omitted="a high-precision cross-check, since every quantity is rational",
)
