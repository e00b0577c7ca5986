"""``headproof demo``: small exact computations that print what they do."""

from __future__ import annotations

from difflib import get_close_matches

import click

from .document import emit
from .options import demo_names, json_option

_EXAMPLES = """\b
Examples:
  headproof demo                the demos that there are
  headproof demo power-diagram
  headproof demo cells --json
"""


@click.command(
    "demo", short_help="Run a demo in exact arithmetic, or list the demos.", epilog=_EXAMPLES
)
@click.argument("name", required=False, shell_complete=demo_names)
@json_option
def command(name: str | None, as_json: bool) -> None:
    """Run a demo in exact arithmetic; without a name, list the demos."""
    from ...symbolic.errors import InputError
    from ..demos import DEMOS

    if name is None:
        if as_json:
            listed = [{"name": demo.name, "summary": demo.summary} for demo in DEMOS.values()]
            emit("demos", {"demos": listed})
            return
        width = max(map(len, DEMOS))
        for demo in DEMOS.values():
            click.echo(f"{demo.name:<{width}}  {demo.summary}")
        return
    if name not in DEMOS:
        near = get_close_matches(name, DEMOS, n=1)
        hint = f"did you mean {near[0]}?" if near else "see `headproof demo`"
        raise InputError(f"one of {', '.join(DEMOS)}", repr(name), remedy=hint)
    demo = DEMOS[name]
    if as_json:
        emit("demo", {"name": demo.name, "summary": demo.summary, "data": demo.data()})
    else:
        demo.run(click.echo)
