"""The cache: finished claims by what they depend on, never believed without a look.

An entry is a folder with the evidence and the certificates; it appears whole, by a rename. Reading
it back compares every digest and puts every certificate before the checker again: an entry with a
damaged byte counts as absent, and the claim is done anew. Claims that failed are not kept, so that
a passing cause (a full disk, a killed worker) is not remembered.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from ..evidence import Evidence, Json
from .acceptance import objection
from .folder import RunFolder, write_atomically
from .record import evidence_from_json, evidence_to_json

FORMAT = "headproof-cache/1"


@dataclass(frozen=True)
class Cache:
    """A folder of entries, by its path."""

    path: Path

    def store(
        self, key: str, claim: str, evidence: Sequence[Evidence], seconds: float, run: RunFolder
    ) -> None:
        """Keep a finished claim, with copies of its certificates."""
        self.path.mkdir(parents=True, exist_ok=True)
        part = Path(mkdtemp(prefix=".part-", dir=self.path))
        try:
            files = {}
            for relative in _files(evidence):
                content = (run.path / relative).read_bytes()
                target = part / relative
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                files[relative] = hashlib.sha256(content).hexdigest()
            body = {
                "format": FORMAT,
                "key": key,
                "claim": claim,
                "seconds": seconds,
                "evidence": [evidence_to_json(piece) for piece in evidence],
                "files": files,
            }
            entry = {"body": body, "digest": _digest(body)}
            write_atomically(part / "entry.json", json.dumps(entry))
            target = self.path / key
            shutil.rmtree(target, ignore_errors=True)
            os.replace(part, target)
        except OSError:  # another run stored the same entry, or the disk is full: no harm done
            shutil.rmtree(part, ignore_errors=True)

    def load(
        self, key: str, claim: str, run: RunFolder
    ) -> tuple[tuple[Evidence, ...], float] | None:
        """The evidence of an entry, its certificates copied into the run folder and checked.

        Returns:
            The evidence and the seconds that it once took; None if there is no sound entry.
        """
        folder = self.path / key
        try:
            entry = json.loads((folder / "entry.json").read_text(encoding="utf-8"))
            body = entry["body"]
            if entry["digest"] != _digest(body) or body["format"] != FORMAT:
                return None
            if body["key"] != key or body["claim"] != claim:
                return None
            evidence = tuple(evidence_from_json(value) for value in body["evidence"])
            if set(body["files"]) != set(_files(evidence)):
                return None
            for relative, digest in body["files"].items():
                content = (folder / relative).read_bytes()
                if hashlib.sha256(content).hexdigest() != digest:
                    return None
                run.write(relative, content.decode("utf-8"))
            seconds = float(body["seconds"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return (evidence, seconds) if certificates_stand(evidence, claim, run) else None


def certificates_stand(evidence: Sequence[Evidence], claim: str, run: RunFolder) -> bool:
    """Whether every certificate that evidence rests on is still there and still accepted.

    A certificate that was rejected when it was made may stay so: its evidence counts as failed.
    """
    return not any(
        objection(run.path / relative, claim)
        for piece in evidence
        for relative in piece.certificates
        if relative not in piece.rejected
    )


def _files(evidence: Sequence[Evidence]) -> list[str]:
    return [relative for piece in evidence for relative in piece.certificates]


def _digest(body: Json) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
