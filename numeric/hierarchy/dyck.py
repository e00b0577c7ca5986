"""Uniform Dyck words in batches, drawn symbol by symbol (claim F3).

A symbol opens with the probability k c(r-1, d+1)/c(r, d), a quotient of two integers, rounded once;
the type of an opening symbol is uniform. All words of a batch go on together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .language import Annotated


@lru_cache(maxsize=16)
def opening_probabilities(types: int, depth: int, length: int) -> NDArray[np.float64]:
    """``(n + 1, m + 1)``: how likely the next symbol opens, by symbols left and open brackets.

    Args:
        types: k.
        depth: m.
        length: n.

    Example:
        >>> float(opening_probabilities(2, 2, 6)[2, 0])
        1.0
    """
    ways = [[1] + [0] * depth]
    found = np.zeros((length + 1, depth + 1))
    for left in range(1, length + 1):
        row = []
        for d in range(depth + 1):
            opening = types * ways[-1][d + 1] if d < depth else 0
            total = opening + (ways[-1][d - 1] if d else 0)
            row.append(total)
            found[left, d] = opening / total if total else 0.0
        ways.append(row)
    found.setflags(write=False)
    return found


@dataclass(frozen=True)
class DyckWords:
    """Words of Dyck-(k, m) of one length, all equally likely.

    Symbols 0..k-1 open, k..2k-1 close, 2k begins.

    Args:
        types: k.
        depth: m.
        word: n, even.

    Raises:
        ValueError: k, m < 1, or n is odd or < 2.

    Example:
        >>> batch = DyckWords(2, 3, 8).sample(5, np.random.default_rng(0))
        >>> batch.tokens.shape, batch.depth[:, -1].tolist()
        ((5, 9), [0, 0, 0, 0, 0])
    """

    types: int = 4
    depth: int = 8
    word: int = 64

    def __post_init__(self) -> None:
        """Refuse what is no language."""
        whole = all(type(x) is int for x in (self.types, self.depth, self.word))
        if not whole or min(self.types, self.depth, self.word) < 1 or self.word % 2:
            raise ValueError(f"expected integers k, m >= 1 and an even length >= 2, found {self}")

    @property
    def symbols(self) -> int:
        """2k + 1."""
        return 2 * self.types + 1

    @property
    def classes(self) -> int:
        """The types, k."""
        return self.types

    @property
    def length(self) -> int:
        """Symbols of a word, and one: n + 1."""
        return self.word + 1

    def closers(self) -> Tensor:
        """``(k, 2k + 1)``: each class has one."""
        table = torch.zeros(self.types, self.symbols, dtype=torch.bool)
        table[torch.arange(self.types), self.types + torch.arange(self.types)] = True
        return table

    def sample(self, count: int, random: np.random.Generator) -> Annotated:
        """So many words.

        Args:
            count: B, how many.
            random: the generator.

        Returns:
            ``(B, n + 1)`` symbols with what is true after each.
        """
        k, n = self.types, self.word
        deepest = min(self.depth, n // 2)  # deeper brackets cannot be closed in time
        chance = opening_probabilities(k, deepest, n)
        tokens = np.full((count, n + 1), 2 * k, dtype=np.int64)
        rows = np.arange(count)
        stack = np.zeros((count, deepest + 1), dtype=np.int64)
        level = np.zeros(count, dtype=np.int64)
        for i in range(1, n + 1):
            opens = random.random(count) < chance[n + 1 - i, level]
            drawn = random.integers(k, size=count)
            kind = np.where(opens, drawn, stack[rows, level])
            level = level + np.where(opens, 1, -1)
            stack[rows[opens], level[opens]] = kind[opens]
            tokens[:, i] = np.where(opens, kind, kind + k)
        return annotate(tokens, k)


def annotate(tokens: NDArray[np.int64], types: int) -> Annotated:
    """Depth, top of the stack and class after each symbol of beginnings of words.

    Args:
        tokens: ``(B, T)``, the first of each row the beginning symbol.
        types: k.

    Returns:
        The same ``(B, T)`` symbols with what is true after each.

    Raises:
        ValueError: a row does not begin with the beginning symbol, or is no beginning of a Dyck
            word after it.
    """
    count, size = tokens.shape
    if (tokens[:, :1] != 2 * types).any() or (tokens < 0).any():
        raise ValueError(f"expected rows of symbols >= 0 that begin with {2 * types}")
    rows = np.arange(count)
    stack = np.full((count, size + 1), -1, dtype=np.int64)
    level = np.zeros(count, dtype=np.int64)
    depth, top = np.zeros((2, count, size), dtype=np.int64)
    top[:, 0] = -1
    for i in range(1, size):
        opens, closes = tokens[:, i] < types, tokens[:, i] >= types
        held = tokens[rows, stack[rows, level]]
        if (closes & ((level == 0) | (held + types != tokens[:, i]))).any():
            raise ValueError(f"expected beginnings of Dyck words, found another at position {i}")
        level = level + np.where(opens, 1, -1)
        stack[rows[opens], level[opens]] = i
        depth[:, i], top[:, i] = level, stack[rows, level]
    opens = tokens < types
    kind = np.where(tokens == 2 * types, -1, tokens % types)
    closes_next = np.zeros_like(opens)
    closes_next[:, :-1] = tokens[:, 1:] >= types
    return Annotated(tokens, depth, top, kind, opens, closes_next)
