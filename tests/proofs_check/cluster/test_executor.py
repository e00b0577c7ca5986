"""The executor against a scheduler that does what the test says."""

import pickle
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, wait
from typing import Any

import pytest

from headproof.proofs_check.cluster.executor import ClusterExecutor, ClusterLost
from headproof.proofs_check.cluster.identity import identity
from headproof.proofs_check.cluster.worker import Refused, run_call
from headproof.symbolic.errors import InputError, LimitReached


class Remote:
    """A future of distributed."""

    def __init__(self) -> None:
        self.value: Any = None
        self.error: BaseException | None = None
        self.callback: Callable[[Any], None] = lambda remote: None
        self.given_up = False

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        self.callback = callback

    def result(self) -> Any:
        if self.error is not None:
            raise self.error
        return self.value

    def cancel(self) -> None:
        self.given_up = True

    def end(self, value: Any = None, error: BaseException | None = None) -> None:
        self.value, self.error = value, error
        self.callback(self)


class Client:
    """A client whose cluster has as many workers as it is told."""

    def __init__(self, workers: int = 2) -> None:
        self.workers = workers
        self.sent: list[tuple[Remote, tuple[Any, ...]]] = []

    def nthreads(self) -> dict[int, int]:
        return dict.fromkeys(range(self.workers), 1)

    def submit(self, function: Any, *arguments: Any, **options: Any) -> Remote:
        self.sent.append((Remote(), (function, *arguments)))
        return self.sent[-1][0]


def connected(client: Client, **options: Any) -> ClusterExecutor:
    return ClusterExecutor(client, session="s", source=identity().loaded, **options)


@pytest.fixture(autouse=True)
def _distributed() -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster")


def test_a_call_is_run_as_it_was_given() -> None:
    client = Client()
    with connected(client) as executor:
        answer = executor.submit(sorted, [3, 1, 2], reverse=True)
        remote, (function, *arguments) = client.sent[0]
        assert function is run_call
        remote.end(function(*arguments))
        assert answer.result(1) == [3, 2, 1]
    with pytest.raises(RuntimeError, match="closed"):
        executor.submit(sorted, [])


def test_a_worker_of_other_sources_runs_nothing() -> None:
    call = pickle.dumps((pytest.fail, ("it ran",), {}))
    found = run_call("0" * 64, call)
    assert found == Refused("it began with other sources of headproof")
    client = Client()
    with connected(client) as executor:
        answer = executor.submit(len, [])
        client.sent[0][0].end(found)
        with pytest.raises(InputError, match="restart the workers"):
            answer.result(1)


def test_what_a_call_raises_comes_back() -> None:
    client = Client()
    with connected(client) as executor:
        answer = executor.submit(len, [])
        client.sent[0][0].end(error=LimitReached("enough"))
        with pytest.raises(LimitReached, match="enough"):
            answer.result(1)


def test_a_deadly_call_and_a_lost_scheduler() -> None:
    distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
    client = Client()
    with connected(client) as executor:
        deadly, orphan = executor.submit(len, []), executor.submit(len, [])
        killed = distributed.KilledWorker("key", "tcp://w", 3)
        client.sent[0][0].end(error=killed)
        client.sent[1][0].end(error=CancelledError())
        for answer, message, is_deadly in (
            (deadly, "every worker that ran it died", True),
            (orphan, "the scheduler is gone", False),
        ):
            with pytest.raises(ClusterLost, match=message) as caught:
                answer.result(1)
            assert caught.value.deadly is is_deadly


def test_a_cluster_without_workers_is_given_up_and_one_that_recovers_is_not() -> None:
    client = Client()
    with connected(client, patience=1.5) as executor:
        answer = executor.submit(len, [])
        client.workers = 0
        time.sleep(1.2)
        client.workers = 1
        assert not wait([answer], timeout=2.5).done
        client.workers = 0
        with pytest.raises(ClusterLost, match="no workers left"):
            answer.result(10)
        client.sent[0][0].end(0)  # too late: nobody waits any more
        assert isinstance(answer.exception(), ClusterLost)


def test_a_cancelled_call_is_cancelled_there() -> None:
    client = Client()
    with connected(client) as executor:
        answer = executor.submit(len, [])
        assert answer.cancel()
        assert client.sent[0][0].given_up
        client.sent[0][0].end(error=CancelledError())
