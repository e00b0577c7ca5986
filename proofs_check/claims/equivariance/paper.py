"""The source of the claims on equivariant attention."""

from ...claim import Paper

PAPER = Paper(
    key="T1",
    title="No Equivariant Architecture Covers All Equivariant Attention",
    reference="known by its title; the formulation is ours",
)
