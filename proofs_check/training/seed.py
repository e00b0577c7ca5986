"""One seed of a training, in whatever process: found, or run with a journal and kept.

Its result belongs to the sources that were there when the training began. If others are there when
it ends, it is returned but not kept; if it fails, the change is the reason that is given, since
modules that are loaded late may not fit those that were loaded before.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ...symbolic.errors import HeadproofError, LimitReached
from ..runner.threads import random_state_kept
from .folder import SeedFolder, SeedResult, key
from .journal import INTERVAL, FolderJournal
from .registry import Entry


@dataclass(frozen=True)
class SeedTask:
    """All that a worker is told.

    Args:
        entry: the experiment by its names.
        profile: at which size.
        seed: which seed.
        folder: of the training.
        source: the digest of the sources when the training began.
        deadline: by ``time.time()``.
        interval: seconds between two states.
    """

    entry: Entry
    name: str
    profile: str
    seed: int
    folder: Path
    source: str
    deadline: float | None = None
    interval: float = INTERVAL

    def seed_folder(self, config: object) -> SeedFolder:
        """The folder of the seed, with the key that its files need."""
        path = self.folder / f"seed-{self.seed}"
        return SeedFolder(path, key(self.name, config, self.seed, self.source))


def train_seed(
    task: SeedTask, advanced: Callable[[int, str, int, int], None] | None = None
) -> SeedResult:
    """Train one seed, go on with it, or find it finished.

    If another run is at work on it, its result is waited for.

    Args:
        task: which one.
        advanced: called with the seed, the part, the step and the number of steps.

    Raises:
        LimitReached: the deadline has passed, or it failed and the sources have changed.
    """
    found = _trained(task, advanced, task.deadline)
    if found is None:
        raise LimitReached("the time limit was reached while another run was at work")
    return found


def train_free_seed(
    task: SeedTask, advanced: Callable[[int, str, int, int], None] | None = None
) -> SeedResult | None:
    """The same, but None at once if another run is at work on it.

    Args:
        task: which one.
        advanced: called with the seed, the part, the step and the number of steps.

    Raises:
        LimitReached: the deadline has passed, or it failed and the sources have changed.
    """
    return _trained(task, advanced, time.time())


def _trained(
    task: SeedTask, advanced: Callable[[int, str, int, int], None] | None, patience: float | None
) -> SeedResult | None:
    """The result; None if another run was at work until ``patience``, by ``time.time()``."""
    try:
        experiment = task.entry.load()
    except Exception as error:  # in a worker: the training itself loaded it before
        if _unchanged(task):
            raise
        raise LimitReached(f"the sources changed since the training began ({error})") from error
    config = experiment.configs[task.profile]
    folder = task.seed_folder(config)
    if (found := folder.finished(task.seed)) is not None:
        return found
    with folder.held(patience) as mine:
        if (found := folder.finished(task.seed)) is not None:  # another run finished it meanwhile
            return found
        if not mine:
            return None
        folder.prepare()
        spent, begun = folder.spent(), time.perf_counter()

        def heard(part: str, step: int, of: int) -> None:
            folder.tell(part, step, of)
            folder.spend(spent + time.perf_counter() - begun)
            if advanced:
                advanced(task.seed, part, step, of)

        journal = FolderJournal(
            folder.path, interval=task.interval, deadline=task.deadline, heard=heard
        )
        try:
            with random_state_kept():
                measurements = experiment.run(config, task.seed, journal)
        except (HeadproofError, OSError):
            raise
        except Exception as error:
            if _unchanged(task):
                raise
            raise LimitReached(
                f"the sources changed while seed {task.seed} was trained ({error})"
            ) from error
        text = json.dumps(measurements, allow_nan=False)
        seconds = spent + time.perf_counter() - begun
        result = SeedResult(task.seed, seconds, json.loads(text))
        if not _unchanged(task):
            return replace(result, kept=False)
        folder.finish(result)
        return result


def _unchanged(task: SeedTask) -> bool:
    """Whether the sources are those of the beginning of the training."""
    try:
        return task.entry.source_digest() == task.source
    except (ImportError, OSError, SyntaxError, ValueError):  # half-written or gone
        return False
