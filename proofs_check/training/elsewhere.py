"""Seeds trained on a cluster: their folders travel, and come back as far as they got.

A seed's parts and last states go along with it, so that a training begun here goes on there. What
is kept in the end is here: the result of a seed that ended, or, after a time limit, its last
states. When a worker dies, Dask runs its seeds again: on the same machine from their last states,
on another one from what was sent along. A seed gives the same result however often it is resumed.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from ...symbolic.errors import HeadproofError, InputError, LimitReached
from ..cluster.executor import ClusterExecutor, ClusterLost
from .folder import SeedFolder, SeedResult
from .seed import SeedTask, train_seed

if TYPE_CHECKING:
    from .run import TrainingWatcher

_TRAVELS = ("parts/*.json", "states/*.pt")

Heard = Callable[[int, str, int, int], None]


@dataclass(frozen=True)
class Trained:
    """What a worker sends back.

    Args:
        result: of the seed; None if the time was over.
        stopped: what the limit said, if it was.
        files: relative path -> content of parts and states, if it was.
        spent: seconds so far, if it was.
        refused: why the worker did not run it.
    """

    result: SeedResult | None = None
    stopped: str = ""
    files: Mapping[str, bytes] | None = None
    spent: float = 0.0
    refused: str = ""


def train_elsewhere(
    task: SeedTask, session: str, left: float | None, files: Mapping[str, bytes], spent: float
) -> Trained:
    """Train one seed on this worker.

    Args:
        task: whose folder and deadline are not used: disk and clock are another machine's.
        session: whose folder is used.
        left: seconds until the deadline.
        files: of the seed's folder, as far as it was trained before.
        spent: seconds of that.
    """
    from ..cluster.worker import session_folder

    if task.entry.source_digest() != task.source:
        return Trained(refused="the experiment has other sources there")
    own = replace(
        task,
        folder=session_folder(session) / task.folder.name,
        deadline=None if left is None else time.time() + left,
    )
    folder = own.seed_folder(task.entry.load().configs[task.profile])
    with folder.held(own.deadline) as mine:
        if mine and not (folder.path / "key.json").is_file():
            folder.prepare()
            write_travelling(folder, files)
            folder.spend(spent)
    try:
        return Trained(train_seed(own, _telling(session)))
    except LimitReached as stop:
        return Trained(None, str(stop), travelling(folder), folder.spent())


def seeds_elsewhere(
    tasks: Sequence[SeedTask], cluster: ClusterExecutor, watcher: TrainingWatcher | None
) -> Iterator[SeedResult]:
    """Train seeds on a cluster, as many at a time as it has workers; yield each as it ends.

    Raises:
        LimitReached: the deadline has passed, or the cluster is lost.
        InputError: a worker has other sources.
        HeadproofError: a seed kept killing its workers.
    """
    queue = deque(tasks)
    running: dict[Future[Trained], SeedTask] = {}
    stopped = ""
    topic = _topic(cluster.session)
    if watcher:
        cluster.client.subscribe_topic(topic, partial(_hear, watcher.advanced))
    try:
        while (queue and not stopped) or running:
            while queue and not stopped and len(running) < cluster.workers:
                task = queue.popleft()
                folder = task.seed_folder(task.entry.load().configs[task.profile])
                if (found := folder.finished(task.seed)) is not None:
                    yield found
                    continue
                running[_sent(task, folder, cluster)] = task
            done, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                trained = _trained(task, future)
                stopped = stopped or trained.stopped
                result = _kept(task, trained)
                if result is not None:
                    yield result
        if stopped:
            raise LimitReached(stopped)
    finally:
        for future in running:
            future.cancel()
        if watcher:
            with suppress(Exception):  # the scheduler may be gone
                cluster.client.unsubscribe_topic(topic)


def travelling(folder: SeedFolder) -> dict[str, bytes]:
    """The parts and states of a seed, by their paths in its folder."""
    return {
        path.relative_to(folder.path).as_posix(): path.read_bytes()
        for pattern in _TRAVELS
        for path in sorted(folder.path.glob(pattern))
    }


def write_travelling(folder: SeedFolder, files: Mapping[str, bytes]) -> None:
    """Write parts and states into a seed's folder; call it with the lock held.

    Raises:
        ValueError: a path that is neither that of a part nor that of a state.
    """
    for relative, content in files.items():
        path = PurePosixPath(relative)
        # A pattern is matched from the right: "../parts/a.json" would pass, outside the folder.
        if len(path.parts) != 2 or not any(path.match(pattern) for pattern in _TRAVELS):
            raise ValueError(f"{relative}: neither a part nor a state")
        target = folder.path / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.arrived")
        part.write_bytes(content)
        part.replace(target)


def _sent(task: SeedTask, folder: SeedFolder, cluster: ClusterExecutor) -> Future[Trained]:
    left = None if task.deadline is None else max(0.0, task.deadline - time.time())
    files, spent = {}, 0.0
    with folder.held(time.time()) as mine:
        if mine:
            folder.prepare()
            files, spent = travelling(folder), folder.spent()
    return cluster.submit(train_elsewhere, task, cluster.session, left, files, spent)


def _trained(task: SeedTask, future: Future[Trained]) -> Trained:
    try:
        trained = future.result()
    except ClusterLost as error:
        if error.deadly:
            raise HeadproofError(
                f"the worker that trained seed {task.seed} died, again and again (out of memory?); "
                "what ended is kept"
            ) from error
        raise
    if trained.refused:
        raise InputError(
            "workers with the same sources",
            trained.refused,
            where="dask",
            remedy="install the same everywhere and restart the workers",
        )
    return trained


def _kept(task: SeedTask, trained: Trained) -> SeedResult | None:
    """Keep here what came back."""
    folder = task.seed_folder(task.entry.load().configs[task.profile])
    result = trained.result
    if result is not None and (not result.kept or task.entry.source_digest() != task.source):
        return replace(result, kept=False, reused=False)
    with folder.held(None):
        folder.prepare()
        if result is None:
            write_travelling(folder, trained.files or {})
            folder.spend(trained.spent)
            return None
        result = replace(result, reused=False)
        folder.finish(result)
    return result


def _topic(session: str) -> str:
    return f"headproof-{session}"


def _telling(session: str) -> Heard:
    """What tells the caller how far a seed is; nobody's work depends on it."""

    def tell(seed: int, part: str, step: int, of: int) -> None:
        from distributed import get_worker

        with suppress(Exception):
            get_worker().log_event(_topic(session), (seed, part, step, of))

    return tell


def _hear(advanced: Heard, event: tuple[float, Any]) -> None:
    _, (seed, part, step, of) = event
    advanced(seed, part, step, of)
