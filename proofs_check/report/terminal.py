"""The verdicts of a run as a table for the terminal.

Every cell is a `Text`, never markup: a reason may contain square brackets, which rich would read as
a style. The sign stands beside the word, so that the table says the same without colours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.table import Table
from rich.text import Text

from ..claim import Claim, Role
from ..evidence import Status
from ..runner.record import ClaimResult, StatementResult
from .badge import BADGES


def verdict_table(results: Iterable[ClaimResult], claims: Mapping[str, Claim]) -> Table:
    """A row for every statement, controls last within their claim.

    Args:
        results: in the order in which they are to be shown.
        claims: by id, for numbers; a claim that is not there is shown by its id alone.

    Example:
        >>> verdict_table([], {}).row_count
        0
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("", no_wrap=True)
    for heading in ("claim", "statement", "verdict", "expected", "evidence"):
        table.add_column(heading, overflow="fold")
    for result in results:
        ordered = sorted(result.statements, key=lambda s: s.role is Role.CONTROL)
        claim = claims.get(result.claim)
        for place, statement in enumerate(ordered):
            last = statement is ordered[-1]
            number, name = (claim.number if claim else "", result.claim)
            if place:
                number, name = "", ""
            table.add_row(number, Text(name), *_cells(result, statement), end_section=last)
    return table


def _cells(result: ClaimResult, statement: StatementResult) -> tuple[Text, ...]:
    badge = BADGES[statement.verdict]
    ran = dict.fromkeys(
        piece.kind.value
        for piece in result.evidence
        if piece.statement == statement.name and piece.status is not Status.NOT_RUN
    )
    expected = Text("as expected", style="dim")
    if statement.verdict is not statement.expected or statement.difference:
        style = "bold red" if statement.difference else "dim"
        expected = Text(statement.expected.value, style=style)
    return (
        Text(f"{statement.name} ({statement.role.value})"),
        Text(f"{badge.sign} {badge.verdict.value}", style=badge.style),
        expected,
        Text(", ".join(ran) or "none"),
    )
