"""The table of verdicts, before it is drawn: a row for every statement.

The terminal, plain text and Markdown show the same rows in the same order; what a cell says is
settled here, how it looks there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..claim import Role
from ..evidence import Evidence, Kind, Status
from ..runner.record import ClaimResult, StatementResult


@dataclass(frozen=True)
class Row:
    """One statement.

    Args:
        claim: the claim's id.
        statement: its name, role, verdict and the verdict expected.
        kinds: the kinds of evidence that ran.
        seconds: wall time of its evidence.
        first: whether it is the first row of its claim.
        last: whether it is the last one.
    """

    claim: str
    statement: StatementResult
    kinds: tuple[str, ...]
    seconds: float
    first: bool
    last: bool


def rows(results: Iterable[ClaimResult]) -> Iterator[Row]:
    """The rows, deliberately false statements last within their claim.

    Args:
        results: in the order in which they are to be shown.

    Example:
        >>> list(rows([]))
        []
    """
    for result in results:
        ordered = sorted(result.statements, key=lambda statement: statement.role is Role.CONTROL)
        for place, statement in enumerate(ordered):
            pieces = [piece for piece in result.evidence if piece.statement == statement.name]
            yield Row(
                claim=result.claim,
                statement=statement,
                kinds=kinds_that_ran(pieces),
                seconds=sum(piece.seconds for piece in pieces),
                first=place == 0,
                last=place == len(ordered) - 1,
            )


def kinds_that_ran(pieces: Iterable[Evidence]) -> tuple[str, ...]:
    """The kinds of the pieces that came to an end, from formal to trained."""
    ran = {piece.kind for piece in pieces if piece.status is Status.RAN}
    return tuple(kind.value for kind in Kind if kind in ran)
