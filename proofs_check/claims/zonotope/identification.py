"""Claim T2e, zonotope.identification: what the layer cannot see of its parameters."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .layer import LAYER
from .paper import PAPER

ID = "zonotope.identification"

_produced = partial(Deferred, "headproof.proofs_check.producers.zonotope.identification")
_FACTORS = "W_h = Q_h K_h^T with k columns, V_h = O_h (C_h + sum_i beta_hi G_hi) with m rows inside"

CLAIM = Claim(
    id=ID,
    number="T2e",
    title="Identification of the layer",
    paper=PAPER,
    place="title",
    statements=(
        Statement(
            name="fibre",
            role=Role.AS_STATED,
            text="The function leaves H (k^2 + m^2) parameters undetermined: an invertible matrix "
            "between queries and keys and one between values and output of each head; no "
            "direction of the generators, slopes and offsets besides.",
            latex=r"\dim\mathrm{fibre}=H(k^2+m^2)",
            hypotheses=(
                *LAYER,
                _FACTORS,
                "parameters Q, K, O, C, G, a, b; at almost every point; k <= d, m <= min(p, d)",
                "certified for seven sizes (profile full: nine); to base 2, which is the same by a "
                "change of scale",
            ),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="symmetries",
            role=Role.AS_VERIFIED,
            text="(O N, M C, M G_i) with N M = 1 is the same function as (O, C, G_i), and so is "
            "(-G_i, -a_i, -b_i) for any generator, and any order of the generators.",
            latex=r"ON\,M(C+\textstyle\sum\beta_iG_i)=O(C+\sum\beta_iG_i),\quad"
            r"\tanh(-t)(-G_i)=\tanh(t)G_i",
            hypotheses=(
                *LAYER,
                _FACTORS,
                "between queries and keys: identification.query-key",
                "that a sum has no order is not derived",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="generators-seen",
            role=Role.CONTROL,
            text="The function determines the generators.",
            latex=r"f=f'\Rightarrow G=G'",
            expected=Expectation(Verdict.REFUTED),
            amended_by="symmetries",
        ),
    ),
    producers=(
        Producer("ranks", "fibre", Kind.EXACT, _produced("ranks")),
        Producer("derivation", "symmetries", Kind.SYMBOLIC, _produced("derivation")),
        Producer("search", "symmetries", Kind.SEARCH, _produced("search_symmetries")),
        Producer("signs", "generators-seen", Kind.EXACT, _produced("signs")),
    ),
    rests_on=("identification.query-key",),
    omitted="balls and mpmath, since ranks are exact",
)
