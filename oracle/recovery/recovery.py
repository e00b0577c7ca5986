"""What a recovery returns, and the attempts that lead to it.

An attempt draws its vectors, asks, and ends in a model or in one of two ways. `Degenerate`: the
drawing fell on a set of measure zero (colliding poles): draw again. `Doubtful`: no model of the
class answers so, unless the number of heads read off the first pair was wrong: draw again, and
believe it when `DOUBTS` drawings agree. Both cost queries, and all of them are reported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from ...symbolic.display import facts, listing
from ...symbolic.errors import Degenerate, NotInClass
from ..model import Head
from ..protocol import Answer, Query, Recorder

ATTEMPTS = 8
"""Drawings before `recover` gives up."""

DOUBTS = 4
"""Doubtful drawings that are believed: a number of heads read off too small is a rare accident."""

T = TypeVar("T")


class Doubtful(Exception):
    """An attempt ruled the class out, given the number of heads that it read off.

    Args:
        reason: what would be raised if the number is right.
    """

    def __init__(self, reason: NotInClass) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass(frozen=True)
class Attempt:
    """One drawing.

    Args:
        queries: how many queries it asked, fresh ones included.
        outcome: why it was given up; empty for the one that succeeded.
    """

    queries: int
    outcome: str


@dataclass(frozen=True)
class Recovery:
    """The heads of a black box, with the account of what was asked.

    Args:
        heads: the canonical form: distinct W, nonzero v, sorted.
        queries: value queries of the schedule in the successful attempt.
        longest: the longest of them.
        formula: how many the schedule says: 4 H d^2 - 2H + 1, or that of the variant.
        attempts: every drawing, the last one successful.
        fresh_queries: further queries, of three or more distinct tokens, that tested the model.
        fresh_longest: the longest of them.
        verified: the model gives every answer of the schedule and every fresh one; if exact, those
            of drawings that were given up as well.
        arithmetic: "exact", "ball" or "float".
        base: b, or "e".
        most: H if it was known, else the bound H0.
        detected: whether H was read off the first pair and used from then on.
        radius: how far any entry of a head may be off: 0 if exact, certified for balls, an
            estimate for floats.
        bits: the working precision of balls; 0 otherwise.
        dimension: d.
        asked: the schedule's queries of the successful attempt with their answers.
        fresh: the fresh queries with their answers.
    """

    heads: tuple[Head, ...]
    queries: int
    longest: int
    formula: int
    attempts: tuple[Attempt, ...]
    fresh_queries: int
    fresh_longest: int
    verified: bool
    arithmetic: str
    base: int | str
    dimension: int
    most: int
    detected: bool = False
    radius: Fraction = Fraction(0)
    bits: int = 0
    asked: tuple[tuple[Query, Answer], ...] = field(repr=False, default=())
    fresh: tuple[tuple[Query, Answer], ...] = field(repr=False, default=())

    @property
    def queries_all_attempts(self) -> int:
        """All value queries that were asked, fresh ones and those of given-up attempts included."""
        return sum(attempt.queries for attempt in self.attempts)

    def _repr_html_(self) -> str:
        """The heads and what they cost, as a notebook shows them."""
        told = facts(
            f"Recovered from {self.arithmetic} answers",
            [
                ("heads", len(self.heads)),
                ("verified", self.verified),
                ("queries", self.queries),
                ("the longest", self.longest),
                ("by the formula", self.formula),
                ("attempts", len(self.attempts)),
            ],
        )
        rows = ((h, head.W, head.v) for h, head in enumerate(self.heads, start=1))
        return told + listing(("head", "W", "v"), rows, count=len(self.heads))

    def transcript(self) -> dict[str, Any]:
        """Every query and answer as the data of a certificate of kind recovery.

        Raises:
            InputError: the answers are not exact rationals.
        """
        from .transcript import transcript

        return transcript(self)


def redraw(
    attempt: Callable[[int, Recorder], T], recorder: Callable[[], Recorder]
) -> tuple[T, tuple[Attempt, ...]]:
    """Run attempts until one succeeds.

    Args:
        attempt: called with its number, from 0, and a recorder of its own.
        recorder: makes one.

    Returns:
        What the attempt returned, and the account of all.

    Raises:
        NotInClass: ruled out for certain, or by `DOUBTS` drawings under doubt.
        Degenerate: every drawing was degenerate.
    """
    log: list[Attempt] = []
    doubts = 0
    for number in range(ATTEMPTS):
        mine = recorder()
        try:
            result = attempt(number, mine)
        except Degenerate as reason:
            log.append(Attempt(mine.queries, str(reason)))
        except Doubtful as doubt:
            doubts += 1
            if doubts == DOUBTS:
                raise doubt.reason from None
            log.append(Attempt(mine.queries, str(doubt)))
        else:
            return result, (*log, Attempt(mine.queries, ""))
    spent = sum(each.queries for each in log)
    raise Degenerate(
        f"{ATTEMPTS} drawings and {spent:,} value queries gave no answer, the last one because "
        f"{log[-1].outcome}; give another seed, or bound= if the number of heads is not certain"
    )
