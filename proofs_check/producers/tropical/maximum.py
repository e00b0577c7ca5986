"""Claim A7, tropical.maximum: what is derived, and the agreement with torch."""

from __future__ import annotations

import torch

from ....numeric.tropical import overlay as floats
from ....symbolic.errors import HeadproofError
from ....symbolic.minkowski.overlay import overlay
from ....symbolic.tropical.maximum import parallel_heads
from ....symbolic.tropical.proofs import label_bound, maximum, opposite_labels
from ...claim import Context
from ...evidence import Outcome
from ...outcomes import compared, derived
from .overlays import (
    attained,
    key_biases,
    missing_labels,
    search_every_label,
    search_one_degree_less,
    search_upper,
    two_keys,
)

__all__ = [
    "attained",
    "float_agreement",
    "formula_derivation",
    "key_biases",
    "label_derivation",
    "missing_labels",
    "opposite_derivation",
    "search_every_label",
    "search_one_degree_less",
    "search_upper",
    "two_keys",
]


def label_derivation(_: Context) -> Outcome:
    """At most N_1 ... N_H cells, for every H."""
    return derived(label_bound.derivation(), "labels")


def formula_derivation(_: Context) -> Outcome:
    """The formula against N^H, for every d, H and N."""
    return derived(maximum.derivation(), "recurrence", "full", "less")


def opposite_derivation(_: Context) -> Outcome:
    """Of two opposite labels one has no cell, for every H and d."""
    return derived(opposite_labels.derivation(), "opposite")


def float_agreement(context: Context) -> Outcome:
    """Torch, which builds no polytope: what hard attention visits are cells, here all of them."""
    seen = cases = wrong = 0
    for d, sizes in ((1, (3, 3, 3)), (2, (3, 3, 3)), (2, (2, 3, 4)), (3, (2, 2, 2, 2))):
        heads = parallel_heads(d, sizes)
        truth = set(overlay(heads).labels)
        tensors = [
            (torch.tensor(head["keys"], dtype=torch.float64), torch.tensor(head["biases"]).double())
            for head in heads
        ]
        visited = floats.visited(tensors, scales=(1e-4, 1e-3, 1e-2), seed=context.seed % 2**31)
        wrong += len(visited - truth)
        seen += len(visited)
        cases += len(truth)
    if seen == 0:
        raise HeadproofError("torch decided no query at all")
    return compared(
        2 * wrong,
        cases,
        "the cells that hard attention in torch visits against the exact ones",
        "none may differ; visits are a lower bound",
        visited=seen,
    )
