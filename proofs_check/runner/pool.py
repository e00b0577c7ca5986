"""The pool: worker processes that are spawned, deaf to Ctrl-C, and gone with their parent.

Workers are spawned, not forked (a forked BLAS or torch may hang), ignore Ctrl-C, which is the
parent's to handle, and end when the parent dies, even by kill -9. A pool remembers its processes:
their exit codes say how they died.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import wait as wait_for_sentinel
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class _RecordingContext(SpawnContext):
    """A spawn context that remembers its processes."""

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[SpawnProcess] = []

    def Process(self, *args: Any, **options: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = SpawnProcess(*args, **options)
        self.processes.append(process)
        return process


class Pool:
    """A process pool that is ended at once when its block is left by an exception."""

    def __init__(self, jobs: int) -> None:
        self._context = _RecordingContext()
        self._executor = ProcessPoolExecutor(
            jobs, mp_context=self._context, initializer=_begin_worker
        )

    def __enter__(self) -> Pool:
        """The pool itself."""
        return self

    def __exit__(self, *exception: object) -> None:
        """End the workers: at once after an exception, else when they are done."""
        if exception[0] is not None:
            for process in self._context.processes:
                if process.is_alive():
                    process.kill()
        self.join()

    def submit(self, function: Callable[..., Answer], *arguments: Any) -> Future[Answer]:
        """Hand a call to a worker.

        Raises:
            BrokenProcessPool: a worker died earlier.
        """
        with _interrupts_held():
            return self._executor.submit(function, *arguments)

    def join(self) -> None:
        """Wait for the workers to end."""
        self._executor.shutdown(wait=True, cancel_futures=True)

    def epitaph(self) -> str:
        """How a worker ended that did not end well."""
        codes = [process.exitcode for process in self._context.processes]
        # When one worker dies, the executor ends the others with SIGTERM.
        code = next((code for code in codes if code and code != -signal.SIGTERM), None)
        code = code or next((code for code in codes if code), None)
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
