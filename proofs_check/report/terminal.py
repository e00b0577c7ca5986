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
    from rich.table import Table
    from rich.text import Text

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
    style = BADGES[Verdict.FAILED].style if statement.difference else badge.style
    return (
        Text(row.claim if row.first else ""),
        Text(statement.name),
        Text(statement.role.value),
        Text(f"{badge.sign} {badge.verdict.value}", style=style),
        Text(statement.expected.value),
        Text(_listed(row)),
        Text(f"{row.seconds:.1f}"),
    )


def _listed(row: Row) -> str:
    return ", ".join(row.kinds) or "none"
