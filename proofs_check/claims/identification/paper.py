"""The source of the claims on identification."""

from ...claim import Paper

PAPER = Paper(
    key="C",
    title="Multi-head attention as parameter identification",
    reference="known by its abstract",
)
