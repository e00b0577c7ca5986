"""``headproof list``: the claims."""

from __future__ import annotations

import click

from .document import emit
from .options import claim_names, json_option, registry_option

_EXAMPLES = """\b
Examples:
  headproof list
  headproof list tropical --json
"""


@click.command("list", epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[ID|TOPIC]...", shell_complete=claim_names)
@registry_option
@json_option
def command(names: tuple[str, ...], registry: str | None, as_json: bool) -> None:
    """List the claims, each after those that it rests on."""
    from ..api import find_registry

    claims = find_registry(registry).select(names)
    if as_json:
        emit(
            "list",
            {
                "claims": [
                    {
                        "id": claim.id,
                        "number": claim.number,
                        "topic": claim.topic,
                        "title": claim.title,
                        "rests_on": list(claim.rests_on),
                        "statements": [
                            {"name": s.name, "role": s.role.value, "expected": s.expected.verdict}
                            for s in claim.statements
                        ],
                    }
                    for claim in claims
                ]
            },
        )
        return
    width = max((len(claim.id) for claim in claims), default=0)
    numbers = max((len(claim.number) for claim in claims), default=0)
    for claim in claims:
        click.echo(f"{claim.id:<{width}}  {claim.number:<{numbers}}  {claim.title}")
