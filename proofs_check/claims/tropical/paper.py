"""The source of the claims on attention at zero temperature."""

from ...claim import Paper

PAPER = Paper(
    key="A",
    title="A tropical geometry framework for the expressivity of self-attention",
    reference="arXiv:2604.14727",
)
