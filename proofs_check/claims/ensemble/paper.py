"""The source of the claims on heads as an ensemble."""

from ...claim import Paper

PAPER = Paper(
    key="B",
    title="Multi-head attention as an ensemble of Nadaraya-Watson estimators",
    reference="arXiv:2605.20271",
)
