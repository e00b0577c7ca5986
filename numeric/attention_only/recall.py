"""Recall from context against recall from weights (claim D4).

On text: a validation symbol is *grounded in context* if the k symbols before it occurred earlier in
the same window, last with the same continuation, while the training text would suggest another one
or none; it is *recalled from weights* if these k symbols did not occur earlier in the window and
the training text, where they occur often, says what follows. Neither kind contains the other, and
both are properties of the text alone: every model is measured on the same symbols.

On a made task, where nothing else is to be learnt: *facts* (a, b) -> v are drawn once and never
change, so they can only be in the weights; *pairs* key -> value are drawn anew for each sequence,
so they can only be in the context. Every batch has both kinds of sequence, with symbols of their
own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .model import Decoder
from .text import SYMBOLS
from .trainer import Batch

OFTEN = 5
"""How many times the training text must have seen k symbols to suggest what follows."""

SURE = 0.8
"""The share of these times at which the suggestion must follow."""


class Suggestions:
    """What a text suggests to follow any k symbols.

    All (k + 1)-grams are sorted as numbers, which takes O(m log m) for m symbols and 8 bytes each;
    then every question is two binary searches a symbol of the alphabet.

    Args:
        symbols: the text, ``(m,)``.
        k: how many symbols a suggestion looks at; at most 8, so that a gram fits 64 bits.

    Raises:
        ValueError: k is not in 1..8.
    """

    def __init__(self, symbols: Tensor, k: int) -> None:
        if not 1 <= k <= 8:
            raise ValueError(f"k: expected 1 to 8, found {k}")
        self.k = k
        self._grams = np.sort(_codes(symbols.numpy()[None].astype(np.int64), k + 1)[0])

    def after(self, grams: np.ndarray) -> np.ndarray:
        """The symbol that the text suggests after each k-gram, -1 where it suggests none.

        Args:
            grams: k symbols as one number each, of any shape.
        """
        unique, place = np.unique(grams, return_inverse=True)
        edges = unique[:, None] * SYMBOLS + np.arange(SYMBOLS + 1)
        counts = np.diff(np.searchsorted(self._grams, edges.ravel()).reshape(edges.shape))
        total, most = counts.sum(1), counts.max(1)
        sure = (total >= OFTEN) & (most >= SURE * total)
        found: np.ndarray = np.where(sure, counts.argmax(1), -1)[place.reshape(grams.shape)]
        return found


def kinds(suggestions: Suggestions, sequences: Tensor) -> tuple[Tensor, Tensor]:
    """Which predictions in sequences ``(B, n + 1)`` are grounded in context, which in weights.

    Args:
        suggestions: of the training text.
        sequences: symbols, n >= k.

    Returns:
        Two masks ``(B, n)``; entry t is about symbol t + 1.
    """
    k = suggestions.k
    symbols = sequences.numpy()
    grams = _codes(symbols[:, :-1], k)  # (B, n - k + 1)
    suggested = suggestions.after(grams)
    context = np.zeros((len(symbols), symbols.shape[1] - 1), dtype=bool)
    from_weights = context.copy()
    for row, (codes, text) in enumerate(zip(grams.tolist(), symbols.tolist(), strict=True)):
        last: dict[int, int] = {}
        for place, code in enumerate(codes):
            t = place + k - 1
            target, hint = text[t + 1], suggested[row, place]
            if code in last:
                context[row, t] = last[code] == target != hint
            else:
                from_weights[row, t] = hint == target
            last[code] = target
    return torch.from_numpy(context), torch.from_numpy(from_weights)


def _codes(symbols: np.ndarray, length: int) -> np.ndarray:
    """Every run of so many symbols in each row, as one number."""
    found = np.zeros((len(symbols), symbols.shape[1] - length + 1), dtype=np.int64)
    for offset in range(length):
        found = found * SYMBOLS + symbols[:, offset : offset + found.shape[1]]
    return found


@dataclass(frozen=True)
class RecallTask:
    """Facts and pairs.

    Args:
        names: how many values a and b take; there are names^2 facts.
        values: how many values v there are.
        keys: in a sequence of pairs, each with one value.
        length: n, a multiple of 3 and larger than the number of keys.

    Raises:
        ValueError: the sizes do not fit.
    """

    names: int = 32
    values: int = 32
    keys: int = 8
    length: int = 48

    def __post_init__(self) -> None:
        """Refuse sizes that do not fit."""
        if self.length % 3 or min(self.names, self.values, self.keys) < 1:
            raise ValueError("expected positive sizes and a length that 3 divides")
        if self.keys >= self.length or self.length // 3 > self.names**2:
            raise ValueError(f"length {self.length} does not fit the keys or the facts")

    @property
    def symbols(self) -> int:
        """How many symbols there are: a, b, v, pairs and keys."""
        return 2 * self.names + self.values + self.keys * (self.values + 1)

    def facts(self, generator: torch.Generator) -> Tensor:
        """The table of facts, ``(names, names)``."""
        return torch.randint(self.values, (self.names, self.names), generator=generator)

    def fact_batch(self, table: Tensor, count: int, generator: torch.Generator) -> Batch:
        """Sequences a b v a b v ...: v is asked, once the sequence has not shown this fact.

        Args:
            table: of `facts`.
            count: B >= 1.
            generator: of the draw.

        Returns:
            ``(B, length)`` symbols and targets.
        """
        n, K = self.length // 3, self.names
        drawn = torch.stack([_distinct(K * K, n, generator) for _ in range(count)])
        a, b = drawn // K, drawn % K
        v = table[a, b] + 2 * K
        tokens = torch.stack((a, b + K, v), dim=2).flatten(1)
        targets = torch.full_like(tokens, -100)
        targets[:, 1::3] = v
        return tokens, targets

    def pair_batch(self, count: int, generator: torch.Generator) -> Batch:
        """All pairs (key, value) in any order, one symbol each, then keys, whose value is asked.

        Args:
            count: B >= 1.
            generator: of the draw.

        Returns:
            ``(B, length)`` symbols and targets.
        """
        K, first = self.keys, 2 * self.names + self.values
        values = torch.randint(self.values, (count, K), generator=generator)
        order = torch.stack([torch.randperm(K, generator=generator) for _ in range(count)])
        asked = torch.randint(K, (count, self.length - K), generator=generator)
        pairs = order * self.values + values.gather(1, order)
        tokens = torch.cat((pairs, asked + K * self.values), dim=1) + first
        targets = torch.full_like(tokens, -100)
        targets[:, K:] = values.gather(1, asked) + 2 * self.names
        return tokens, targets

    def mixed_batch(self, table: Tensor, count: int, generator: torch.Generator) -> Batch:
        """Half facts, half pairs.

        Args:
            table: of `facts`.
            count: B, of both kinds together.
            generator: of the draw.

        Returns:
            ``(B, length)`` symbols and targets, facts first.

        Raises:
            ValueError: fewer than two sequences, which have no halves.
        """
        if count < 2:
            raise ValueError(f"expected at least 2 sequences, found {count}")
        facts = self.fact_batch(table, count // 2, generator)
        pairs = self.pair_batch(count - count // 2, generator)
        return torch.cat((facts[0], pairs[0])), torch.cat((facts[1], pairs[1]))


@torch.no_grad()
def accuracy(model: Decoder, batch: Batch) -> float:
    """The share of questions whose answer gets the largest logit.

    Args:
        model: the decoder.
        batch: with at least one question.

    Returns:
        In [0, 1]; nan without a question.
    """
    tokens, targets = batch
    asked = targets != -100
    right = model(tokens).argmax(2) == targets
    return float(right[asked].double().mean())


def _distinct(of: int, count: int, generator: torch.Generator) -> Tensor:
    return torch.randperm(of, generator=generator)[:count]
