"""A run folder, read: what the report is made from.

A report must come out of every folder that a run left behind: one that is still being written,
one whose last line was torn by a kill, one written by another version. What cannot be read is
named in a note and left out; nothing is guessed. Only a folder that is no run is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...symbolic.errors import InputError
from ..runner.record import ClaimResult
from ..runner.run import FORMAT

_KEYS = (
    *("profile", "seed", "selection", "require", "undeclared", "source", "versions"),
    *("components", "environment", "started", "finished", "complete"),
)
_MOST_TEXT = 100_000
"""Characters of a traceback that are shown."""


@dataclass(frozen=True)
class RecordedRun:
    """A run folder, read.

    Args:
        path: where it is.
        manifest: run.json; what it does not say is None.
        results: by claim; the last line about a claim counts.
        notes: what could not be read, and why, as sentences.
    """

    path: Path
    manifest: Mapping[str, Any]
    results: Mapping[str, ClaimResult]
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the run says that it came to its end."""
        return bool(self.manifest.get("complete"))

    def inside(self, name: str) -> Path | None:
        """The path of a file of the run; None if the name points out of the folder."""
        path = (self.path / name).resolve()
        return path if path.is_relative_to(self.path.resolve()) else None

    def text(self, name: str) -> str:
        """A text file of the run, shortened in the middle if it is huge; empty if missing."""
        path = self.inside(name)
        if path is None or not path.is_file():
            return ""
        text = path.read_text(encoding="utf-8", errors="replace")
        if len(text) > _MOST_TEXT:
            half = _MOST_TEXT // 2
            left_out = len(text) - 2 * half
            text = f"{text[:half]}\n[{left_out} characters left out]\n{text[-half:]}"
        return text


def read(folder: Path) -> RecordedRun:
    """Read a run folder.

    Args:
        folder: as `headproof verify` left it, finished or not.

    Raises:
        InputError: the folder is no run: it has no readable run.json of a known format.
    """
    manifest = _manifest(folder)
    notes: list[str] = []
    results: dict[str, ClaimResult] = {}
    lines_file = folder / "results.jsonl"
    if not lines_file.is_file():
        notes.append("The run folder has no results.jsonl: no claim was finished.")
        return RecordedRun(folder, manifest, results, tuple(notes))
    lines = lines_file.read_text(encoding="utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            result = ClaimResult.from_json(json.loads(line))
            _expect_text(result)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            why = f"{type(error).__name__}: {error}"[:200]
            notes.append(f"Line {number} of results.jsonl cannot be read and is left out ({why}).")
            continue
        results[result.claim] = result
    return RecordedRun(folder, manifest, results, tuple(notes))


def _manifest(folder: Path) -> dict[str, Any]:
    where = str(folder)
    remedy = "give the folder that `headproof verify` names at its end"
    path = folder / "run.json"
    if not folder.is_dir():
        raise InputError("a run folder", "no such folder", where=where, remedy=remedy)
    if not path.is_file():
        raise InputError("a run folder", "a folder without run.json", where=where, remedy=remedy)
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(
            "run.json of a run", f"no JSON ({error})", where=str(path), remedy=remedy
        ) from error
    found = manifest.get("format") if isinstance(manifest, dict) else type(manifest).__name__
    if found != FORMAT:
        raise InputError(f'"format": "{FORMAT}"', repr(found), where=str(path), remedy=remedy)
    return {**dict.fromkeys(_KEYS), **manifest}


def _expect_text(result: ClaimResult) -> None:
    """Refuse a line that puts something else where a page needs text.

    Raises:
        TypeError: it does.
    """
    texts: list[object] = [result.claim]
    for statement in result.statements:
        texts += [statement.name, statement.reason]
    for piece in result.evidence:
        texts += [piece.producer, piece.statement, piece.scope, piece.reason, piece.detail]
        texts += [piece.traceback, *piece.certificates, *piece.rejected, *piece.rejected.values()]
        if not isinstance(piece.numbers, dict) or not isinstance(piece.seconds, int | float):
            raise TypeError("numbers or seconds of another type than expected")
    wrong = [text for text in texts if not isinstance(text, str)]
    if wrong:
        raise TypeError(f"expected a string, found {type(wrong[0]).__name__}")
