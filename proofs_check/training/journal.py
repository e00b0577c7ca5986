"""The journal of one seed: a folder in which a killed run finds its beginnings.

    parts/<part>.json    what a finished part returned
    states/<part>.pt     the last state of a part at work
    progress.json        how far it is, for whoever watches

Every file is replaced atomically, so that ``kill -9`` at any moment leaves the state before or the
state after. States are written with torch and read back with ``weights_only``: tensors, numbers,
strings, and lists and dicts of them, never code. They are written at most once an interval, since
a run of many short steps must not spend its time on the disk; what a death costs is one interval.
A file that cannot be read (a disk that lies, an editor) is worth nothing: a warning says so, and
its part begins again.
"""

from __future__ import annotations

import json
import os
import re
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...symbolic.errors import LimitReached
from ..evidence import Json
from ..runner.folder import write_atomically

INTERVAL = 5.0
"""Seconds between two states."""

_TELLING = 0.2
_PART = re.compile(r"[a-z0-9][a-z0-9-]*")


class FolderJournal:
    """A journal that keeps everything in a folder.

    Args:
        folder: of the seed; made if need be.
        interval: seconds between two states.
        deadline: by ``time.time()``, after which the next interval's end stops the run.
        heard: called with the part, the step and the number of steps.
        part: the path of the part that it belongs to, joined by dots.
    """

    def __init__(
        self,
        folder: Path,
        *,
        interval: float = INTERVAL,
        deadline: float | None = None,
        heard: Callable[[str, int, int], None] | None = None,
        part: str = "",
    ) -> None:
        self._folder, self._interval, self._deadline = folder, interval, deadline
        self._heard, self._part = heard, part
        self._kept = time.monotonic()
        self._told = -_TELLING
        self._names: set[str] = set()

    def resume(self) -> dict[str, Any] | None:
        """The state kept last; None at the beginning, or if it cannot be read.

        Warns:
            RuntimeWarning: it cannot be read.
        """
        import torch

        try:
            state = torch.load(self._state_file, weights_only=True)
        except FileNotFoundError:
            return None
        except OSError:
            raise
        except Exception:  # what damaged bytes raise depends on where they are damaged
            state = None
        if not isinstance(state, dict):
            _warn(self._state_file)
            return None
        return state

    def advance(self, step: int, of: int, state: Callable[[], Any]) -> None:
        """Tell that ``step`` of ``of`` steps are done; keep the state if it is time to.

        Raises:
            LimitReached: the deadline has passed; the state is kept.
        """
        self._tell(step, of)
        now = time.monotonic()
        late = self._deadline is not None and time.time() >= self._deadline
        if late or now - self._kept >= self._interval:
            self._keep(dict(state()))
            self._kept = time.monotonic()
        if late:
            raise LimitReached("the time limit was reached")

    def part(self, name: str, run: Callable[[FolderJournal], Json]) -> Json:
        """What a part returns, run now or long ago.

        Raises:
            ValueError: the name is not one, stands twice, or the part returned no JSON.

        Warns:
            RuntimeWarning: what it returned before cannot be read.
        """
        if not _PART.fullmatch(name):
            raise ValueError(f"part {name!r}: expected lower-case letters, digits and hyphens")
        if name in self._names:
            raise ValueError(f"part {name!r} stands twice")
        self._names.add(name)
        path = f"{self._part}.{name}" if self._part else name
        file = self._folder / "parts" / f"{path}.json"
        try:
            return json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            pass
        except ValueError:
            _warn(file)
        inner = FolderJournal(
            self._folder,
            interval=self._interval,
            deadline=self._deadline,
            heard=self._heard,
            part=path,
        )
        text = json.dumps(run(inner), allow_nan=False)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, text + "\n")
        inner._state_file.unlink(missing_ok=True)
        return json.loads(text)

    @property
    def _state_file(self) -> Path:
        return self._folder / "states" / f"{self._part or 'run'}.pt"

    def _keep(self, state: dict[str, Any]) -> None:
        import torch

        target = self._state_file
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        with part.open("wb") as file:
            torch.save(state, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)

    def _tell(self, step: int, of: int) -> None:
        now = time.monotonic()
        if step < of and now - self._told < _TELLING:
            return
        self._told = now
        if self._heard is not None:
            self._heard(self._part, step, of)


def _warn(file: Path) -> None:
    warnings.warn(f"{file} cannot be read; its part begins again", RuntimeWarning, stacklevel=3)
