"""What an exact recovery is told: the base, and what is known of the number of heads."""

from __future__ import annotations

from dataclasses import dataclass

from .schedule import detecting_formula, formula


@dataclass(frozen=True)
class Task:
    """What is to be recovered.

    Args:
        base: b of the softmax.
        most: H, or the bound H0.
        known: whether `most` is the number of heads itself.
        detect: whether the number is read off the first pair and used from then on.
    """

    base: int
    most: int
    known: bool
    detect: bool

    def count(self, dimension: int, heads: int) -> int:
        """The number of queries that the schedule says."""
        if self.detect:
            return detecting_formula(dimension, self.most, heads)
        return formula(dimension, self.most)
