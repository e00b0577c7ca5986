"""Claim T1b, equivariance.strata: equivariant attention falls apart into strata."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "equivariance.strata"

_produced = partial(Deferred, "headproof.proofs_check.producers.equivariance.strata")

CLAIM = Claim(
    id=ID,
    number="T1b",
    title="Strata of equivariant attention",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="realised",
            role=Role.AS_STATED,
            text="The heads of equivariant attention form a G-set; a G-set occurs iff each of its "
            "stabilisers K is the exact stabiliser of some W and Hom_K(rho, rho_out) is not zero.",
            latex=r"\bigsqcup_iG/K_i\ \text{occurs}\iff\forall i:\ "
            r"\dim\mathrm{Fix}_L<\dim\mathrm{Fix}_{K_i}\ (L\supsetneq K_i),\ "
            r"\mathrm{Hom}_{K_i}(\rho,\rho_{out})\ne0",
            hypotheses=(
                "Fix_K = the W with rho(k)^T W rho(k) = W",
                "certified for C_2, C_3, C_4, V_4, S_3, D_4, Q_8, A_4, S_4, each by a natural "
                "action, and H <= 4 heads (profile full: 6): every stratum has a witness, and "
                "none is left out",
            ),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="types",
            role=Role.AS_VERIFIED,
            text="A function with H canonical heads is represented by no type of H heads but its "
            "own.",
            latex=r"|T|=|S|,\ T\ \text{represents}\ f\in S\Rightarrow T\cong S",
            hypotheses=("the same groups and sizes",),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="central",
            role=Role.AS_VERIFIED,
            text="An element that acts as plus or minus the identity fixes every W: C_2 by -I has "
            "no free orbit of heads.",
            latex=r"\rho(g)=\pm I\Rightarrow x^T\rho(g)^TW\rho(g)y=x^TWy",
            hypotheses=("d >= 1",),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="fit",
            role=Role.AS_VERIFIED,
            text="The wrong type does not approximate a witness either: for C_2 by diag(1, -1) "
            "every layer of two fixed heads keeps a loss above the floor that the data imply, "
            "while a free orbit of two heads fits the witness.",
            latex=r"\min_{\text{fixed}}L\ge\frac1{4n}\sum_{i\le n}(s_i-t_i)^2/2>0,\qquad "
            r"\min_{\text{free}}L\approx0",
            hypotheses=(
                "criterion fixed beforehand, for each of three seeds: no fit of the wrong type "
                "below the floor, the right type below 10^-6 times the floor",
            ),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="all",
            role=Role.CONTROL,
            text="Every G-set of heads occurs in equivariant attention.",
            latex=r"\forall S\ \exists f\in S",
            expected=Expectation(Verdict.REFUTED),
            amended_by="realised",
        ),
    ),
    producers=(
        Producer("witnesses", "realised", Kind.EXACT, _produced("witnesses")),
        Producer("search", "realised", Kind.SEARCH, _produced("search_realised")),
        Producer("violators", "types", Kind.EXACT, _produced("violators")),
        Producer("search-types", "types", Kind.SEARCH, _produced("search_types")),
        Producer("derivation", "central", Kind.SYMBOLIC, _produced("derivation")),
        Producer("fits", "fit", Kind.TRAINED, _produced("fits")),
        Producer("search-all", "all", Kind.SEARCH, _produced("search_all")),
    ),
    rests_on=("equivariance.permutation",),
    omitted="balls and mpmath, since the strata are a matter of finite sets and exact ranks",
)
