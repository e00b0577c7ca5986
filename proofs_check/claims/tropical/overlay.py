"""Claim A6, tropical.overlay: overlaid heads are counted by a Minkowski sum of Newton polytopes."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.overlay"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.overlay")

CLAIM = Claim(
    id=ID,
    number="A6",
    title="Overlay and Minkowski sum",
    paper=PAPER,
    place="abstract: “multi-head aggregation, via the Minkowski sum of Newton polytopes”",
    statements=(
        Statement(
            name="minkowski",
            role=Role.AS_STATED,
            text="Aggregating heads takes the Minkowski sum of their Newton polytopes: in every "
            "direction the face of the sum is the sum of the faces.",
            latex=r"F_u\Bigl(\sum_h P_h\Bigr)=\sum_h F_u(P_h)",
            hypotheses=("H, N, d >= 1", "P_h = conv of the lifted keys of head h"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="labels",
            role=Role.AS_VERIFIED,
            text="In the direction (x, 1) a point of the sum is on the face iff in every head only "
            "keys of the best score at x carry weight; a key that is behind carries none; and "
            "changing the key of one head lowers the sum iff that key is behind.",
            latex=r"\sum_h y_h\in F_{(x,1)}\iff\forall h,j:\ \lambda_{hj}\,"
            r"\bigl(\max_i s_{hi}(x)-s_{hj}(x)\bigr)=0",
            hypotheses=(
                "H, N, d >= 1 (heads with fewer keys repeat one)",
                "y_h = sum_j lambda_hj (kappa_hj, b_hj), lambda_hj >= 0, sum_j lambda_hj = 1",
            ),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="cells",
            role=Role.AS_VERIFIED,
            text="The full-dimensional cells of the common refinement of H heads are the upper "
            "vertices of the Minkowski sum of their lifted Newton polytopes, keys with equal "
            "scores counted once.",
            latex=r"\{\text{cells}\}\leftrightarrow\{\text{upper vertices of }"
            r"\textstyle\sum_h\operatorname{conv}\{(\kappa_{hj},b_{hj})\}_j\}",
            hypotheses=(
                "H, N, d >= 1, distinct lifted keys in each head",
                "without Rocq: the stated finite families of rational heads",
            ),
            expected=Expectation(Verdict.PROVED, {"-coqc": Verdict.CERTIFIED}),
        ),
        Statement(
            name="every-combination",
            role=Role.CONTROL,
            text="Every combination of keys that win alone somewhere in their heads is a cell.",
            latex=r"\#\text{cells}=\prod_h\#\{j:\ \operatorname{int}C_{hj}\ne\emptyset\}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="cells",
        ),
        Statement(
            name="all-vertices",
            role=Role.CONTROL,
            text="Every vertex of the Minkowski sum of the lifted Newton polytopes is a cell, the "
            "lower ones included.",
            latex=r"\{\text{cells}\}\leftrightarrow\{\text{vertices of }"
            r"\textstyle\sum_h\operatorname{conv}\{(\kappa_{hj},b_{hj})\}_j\}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="cells",
        ),
    ),
    producers=(
        Producer("faces-derivation", "minkowski", Kind.SYMBOLIC, _produced("faces_derivation")),
        Producer("labels-derivation", "labels", Kind.SYMBOLIC, _produced("labels_derivation")),
        formal("cells"),
        Producer("two-keys", "cells", Kind.EXACT, _produced("two_keys")),
        Producer("special-positions", "cells", Kind.EXACT, _produced("special_positions")),
        Producer("random-heads", "cells", Kind.EXACT, _produced("random_heads")),
        Producer("search", "cells", Kind.SEARCH, _produced("search_labels")),
        Producer("torch", "cells", Kind.SEARCH, _produced("float_agreement")),
        Producer(
            "every-combination-search",
            "every-combination",
            Kind.SEARCH,
            _produced("search_every_combination"),
        ),
        Producer(
            "all-vertices-search", "all-vertices", Kind.SEARCH, _produced("search_lower_vertices")
        ),
        formal("minkowski"),
    ),
    rests_on=("tropical.power-diagram", "tropical.cells"),
    omitted="a high-precision cross-check, since every quantity is rational",
)
