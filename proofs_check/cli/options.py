"""Options that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import click
from click.shell_completion import CompletionItem


def _with_current_folder(
    context: click.Context, parameter: click.Parameter, value: str | None
) -> str | None:
    """Let the module be one of the current folder for as long as the command runs."""
    if value is not None:
        here = str(Path.cwd())
        sys.path.insert(0, here)
        context.call_on_close(partial(sys.path.remove, here))
    return value


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Write one JSON document to stdout."
)

dask_option = click.option(
    "--dask",
    metavar="ADDRESS",
    help="Run on the workers of this Dask scheduler, such as tcp://host:8786.",
)

registry_option = click.option(
    "--registry",
    metavar="MODULE:FUNCTION",
    callback=_with_current_folder,
    help="Claims of your own: a function that returns a Registry.",
)


def experiment_names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The experiments that a shell may complete a word to.

    Args:
        context: of the command; unused.
        parameter: the argument that is being typed; unused.
        incomplete: what was typed so far.
    """
    from ..training.registry import EXPERIMENTS

    return _offered({name: entry.summary for name, entry in EXPERIMENTS.items()}, incomplete)


def demo_names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The demos that a shell may complete a word to.

    Args:
        context: of the command; unused.
        parameter: the argument that is being typed; unused.
        incomplete: what was typed so far.
    """
    from ..demos import DEMOS

    return _offered({name: demo.summary for name, demo in DEMOS.items()}, incomplete)


def claim_names(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The claims and topics that a shell may complete a word to.

    Args:
        context: of the command.
        parameter: the argument that is being typed; unused.
        incomplete: what was typed so far.
    """
    from ...symbolic.errors import InputError
    from ..api import find_registry

    try:
        known = find_registry(context.params.get("registry"))
    except InputError:
        return []
    topics = {claim.topic: "" for claim in known}
    titles = topics | {claim.id: claim.title for claim in known}
    return _offered(dict(sorted(titles.items())), incomplete)


def _offered(titles: Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    return [
        CompletionItem(name, help=title or None)
        for name, title in titles.items()
        if name.startswith(incomplete)
    ]
