"""The connection to a Dask cluster, refused in one line whenever results could not be trusted.

Before anything is sent, every worker has to answer, to run the same sources and the same versions;
a worker that joins later is held against the sources when it gets its first task.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ...symbolic.errors import InputError
from .executor import PATIENCE, ClusterExecutor
from .identity import Identity, difference, identity
from .worker import forget_session

TIMEOUT = 10.0
"""Seconds in which the scheduler has to answer, and again a first worker has to be there."""

_LARGE = "distributed.admin.large-graph-warning-threshold"


@contextmanager
def cluster(
    address: str, *, timeout: float = TIMEOUT, patience: float = PATIENCE
) -> Iterator[ClusterExecutor]:
    """An executor over the workers of a Dask cluster, checked before anything is sent.

    ``with headproof.cluster("tcp://host:8786") as executor:
    headproof.minkowski_sum(points, executor=executor, jobs=executor.workers)``. The workers must be
    able to import whatever runs there.

    Args:
        address: of the scheduler, ``tcp://host:8786`` or ``tls://...``.
        timeout: seconds in which it has to answer, and as many for a first worker.
        patience: seconds that it may later be without any worker.

    Raises:
        InputError: dask is not installed, nothing answers there, there are no workers, or one
            runs other sources or versions.
    """
    try:
        import dask
        from distributed import Client
    except ImportError:
        raise InputError(
            "dask", "none installed", where="dask", remedy="pip install 'headproof[cluster]'"
        ) from None
    # Blocks of a large round exceed the size at which Dask advises to send data otherwise; data
    # that is kept on a worker would be lost with it.
    with dask.config.set({_LARGE: "1TiB"}), _without_the_end_of_its_coroutines():
        client = _connected(Client, address, timeout)
        try:
            _wait_for_a_worker(client, address, timeout)
            here = identity()
            _alike(client, here)
            executor = ClusterExecutor(
                client, session=uuid.uuid4().hex[:12], source=here.source, patience=patience
            )
            try:
                yield executor
            finally:
                executor.shutdown(wait=False)
                _tidy(client, executor.session, timeout)
        finally:
            client.close(timeout=timeout)


def _is_news(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


@contextmanager
def _without_the_end_of_its_coroutines() -> Iterator[None]:
    """Keep from stderr the tracebacks of what a client cancels in itself as its scheduler dies."""
    logger = logging.getLogger("distributed.client")
    logger.addFilter(_is_news)
    try:
        yield
    finally:
        logger.removeFilter(_is_news)


def _connected(connect: Any, address: str, timeout: float) -> Any:
    """A client, within the time: Dask waits for ever for what accepts a call and says nothing."""
    found: list[Any] = []

    def call() -> None:
        client = connect.__new__(connect)
        try:
            client.__init__(address, timeout=timeout, set_as_default=False, name="headproof")
            found.append(client)
        except BaseException as error:  # handed on below
            client.status = "closed"  # else its finaliser waits in vain, and complains
            found.append(error)

    # Two seconds more: what Dask itself has to say about a failure is better than nothing.
    calling = threading.Thread(target=call, daemon=True)
    calling.start()
    calling.join(timeout + 2)
    answer = found[0] if found else TimeoutError(f"no answer within {timeout:g} s")
    if isinstance(answer, (OSError, TimeoutError, ValueError, TypeError)):
        told = " ".join(str(answer).split()) or type(answer).__name__
        raise InputError(
            "the address of a Dask scheduler, such as tcp://host:8786",
            f"{address!r}, where none answers ({told[:200]})",
            where="dask",
        )
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _tidy(client: Any, session: str, timeout: float) -> None:
    """Remove what the session left on the workers, as far as they answer."""

    def tidy() -> None:
        with suppress(Exception):  # workers or scheduler may be gone
            client.run(forget_session, session, on_error="ignore")

    # A worker in a long call of a library answers nobody, and is not worth waiting for.
    waiting = threading.Thread(target=tidy, daemon=True)
    waiting.start()
    waiting.join(timeout)


def _wait_for_a_worker(client: Any, address: str, timeout: float) -> None:
    try:
        client.wait_for_workers(1, timeout=timeout)
    except TimeoutError:
        raise InputError(
            "a cluster with workers",
            f"none at {address} within {timeout:g} s",
            where="dask",
            remedy=f"start some: dask worker {address}",
        ) from None


def _alike(client: Any, here: Identity) -> None:
    """Refuse a cluster one of whose workers differs from this process."""
    for address, there in sorted(client.run(identity, on_error="return").items()):
        if isinstance(there, Identity):
            differing = difference(here, there)
        else:  # it could not load the module, or not answer
            differing = f"no headproof that fits ({there})"
        if differing:
            raise InputError(
                "workers with the same headproof and the same versions",
                f"{differing} at {address}",
                where="dask",
                remedy="install the same everywhere and restart the workers",
            )
