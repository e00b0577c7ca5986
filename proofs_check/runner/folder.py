"""The run folder: everything that a run leaves behind, and nothing anywhere else.

    run.json          what was run, on what, and whether it is complete
    results.jsonl     a line a claim, appended and synced as each ends
    certificates/     <claim>/<producer>.<name>.json
    tracebacks/       <claim>.<producer>.txt, of producers that raised
    lock, running/    who is at work, and on what

Whole files are replaced atomically; the one that grows is synced line by line, and a last line that
a crash tore off is dropped when it is read.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..claim import Profile
from ..evidence import Json
from .record import ClaimResult

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


def folder_name(profile: Profile, seed: int, selection: Sequence[str], *, everything: bool) -> str:
    """The name of a run's folder: the same command finds the same folder again.

    Example:
        >>> folder_name(Profile.QUICK, 0, ["tropical.cells"], everything=True)
        'quick-0'
    """
    name = f"{profile.value}-{seed}"
    if everything:
        return name
    chosen = hashlib.sha256("\n".join(sorted(selection)).encode()).hexdigest()
    return f"{name}-{chosen[:8]}"


def write_atomically(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one or the new one, never a part.

    What is no file, such as a pipe or /dev/stdout, is written to and stays what it is; of a link
    the file that it leads to is replaced.
    """
    path = Path(os.path.realpath(path)) if path.is_symlink() else path
    if path.exists() and not (path.is_file() or path.is_dir()):
        path.write_text(text, encoding="utf-8")
        return
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


@dataclass(frozen=True)
class RunFolder:
    """A run folder, by its path."""

    path: Path

    @property
    def run_file(self) -> Path:
        """The description of the run."""
        return self.path / "run.json"

    @property
    def results_file(self) -> Path:
        """The results, a line a claim."""
        return self.path / "results.jsonl"

    @property
    def certificates(self) -> Path:
        """The folder of the certificates."""
        return self.path / "certificates"

    def certificate(self, claim: str, producer: str, name: str) -> str:
        """The path of a certificate, relative to the run folder.

        Raises:
            ValueError: the name cannot be part of a file name.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"certificate name {name!r}: expected letters, digits, . _ + -")
        return f"certificates/{claim}/{producer}.{name}.json"

    def traceback(self, claim: str, producer: str) -> str:
        """The path of a traceback, relative to the run folder."""
        return f"tracebacks/{claim}.{producer}.txt"

    def marker(self, claim: str) -> Path:
        """The file that names the producer at work on a claim, for the case that it dies."""
        return self.path / "running" / claim

    def write(self, relative: str, text: str) -> None:
        """Write a file below the run folder, atomically."""
        target = self.path / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, text)

    def describe(self, run: dict[str, Json]) -> None:
        """Write run.json."""
        write_atomically(self.run_file, json.dumps(run, indent=1) + "\n")

    def description(self) -> dict[str, Json] | None:
        """Read run.json; None if there is none that can be read."""
        try:
            value = json.loads(self.run_file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return value if isinstance(value, dict) else None

    def results(self) -> tuple[ClaimResult, ...]:
        """The results recorded so far; lines that a crash spoilt are left out."""
        try:
            lines = self.results_file.read_bytes().splitlines()
        except FileNotFoundError:
            return ()
        found = {}
        for line in lines:
            try:
                result = ClaimResult.from_json(json.loads(line))
            except (ValueError, KeyError, TypeError):
                continue
            found[result.claim] = result
        return tuple(found.values())

    def append(self, result: ClaimResult) -> None:
        """Add a result and wait until it is on the disk."""
        with self.results_file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result.to_json()) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def replace_results(self, results: Iterable[ClaimResult]) -> None:
        """Write all results anew, in the order given."""
        lines = (json.dumps(result.to_json()) + "\n" for result in results)
        write_atomically(self.results_file, "".join(lines))

    def forget(self, claim: str) -> None:
        """Remove what an earlier attempt at a claim left."""
        shutil.rmtree(self.certificates / claim, ignore_errors=True)
        for path in (self.path / "tracebacks").glob("*.txt"):
            if path.name.startswith(f"{claim}.") and "." not in path.name[len(claim) + 1 : -4]:
                path.unlink(missing_ok=True)

    def keep_only(self, claims: Iterable[str]) -> None:
        """Remove what lies there for any other claim: what remains is of this run."""
        kept = set(claims)
        if self.certificates.is_dir():
            for entry in self.certificates.iterdir():
                if entry.name not in kept and entry.is_dir():
                    shutil.rmtree(entry, ignore_errors=True)
        for path in (self.path / "tracebacks").glob("*.txt"):
            if path.name[:-4].rpartition(".")[0] not in kept:
                path.unlink(missing_ok=True)
        shutil.rmtree(self.path / "running", ignore_errors=True)
