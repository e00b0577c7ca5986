"""Value queries: what a learner may ask, and the recorder that counts what it asked.

A query is a sequence of tokens; the last one attends to all of them, itself included; the answer
is one number. The kind of number is the oracle's: an exact rational (``flint.fmpq``, ``Fraction``
or ``int``), a ball (``flint.arb``) or a float. Queries and lengths are counted by the `Recorder`
that stands between learner and oracle, never by the learner, so that a count that a learner reports
is a count of what it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Protocol, TypeAlias

from ..symbolic.errors import InputError, LimitReached
from .model import Token
from .workers import Workers

Query: TypeAlias = tuple[Token, ...]
"""A sequence of tokens; the last one attends."""

Answer: TypeAlias = Any
"""A number of the oracle's kind."""


class Oracle(Protocol):
    """A black box that answers value queries."""

    @property
    def dimension(self) -> int:
        """The dimension d of the tokens."""
        ...

    def __call__(self, query: Query) -> Answer:
        """Answer one query."""
        ...


@dataclass
class Recorder:
    """Passes queries on, counts them, and keeps them with their answers.

    Args:
        oracle: the black box.
        limit: the largest number of queries to let through; none if None.
        keep: whether queries and answers are kept.
        workers: processes for batches.

    Raises:
        LimitReached: a query over the limit; it is not passed on.

    Example:
        >>> from headproof.oracle.exact import ExactOracle
        >>> from headproof.oracle.model import Head
        >>> recorder = Recorder(ExactOracle([Head(((1,),), (3,))]), limit=1)
        >>> recorder(((2,), (0,)))
        3
        >>> recorder.queries, recorder.longest
        (1, 2)
        >>> recorder(((0,),))
        Traceback (most recent call last):
            ...
        headproof.symbolic.errors.LimitReached: the budget of 1 value queries is spent
    """

    oracle: Oracle
    limit: int | None = None
    keep: bool = True
    workers: Workers = field(default_factory=lambda: Workers(1))
    queries: int = 0
    longest: int = 0
    asked: list[tuple[Query, Answer]] = field(default_factory=list)

    @property
    def dimension(self) -> int:
        """The dimension of the tokens."""
        return self.oracle.dimension

    def __call__(self, query: Query) -> Answer:
        """Pass a query on and count it."""
        if self.limit is not None and self.queries >= self.limit:
            raise LimitReached(f"the budget of {self.limit:,} value queries is spent")
        self.queries += 1
        self.longest = max(self.longest, len(query))
        answer = self.oracle(query)
        if self.keep:
            self.asked.append((query, answer))
        return answer

    def ask(self, batch: Sequence[Query]) -> list[Answer]:
        """Pass a batch on and count it; over the limit, only what the limit allows.

        Raises:
            LimitReached: as for single queries, after those that were let through.
        """
        room = len(batch) if self.limit is None else self.limit - self.queries
        allowed = batch[: max(room, 0)]
        self.queries += len(allowed)
        self.longest = max(self.longest, *map(len, allowed), 0)
        answers = (
            self.oracle.ask(allowed)
            if isinstance(self.oracle, Recorder)
            else self.workers.answers(self.oracle, allowed)
        )
        if self.keep:
            self.asked += zip(allowed, answers, strict=True)
        if len(allowed) < len(batch):
            raise LimitReached(f"the budget of {self.limit:,} value queries is spent")
        return answers


def copies(u: Token, m: int, x: Token) -> Query:
    """The query of m copies of u and then x.

    Args:
        u: (d,), the token that is repeated.
        m: how often.
        x: (d,), the attending token.

    Example:
        >>> copies((1,), 2, (0,))
        ((1,), (1,), (0,))
    """
    return (u,) * m + (x,)


def runs(query: Query) -> list[tuple[Token, int]]:
    """Equal neighbours with their number; copies are the same object, hence cheap to compare.

    Raises:
        InputError: the query is empty.

    Example:
        >>> runs(((1,), (1,), (0,)))
        [((1,), 2), ((0,), 1)]
    """
    if not query:
        raise InputError("a sequence with at least one token", "an empty one", where="query")
    return [(token, sum(1 for _ in group)) for token, group in groupby(query)]


def shown(query: Sequence[Token]) -> str:
    """A query in a message: runs of equal tokens with their number, cut when long.

    Example:
        >>> shown(((1, 2), (1, 2), (0, 0)))
        '2 x (1, 2), then (0, 0)'
    """
    parts = [
        f"{count} x {_token(t)}" if count > 1 else _token(t) for t, count in runs(tuple(query))
    ]
    return ", then ".join(parts if len(parts) <= 6 else [*parts[:5], f"... {len(query)} tokens"])


def _token(token: Token) -> str:
    entries = [str(entry) for entry in token]
    if len(entries) > 8:
        entries = [*entries[:6], f"... {len(token)} entries"]
    return f"({', '.join(entries)})"
