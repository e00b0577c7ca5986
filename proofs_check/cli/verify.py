"""``headproof verify``: settle claims."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..claim import Profile
from ..evidence import Json, Kind
from .document import emit
from .options import claim_names, dask_option, json_option, registry_option
from .termination import termination_as_interrupt

if TYPE_CHECKING:
    from ..runner.run import Run

_EXAMPLES = """\b
Examples:
  headproof verify
  headproof verify tropical.power-diagram --seed 7
  headproof verify --profile full --jobs 2 --require formal
  headproof verify --profile full --dask tcp://host:8786
"""


@click.command("verify", epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[ID|TOPIC]...", shell_complete=claim_names)
@click.option(
    "--profile",
    type=click.Choice([profile.value for profile in Profile]),
    default="quick",
    show_default=True,
    help="How much work: minutes, an hour, or the published scale.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes, one thread each.  [default: the processors, at most 4]",
)
@dask_option
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="From which every other seed follows.",
)
@click.option(
    "--require",
    type=click.Choice([kind.value for kind in Kind]),
    multiple=True,
    help="Count evidence of this kind that does not run as a difference; repeatable.",
)
@click.option(
    "--out",
    default="runs",
    show_default=True,
    metavar="DIR",
    help="Where the run folder and the cache go.",
)
@click.option("--no-cache", is_flag=True, help="Neither use nor fill the cache.")
@registry_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    profile: str,
    jobs: int | None,
    dask: str | None,
    seed: int,
    require: tuple[str, ...],
    out: str,
    no_cache: bool,
    registry: str | None,
    as_json: bool,
) -> None:
    """Settle claims and compare the verdicts with the expected ones.

    All claims if none is named. Results are written as they end: after Ctrl-C or a crash the same
    command goes on where it stopped. Exit code 0 if every verdict is the expected one, 1 if not.
    """
    if jobs is not None and dask is not None:
        raise click.UsageError(
            "--jobs goes with no --dask: the cluster says how many workers it has"
        )
    from ..api import verify
    from ..runner.environment import available_cpus
    from ..runner.run import Interrupted
    from ..runner.threads import single_threaded
    from .display import progress, summary

    try:
        # The process is ours: one thread before the claims load numpy, whose BLAS asks only once.
        with single_threaded(), termination_as_interrupt(), progress(as_json=as_json) as watcher:
            run = verify(
                names,
                profile=profile,
                seed=seed,
                jobs=jobs or min(available_cpus(), 4),
                dask=dask,
                out=out,
                require=require,
                cache=not no_cache,
                registry=registry,
                watcher=watcher,
            )
    except Interrupted as stop:
        ended, of = len(stop.run.results), len(stop.run.selection)
        raise KeyboardInterrupt(
            f"interrupted: {ended} of {of} claims are recorded in {stop.run.folder}; "
            "the same command resumes"
        ) from None
    if as_json:
        emit("verify", _document(run))
    else:
        summary(run)
    ctx.exit(0 if run.as_expected else 1)


def _document(run: Run) -> dict[str, Json]:
    return {
        "folder": str(run.folder),
        "profile": run.profile.value,
        "seed": run.seed,
        "selection": list(run.selection),
        "require": [kind.value for kind in run.require],
        "undeclared": [kind.value for kind in run.undeclared],
        "as_expected": run.as_expected,
        "results": [result.to_json() for result in run.results],
        "differences": [
            {
                "claim": result.claim,
                "statement": statement.name,
                "verdict": statement.verdict.value,
                "expected": statement.expected.value,
                "reason": statement.reason,
                "reproduce": run.reproduce(result.claim),
            }
            for result in run.results
            for statement in result.differences
        ],
    }
