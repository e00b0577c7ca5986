"""``headproof derive``: derivations, every step decided by machine before it is shown."""

from __future__ import annotations

import click

from .document import emit
from .options import claim_names, json_option

_EXAMPLES = """\b
Examples:
  headproof derive tropical.power-diagram
  headproof derive stability
  headproof derive tropical --format html > tropical.html
"""


@click.command("derive", epilog=_EXAMPLES)
@click.argument("name", metavar="TOPIC|ID", shell_complete=claim_names)
@click.option(
    "--format",
    "written",
    type=click.Choice(("text", "latex", "html")),
    default="text",
    show_default=True,
    help="Text, a LaTeX document or an HTML page.",
)
@json_option
def command(name: str, written: str, as_json: bool) -> None:
    """Derive a claim, or all claims of a topic, step by step.

    Nothing is recited: each step is decided anew, and a step that is not decided ends the
    command with exit code 1.
    """
    from ...symbolic.catalogue import FORMATS, derivations, render

    made = derivations(name)
    (style,) = (known for known in FORMATS if known == written)
    if not as_json:
        text = render(made, style)
        if style == "html":  # ASCII, so that it is right in whatever encoding the shell writes
            text = text.encode("ascii", "xmlcharrefreplace").decode()
        click.echo(text)
        return
    emit(
        "derivation",
        {
            "derivations": [
                {
                    "claim": derivation.claim,
                    "title": derivation.title,
                    "sizes": [str(size) for size in derivation.sizes],
                    "general": derivation.general,
                    "argued": derivation.argued,
                    "conclusions": dict(derivation.conclusions),
                    "steps": [
                        {
                            "number": step.number,
                            "conclusion": str(step.conclusion),
                            "rule": step.rule,
                            "premises": list(step.premises),
                            "why": step.why,
                            "argued": step.argued,
                        }
                        for step in derivation.steps
                    ],
                    "text": render(derivation, style, standalone=False),
                }
                for derivation in made
            ]
        },
    )
