"""What a Dask worker runs: one task of the suite at a time, if its sources are the caller's.

Dask runs tasks in threads, and a worker may have several; a producer may redirect stdout, set the
threads of torch or seed a global generator, so tasks of one process wait for each other. Files go
to a folder of the session below the worker's temporary folder: nothing assumes that the disk of
the caller is there. Workers on one machine share that folder, so that one that is started again
after a death finds the last states of a training.
"""

from __future__ import annotations

import pickle
import shutil
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..runner.threads import single_threaded
from .identity import stale

_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Refused:
    """A worker's answer to a task that it must not run.

    Args:
        reason: what is wrong with the worker.
    """

    reason: str


def run_call(source: str, call: bytes) -> Any:
    """Run a pickled call, alone in this process.

    Args:
        source: digest of the caller's sources.
        call: function, arguments and keyword arguments.
    """
    if reason := stale(source):
        return Refused(reason)
    function: Callable[..., Any]
    with _ONE_AT_A_TIME, single_threaded():
        function, arguments, options = pickle.loads(call)
        return function(*arguments, **options)


def session_folder(session: str) -> Path:
    """The folder of a session on this machine, made if need be."""
    path = Path(tempfile.gettempdir()) / f"headproof-{session}"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def forget_session(session: str) -> None:
    """Remove the folder of a session."""
    path = Path(tempfile.gettempdir()) / f"headproof-{session}"
    shutil.rmtree(path, ignore_errors=True)
