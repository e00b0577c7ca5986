"""The source of the claims on what trained heads look for."""

from ...claim import Paper

TITLE = Paper(
    key="T3",
    title="Transformer Heads Looking for Order",
    reference="known by its title; the formulation is ours",
)
