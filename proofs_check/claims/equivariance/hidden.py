"""Claim T1c, equivariance.hidden: no hidden representation covers all equivariant forms."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "equivariance.hidden"

_produced = partial(Deferred, "headproof.proofs_check.producers.equivariance.hidden")

CLAIM = Claim(
    id=ID,
    number="T1c",
    title="Hidden representations",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="none",
            role=Role.AS_STATED,
            text="There are G, rho and d_k such that no hidden representation of dimension d_k "
            "covers every G-invariant W of rank at most d_k.",
            latex=r"\exists G,\rho,d_k\ \forall\sigma,\dim\sigma=d_k\ \exists W:\ "
            r"\mathrm{rk}\,W\le d_k,\ \mathrm{im}\,W\not\hookrightarrow\sigma",
            hypotheses=("smallest case: C_2 on the plane by diag(1, -1), d_k = 1",),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="criterion",
            role=Role.AS_VERIFIED,
            text="A hidden representation of dimension d_k that covers every invariant W of rank "
            "at most d_k exists iff the copies that are needed fit.",
            latex=r"\exists\sigma\iff\sum_in_i\min(m_i,\lfloor d_k/n_i\rfloor)\le d_k",
            hypotheses=(
                "rho is the sum of m_i copies of real irreducibles of dimensions n_i",
                "rho preserves an inner product, W as a map of it; sigma is fixed, W = A B with "
                "A: sigma -> rho and B: rho -> sigma equivariant",
                "certified for C_2, C_3, C_4, V_4, S_3, D_4, Q_8, A_4, S_4 with every irreducible "
                "once, with the last one twice, and the regular representation; d_k <= 6",
            ),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="two-fit",
            role=Role.CONTROL,
            text="If two different irreducibles of rho have dimension at most d_k, no hidden "
            "representation of dimension d_k covers every invariant W of rank at most d_k.",
            latex=r"n_1,n_2\le d_k\Rightarrow\nexists\sigma",
            expected=Expectation(Verdict.REFUTED),
            amended_by="criterion",
        ),
    ),
    producers=(
        Producer("smallest", "none", Kind.EXACT, _produced("smallest")),
        Producer("classified", "criterion", Kind.EXACT, _produced("classified")),
        Producer("search", "criterion", Kind.SEARCH, _produced("search_criterion")),
        Producer("images", "criterion", Kind.SEARCH, _produced("search_images")),
        Producer("search-two-fit", "two-fit", Kind.SEARCH, _produced("search_two_fit")),
    ),
    rests_on=("equivariance.permutation",),
    omitted="balls and mpmath, since characters and multiplicities are exact",
)
