"""The executor: ``concurrent.futures`` over a Dask cluster, outliving the death of its workers.

Dask itself runs the tasks of a dead worker again on another one. What it leaves to the caller is
here: a task that keeps killing its workers, a cluster that has lost all of them (its futures would
wait for ever) and a scheduler that is gone all become `ClusterLost` on the futures concerned.
``Client.get_executor`` does none of this, hence a class of our own.
"""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from typing import Any, TypeVar

from ...symbolic.errors import InputError, LimitReached
from .worker import Refused, run_call

Answer = TypeVar("Answer")

PATIENCE = 60.0
"""Seconds that a cluster may be without any worker."""

_LOOK = 1.0


class ClusterLost(LimitReached, BrokenExecutor):
    """What the cluster did not finish, through no fault of the question.

    Args:
        message: what happened.
        deadly: it was this task that killed its workers.
    """

    def __init__(self, message: str, *, deadly: bool = False) -> None:
        super().__init__(message)
        self.deadly = deadly


class ClusterExecutor(Executor):
    """Hands calls to the workers of a cluster; see `connection.cluster`.

    Functions have to be importable by their names on the workers.

    Args:
        client: of distributed, connected.
        session: a name that no other session of the cluster has.
        source: digest of the sources that the workers have to run.
        patience: seconds that the cluster may be without any worker.
    """

    def __init__(
        self, client: Any, *, session: str, source: str, patience: float = PATIENCE
    ) -> None:
        self.session = session
        self.client = client
        self._source = source
        self._patience = patience
        self._pending: dict[Future[Any], Any] = {}
        self._lock = threading.Lock()
        self._numbered = 0
        self._closed = threading.Event()
        self._workers = len(client.nthreads())
        threading.Thread(target=self._watch, daemon=True).start()

    @property
    def workers(self) -> int:
        """How many worker processes there are, as of the last second; at least 1."""
        return max(1, self._workers)

    @property
    def submitted(self) -> int:
        """How many calls were handed out so far."""
        return self._numbered

    def submit(
        self, function: Callable[..., Answer], /, *arguments: Any, **options: Any
    ) -> Future[Answer]:
        """Hand a call to a worker.

        Returns:
            A future that raises what the function raised, or `ClusterLost`, or `InputError` if the
            worker turns out to run other sources.
        """
        call = pickle.dumps((function, arguments, options))
        answer: Future[Answer] = Future()
        with self._lock:
            if self._closed.is_set():
                raise RuntimeError("the connection to the cluster is closed")
            self._numbered += 1
            key = f"headproof-{self.session}-{self._numbered}"
            remote = self.client.submit(run_call, self._source, call, key=key, pure=False)
            self._pending[answer] = remote
        answer.add_done_callback(self._cancelled)
        remote.add_done_callback(lambda remote: self._settle(answer, remote))
        return answer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the session; the cluster goes on."""
        self._closed.set()
        with self._lock:
            pending = list(self._pending)
        for answer in pending:
            if cancel_futures or not wait:
                answer.cancel()

    def _settle(self, answer: Future[Any], remote: Any) -> None:
        """Pass on what became of a call."""
        found, failure = None, None
        try:
            found = _found(remote)
        except BaseException as error:
            failure = error
        with self._lock:
            ours = self._pending.pop(answer, None) is not None
        if not ours or not answer.set_running_or_notify_cancel():
            return
        if failure is None:
            answer.set_result(found)
        else:
            answer.set_exception(failure)

    def _cancelled(self, answer: Future[Any]) -> None:
        if answer.cancelled():
            with self._lock:
                remote = self._pending.pop(answer, None)
            if remote is not None:
                answer.set_running_or_notify_cancel()
                remote.cancel()

    def _watch(self) -> None:
        """Count the workers; give up what waits for a cluster that has none."""
        alone_since: float | None = None
        while not self._closed.wait(_LOOK):
            try:
                self._workers = len(self.client.nthreads())
            except Exception:  # whatever its connection raises: the scheduler does not answer
                self._workers = 0
            if self._workers:
                alone_since = None
                continue
            alone_since = alone_since or time.monotonic()
            if time.monotonic() - alone_since < self._patience:
                continue
            with self._lock:
                waiting, self._pending = list(self._pending), {}
            for answer in waiting:
                if answer.set_running_or_notify_cancel():
                    answer.set_exception(ClusterLost("the cluster has no workers left"))


def _found(remote: Any) -> Any:
    """The result of a Dask future that was done; it is waited for once more if it was lost since.

    A result lies on the worker that found it, and is found again on another if that one dies.
    """
    from distributed import KilledWorker

    try:
        found = remote.result()
    except KilledWorker:
        raise ClusterLost("every worker that ran it died", deadly=True) from None
    except (asyncio.CancelledError, CancelledError):
        raise ClusterLost("the scheduler is gone") from None
    if isinstance(found, Refused):
        raise InputError(
            "workers of the same headproof",
            f"one that does not fit: {found.reason}",
            where="dask",
            remedy="install the same version everywhere and restart the workers",
        )
    return found
