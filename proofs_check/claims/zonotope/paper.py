"""The source of the claims on matrix zonotopic attention."""

from ...claim import Paper

PAPER = Paper(
    key="T2",
    title="Matrix Zonotopic Attention",
    reference="known by its title; the formulation is ours",
)
