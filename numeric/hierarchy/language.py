"""What the experiments need of a nested language, be it brackets or sentences (claims F3 to F6).

Both have openers that wait (a bracket, a subject) and closers that must agree with the last one
that waits (a closing bracket, a verb). A closer has one of k classes; several symbols may belong to
one class (all singular verbs).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Annotated:
    """Sequences with what is true after each of their symbols.

    Position 0 holds the beginning symbol. ``B`` sequences of ``T`` symbols.

    Args:
        tokens: ``(B, T)``.
        depth: ``(B, T)``: how many openers wait after the symbol.
        top: ``(B, T)``: the position of the last that waits; -1 if none does.
        kind: ``(B, T)``: the class of an opener or closer; -1 for any other symbol.
        opens: ``(B, T)``: whether the symbol is an opener.
        closes_next: ``(B, T)``: whether the next symbol is a closer.
    """

    tokens: Integers
    depth: Integers
    top: Integers
    kind: Integers
    opens: NDArray[np.bool_]
    closes_next: NDArray[np.bool_]

    @property
    def distance(self) -> Integers:
        """``(B, T)``: from the top of the stack to the next position; 0 where none waits."""
        places = np.arange(self.tokens.shape[1])
        return np.where(self.top >= 0, places + 1 - self.top, 0)

    @property
    def wanted(self) -> Integers:
        """``(B, T)``: the class of the top of the stack; -1 where none waits."""
        found = np.take_along_axis(self.kind, np.maximum(self.top, 0), axis=1)
        return np.where(self.top >= 0, found, -1)


class Language(Protocol):
    """A language to train on."""

    @property
    def symbols(self) -> int:
        """How many symbols there are, the beginning symbol included."""

    @property
    def classes(self) -> int:
        """How many classes of closers there are, k."""

    @property
    def length(self) -> int:
        """T, the beginning symbol included."""

    def sample(self, count: int, random: np.random.Generator) -> Annotated:
        """So many sequences.

        Args:
            count: B, how many.
            random: the generator.

        Returns:
            ``(B, T)`` symbols with what is true after each.
        """

    def closers(self) -> Tensor:
        """``(k, S)``, Boolean: which symbols close which class."""
