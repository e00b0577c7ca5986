"""The source of the claims on incremental learning."""

from ...claim import Paper

PAPER = Paper(
    key="G",
    title="Incremental learning of sparse attention on high-order Markov chains",
    reference="arXiv:2602.19143",
)
"""The title is descriptive: only the abstract is at hand."""
