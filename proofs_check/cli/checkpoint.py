"""What the commands on checkpoints share: options, progress, pictures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import click

from .options import json_option

if TYPE_CHECKING:
    from ..inspection import Diversity, Inspection

Command = TypeVar("Command", bound=Callable[..., None])


def checkpoint_options(function: Command) -> Command:
    """``-o``, ``--plots``, ``--layers``, ``--seed``, ``--json``."""
    for option in reversed(
        (
            click.option(
                "-o", "--output", metavar="FILE", help="Write one self-contained HTML page."
            ),
            click.option("--plots", metavar="FOLDER", help="Write the pictures as SVG files."),
            click.option(
                "--layers",
                metavar="LIST",
                help="Only these layers, from 0, such as 0,3,5.  [default: all]",
            ),
            click.option(
                "--seed",
                type=click.IntRange(min=0),
                default=0,
                show_default=True,
                metavar="S",
                help="Of the draws from the law of random subspaces.",
            ),
            json_option,
        )
    ):
        function = option(function)
    return function


def parsed_layers(text: str | None) -> list[int] | None:
    """The numbers of a list such as ``0,3,5``."""
    if text is None:
        return None
    from ...symbolic.errors import InputError

    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise InputError("numbers with commas between, such as 0,3,5", repr(text), where="--layers")
    return [int(part) for part in parts]


@contextmanager
def layers_done(*, as_json: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A callback that shows on a terminal which layer is at work; None elsewhere."""
    if as_json or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("layer 0") as status:
        yield lambda done, of: status.update(f"{done} of {of} layers")


def draw(
    found: Diversity, inspection: Inspection | None, output: str | None, plots: str | None
) -> list[str]:
    """Write the page and the pictures that were asked for; say where they are."""
    if not output and not plots:
        return []
    from pathlib import Path

    from ..report.checkpoint_page import render, write_plots

    told = []
    if output:
        render(found, inspection, Path(output))
        told.append(f"Page: {output}")
    if plots:
        count = write_plots(found, inspection, Path(plots))
        told.append(f"Pictures: {count} SVG files in {plots}")
    return told
