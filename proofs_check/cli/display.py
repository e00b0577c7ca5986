"""The display of a run: progress while it goes on, a summary when it has ended.

Progress goes to stderr and verdicts to stdout. On a terminal both are drawn by rich, which heeds
NO_COLOR; elsewhere they are plain lines that grep and diff can read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from ..claim import Claim
from ..evidence import Status
from ..report.terminal import print_verdicts, verdict_lines
from ..runner.record import ClaimResult
from ..runner.run import Run, Watcher

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@contextmanager
def progress(*, as_json: bool) -> Iterator[Watcher]:
    """A watcher that shows how the run goes on."""
    if as_json or not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        yield _Bar(bar)


class _Lines:
    """A line for each claim that ends."""

    def __init__(self) -> None:
        self._total = self._ended = 0

    def begun(self, folder: Path, claims: Sequence[Claim]) -> None:
        self._total = len(claims)
        click.echo(f"{_counted(len(claims), 'claim')}, run folder {folder}", err=True)

    def started(self, claim: str) -> None:
        pass

    def finished(self, result: ClaimResult, reused: str) -> None:
        self._ended += 1
        click.echo(f"[{self._ended}/{self._total}] {_told(result, reused)}", err=True)


class _Bar:
    """A bar, and above it a line for each claim that ended."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._task: TaskID | None = None
        self._at_work: list[str] = []

    def begun(self, folder: Path, claims: Sequence[Claim]) -> None:
        self._task = self._bar.add_task(str(folder), total=len(claims))

    def started(self, claim: str) -> None:
        self._at_work.append(claim)
        self._show(0)

    def finished(self, result: ClaimResult, reused: str) -> None:
        self._at_work = [claim for claim in self._at_work if claim != result.claim]
        from rich.text import Text

        style = "red" if result.differences else ""
        self._bar.console.print(Text(_told(result, reused), style=style))
        self._show(1)

    def _show(self, advance: int) -> None:
        if self._task is not None:
            doing = ", ".join(self._at_work) or "done"
            self._bar.update(self._task, advance=advance, description=doing)


def summary(run: Run) -> None:
    """Write the verdicts, what did not run, what differs, and what to do next, to stdout."""
    if sys.stdout.isatty():
        from rich.console import Console

        print_verdicts(run.results, Console())
    else:
        for line in verdict_lines(run.results):
            click.echo(line)
    for line in _not_run(run):
        click.echo(line)
    for line in _differences(run):
        click.echo(line)
    statements = [statement for result in run.results for statement in result.statements]
    differing = sum(statement.difference for statement in statements)
    click.echo(
        f"\n{_counted(len(run.results), 'claim')}, {_counted(len(statements), 'statement')}, "
        + (f"{differing} not as expected" if differing else "all as expected")
    )
    click.echo(f"Run folder: {run.folder}")
    click.echo(f"Check its certificates: headproof check {quote(str(run.folder))}")


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def _told(result: ClaimResult, reused: str) -> str:
    differing = [statement.name for statement in result.differences]
    outcome = f"differs: {', '.join(differing)}" if differing else "as expected"
    effort = reused or f"{result.seconds:.1f} s"
    if not result.key:
        effort += "; the sources changed meanwhile, it will not be reused"
    return f"{result.claim}: {outcome} ({effort})"


def _not_run(run: Run) -> list[str]:
    """What did not run, under its reason: a component that is missing is missing everywhere."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for result in run.results:
        for piece in result.evidence:
            if piece.status is Status.NOT_RUN:
                named = reasons.setdefault(piece.reason, {}).setdefault(result.claim, [])
                named.append(piece.producer)
    lines = []
    for reason, claims in reasons.items():
        lines.append(f"  {reason}:")
        lines += [f"    {claim}: {', '.join(names)}" for claim, names in claims.items()]
    return ["", "Not run:", *lines] if lines else []


def _differences(run: Run) -> list[str]:
    lines = [
        f"  No selected claim declares {kind.value} evidence, which was required."
        for kind in run.undeclared
    ]
    for result in run.results:
        for statement in result.differences:
            verdict, expected = statement.verdict.value, statement.expected.value
            lines.append(f"  {result.claim}, {statement.name}: {verdict}, expected {expected}")
            lines.append(f"    why: {statement.reason}")
        if result.differences:
            lines += [
                f"    traceback: {run.folder / piece.traceback}"
                for piece in result.evidence
                if piece.traceback
            ]
            lines.append(f"    again: {run.reproduce(result.claim)}")
    return ["", "Differences:", *lines] if lines else []
