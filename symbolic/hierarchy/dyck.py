"""Dyck words of bounded depth: counting, ranking and uniform drawing, exact (claim F1).

A symbol t < k opens a bracket of type t and k + t closes it. With c(r, d) the number of ways to end
in r symbols when d brackets are open,

    c(0, d) = [d = 0],   c(r, d) = k [d < m] c(r - 1, d + 1) + [d > 0] c(r - 1, d - 1)

since the stack leaves one closing type. A uniform number below c(n, 0) names a uniform word, so one
call of ``randrange`` draws without rejection and without rounding. The table takes O(n m) additions
of integers of O(n log k) bits; depths that n symbols cannot reach are left out, and a table that
would not fit into memory is refused before it is begun.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log2
from random import Random
from typing import TypeAlias

from ..errors import InputError

Word: TypeAlias = tuple[int, ...]

_LARGEST = 2**32
"""Bits of a table of counts: half a gibibyte, less than a minute."""


@dataclass(frozen=True)
class Dyck:
    """Dyck-(k, m): balanced words over k types of bracket, of depth at most m.

    Args:
        types: k >= 1.
        depth: m >= 1.

    Raises:
        InputError: k or m is no positive integer.

    Example:
        >>> Dyck(2, 3).count(6)  # 2^3 times the Catalan number 5
        40
        >>> Dyck(2, 2).count(6)  # ((())) is too deep
        32
    """

    types: int
    depth: int

    def __post_init__(self) -> None:
        """Refuse what is no language."""
        for name, value in (("types", self.types), ("depth", self.depth)):
            if type(value) is not int or value < 1:
                raise InputError("a positive integer", repr(value), where=name)

    @property
    def symbols(self) -> range:
        """0, ..., 2 k - 1: opening symbols first."""
        return range(2 * self.types)

    def completions(self, remaining: int, depth: int = 0) -> int:
        """c(r, d): in how many ways d open brackets end in exactly r more symbols.

        Raises:
            InputError: r < 0, d outside 0..m, or r so large that the counts up to r do not fit
                into memory.

        Example:
            >>> Dyck(1, 2).completions(3, 1)
            2
        """
        _natural(remaining, "remaining")
        if type(depth) is not int or not 0 <= depth <= self.depth:
            raise InputError(f"a depth from 0 to {self.depth}", repr(depth), where="depth")
        return _at(self._ways(remaining)[remaining], depth)

    def _ways(self, remaining: int) -> list[list[int]]:
        """c(r, d) by r and d, at least for all r up to the given one; larger d have no way."""
        rows = 1 << remaining.bit_length()  # one table serves all r up to a power of two
        deepest = min(self.depth, rows)  # deeper brackets cannot be closed in time
        # c(r, d) <= (2 sqrt k)^r sqrt(k)^d, and every other entry is 0.
        if rows * rows * (deepest + 1) * log2(4 * self.types) > 8 * _LARGEST:
            raise InputError(
                "a length and a depth whose table of counts fits into half a gibibyte",
                f"{remaining} symbols of depth {self.depth}",
                where="length",
            )
        return _table(self.types, deepest, rows)

    def count(self, length: int) -> int:
        """How many words have that length."""
        return self.completions(length)

    def word(self, length: int, index: int) -> Word:
        """The word of a given rank, in lexicographic order of the symbols.

        Args:
            length: n.
            index: from 0 to count(n) - 1.

        Raises:
            InputError: there is no word of that rank, or none of that length.

        Example:
            >>> [Dyck(1, 2).word(4, i) for i in range(2)]
            [(0, 0, 1, 1), (0, 1, 0, 1)]
        """
        total = self.count(length)
        if total == 0:
            raise InputError("an even length", str(length), where="length")
        if type(index) is not int or not 0 <= index < total:
            raise InputError(
                f"a rank below the count of length {length}", _shown(index), where="index"
            )
        ways = self._ways(length)
        found: list[int] = []
        stack: list[int] = []
        for remaining in range(length - 1, -1, -1):
            deeper = len(stack) < self.depth
            each = _at(ways[remaining], len(stack) + 1) if deeper else 0
            opening, index_left = divmod(index, each) if each else (self.types, index)
            if opening < self.types:
                found.append(opening)
                stack.append(opening)
                index = index_left
            else:
                index -= self.types * each
                found.append(self.types + stack.pop())
        return tuple(found)

    def rank(self, word: Sequence[int]) -> int:
        """The inverse of `word`.

        Raises:
            InputError: it is no word of the language.

        Example:
            >>> D = Dyck(3, 4)
            >>> D.rank(D.word(10, 1234))
            1234
        """
        from .parse import parse

        parse(self, word).balanced()
        index, depth = 0, 0
        ways = self._ways(len(word))
        for place, symbol in enumerate(word):
            remaining = len(word) - 1 - place
            each = _at(ways[remaining], depth + 1) if depth < self.depth else 0
            if symbol < self.types:
                index += symbol * each
                depth += 1
            else:
                index += self.types * each
                depth -= 1
        return index

    def sample(self, length: int, random: Random) -> Word:
        """A word of that length, all with the same probability.

        Raises:
            InputError: there is no word of that length.

        Example:
            >>> len(Dyck(20, 10).sample(1000, Random(0)))
            1000
        """
        total = self.count(length)
        if total == 0:
            raise InputError("an even length", str(length), where="length")
        return self.word(length, random.randrange(total))

    def words(self, length: int) -> Iterator[Word]:
        """All words of that length, in order of rank."""
        return (word for word in self.prefixes(length, complete=True) if len(word) == length)

    def prefixes(self, length: int, *, complete: bool = False) -> Iterator[Word]:
        """All beginnings of words, of at most so many symbols, each before its continuations.

        Args:
            length: of the longest.
            complete: only beginnings of words of exactly that length.

        Example:
            >>> list(Dyck(1, 1).prefixes(2))
            [(), (0,), (0, 1)]
        """
        _natural(length, "length")
        pending: list[tuple[Word, Word]] = [((), ())]
        while pending:
            word, stack = pending.pop()
            left = length - len(word)
            if complete and not self.completions(left, len(stack)):
                continue
            yield word
            if not left:
                continue
            if stack:
                pending.append(((*word, self.types + stack[-1]), stack[:-1]))
            if len(stack) < self.depth:
                for t in reversed(range(self.types)):
                    pending.append(((*word, t), (*stack, t)))


def _at(row: list[int], depth: int) -> int:
    return row[depth] if depth < len(row) else 0


def _shown(index: object) -> str:
    """A rank as a message can have it: the largest have thousands of digits."""
    if type(index) is int and index.bit_length() > 100:
        return f"an integer of {index.bit_length()} bits"
    return repr(index)


@lru_cache(maxsize=8)
def _table(types: int, depth: int, length: int) -> list[list[int]]:
    rows = [[1] + [0] * depth]
    for _ in range(length):
        last = rows[-1]
        rows.append(
            [
                (types * last[d + 1] if d < depth else 0) + (last[d - 1] if d else 0)
                for d in range(depth + 1)
            ]
        )
    return rows


def _natural(value: int, where: str) -> None:
    if type(value) is not int or value < 0:
        raise InputError("an integer >= 0", repr(value), where=where)
