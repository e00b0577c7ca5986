"""``headproof recover``: the heads of a planted model, found through value queries alone."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from .document import emit, read, save_certificate
from .engine import processes, tell_certificate, tell_rows
from .options import dask_option, json_option

if TYPE_CHECKING:
    from ...oracle.recovery.recovery import Recovery

_EXAMPLES = """\b
Examples:
  headproof recover model.json -o transcript.cert && headproof check transcript.cert
  headproof recover model.json --seed 7 --limit 5000 --json
  headproof recover model.json --dask tcp://host:8786
  headproof recover --oracle headproof.oracle.transformer:layer --heads 2    a layer of torch's
  headproof recover --oracle mymodel:answer --dimension 4 --bound 8
  echo '{"base": 2, "heads": [{"W": [[1,2],[0,1]], "v": [3,"1/2"]}]}' | headproof recover -
"""


@click.command(
    "recover",
    short_help="Recover every head of a planted model from value queries.",
    epilog=_EXAMPLES,
)
@click.argument("file", metavar="[FILE|-]", required=False)
@click.option(
    "--oracle",
    "name",
    metavar="MODULE:CALLABLE",
    help="Instead of FILE: a function of a float64 array (n, d) that returns one number.",
)
@click.option(
    "--dimension",
    type=click.IntRange(min=1),
    metavar="D",
    help="Of its tokens; if left out, its attribute dimension.",
)
@click.option("--heads", type=click.IntRange(min=0), metavar="H", help="How many it has.")
@click.option(
    "--bound", type=click.IntRange(min=1), metavar="H0", help="How many it has at most, instead."
)
@click.option(
    "-o", "--output", metavar="CERT", help="Write the transcript as a certificate to this file."
)
@click.option(
    "--seed", type=int, metavar="S", help="Of the drawings; instead of the one in the file."
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ask at most N value queries in all (exit code 3).",
)
@click.option(
    "--detect",
    is_flag=True,
    help="With a bound: read the number of heads off the first pair and use it from then on.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes, for FILE; the answer does not depend on it.  [default: 1]",
)
@dask_option
@json_option
def command(
    file: str | None,
    name: str | None,
    dimension: int | None,
    heads: int | None,
    bound: int | None,
    output: str | None,
    seed: int | None,
    limit: int | None,
    detect: bool,
    jobs: int | None,
    dask: str | None,
    as_json: bool,
) -> None:
    """Recover every head of a planted multi-head attention model from value queries.

    FILE holds {"base": 2 or "e", "heads": [{"W": [[..]], "v": [..]}], "bound": H0, "seed": S} with
    integers or strings such as "3/7"; base 2 needs integer W, base "e" is the true softmax, in
    rigorous balls. The program sees the model through its answers only. With H heads it asks
    4 H d^2 - 2H + 1 queries, with a bound H0 as many as for H0 heads, and a few fresh ones that
    test the result. With "ffn": {"a": [..], "b": [[..]], "V": [[[..]]]} a ReLU layer follows the
    attention, and the heads have W only. With base 2 the transcript is a certificate: the
    independent checker replays every answer before it is written.
    """
    from ...oracle.recovery import document
    from ...symbolic.errors import InputError

    if name is not None:
        if file is not None or (heads is None) == (bound is None) or output or detect or dask:
            raise click.UsageError(
                "--oracle needs --heads or --bound, and goes with no FILE, -o, --detect or --dask"
            )
        seen = _black_box(name, dimension, heads, bound, seed=seed or 0, limit=limit)
        _report(document.answer(seen), None, as_json=as_json)
        return
    if file is None or not dimension is heads is bound is None:
        raise click.UsageError("give FILE, or --oracle with --heads or --bound")
    given = read(file, keys=("base", "heads", "bound", "ffn", "seed"))
    planted = document.parse(given)
    if seed is not None:
        planted = replace(planted, seed=seed)
    if output and planted.base == "e":
        raise InputError(
            "an integer base, since a certificate holds exact answers",
            'base "e"',
            where="-o",
            remedy="leave -o out",
        )
    for option, unfit in (("-o", output), ("--detect", detect)):
        if planted.ffn is not None and unfit:
            raise InputError("a model without ffn", "one", where=option, remedy="leave it out")
    with processes(jobs, dask) as (number, executor):
        found = document.run(planted, detect=detect, limit=limit, jobs=number, executor=executor)
    if output:
        from ..certificates.recovery import certificate

        save_certificate(certificate("", cast("Recovery", found).transcript()), output)
    _report(document.answer(found), output, as_json=as_json)


def _black_box(
    name: str,
    dimension: int | None,
    heads: int | None,
    bound: int | None,
    *,
    seed: int,
    limit: int | None,
) -> Recovery:
    """A float64 function of the user's, in a module of the current folder or an installed one."""
    from ...oracle.floats import load
    from ...oracle.recovery.recover import recover

    sys.path.insert(0, str(Path.cwd()))
    try:
        oracle = load(name, dimension)
        return recover(oracle, heads=heads, bound=bound, seed=seed, limit=limit)
    finally:
        sys.path.remove(str(Path.cwd()))


def _report(answer: dict[str, Any], output: str | None, *, as_json: bool) -> None:
    if as_json:
        emit("recover", {**answer, "certificate": output})
        return
    if "neurons" in answer:
        _tell_layer(answer)
    else:
        _tell(answer)
    tell_certificate(output)


def _tell_layer(answer: dict[str, Any]) -> None:
    click.echo(
        f"{_counted(len(answer['heads']), 'head')} and "
        f"{_counted(len(answer['neurons']), 'neuron')} recovered; the model gives the answers to "
        f"{answer['fresh_queries']} fresh queries of up to {answer['fresh_longest']} tokens"
    )
    tell_rows([f"W {_matrix(head['W'])}" for head in answer["heads"]])
    tell_rows([f"{each['sign']:+d} relu, g {_matrix(each['g'])}" for each in answer["neurons"]])
    if "linear" in answer:
        click.echo(f"  and a linear term {_matrix(answer['linear'])}")
    click.echo(
        f"{_counted(answer['queries'], 'value query', 'value queries')}, the longest of "
        f"{_counted(answer['longest'], 'token')}; {answer['queries_all_attempts']:,} in all"
    )


def _tell(answer: dict[str, Any]) -> None:
    heads = answer["heads"]
    click.echo(
        f"{_counted(len(heads), 'head')} recovered; the model gives every answer, also to "
        f"{answer['fresh_queries']} fresh queries of up to {answer['fresh_longest']} tokens"
    )
    tell_rows([f"W {_matrix(head['W'])}   v {_row(head['v'])}" for head in heads])
    click.echo(
        f"{_counted(answer['queries'], 'value query', 'value queries')} "
        f"(formula {answer['formula']:,}), the longest of {_counted(answer['longest'], 'token')}; "
        f"{answer['queries_all_attempts']:,} in all, "
        f"{_counted(answer['attempts'], 'attempt')} and fresh queries counted"
    )
    if answer.get("bits"):
        click.echo(
            f"Each entry is the simplest rational in a certified ball; {answer['bits']} bits "
            "were used"
        )
    elif "width" in answer:
        click.echo("Each entry is the simplest rational within the estimated error of the floats")


def _counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _matrix(rows: list[list[Any]]) -> str:
    return f"[{', '.join(map(_row, rows))}]"


def _row(entries: list[Any]) -> str:
    return f"[{', '.join(map(str, entries))}]"
