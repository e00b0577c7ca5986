"""The table of verdicts for the terminal, and the same as plain lines that grep and diff can read.

Every cell of the table is a `Text`, never markup: a name may contain square brackets, which rich
would read as a style. The sign stands beside the word, so that the table says the same without
colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..claim import Role
from ..runner.record import ClaimResult
from ..verdict import Verdict
from .badge import BADGES
from .table import Row, rows

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

_ANY = 100_000
"""A width at which nothing is folded."""

_HEADINGS = ("claim", "statement", "role", "verdict", "expected", "evidence")


def verdict_table(results: Iterable[ClaimResult]) -> Table:
    """The table for a console of rich.

    Args:
        results: in the order in which they are to be shown.

    Example:
        >>> verdict_table([]).row_count
        0
    """
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in _HEADINGS:
        table.add_column(heading, overflow="fold")
    table.add_column("s", justify="right")
    for row in rows(results):
        dim = "dim" if row.statement.role is Role.CONTROL else ""
        table.add_row(*_cells(row), style=dim, end_section=row.last)
    return table


def print_verdicts(results: Iterable[ClaimResult], console: Console) -> None:
    """The table, or where it is wider than the console a list that breaks no word.

    Args:
        results: in the order in which they are to be shown.
        console: of rich.
    """
    from rich.text import Text

    shown = list(results)
    table = verdict_table(shown)
    if console.measure(table, options=console.options.update(width=_ANY)).maximum <= console.width:
        console.print(table)
        return
    found = list(rows(shown))
    width = max((len(row.statement.verdict.value) for row in found), default=0)
    for row in found:
        if row.first:
            console.print(Text(row.claim, style="bold"), soft_wrap=True)
        statement, badge = row.statement, BADGES[row.statement.verdict]
        line = Text("  ", style="dim" if statement.role is Role.CONTROL else "")
        line.append(f"{badge.sign} {badge.verdict.value:<{width}}", style=_style(row))
        line.append(f"  {statement.name} ({statement.role.value})")
        if statement.difference:
            line.append(f", expected {statement.expected.value}")
        console.print(line, soft_wrap=True)


def verdict_lines(results: Iterable[ClaimResult]) -> list[str]:
    """The table as lines without colours, columns two spaces apart.

    Args:
        results: in the order in which they are to be shown.

    Example:
        >>> verdict_lines([])
        []
    """
    found = [
        (
            row.claim,
            row.statement.name,
            f"({row.statement.role.value})",
            row.statement.verdict.value,
            f"(expected {row.statement.expected.value})",
            _listed(row),
            f"{row.seconds:.1f} s",
        )
        for row in rows(results)
    ]
    widths = [max(map(len, column)) for column in zip(*found, strict=True)]
    return ["  ".join(map(str.ljust, cells, widths)).rstrip() for cells in found]


def _cells(row: Row) -> tuple[Text, ...]:
    from rich.text import Text

    statement, badge = row.statement, BADGES[row.statement.verdict]
    return (
        Text(row.claim if row.first else ""),
        Text(statement.name),
        Text(statement.role.value),
        Text(f"{badge.sign} {badge.verdict.value}", style=_style(row)),
        Text(statement.expected.value),
        Text(_listed(row)),
        Text(f"{row.seconds:.1f}"),
    )


def _style(row: Row) -> str:
    return BADGES[Verdict.FAILED if row.statement.difference else row.statement.verdict].style


def _listed(row: Row) -> str:
    return ", ".join(row.kinds) or "none"
