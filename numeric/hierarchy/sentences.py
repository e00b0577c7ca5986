"""English sentences with nested relative clauses, from a template (claim F6).

    sentence = np verb "."          np = "the" noun [relative]
    relative = "that" np verb | "that" verb np

A noun waits for the verb that agrees with it. In an object relative ("the dogs that the cat chases
run") the clause has a subject of its own, which goes on the stack; in a subject relative ("the dogs
that chase the cat run") the verb agrees with the waiting noun, which goes on waiting: attention has
to pass over the cat. Nouns that are objects wait for nothing and mislead. Nouns and verbs come in
two numbers: k = 2 classes with many symbols each.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .language import Annotated

NOUNS = (
    "cat",
    "dog",
    "boy",
    "girl",
    "king",
    "farmer",
    "pilot",
    "nurse",
    "teacher",
    "singer",
    "doctor",
    "judge",
)
VERBS = (
    "see",
    "like",
    "chase",
    "help",
    "admire",
    "follow",
    "visit",
    "praise",
)
BEGIN, PAD, STOP, THE, THAT = range(5)
_WORDS = ("<s>", "<pad>", ".", "the", "that")
NUMBERS = 2
"""Singular 0, plural 1."""


@dataclass(frozen=True)
class Sentences:
    """Sentences of at most n symbols, padded to n.

    Args:
        depth: at most so many nouns wait.
        word: n, the longest.
        nesting: how likely a noun phrase has a relative clause.
        objects: how likely a relative clause has a subject of its own.

    Raises:
        ValueError: no depth, a length that no sentence has, or no probability.

    Example:
        >>> language = Sentences(depth=3, word=20)
        >>> batch = language.sample(50, np.random.default_rng(0))
        >>> language.text(batch.tokens[0]).split()[0]
        'the'
    """

    depth: int = 5
    word: int = 40
    nesting: float = 0.75
    objects: float = 0.7

    def __post_init__(self) -> None:
        """Refuse settings that give no sentence."""
        if self.depth < 1 or self.word < 4:
            raise ValueError(f"expected depth >= 1 and at least 4 symbols, found {self}")
        if not (0 <= self.nesting < 1 and 0 <= self.objects <= 1):
            raise ValueError(f"expected probabilities, found {self}")

    @property
    def symbols(self) -> int:
        """How many words there are, with the signs."""
        return len(_WORDS) + NUMBERS * (len(NOUNS) + len(VERBS))

    @property
    def classes(self) -> int:
        """Singular and plural."""
        return NUMBERS

    @property
    def length(self) -> int:
        """Symbols of the longest sentence, and one: n + 1."""
        return self.word + 1

    def closers(self) -> Tensor:
        """``(2, S)``: the verbs of each number."""
        table = torch.zeros(NUMBERS, self.symbols, dtype=torch.bool)
        for number in range(NUMBERS):
            begin = verb(0, number)
            table[number, begin : begin + len(VERBS)] = True
        return table

    def text(self, tokens: np.typing.NDArray[np.int64]) -> str:
        """The sentence in words.

        Args:
            tokens: ``(T,)``; the beginning and padding are left out.
        """
        shown = []
        for token in map(int, tokens):
            if token in (BEGIN, PAD):
                continue
            shown.append(spelling(token))
        return " ".join(shown)

    def sample(self, count: int, random: np.random.Generator) -> Annotated:
        """So many sentences; one that is too long is drawn anew.

        Args:
            count: B, how many.
            random: the generator.

        Returns:
            ``(B, n + 1)`` symbols, padded, with what is true after each.
        """
        shape = (count, self.length)
        tokens = np.full(shape, PAD, dtype=np.int64)
        depth = np.zeros(shape, dtype=np.int64)
        top, kind = np.full(shape, -1, dtype=np.int64), np.full(shape, -1, dtype=np.int64)
        opens = np.zeros(shape, dtype=bool)
        closes_next = np.zeros(shape, dtype=bool)
        for row in range(count):
            draft = _Draft(self, random)
            while len(draft.tokens) > self.length:
                draft = _Draft(self, random)
            end = len(draft.tokens)
            tokens[row, :end] = draft.tokens
            depth[row, :end], top[row, :end] = draft.depth, draft.top
            kind[row, :end], opens[row, :end] = draft.kind, draft.opens
            closes_next[row, : end - 1] = draft.closes[1:]
        return Annotated(tokens, depth, top, kind, opens, closes_next)


class _Draft:
    """One sentence, with what is true after each word."""

    def __init__(self, language: Sentences, random: np.random.Generator) -> None:
        self._language, self._random = language, random
        self._waiting: list[tuple[int, int]] = []
        self.tokens: list[int] = []
        self.depth: list[int] = []
        self.top: list[int] = []
        self.kind: list[int] = []
        self.opens: list[bool] = []
        self.closes: list[bool] = []
        self._say(BEGIN)
        self._phrase(subject=True)
        self._verb(done=True)
        self._say(STOP)

    def _say(
        self, token: int, kind: int = -1, *, opens: bool = False, closes: bool = False
    ) -> None:
        self.tokens.append(token)
        self.depth.append(len(self._waiting))
        self.top.append(self._waiting[-1][0] if self._waiting else -1)
        self.kind.append(kind)
        self.opens.append(opens)
        self.closes.append(closes)

    def _phrase(self, *, subject: bool) -> None:
        if len(self.tokens) > self._language.length:
            return  # too long already: it is drawn anew
        self._say(THE)
        number = int(self._random.integers(NUMBERS))
        if subject:
            self._waiting.append((len(self.tokens), number))
        self._say(noun(int(self._random.integers(len(NOUNS))), number), number, opens=subject)
        if not subject or self._random.random() >= self._language.nesting:
            return
        self._say(THAT)
        deeper = len(self._waiting) < self._language.depth
        if deeper and self._random.random() < self._language.objects:
            self._phrase(subject=True)
            self._verb(done=True)
        else:
            self._verb(done=False)
            self._phrase(subject=False)

    def _verb(self, *, done: bool) -> None:
        if not self._waiting:
            return
        number = self._waiting[-1][1]
        if done:
            self._waiting.pop()
        self._say(verb(int(self._random.integers(len(VERBS))), number), number, closes=True)


def noun(which: int, number: int) -> int:
    """The symbol of a noun.

    Args:
        which: its place in `NOUNS`.
        number: 0 singular, 1 plural.
    """
    return len(_WORDS) + number * len(NOUNS) + which


def verb(which: int, number: int) -> int:
    """The symbol of a verb.

    Args:
        which: its place in `VERBS`.
        number: 0 singular, 1 plural.
    """
    return len(_WORDS) + NUMBERS * len(NOUNS) + number * len(VERBS) + which


def spelling(token: int) -> str:
    """The word."""
    if token < len(_WORDS):
        return _WORDS[token]
    rest = token - len(_WORDS)
    if rest < NUMBERS * len(NOUNS):
        plural, which = divmod(rest, len(NOUNS))
        return NOUNS[which] + ("s" if plural else "")
    plural, which = divmod(rest - NUMBERS * len(NOUNS), len(VERBS))
    return VERBS[which] + ("" if plural else "s")
