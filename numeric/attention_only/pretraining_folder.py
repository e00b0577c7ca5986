"""The folder of a pre-training: its log and its checkpoint, of one run at a time.

    log.jsonl       a line of JSON for each interval
    checkpoint.pt   the last state, replaced atomically
    lock            held by the operating system while a run is at work, gone with its process

A run may die at any moment, in the middle of a line too: what stands after the last checkpoint is
made again, and a line that is not whole is left out.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch


class PretrainingFolder:
    """Where a pre-training keeps what it has come to.

    Args:
        path: of the folder; made when it is first written to.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as made:
        ...     folder = PretrainingFolder(Path(made))
        ...     folder.keep({"step": 2})
        ...     folder.state(torch.device("cpu"))
        {'step': 2}
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._log, self._checkpoint = path / "log.jsonl", path / "checkpoint.pt"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder while the block runs.

        Raises:
            ValueError: another run is at work in it.
            OSError: it cannot be made.
        """
        self._path.mkdir(parents=True, exist_ok=True)
        with (self._path / "lock").open("a") as file:
            try:
                _take(file.fileno())
            except OSError:
                raise ValueError(
                    f"{self._path} is in use by another run: wait for it, or use another --out"
                ) from None
            yield

    def state(self, device: torch.device) -> dict[str, Any] | None:
        """The last state; None if there is none.

        Args:
            device: to which tensors go.

        Raises:
            ValueError: the file is no checkpoint, or a damaged one.
            OSError: it cannot be read.
        """
        try:
            content = self._checkpoint.open("rb")
        except FileNotFoundError:
            return None
        with content:
            try:
                state = torch.load(content, map_location=device, weights_only=True)
            except Exception:  # what damaged bytes raise depends on where they are damaged
                state = None
        if not isinstance(state, dict):
            raise ValueError(f"{self._checkpoint} cannot be read: remove it, or use another --out")
        return state

    def keep(self, state: Mapping[str, Any]) -> None:
        """Replace the last state.

        Args:
            state: what ``torch.load`` reads with ``weights_only``.

        Raises:
            OSError: it cannot be written; the state before is still there.
        """
        part = self._checkpoint.with_suffix(".part")
        with part.open("wb") as file:
            torch.save(dict(state), file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, self._checkpoint)

    def begin_log(self, step: int) -> None:
        """Leave the lines up to a step; none for a run that begins.

        Args:
            step: of the state from which the run goes on; 0 for one that begins.

        Raises:
            OSError: it cannot be written.
        """
        kept = []
        if step and self._log.exists():
            for line in self._log.read_text(encoding="utf-8", errors="replace").splitlines():
                if _step(line) <= step:
                    kept.append(f"{line}\n")
        part = self._log.with_suffix(".part")
        part.write_text("".join(kept), encoding="utf-8")
        os.replace(part, self._log)

    def write(self, value: dict[str, Any]) -> None:
        """Add a line to the log, and tell it.

        Args:
            value: of one line.

        Raises:
            ValueError: it has a number that is not finite.
            OSError: it cannot be written.
        """
        line = json.dumps(value, allow_nan=False)
        with self._log.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        print(line, flush=True)


def _step(line: str) -> float:
    """The step of a line, 0 for the heading, infinity if the line is not whole."""
    try:
        return float(json.loads(line).get("step", 0))
    except (ValueError, AttributeError):
        return float("inf")


if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
