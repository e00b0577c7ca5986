"""Claims over a cluster: as many at a time as there are workers, each recorded as it comes back.

Dask runs the claims of a dead worker again elsewhere. A claim whose workers died again and again
may have been beside the one that killed them, so it has a second try with nothing beside it; then
it is given up, like a claim that kills its process here. If the cluster itself is lost, what ended
is recorded already and the same command resumes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait

from ...symbolic.errors import InputError, LimitReached
from ..cluster.executor import ClusterExecutor, ClusterLost
from .elsewhere import Delivery, order, receive, settle_elsewhere
from .schedule import not_run
from .worker import Finished, Task, found_done, keep, lost


def distribute(
    tasks: Sequence[Task], cluster: ClusterExecutor, started: Callable[[str], None]
) -> Iterator[Finished]:
    """Run tasks on a cluster and yield each result as it ends.

    Args:
        tasks: handed out in this order.
        cluster: where they run.
        started: called with the claim's id when a task is handed out.

    Raises:
        LimitReached: the cluster is lost.
        InputError: a worker runs other sources.
    """
    queue = deque(tasks)
    suspects: list[Task] = []
    running: dict[Future[Delivery], Task] = {}
    try:
        while queue or running:
            while queue and len(running) < cluster.workers:
                task = queue.popleft()
                started(task.claim.id)
                if (found := found_done(task)) is not None:
                    yield found
                    continue
                try:
                    running[_sent(task, cluster)] = task
                except Exception as error:  # a claim that cannot be pickled
                    yield not_run(task, error)
            done, _ = wait(running, timeout=1.0, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                if _is_deadly(future):
                    suspects.append(task)
                else:
                    yield _received(task, future)
        for task in suspects:
            future = _sent(task, cluster)
            running[future] = task
            wait([future])
            del running[future]
            if _is_deadly(future):
                yield lost(task, "the worker that ran it died, again and again (out of memory?)")
            else:
                yield _received(task, future)
    finally:
        for future in running:
            future.cancel()


def _sent(task: Task, cluster: ClusterExecutor) -> Future[Delivery]:
    return cluster.submit(settle_elsewhere, order(task), cluster.session)


def _is_deadly(future: Future[Delivery]) -> bool:
    error = future.exception()
    return isinstance(error, ClusterLost) and error.deadly


def _received(task: Task, future: Future[Delivery]) -> Finished:
    try:
        return keep(task, receive(task, future.result()))
    except ClusterLost as error:
        raise LimitReached(
            f"{error}; what ended is recorded in {task.folder} and the same command resumes"
        ) from error
    except InputError:
        raise
    except Exception as error:
        return not_run(task, error)
