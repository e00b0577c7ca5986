"""The folder of a training: ``<out>/train-<experiment>-<profile>``.

    result.json          every finished seed, and the criteria held against them
    plots/               SVG and PNG
    seed-<S>/key.json    what the seed's files depend on
    seed-<S>/result.json what it measured
    seed-<S>/parts/ states/ progress.json    of a run at work (see `journal`)

A seed's files depend on the config, the seed, the sources that the experiment imports and the
versions of what it computes with, as one digest: files of another digest are removed.
``verify`` finds here what ``train`` finished, and the reverse.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from ...numeric.experiment import Measurements, settings
from ...symbolic.errors import InputError
from ..evidence import Json
from ..runner import environment
from ..runner.folder import write_atomically
from ..runner.lock import locked

_VERSIONS = ("python", "numpy", "scipy", "torch", "mpmath")
_POLL = 0.3


@dataclass(frozen=True)
class SeedResult:
    """What one seed measured.

    Args:
        seed: the seed.
        seconds: what it took, over all its attempts that came to an interval's end.
        measurements: as the experiment returned them.
        reused: it was finished before.
        kept: another run will find it; not if the sources changed while it trained.
    """

    seed: int
    seconds: float
    measurements: Measurements
    reused: bool = False
    kept: bool = True


def training_folder(out: Path, name: str, profile: str) -> Path:
    """Where a training lies below the folder of all runs."""
    return out / f"train-{name}-{profile}"


def key(name: str, config: object, seed: int, source: str) -> str:
    """The digest of all that a seed's result depends on."""
    versions = environment.versions()
    parts: dict[str, Json] = {
        "experiment": name,
        "config": settings(config),
        "seed": seed,
        "source": source,
        "versions": {library: versions.get(library) for library in _VERSIONS},
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class SeedFolder:
    """The folder of one seed.

    Args:
        path: of the folder.
        key: what its files have to belong to.
    """

    path: Path
    key: str

    @property
    def progress_file(self) -> Path:
        """How far the seed is."""
        return self.path / "progress.json"

    def finished(self, seed: int) -> SeedResult | None:
        """The result, if the seed ended under this key."""
        try:
            value = json.loads((self.path / "result.json").read_text(encoding="utf-8"))
            if value["key"] != self.key or value["seed"] != seed:
                return None
            return SeedResult(seed, float(value["seconds"]), value["measurements"], reused=True)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def prepare(self) -> None:
        """Remove what belongs to another key; call it with the lock held."""
        try:
            found = json.loads((self.path / "key.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = None
        if found != {"key": self.key}:
            for name in ("parts", "states"):
                shutil.rmtree(self.path / name, ignore_errors=True)
            for name in ("result.json", "seconds.json", "progress.json"):
                (self.path / name).unlink(missing_ok=True)
            write_atomically(self.path / "key.json", json.dumps({"key": self.key}) + "\n")

    def tell(self, part: str, step: int, of: int) -> None:
        """Leave a word on how far it is; nobody's work depends on it."""
        write_atomically(
            self.progress_file, json.dumps({"part": part, "step": step, "of": of}) + "\n"
        )

    def spent(self) -> float:
        """Seconds that earlier attempts took."""
        try:
            found = float(json.loads((self.path / "seconds.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return 0.0
        return found if isfinite(found) and found >= 0 else 0.0

    def spend(self, seconds: float) -> None:
        """Record what all attempts took so far."""
        write_atomically(self.path / "seconds.json", f"{seconds:.3f}\n")

    def finish(self, result: SeedResult) -> None:
        """Write the result and remove what led to it."""
        value = {
            "key": self.key,
            "seed": result.seed,
            "seconds": round(result.seconds, 3),
            "measurements": result.measurements,
        }
        write_atomically(self.path / "result.json", json.dumps(value, allow_nan=False) + "\n")
        for name in ("parts", "states"):
            shutil.rmtree(self.path / name, ignore_errors=True)
        for name in ("seconds.json", "progress.json"):
            (self.path / name).unlink(missing_ok=True)

    @contextmanager
    def held(self, deadline: float | None) -> Iterator[bool]:
        """Wait until no other run works on the seed, and hold it.

        Args:
            deadline: by ``time.time()``; the block gets False if it passes first.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        while True:
            lock = locked(self.path / "lock")
            try:
                lock.__enter__()
            except InputError:
                if deadline is not None and time.time() >= deadline:
                    yield False
                    return
                time.sleep(_POLL)
                continue
            break
        try:
            yield True
        finally:
            lock.__exit__(None, None, None)
