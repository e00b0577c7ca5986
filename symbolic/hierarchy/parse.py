"""The parser of Dyck-(k, m) and its features: depth, top of the stack, distance (claims F1, F4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import InputError

if TYPE_CHECKING:
    from .dyck import Dyck


@dataclass(frozen=True)
class Parse:
    """What a beginning of a word says after each of its symbols.

    Args:
        depth: how many brackets are open.
        top: the position of the last open bracket; None at depth 0.
        match: for a closing symbol the position of the bracket that it closes; else None.
    """

    depth: tuple[int, ...]
    top: tuple[int | None, ...]
    match: tuple[int | None, ...]

    @property
    def distance(self) -> tuple[int | None, ...]:
        """How far the next position lies behind the top of the stack; None at depth 0."""
        return tuple(None if top is None else i + 1 - top for i, top in enumerate(self.top))

    def balanced(self) -> Parse:
        """The same.

        Raises:
            InputError: a bracket is left open.
        """
        if self.depth and self.depth[-1]:
            raise InputError("a balanced word", f"{self.depth[-1]} brackets left open")
        return self


def parse(language: Dyck, word: Sequence[int]) -> Parse:
    """Parse a beginning of a word.

    Raises:
        InputError: it is none; the message names the first symbol that cannot stand where it is.

    Example:
        >>> from headproof.symbolic.hierarchy.dyck import Dyck
        >>> found = parse(Dyck(2, 3), [0, 1, 3])  # ( [ ]
        >>> found.depth, found.top, found.match, found.distance
        ((1, 2, 1), (0, 1, 0), (None, None, 1), (1, 1, 3))
    """
    k = language.types
    stack: list[int] = []
    depth, top, match = [], [], []
    for i, symbol in enumerate(word):
        if type(symbol) is not int or symbol not in language.symbols:
            raise InputError(f"a symbol from 0 to {2 * k - 1}", repr(symbol), where=f"word[{i}]")
        closed = None
        if symbol < k:
            if len(stack) == language.depth:
                raise InputError(f"depth at most {language.depth}", "one more", where=f"word[{i}]")
            stack.append(i)
        elif not stack:
            raise InputError("an open bracket to close", "none", where=f"word[{i}]")
        else:
            closed = stack.pop()
            if word[closed] != symbol - k:
                raise InputError(
                    f"a bracket of type {word[closed]}, opened at {closed}",
                    f"type {symbol - k}",
                    where=f"word[{i}]",
                )
        depth.append(len(stack))
        top.append(stack[-1] if stack else None)
        match.append(closed)
    return Parse(tuple(depth), tuple(top), tuple(match))
