"""The source of the claims on attention-only decoders."""

from ...claim import Paper

PAPER = Paper(
    key="D",
    title="Attention-only decoder transformers: a necessity test for feed-forward layers",
    reference="abstract only, without a number",
)
"""The title is descriptive: only the abstract is at hand."""
