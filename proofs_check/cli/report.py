"""``headproof report``: a run as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from .document import emit
from .options import json_option

_EXAMPLES = """\b
Examples:
  headproof report runs/quick-0
  headproof report runs/quick-0 -o report.html
"""


@click.command("report", epilog=_EXAMPLES)
@click.argument("run", metavar="RUN")
@click.option("-o", "--output", metavar="FILE", help="The HTML file.  [default: RUN/report.html]")
@json_option
def command(run: str, output: str | None, as_json: bool) -> None:
    """Write the report of a run: one HTML file that opens from disk, without a network."""
    from ..report.page import render

    target = Path(output) if output else Path(run) / "report.html"
    render(Path(run), target)
    if as_json:
        emit("report", {"run": run, "output": str(target)})
    else:
        click.echo(f"Report: {target}")
