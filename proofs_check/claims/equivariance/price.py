"""Claim T1d, equivariance.price: what it costs to cover every stratum."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import COVERING
from .paper import PAPER

ID = "equivariance.price"

_produced = partial(Deferred, "headproof.proofs_check.producers.equivariance.price")
_trained = partial(Deferred, "headproof.proofs_check.producers.equivariance.trained")

CLAIM = Claim(
    id=ID,
    number="T1d",
    title="The price of covering",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="no-finite-type",
            role=Role.AS_STATED,
            text="No equivariant architecture covers all equivariant attention: a type that covers "
            "a stratum of H heads has at least H heads, so none covers those of every H.",
            latex=r"T\ \text{covers}\ S\Rightarrow|T|\ge|S|",
            hypotheses=(
                "an architecture is a finite G-set T of heads, with W and V free in its orbits",
                "it covers S iff a sub-G-set of T maps onto S: m_h >= 1 heads over head h of S, "
                "u >= 0 unused",
            ),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="abstract",
            role=Role.AS_VERIFIED,
            text="The least number of heads that covers every G-set of H heads, for nine groups "
            "and H = 1..8; for H = 1..4: C_2 1, 3, 4, 6; C_3 1, 2, 5, 6; V_4 1, 5, 6, 10; S_3 1, "
            "3, 6, 8.",
            latex=r"\min\{|T|:T\ \text{covers every}\ S,\ |S|=H\}",
            hypotheses=("C_2, C_3, C_4, V_4, S_3, D_4, Q_8, A_4, S_4", "d_k unrestricted"),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="realised",
            role=Role.AS_VERIFIED,
            text="The same over the strata that a natural action realises.",
            latex=r"\min\{|T|:T\ \text{covers every realised}\ S,\ |S|=H\}",
            hypotheses=(
                "C_2 by diag(1, -1); C_3 and C_4 by turns of the plane; V_4 by diag(+-1, +-1); S_3 "
                "and D_4 as the symmetries of a triangle and a square; Q_8 on the quaternions; "
                "A_4 and S_4 as the rotations of a tetrahedron and a cube; rho_out = rho",
                "H = 1..8, d_k unrestricted",
            ),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="covering-fit",
            role=Role.AS_VERIFIED,
            text=COVERING.text,
            latex=r"T=G/1\sqcup G/G,\ |T|=3:\ \min_TL\approx0",
            hypotheses=("criterion fixed beforehand, for every seed; L-BFGS from several starts",),
            expected=Expectation(Verdict.SUPPORTED),
        ),
        Statement(
            name="as-many",
            role=Role.CONTROL,
            text="Some type of H heads covers every stratum of H heads.",
            latex=r"\min|T|=H",
            expected=Expectation(Verdict.REFUTED),
            amended_by="abstract",
        ),
    ),
    producers=(
        Producer("derivation", "no-finite-type", Kind.SYMBOLIC, _produced("derivation")),
        Producer("table", "abstract", Kind.EXACT, _produced("abstract_table")),
        Producer("enumeration", "abstract", Kind.SEARCH, _produced("enumeration")),
        Producer("realised-table", "realised", Kind.EXACT, _produced("realised_table")),
        Producer("covering-type", "covering-fit", Kind.TRAINED, _trained("covering")),
        Producer("search-as-many", "as-many", Kind.SEARCH, _produced("search_as_many")),
    ),
    rests_on=("equivariance.strata",),
    omitted="balls and mpmath, since the price is an integer program",
)
