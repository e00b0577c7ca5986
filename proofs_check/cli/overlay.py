"""``headproof overlay``: the cells of the user's heads, overlaid."""

from __future__ import annotations

from typing import Any

import click

from ..evidence import Json
from .document import emit, read, save_certificate
from .engine import (
    engine_options,
    exploring,
    listed,
    processes,
    required,
    tell_certificate,
    tell_rows,
)

_EXAMPLES = """\b
Examples:
  headproof overlay heads.json -o heads.cert && headproof check heads.cert
  headproof overlay heads.json --limit 100000 --json
  echo '{"heads": [{"keys": [[-1],[0],[1]], "biases": [0,1,0]}]}' | headproof overlay -
  headproof overlay heads.json --dask tcp://host:8786
"""


@click.command(
    "overlay",
    short_help="Find the full-dimensional cells of overlaid heads, exactly.",
    epilog=_EXAMPLES,
)
@engine_options("cells")
def command(
    file: str,
    output: str | None,
    limit: int | None,
    jobs: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Find the full-dimensional cells of several heads of hard attention, exactly.

    FILE holds {"heads": [{"keys": [[..], ..], "biases": [..]}, ..]} with integers or strings such
    as "3/7"; the score of a key at x is <key, x> + bias, and biases may be left out. Every cell is
    labelled by the key that wins in each head, of keys with the same score the lowest. The bound is
    the most that heads of these sizes can have. The answer is put before the independent checker
    before it is told.
    """
    from ...symbolic.minkowski.overlay import overlay

    heads = listed(required(read(file, keys=("heads",)), "heads", file), "heads", file)
    exact = [_head(head, f"heads[{h}]") for h, head in enumerate(heads)]
    with (
        processes(jobs, dask) as (number, executor),
        exploring("cells of the complex", "ridges still open", as_json=as_json) as progress,
    ):
        found = overlay(exact, limit=limit, jobs=number, executor=executor, progress=progress)
        save_certificate(found.certificate(claim="overlay"), output)
    if as_json:
        document = {
            "cells": found.cells,
            "labels": [list(label) for label in found.labels],
            "bound": found.bound,
            "certificate": output,
        }
        emit("overlay", document)
        return
    click.echo(f"{found.cells:,} cells; heads of these sizes have at most {found.bound:,}")
    tell_rows([f"keys {', '.join(map(str, label))}" for label in found.labels])
    tell_certificate(output)


def _head(head: Json, where: str) -> dict[str, Any]:
    """Keys and biases with exact entries; whatever else is wrong the library says."""
    from ...symbolic.errors import InputError
    from ...symbolic.rational import matrix, vector

    if not isinstance(head, dict):
        kind = "null" if head is None else type(head).__name__
        raise InputError('an object with "keys" and "biases"', kind, where=where)
    exact = dict(head)
    if "keys" in head:
        exact["keys"] = matrix(head["keys"], f"{where}.keys", least_rows=1)
    if "biases" in head:
        exact["biases"] = vector(head["biases"], f"{where}.biases")
    return exact
