"""The source of the claims on hierarchy."""

from ...claim import Paper

PAPER = Paper(
    key="F",
    title="Decodable and used: hierarchical structure in transformers trained on Dyck languages",
    reference="arXiv:2604.22128",
)
"""The title is descriptive: only the abstract is at hand."""
