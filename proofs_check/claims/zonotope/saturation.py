"""Claim T2c, zonotope.saturation: saturated coefficients and vertices."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "zonotope.saturation"

_produced = partial(Deferred, "headproof.proofs_check.producers.zonotope.saturation")
_SATURATED = "coefficients s_i = 1 or -1, the limits of tanh at nonzero arguments that grow"

CLAIM = Claim(
    id=ID,
    number="T2c",
    title="Saturation",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="output-vertex",
            role=Role.AS_STATED,
            text="Saturated coefficients select a vertex of the output zonotope.",
            latex=r"C\bar x+\sum_is_iG_i\bar x\in\mathrm{vert}",
            hypotheses=(_SATURATED,),
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="criterion, matrix-vertex",
        ),
        Statement(
            name="criterion",
            role=Role.AS_VERIFIED,
            text="They select a vertex iff some u has s_i <u, g_i> > 0 at every generator that is "
            "not zero; otherwise a combination sum y_i s_i g_i, y >= 0, of generators vanishes.",
            latex=r"\exists u\ \forall g_i\ne0:\ s_i\langle u,g_i\rangle>0",
            hypotheses=(
                _SATURATED,
                "certified for all sign vectors of seven zonotopes; the selected points are the "
                "vertices",
            ),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="matrix-vertex",
            role=Role.AS_VERIFIED,
            text="They select a vertex of the coefficient cube, and of the matrix zonotope if its "
            "generators are independent.",
            latex=r"C+\sum_is_iG_i\in\mathrm{vert}\Bigl(C+\sum_i[-1,1]G_i\Bigr)",
            hypotheses=(
                _SATURATED,
                "certified for all sign vectors of four matrix zonotopes of up to four generators",
            ),
            expected=Expectation(Verdict.CERTIFIED),
        ),
        Statement(
            name="boundary",
            role=Role.CONTROL,
            text="Saturated coefficients select a point on the boundary of the output zonotope.",
            latex=r"C\bar x+\sum_is_iG_i\bar x\notin\mathrm{ri}",
            hypotheses=(_SATURATED,),
            expected=Expectation(Verdict.REFUTED),
            amended_by="criterion",
        ),
    ),
    producers=(
        Producer("centre", "output-vertex", Kind.EXACT, _produced("centre")),
        Producer("signs", "criterion", Kind.EXACT, _produced("signs")),
        Producer("search", "criterion", Kind.SEARCH, _produced("search_criterion")),
        Producer("matrices", "matrix-vertex", Kind.EXACT, _produced("matrices")),
        Producer("independent", "matrix-vertex", Kind.SEARCH, _produced("search_independent")),
        Producer("inside", "boundary", Kind.EXACT, _produced("inside")),
    ),
    rests_on=("zonotope.containment",),
    omitted="balls and mpmath, since saturated coefficients are integers",
)
