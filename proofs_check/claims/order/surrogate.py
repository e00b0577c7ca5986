"""Claim G2, order.surrogate: the differential equations that model the stages."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "order.surrogate"

STAGE_BOUND = 8
"""How far |t_k alpha_k / log(1/eps) - 1| times log(1/eps) may go in the search."""

_produced = partial(Deferred, "headproof.proofs_check.producers.order.surrogate")
_FLOW = r"R=\operatorname{diag}(\alpha)-a^{\mathsf T}b,\ \dot a=bR^{\mathsf T},\ \dot b=aR"

CLAIM = Claim(
    id=ID,
    number="G2",
    title="Gradient flow of a tensor factorisation",
    paper=PAPER,
    place="abstract: “We model these dynamics with simplified differential equations and prove "
    "stage-wise convergence of the resulting system”",
    statements=(
        Statement(
            name="stage-times",
            role=Role.AS_STATED,
            text="From a generic start of size eps mode k is learnt at a time t_k with "
            "t_k alpha_k / log(1/eps) -> 1, at distance at most 8 / log(1/eps) in the search; "
            "with H < K exactly the first H modes are learnt.",
            latex=r"\frac{t_k}{\log(1/\varepsilon)/\alpha_k}\to 1\quad(\varepsilon\to 0)",
            hypotheses=(
                "alpha_1 > ... > alpha_K > 0",
                "normal start of standard deviation eps",
                "the stated draws; integrated numerically, not proved",
            ),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="descent",
            role=Role.AS_VERIFIED,
            text="The flow is minus the gradient of half the squared Frobenius norm of R.",
            latex=_FLOW + r"=-\nabla\,\tfrac12\lVert R\rVert_F^2",
            hypotheses=("any H, K and target",),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="conserved",
            role=Role.AS_VERIFIED,
            text="The matrix a a^T - b b^T does not change along the flow.",
            latex=r"\tfrac{d}{dt}\left(aa^{\mathsf T}-bb^{\mathsf T}\right)=0",
            hypotheses=("any H, K and target", "the product rule"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="plateaus",
            role=Role.AS_VERIFIED,
            text="With the first k modes learnt and the others not, the loss is half the sum of "
            "the squared strengths of the others.",
            latex=r"\tfrac12\lVert R\rVert_F^2=\tfrac12\sum_{j>k}\alpha_j^2",
            hypotheses=("R is diagonal, 0 for j <= k and alpha_j for j > k",),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="aligned",
            role=Role.AS_VERIFIED,
            text="If each mode has a head of its own that starts balanced along it, at strength "
            "alpha_k eps^2 / (1 + eps^2), its strength is alpha_k / (1 + e) with e = eps^-2 "
            "exp(-2 alpha_k t): half learnt at t = log(1/eps)/alpha_k exactly, stage by stage.",
            latex=r"\dot u_k=2u_k(\alpha_k-u_k),\quad u_k(t)=\frac{\alpha_k}{1+\varepsilon^{-2}"
            r"e^{-2\alpha_k t}},\quad t_k=\frac{\log(1/\varepsilon)}{\alpha_k}",
            hypotheses=(
                "a_hk = b_hk = 0 unless h = k; a_kk = b_kk",
                "u_k = a_kk b_kk; R stays diagonal; the product and quotient rules",
            ),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="mixing",
            role=Role.AS_VERIFIED,
            text="The loss does not see an invertible mixing of heads.",
            latex=r"(Ga)^{\mathsf T}(G^{-\mathsf T}b)=a^{\mathsf T}b,\quad G\in GL(H)",
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="orthogonal-mixing",
            role=Role.AS_VERIFIED,
            text="The flow commutes with orthogonal mixings of heads: without a further "
            "constraint, such as a softmax, nothing makes a head look at one mode.",
            latex=r"(Gb)R^{\mathsf T}=G(bR^{\mathsf T}),\quad (Ga)R=G(aR)",
            hypotheses=("R is that of a and b: an orthogonal G keeps it (mixing, G^T G = 1)",),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="invertible-mixing",
            role=Role.CONTROL,
            text="The flow commutes with every invertible mixing of heads.",
            latex=r"(G^{-\mathsf T}b)R^{\mathsf T}=G(bR^{\mathsf T}),\quad G\in GL(H)",
            expected=Expectation(Verdict.REFUTED),
            amended_by="orthogonal-mixing",
        ),
    ),
    producers=(
        Producer("integration", "stage-times", Kind.SEARCH, _produced("stage_times")),
        Producer("fewer-heads", "stage-times", Kind.SEARCH, _produced("fewer_heads")),
        Producer("three-integrators", "stage-times", Kind.SEARCH, _produced("integrators")),
        Producer("gradient", "descent", Kind.SYMBOLIC, _produced("descent")),
        Producer("derivation", "conserved", Kind.SYMBOLIC, _produced("conserved")),
        Producer("along-paths", "conserved", Kind.SEARCH, _produced("conserved_along_paths")),
        Producer("heights", "plateaus", Kind.SYMBOLIC, _produced("plateaus")),
        Producer("closed-form", "aligned", Kind.SYMBOLIC, _produced("aligned")),
        Producer("invariance", "mixing", Kind.SYMBOLIC, _produced("mixing")),
        Producer(
            "equivariance", "orthogonal-mixing", Kind.SYMBOLIC, _produced("orthogonal_mixing")
        ),
        Producer("doubled", "invertible-mixing", Kind.EXACT, _produced("doubled")),
    ),
    omitted="a proof of stage-wise convergence for general starts, which is searched for only, "
    "and validated integration: three integrators agree instead, one at 40 digits",
)
