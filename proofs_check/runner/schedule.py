"""The schedule: claims over processes, outliving the death of any of them.

In one process claims run in dependency order. Over several, those that train come first, in that
order: a training takes minutes and all else seconds, so one that began last would run alone.

A pool tells that a worker died, not which task killed it. So at most ``jobs`` tasks are in flight,
and after a death those that were are run again one by one, each in a process of its own: the one
that kills its process a second time is the one, and the others lose only time.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from ..claim import Profile
from ..evidence import Kind
from .folder import RunFolder
from .pool import Pool
from .threads import single_threaded
from .worker import Finished, Task, lost, run_claim

if TYPE_CHECKING:
    from ..cluster.executor import ClusterExecutor


def execute(
    tasks: Sequence[Task],
    *,
    jobs: int,
    started: Callable[[str], None],
    cluster: ClusterExecutor | None = None,
) -> Generator[Finished, None, None]:
    """Run tasks and yield each result as it ends.

    Args:
        tasks: each after those that it rests on.
        jobs: how many processes; with 1 everything runs in this one, in this order.
        started: called with the claim's id when a task is handed out.
        cluster: where they run instead, as many at a time as it has workers.

    Close the iterator to stop: workers are ended at once.
    """
    with single_threaded():
        if cluster is not None:
            from .distribution import distribute

            yield from distribute(long_first(tasks), cluster, started)
        elif jobs == 1:
            for task in tasks:
                started(task.claim.id)
                try:
                    yield run_claim(task)
                except Exception as error:
                    yield not_run(task, error)
        else:
            yield from _apart(deque(long_first(tasks)), jobs, started)


def long_first(tasks: Sequence[Task]) -> list[Task]:
    """The tasks that train before the others, otherwise in their order.

    Args:
        tasks: in any order; under profile quick none trains for long, and the order stays.
    """
    return sorted(tasks, key=lambda task: not _trains(task))


def _trains(task: Task) -> bool:
    kinds = {producer.kind for producer in task.claim.producers}
    return Kind.TRAINED in kinds and task.profile is not Profile.QUICK


def _apart(queue: deque[Task], jobs: int, started: Callable[[str], None]) -> Iterator[Finished]:
    while queue:
        suspects: list[Task] = []
        with Pool(jobs) as pool:
            yield from _until_a_death(pool, queue, jobs, started, suspects)
        for task in suspects:
            yield _alone(task)


def _until_a_death(
    pool: Pool,
    queue: deque[Task],
    jobs: int,
    started: Callable[[str], None],
    suspects: list[Task],
) -> Iterator[Finished]:
    """Work the queue off; when a worker dies, leave the tasks that were in flight in suspects."""
    running: dict[Future[Finished], Task] = {}
    while (queue and not suspects) or running:
        while queue and not suspects and len(running) < jobs:
            task = queue.popleft()
            started(task.claim.id)
            try:
                running[pool.submit(run_claim, task)] = task
            except BrokenProcessPool:
                suspects.append(task)
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            task = running.pop(future)
            try:
                finished = future.result()
            except BrokenProcessPool:
                suspects.append(task)
            except Exception as error:
                yield not_run(task, error)
            else:
                yield finished


def _alone(task: Task) -> Finished:
    with Pool(1) as pool:
        try:
            return pool.submit(run_claim, task).result()
        except BrokenProcessPool:
            pool.join()
            return lost(task, f"the process that ran it {pool.epitaph()}")
        except Exception as error:
            return not_run(task, error)


def not_run(task: Task, error: Exception) -> Finished:
    """A task that could not be sent, or a worker that broke outside any producer."""
    where = RunFolder(task.folder).traceback(task.claim.id, "worker")
    RunFolder(task.folder).write(where, "".join(traceback.format_exception(error)))
    return lost(task, f"the worker raised {type(error).__name__}: {error} (see {where})")
