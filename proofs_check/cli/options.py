"""Options that several commands share."""

from __future__ import annotations

import click

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document to stdout."
)

registry_option = click.option(
    "--registry",
    metavar="MODULE:FUNCTION",
    help="Claims of your own: a function that returns a Registry.",
)
