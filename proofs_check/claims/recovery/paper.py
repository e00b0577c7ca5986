"""The source of the claims on recovery from value queries."""

from ...claim import Paper

PAPER = Paper(
    key="E",
    title="Learning multi-head attention from value queries",
    reference="known by its abstract; it builds on arXiv:2601.16873",
)
