"""``headproof train``: experiments, kept, resumed and held against the claims' criteria."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .document import emit
from .options import dask_option, experiment_names, json_option
from .termination import termination_as_interrupt

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ..training.criterion import Assessment
    from ..training.folder import SeedResult
    from ..training.run import Training, TrainingWatcher

_PROFILES = ("smoke", "quick", "full", "paper")

_EXAMPLES = """\b
Examples:
  headproof train --list
  headproof train order
  headproof train order --profile full --jobs 2
  headproof train order --seed 5 --seeds 3 --limit 60
  headproof train order --profile paper --dask tcp://host:8786
"""


@click.command(
    "train",
    short_help="Train an experiment and hold it against its claims' criteria.",
    epilog=_EXAMPLES,
)
@click.argument("experiment", required=False, shell_complete=experiment_names)
@click.option("--list", "listing", is_flag=True, help="List the experiments and exit.")
@click.option(
    "--profile",
    type=click.Choice(_PROFILES),
    default="quick",
    show_default=True,
    help="The mechanics, a look, what the claims rest on, or the published scale.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="The first seed.",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    metavar="K",
    help="How many seeds.  [default: what the profile says]",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes, one thread each.  [default: the processors, at most 4]",
)
@dask_option
@click.option(
    "--out",
    default="runs",
    show_default=True,
    metavar="DIR",
    help="Where the folder train-EXPERIMENT-PROFILE goes.",
)
@click.option(
    "--limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop after that time (exit code 3); the same command goes on.",
)
@json_option
def command(
    experiment: str | None,
    listing: bool,
    profile: str,
    seed: int,
    seeds: int | None,
    jobs: int | None,
    dask: str | None,
    out: str,
    limit: float | None,
    as_json: bool,
) -> None:
    """Train an experiment and hold it against the criteria of its claims.

    Results and plots go to DIR/train-EXPERIMENT-PROFILE. Finished seeds are kept and shared with
    `headproof verify --profile full`; after Ctrl-C, a crash or --limit the same command goes on
    and comes to the identical result. A criterion that is not met is a result, not an error: the
    exit code is 0 when every seed ended.
    """
    if listing:
        if experiment is not None:
            raise click.UsageError("--list goes with no EXPERIMENT")
        _list(as_json=as_json)
        return
    if experiment is None:
        raise click.UsageError("name an EXPERIMENT, or use --list")
    if jobs is not None and dask is not None:
        raise click.UsageError(
            "--jobs goes with no --dask: the cluster says how many workers it has"
        )
    from ..runner.environment import available_cpus
    from ..runner.threads import single_threaded
    from ..training.run import TrainingInterrupted, train

    try:
        with single_threaded(), termination_as_interrupt(), _progress(as_json=as_json) as watcher:
            training = train(
                experiment,
                profile=profile,
                seed=seed,
                seeds=seeds,
                jobs=jobs or min(available_cpus(), 4),
                dask=dask,
                out=out,
                limit=limit,
                watcher=watcher,
            )
    except TrainingInterrupted as stop:
        raise KeyboardInterrupt(
            f"interrupted: {stop}; {stop.training.folder} keeps them and the last states; the "
            "same command goes on"
        ) from None
    if as_json:
        emit("training", training.to_json())
    else:
        _summary(training)


def _list(*, as_json: bool) -> None:
    from ..training.registry import EXPERIMENTS

    if as_json:
        listed = [{"name": name, "summary": one.summary} for name, one in EXPERIMENTS.items()]
        emit("experiments", {"experiments": listed})
        return
    width = max(map(len, EXPERIMENTS))
    for name, one in EXPERIMENTS.items():
        click.echo(f"{name:<{width}}  {one.summary}")


def _summary(training: Training) -> None:
    for found in training.assessments:
        control = ", a control: false on purpose" if found.criterion.control else ""
        click.echo(f"{_word(found):<8} {found.criterion.name} ({found.criterion.claim}{control})")
        click.echo(f"         {found.criterion.text}")
        for name, value in found.numbers.items():
            click.echo(f"           {name}: {value}")
    seeds = ", ".join(str(seed) for seed in training.seeds)
    click.echo(f"\nExperiment {training.name}, profile {training.profile}, seeds {seeds}")
    if training.assessments and not training.assessments[0].settles:
        click.echo("Fewer than 5 seeds settle no claim: use --profile full.")
    click.echo(f"Results and plots: {training.folder}")


def _word(found: Assessment) -> str:
    return "met" if found.holds else "not met"


@contextmanager
def _progress(*, as_json: bool) -> Iterator[TrainingWatcher]:
    """A watcher that shows how the training goes on."""
    if as_json or not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        yield _Bars(bar)


class _Lines:
    """A line for each tenth of a part and for each seed that ends."""

    def __init__(self) -> None:
        self._total = self._ended = 0
        self._told: dict[int, tuple[str, int]] = {}

    def begun(self, folder: Path, seeds: Sequence[int]) -> None:
        self._total = len(seeds)
        click.echo(
            f"{len(seeds)} {'seed' if len(seeds) == 1 else 'seeds'}, folder {folder}", err=True
        )

    def advanced(self, seed: int, part: str, step: int, of: int) -> None:
        tenth = (part, 10 * step // max(of, 1))
        if self._told.get(seed) != tenth:
            self._told[seed] = tenth
            click.echo(f"seed {seed}: {part or 'run'} {step}/{of}", err=True)

    def finished(self, result: SeedResult) -> None:
        self._ended += 1
        click.echo(f"[{self._ended}/{self._total}] {_told(result)}", err=True)


class _Bars:
    """A bar for each seed at work, and above them a line for each that ended."""

    def __init__(self, bar: Progress) -> None:
        self._bar = bar
        self._tasks: dict[int, TaskID] = {}

    def begun(self, folder: Path, seeds: Sequence[int]) -> None:
        self._bar.console.print(f"{folder}", highlight=False)

    def advanced(self, seed: int, part: str, step: int, of: int) -> None:
        if seed not in self._tasks:
            self._tasks[seed] = self._bar.add_task(f"seed {seed}", total=of)
        words = f"seed {seed} {part}".rstrip()
        self._bar.update(self._tasks[seed], description=words, completed=step, total=of)

    def finished(self, result: SeedResult) -> None:
        if (task := self._tasks.pop(result.seed, None)) is not None:
            self._bar.remove_task(task)
        self._bar.console.print(_told(result), highlight=False)


def _told(result: SeedResult) -> str:
    effort = "finished before" if result.reused else f"{result.seconds:.1f} s"
    if not result.kept:
        effort += "; the sources changed meanwhile, it will not be reused"
    return f"seed {result.seed}: {effort}"
