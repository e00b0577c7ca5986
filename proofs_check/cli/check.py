"""``headproof check``: a run's certificates, checked again by the independent checker."""

from __future__ import annotations

import click

from .document import emit
from .options import json_option

_EXAMPLES = """\b
Examples:
  headproof check runs/quick-0
  headproof check hull.json --json
"""


@click.command("check", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@json_option
@click.pass_context
def command(ctx: click.Context, paths: tuple[str, ...], as_json: bool) -> None:
    """Check certificates: run folders, folders or single files.

    Needs neither torch nor sympy nor flint. Exit code 0 if all are valid, 1 if one is invalid,
    2 if one cannot be read.
    """
    from ..api import check
    from ..checker import line, tally

    report = check(*paths)
    if as_json:
        fields = ("path", "kind", "claim", "answer", "valid", "reason")
        results = [{name: getattr(one, name) for name in fields} for one in report.results]
        emit("check", {"valid": report.valid, "checked": len(results), "results": results})
    else:
        for one in report.results:
            if not one.valid:
                click.echo(line(one))
        click.echo(tally(report.results))
    ctx.exit(0 if report.valid else 1 if report.invalid else 2)
