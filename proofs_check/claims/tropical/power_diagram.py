"""Claim A2, tropical.power-diagram: the best key is the nearest site in power distance."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.power-diagram"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.power_diagram")

CLAIM = Claim(
    id=ID,
    number="A2",
    title="Power diagram",
    paper=PAPER,
    place="abstract: “it evaluates exactly to a Power Voronoi Diagram in the zero-temperature "
    "limit”",
    statements=(
        Statement(
            name="diagram",
            role=Role.AS_STATED,
            text="In the zero-temperature limit self-attention evaluates exactly to a power "
            "diagram: the query x goes to the keys whose power cell contains it.",
            latex=r"\arg\max_j\,\langle\kappa_j,x\rangle+b_j"
            r" = \arg\min_j\,\lvert x-\kappa_j\rvert^2 - w_j",
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="order",
            role=Role.AS_VERIFIED,
            text="For every query the set of keys with the largest score is the set of sites with "
            "the least power distance, ties included, with weights |kappa_j|^2 + 2 b_j.",
            latex=r"\arg\max_j s_j(x) = \arg\min_j \left(\lvert x-\kappa_j\rvert^2 - w_j\right),"
            r"\quad w_j = \lvert\kappa_j\rvert^2 + 2b_j",
            hypotheses=("N, d >= 1", "x, kappa_j in R^d", "b_j in R", "tau = 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="identity",
            role=Role.AS_VERIFIED,
            text="The power distance is the squared norm of the query less twice the score.",
            latex=r"\lvert x-\kappa_j\rvert^2 - w_j = \lvert x\rvert^2 - 2 s_j(x)",
            hypotheses=("d >= 1", "x, kappa_j in R^d", "b_j in R"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="real-heads",
            role=Role.AS_VERIFIED,
            text="On the heads of a real checkpoint reading a real text, every query goes to the "
            "key of the power cell that contains it.",
            latex=r"\arg\max_j s_j(q) = \arg\min_j \left(\lvert q-k_j\rvert^2 - w_j\right)",
            hypotheses=("float32 values taken as dyadic rationals",),
            expected=Expectation(Verdict.CERTIFIED, {"-checkpoint": Verdict.NOT_RUN}),
        ),
        Statement(
            name="unweighted",
            role=Role.CONTROL,
            text="The same with the weights 2 b_j, without the term |kappa_j|^2.",
            latex=r"\arg\max_j s_j(x) = \arg\min_j \left(\lvert x-\kappa_j\rvert^2 - 2b_j\right)",
            expected=Expectation(Verdict.REFUTED),
            amended_by="order",
        ),
    ),
    producers=(
        Producer("diagram-derivation", "diagram", Kind.SYMBOLIC, _produced("order_derivation")),
        Producer("order-derivation", "order", Kind.SYMBOLIC, _produced("order_derivation")),
        Producer("small-heads", "order", Kind.EXACT, _produced("small_heads")),
        Producer("search", "order", Kind.SEARCH, _produced("search_order")),
        Producer("torch", "order", Kind.SEARCH, _produced("float_agreement")),
        Producer(
            "identity-derivation", "identity", Kind.SYMBOLIC, _produced("identity_derivation")
        ),
        Producer("identities", "identity", Kind.EXACT, _produced("identities")),
        Producer("enclosures", "identity", Kind.BALL, _produced("enclosures")),
        Producer(
            "checkpoint",
            "real-heads",
            Kind.EXACT,
            Deferred("headproof.proofs_check.producers.tropical.real_keys", "power_diagrams"),
            needs=frozenset({"checkpoint"}),
        ),
        Producer("unweighted-search", "unweighted", Kind.SEARCH, _produced("search_unweighted")),
        formal("diagram"),
        formal("order"),
        formal("identity"),
    ),
)
