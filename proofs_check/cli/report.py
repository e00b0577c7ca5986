"""``headproof report``: a run as one HTML file, a Markdown table or a JSON document."""

from __future__ import annotations

from pathlib import Path

import click

from .document import emit, save
from .options import json_option, registry_option

_EXAMPLES = """\b
Examples:
  headproof report runs/quick-0
  headproof report runs/quick-0 -o report.html
  headproof report runs/quick-0 -o verdicts.md
  headproof report runs/quick-0 --format short
  headproof report runs/full-0 --format trained
"""


@click.command(
    "report", short_help="Report a run as one HTML file, or as Markdown.", epilog=_EXAMPLES
)
@click.argument("run", metavar="RUN")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="The file to write.  [default: RUN/report.html; Markdown and JSON go to stdout]",
)
@click.option(
    "--format",
    "written",
    type=click.Choice(("html", "markdown", "short", "trained")),
    help="A page, the table of verdicts, a row for each claim, or what was trained and measured.  "
    "[default: markdown if FILE ends in .md, else html]",
)
@registry_option
@json_option
def command(
    run: str, output: str | None, written: str | None, registry: str | None, as_json: bool
) -> None:
    """Report a run: one HTML file that opens from disk, without a network.

    Or the table of claims and verdicts as Markdown. With --json the same goes to stdout as a
    document for other programs, and a file is written only if -o names it.
    """
    from ..api import find_registry

    folder, known = Path(run), find_registry(registry)
    markdown = written in ("markdown", "short", "trained") or (
        written is None and (output or "").endswith(".md")
    )
    target = Path(output) if output else None
    if target is None and not markdown and not as_json:
        target = folder / "report.html"
    if markdown:
        from ..report.markdown import short_verdicts, trained_verdicts, verdicts

        tables = {"short": short_verdicts, "trained": trained_verdicts}
        text = tables.get(written or "", verdicts)(folder, registry=known)
        if output:
            Path(output).parent.mkdir(parents=True, exist_ok=True)
            save(text, output)
        elif not as_json:
            click.echo(text, nl=False)
    elif target:
        from ..report.page import render

        render(folder, target, registry=known)
    if as_json:
        from ..report.json import summary

        emit("report", summary(folder, registry=known))
    elif target:
        click.echo(f"Report: {target}")
