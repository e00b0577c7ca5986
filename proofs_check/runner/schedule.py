"""The schedule: claims over processes, in dependency order, outliving the death of any of them.

A pool tells that a worker died, not which task killed it. So at most ``jobs`` tasks are in flight,
and after a death those that were are run again one by one, each in a process of its own: the one
that kills its process a second time is the one, and the others lose only time. Workers are spawned,
not forked (a forked BLAS or torch may hang), ignore Ctrl-C, which is the parent's to handle, and
end when the parent dies, even by kill -9.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for_sentinel
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any

from .folder import RunFolder
from .threads import single_threaded
from .worker import Finished, Task, lost, run_claim


def execute(
    tasks: Sequence[Task], *, jobs: int, started: Callable[[str], None]
) -> Generator[Finished, None, None]:
    """Run tasks and yield each result as it ends.

    Args:
        tasks: each after those that it rests on; they are started in this order.
        jobs: how many processes; with 1 everything runs in this one.
        started: called with the claim's id when a task is handed out.

    Close the iterator to stop: workers are ended at once.
    """
    with single_threaded():
        if jobs == 1:
            for task in tasks:
                started(task.claim.id)
                try:
                    yield run_claim(task)
                except Exception as error:
                    yield _not_run(task, error)
        else:
            yield from _apart(deque(tasks), jobs, started)


def _apart(queue: deque[Task], jobs: int, started: Callable[[str], None]) -> Iterator[Finished]:
    while queue:
        suspects: list[Task] = []
        with _Pool(jobs) as pool:
            yield from _until_a_death(pool, queue, jobs, started, suspects)
        for task in suspects:
            yield _alone(task)


def _until_a_death(
    pool: _Pool,
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
                running[pool.submit(task)] = task
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
                yield _not_run(task, error)
            else:
                yield finished


def _alone(task: Task) -> Finished:
    with _Pool(1) as pool:
        try:
            return pool.submit(task).result()
        except BrokenProcessPool:
            pool.join()
            return lost(task, f"the process that ran it {pool.epitaph()}")
        except Exception as error:
            return _not_run(task, error)


def _not_run(task: Task, error: Exception) -> Finished:
    """A task that could not be sent, or a worker that broke outside any producer."""
    where = RunFolder(task.folder).traceback(task.claim.id, "worker")
    RunFolder(task.folder).write(where, "".join(traceback.format_exception(error)))
    return lost(task, f"the worker raised {type(error).__name__}: {error} (see {where})")


class _RecordingContext(SpawnContext):
    """A spawn context that remembers its processes: their exit codes say how they died."""

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[SpawnProcess] = []

    def Process(self, *args: Any, **options: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = SpawnProcess(*args, **options)
        self.processes.append(process)
        return process


class _Pool:
    """A process pool that is ended at once when its block is left."""

    def __init__(self, jobs: int) -> None:
        self._context = _RecordingContext()
        self._executor = ProcessPoolExecutor(
            jobs, mp_context=self._context, initializer=_begin_worker
        )

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *exception: object) -> None:
        if exception[0] is not None:
            for process in self._context.processes:
                if process.is_alive():
                    process.kill()
        self.join()

    def submit(self, task: Task) -> Future[Finished]:
        with _interrupts_held():
            return self._executor.submit(run_claim, task)

    def join(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    def epitaph(self) -> str:
        """How the process of a pool of one ended."""
        codes = [process.exitcode for process in self._context.processes]
        code = next((code for code in codes if code), None)
        if code is None:
            return "ended before it was done"
        if code > 0:
            return f"exited with status {code}"
        name = signal.Signals(-code).name
        return f"was killed by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Put Ctrl-C off while a worker starts, which inherits the blocked signal; none is lost."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """Prepare a worker process: quiet on stdout, deaf to Ctrl-C, gone with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # stdout belongs to the run's one document
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    wait_for_sentinel([sentinel])
    os._exit(1)
