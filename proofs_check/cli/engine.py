"""What the commands of the exact engine share: their options, their progress, their numbers.

The library takes integers and Fractions and refuses strings; JSON has no fractions, so strings
such as "3/7" are read here, with the place of whatever is no exact number.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from shlex import quote
from typing import Any, TypeAlias, TypeVar

import click

from .options import dask_option, json_option

Progress: TypeAlias = Callable[[int, int], None]
"""Called with how much was found and how much is still open."""

Command = TypeVar("Command", bound=Callable[..., None])

SHOWN = 20
"""As many rows are told without --json."""


def engine_options(limited: str) -> Callable[[Command], Command]:
    """The argument FILE and the options of a command that explores.

    Args:
        limited: what ``--limit`` counts.
    """

    def decorate(function: Command) -> Command:
        for option in reversed(
            (
                click.argument("file", metavar="FILE|-"),
                click.option(
                    "-o", "--output", metavar="CERT", help="Write the certificate to this file."
                ),
                click.option(
                    "--limit",
                    type=click.IntRange(min=1),
                    metavar="N",
                    help=f"Stop when there are more than N {limited} (exit code 3).",
                ),
                click.option(
                    "--jobs",
                    type=click.IntRange(min=1),
                    metavar="N",
                    help="Processes; the answer does not depend on it.  [default: 1]",
                ),
                dask_option,
                json_option,
            )
        ):
            function = option(function)
        return function

    return decorate


@contextmanager
def processes(jobs: int | None, dask: str | None) -> Iterator[tuple[int, Executor | None]]:
    """How many processes there are, and the executor that has them if they are on a cluster.

    Args:
        jobs: as asked for on the command line.
        dask: address of a scheduler, instead.
    """
    if dask is None:
        yield jobs or 1, None
        return
    if jobs is not None:
        raise click.UsageError(
            "--jobs goes with no --dask: the cluster says how many workers it has"
        )
    from ..cluster.connection import cluster

    with cluster(dask) as executor:
        yield executor.workers, executor


@contextmanager
def exploring(found: str, still: str, *, as_json: bool) -> Iterator[Progress | None]:
    """A callback that shows on a terminal how far the exploration is; None elsewhere.

    Args:
        found: what the first number counts.
        still: what the second counts.
        as_json: whether one document was asked for.
    """
    if as_json or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:

        def show(done: int, left: int) -> None:
            status.update(f"{done:,} {found}, {left:,} {still}")

        yield show


def required(given: dict[str, Any], key: str, file: str) -> Any:
    """The value of a key.

    Raises:
        InputError: there is none.
    """
    from ...symbolic.errors import InputError

    if key not in given:
        raise InputError(f"the key {key!r}", "none", where=file)
    return given[key]


def listed(value: Any, what: str, where: str) -> list[Any]:
    """The value, which has to be a list.

    Raises:
        InputError: it is not.
    """
    from ...symbolic.errors import InputError

    if not isinstance(value, list):
        kind = "null" if value is None else type(value).__name__
        raise InputError(f"a list of {what}", kind, where=where)
    return value


def written(rows: Sequence[Sequence[Any]]) -> list[list[int | str]]:
    """Exact rows as JSON has them."""
    from ...symbolic.rational import write

    return [[write(entry) for entry in row] for row in rows]


def tell_rows(rows: Sequence[str]) -> None:
    """The first rows, and how many more there are."""
    for row in rows[:SHOWN]:
        click.echo(f"  {row}")
    if len(rows) > SHOWN:
        click.echo(f"  ... {len(rows) - SHOWN:,} more (--json has them all)")


def tell_certificate(output: str | None) -> None:
    """Where the certificate is, and how it is checked."""
    if output:
        click.echo(f"Certificate: {output}  (headproof check {quote(output)})")
