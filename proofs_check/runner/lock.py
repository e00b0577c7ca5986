"""The lock of a run folder: held by the operating system, so that no death can leave it behind.

A file that merely exists would have to be judged stale by process number, and numbers are used
again. A lock on an open file goes away with its process, also after kill -9; the file stays, and
says only for the message who holds it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...symbolic.errors import InputError

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock while the block runs.

    Args:
        path: the lock file, made if need be.

    Raises:
        InputError: another run holds it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            _take(descriptor)
        except OSError:
            holder = path.read_text(errors="replace").strip() or "unknown"
            raise InputError(
                "a run folder that no other run is using",
                f"one in use by process {holder}",
                where=str(path.parent),
                remedy="wait for that run to end or give another --out",
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)
