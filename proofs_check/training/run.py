"""A training: the seeds of an experiment, in processes, kept as they end.

The same function serves ``headproof train`` and the claims: finished seeds are found by the digest
of all that they depend on, so whoever comes second waits for nothing. Seeds are independent, so
they are what goes to other processes, with one thread each; within a seed everything is in order.
A seed that another run is at work on is waited for, not run twice.

Sources may change while a training runs. Criteria and plots are those of its beginning: they are
loaded before the first seed. What a seed measured is shown, marked as not kept, and no later run
takes it for a result of the new sources.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from ...numeric.experiment import PROFILES, Measurements, settings
from ...symbolic.display import facts, listing
from ...symbolic.errors import HeadproofError, InputError, LimitReached
from ..evidence import Json
from ..runner import environment
from ..runner.folder import write_atomically
from ..runner.pool import Pool
from ..runner.threads import single_threaded
from .criterion import Assessment, assess
from .folder import SeedResult, training_folder
from .journal import INTERVAL
from .registry import Entry, entry
from .seed import SeedTask, train_free_seed, train_seed

if TYPE_CHECKING:
    from .plot import TrainingPlot

FORMAT = "headproof-training/1"


class TrainingWatcher(Protocol):
    """What wants to hear how a training goes on."""

    def begun(self, folder: Path, seeds: Sequence[int]) -> None:
        """The training begins."""

    def advanced(self, seed: int, part: str, step: int, of: int) -> None:
        """A seed is at that step of a part."""

    def finished(self, result: SeedResult) -> None:
        """A seed ended."""


@dataclass(frozen=True)
class Training:
    """What a training found.

    Args:
        name: of the experiment.
        profile: at which size.
        config: the settings as JSON.
        folder: where it lies.
        seeds: those that were asked for.
        results: of those that ended, in the same order.
        assessments: of each criterion, over the seeds that ended; none if none did.
    """

    name: str
    profile: str
    config: Json
    folder: Path
    seeds: tuple[int, ...]
    results: tuple[SeedResult, ...]
    assessments: tuple[Assessment, ...]

    def _repr_html_(self) -> str:
        """The criteria and how many seeds met them, as a notebook shows them."""
        told = facts(
            f"Experiment {self.name}",
            [
                ("profile", self.profile),
                ("seeds", f"{len(self.results)} of {len(self.seeds)}"),
                ("folder", self.folder),
            ],
        )
        rows = ((a.criterion.text, f"{a.met} of {a.seeds}") for a in self.assessments)
        return told + listing(("criterion", "met by"), rows, count=len(self.assessments))

    @property
    def complete(self) -> bool:
        """Whether every seed ended."""
        return len(self.results) == len(self.seeds)

    def to_json(self) -> dict[str, Json]:
        """The content of result.json, without its format."""
        return {
            "experiment": self.name,
            "profile": self.profile,
            "config": self.config,
            "folder": str(self.folder),
            "complete": self.complete,
            "seeds": [
                {
                    "seed": result.seed,
                    "seconds": round(result.seconds, 3),
                    "kept": result.kept,
                    "measurements": result.measurements,
                }
                for result in self.results
            ],
            "criteria": [
                {
                    "name": found.criterion.name,
                    "claim": found.criterion.claim,
                    "text": found.criterion.text,
                    "control": found.criterion.control,
                    "met": found.met,
                    "of": found.seeds,
                    "holds": found.holds,
                    "settles": found.settles,
                    "failing_seeds": [self.results[i].seed for i in found.failing],
                    "numbers": dict(found.numbers),
                }
                for found in self.assessments
            ],
            "versions": environment.versions(),
            "environment": environment.machine(),
        }


class TrainingInterrupted(KeyboardInterrupt):
    """A training stopped by the user; finished seeds and the last states are kept.

    Args:
        training: as far as it came.
    """

    def __init__(self, training: Training) -> None:
        super().__init__(f"{len(training.results)} of {len(training.seeds)} seeds ended")
        self.training = training


def train(
    name: str,
    *,
    profile: str = "quick",
    seed: int = 0,
    seeds: int | None = None,
    jobs: int = 1,
    dask: str | None = None,
    out: str | Path = "runs",
    limit: float | None = None,
    interval: float = INTERVAL,
    plots: bool = True,
    watcher: TrainingWatcher | None = None,
    experiment: Entry | None = None,
) -> Training:
    """Train an experiment and leave a folder ``<out>/train-<name>-<profile>``.

    Args:
        name: of the experiment.
        profile: ``"smoke"``, ``"quick"``, ``"full"`` or ``"paper"``.
        seed: the first seed; the others follow it.
        seeds: how many; by default what the profile says.
        jobs: how many processes; with 1 everything runs in this one.
        dask: instead of jobs, the address of a Dask scheduler, whose workers train the seeds.
        out: the folder of all runs.
        limit: seconds after which it stops at the next interval's end.
        interval: seconds between two states of a seed: the most that a death costs.
        plots: whether to draw.
        watcher: told how it goes on.
        experiment: one that the registry does not know.

    Raises:
        InputError: something asked for does not exist, or the cluster does not answer, has no
            workers or runs another headproof.
        LimitReached: the limit was reached or the cluster was lost; the same call goes on.
        TrainingInterrupted: Ctrl-C; the same call goes on.
    """
    declared = entry(name) if experiment is None else experiment
    if profile not in PROFILES:
        raise InputError(f"one of {', '.join(PROFILES)}", repr(profile), where="profile")
    for what, value, least in (("seed", seed, 0), ("seeds", seeds, 1), ("jobs", jobs, 1)):
        if value is not None and value < least:
            raise InputError(f"a number from {least} on", str(value), where=what)
    if limit is not None and not limit > 0:
        raise InputError("a positive number of seconds", str(limit), where="limit")
    with single_threaded():
        loaded = declared.load()
        config = loaded.configs[profile]
        chosen = tuple(range(seed, seed + (seeds or loaded.seeds[profile])))
        criteria = declared.load_criteria()
        draw = declared.load_plots() if plots else None
        folder = training_folder(Path(out), name, profile)
        folder.mkdir(parents=True, exist_ok=True)
        source = declared.source_digest()
        deadline = None if limit is None else time.time() + limit
        where = folder.absolute()
        tasks = [
            SeedTask(declared, name, profile, each, where, source, deadline, interval)
            for each in chosen
        ]
        if watcher:
            watcher.begun(folder, chosen)
        results: dict[int, SeedResult] = {}

        def state() -> Training:
            ended = tuple(results[each] for each in chosen if each in results)
            found = [result.measurements for result in ended]
            held = tuple(assess(criterion, found) for criterion in (criteria if found else ()))
            return Training(name, profile, settings(config), folder, chosen, ended, held)

        workers = min(jobs, len(tasks))
        try:
            if dask is not None:
                each_ended = _on_cluster(tasks, dask, watcher)
            elif workers == 1:
                each_ended = _here(tasks, watcher)
            else:
                each_ended = _apart(tasks, workers, watcher)
            for result in each_ended:
                results[result.seed] = result
                if watcher:
                    watcher.finished(result)
                _write(state())
        except KeyboardInterrupt:
            raise TrainingInterrupted(state()) from None
        except LimitReached as stop:
            raise LimitReached(
                f"{stop}: {len(results)} of {len(chosen)} seeds ended; the same command goes on "
                f"from {folder}"
            ) from None
        except OSError as error:
            if error.filename:
                raise
            # A full disk, and the like, do not say where.
            raise OSError(error.errno, error.strerror or str(error), str(folder)) from error
        training = state()
        if draw is not None:
            _draw(draw, training)
    return training


def _here(tasks: Sequence[SeedTask], watcher: TrainingWatcher | None) -> Iterator[SeedResult]:
    """One after the other, those last that other runs are at work on: runs share the seeds."""
    advanced = watcher.advanced if watcher else None
    busy = []
    for task in tasks:
        result = train_free_seed(task, advanced)
        if result is None:
            busy.append(task)
        else:
            yield result
    for task in busy:
        yield train_seed(task, advanced)


def _apart(
    tasks: Sequence[SeedTask], jobs: int, watcher: TrainingWatcher | None
) -> Iterator[SeedResult]:
    with Pool(jobs) as pool:
        running: dict[Future[SeedResult], SeedTask] = {}
        try:
            for task in tasks:
                running[pool.submit(train_seed, task)] = task
            while running:
                done, _ = wait(running, timeout=0.25, return_when=FIRST_COMPLETED)
                for future in done:
                    running.pop(future)
                    yield future.result()
                if watcher:
                    _report(running.values(), watcher)
        except BrokenProcessPool:
            pool.join()
            raise HeadproofError(
                f"a process that trained {pool.epitaph()}; what ended is kept, and the same "
                "command goes on"
            ) from None


def _on_cluster(
    tasks: Sequence[SeedTask], address: str, watcher: TrainingWatcher | None
) -> Iterator[SeedResult]:
    from ..cluster.connection import cluster
    from .elsewhere import seeds_elsewhere

    with cluster(address) as executor:
        yield from seeds_elsewhere(tasks, executor, watcher)


def _report(tasks: Any, watcher: TrainingWatcher) -> None:
    """Tell what the workers left word of."""
    for task in tasks:
        try:
            file = task.folder / f"seed-{task.seed}" / "progress.json"
            found = json.loads(file.read_text(encoding="utf-8"))
            watcher.advanced(task.seed, found["part"], found["step"], found["of"])
        except (OSError, ValueError, KeyError):
            continue


def _write(training: Training) -> None:
    value = {"format": FORMAT, **training.to_json()}
    text = json.dumps(value, indent=1, allow_nan=False) + "\n"
    write_atomically(training.folder / "result.json", text)


def _draw(
    draw: Callable[[Sequence[Measurements]], Sequence[TrainingPlot]], training: Training
) -> None:
    from .plot import save

    for plot in draw([result.measurements for result in training.results]):
        save(plot, training.folder / "plots")
