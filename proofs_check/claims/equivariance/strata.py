"""Claim T1b, equivariance.strata: equivariant attention falls apart into strata."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import MANY, OTHER, OWN
from .paper import PAPER

ID = "equivariance.strata"

_produced = partial(Deferred, "headproof.proofs_check.producers.equivariance.strata")
_trained = partial(Deferred, "headproof.proofs_check.producers.equivariance.trained")

_FITTED = (
    "criterion fixed beforehand, for every seed; L-BFGS from several starts",
    "the floors: statement floor, and for one free orbit (c m)^2 + (c k - t)^2 >= "
    "t^2 m^2/(m^2 + M^2), |k| <= M",
)

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
            name="floor",
            role=Role.AS_VERIFIED,
            text="The wrong type does not approximate either. Two queries whose tokens have the "
            "same fixed part, with last tokens that g fixes, get the same weights in every head "
            "that an involution g fixes; so if a function gives s_i and t_i at pairs of such "
            "queries, in an output that is fixed too, the squared errors of every layer of fixed "
            "heads are at least half of those differences.",
            latex=r"\sum_i(u_i-s_i)^2+(u_i-t_i)^2\ge\tfrac12\sum_i(s_i-t_i)^2",
            hypotheses=(
                "rho(g) = diag(e), as every involution is in some coordinates",
                "rho(g)^T W_h rho(g) = W_h for every head h, any number of heads",
                "x_j + rho(g) x_j = y_j + rho(g) y_j, rho(g) x_n = x_n = y_n",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="fit",
            role=Role.AS_VERIFIED,
            text=OWN.text,
            latex=r"\min_{T\cong S}L\approx0",
            hypotheses=_FITTED,
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="wrong-type",
            role=Role.AS_VERIFIED,
            text=OTHER.text,
            latex=r"\min_{T\not\cong S}L\ge L_0>0",
            hypotheses=_FITTED,
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="many-fixed",
            role=Role.CONTROL,
            text=MANY.text,
            latex=r"\min_{\text{8 fixed}}L<\tfrac12L_0",
            hypotheses=_FITTED,
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="wrong-type",
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
        Producer("same-weights", "floor", Kind.SYMBOLIC, _produced("floor")),
        Producer("own-type", "fit", Kind.TRAINED, _trained("own")),
        Producer("other-type", "wrong-type", Kind.TRAINED, _trained("other")),
        Producer("many-fixed", "many-fixed", Kind.TRAINED, _trained("many")),
        Producer("search-all", "all", Kind.SEARCH, _produced("search_all")),
    ),
    rests_on=("equivariance.permutation",),
    omitted="balls and mpmath, since the strata are a matter of finite sets and exact ranks",
)
