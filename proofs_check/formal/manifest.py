"""The manifest: which theorem speaks for which statement of which claim, and on what it may rest.

A theorem that no claim uses yet is listed as unattached: it is compiled and checked all the same.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...symbolic.errors import InputError

FORMAT = "headproof-formal-manifest/1"

FILE = "manifest.json"

FOLDER = Path(__file__).resolve().parents[1] / "rocq"
"""The folder of the formal layer that comes with the package."""

_KEYS = frozenset({"statement", "theorem", "file", "sha256", "axioms"})


@dataclass(frozen=True)
class Entry:
    """One line of the manifest.

    Args:
        claim: the claim's id; empty if unattached.
        proves: the claim's statement of which this is the formal text, or a part.
        statement: the name of the formal statement.
        theorem: the name of the theorem.
        file: where it is proved, relative to the folder.
        sha256: the digest of the statement that was reviewed.
        axioms: those that the proof may rest on, by their last names.
    """

    claim: str
    proves: str
    statement: str
    theorem: str
    file: str
    sha256: str
    axioms: tuple[str, ...]


def read_manifest(folder: Path = FOLDER) -> tuple[Entry, ...]:
    """All entries: those of the claims in order, then the unattached.

    Raises:
        InputError: the manifest cannot be read or is not of this form.
    """
    path = folder / FILE
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError("a manifest in JSON", str(error), where=str(path)) from None
    if not isinstance(document, dict) or set(document) != {"format", "claims", "unattached"}:
        raise InputError("keys format, claims, unattached", "others", where=str(path))
    if document["format"] != FORMAT:
        raise InputError(FORMAT, repr(document["format"]), where=str(path))
    entries = [
        _entry(value, claim, value.get("proves"))
        for claim, values in document["claims"].items()
        for value in values
    ]
    return tuple(entries + [_entry(value, "", "") for value in document["unattached"]])


def _entry(value: dict[str, Any], claim: str, proves: object) -> Entry:
    keys = _KEYS | {"proves"} if claim else _KEYS
    where = f"{FILE}: {claim or 'unattached'}"
    if set(value) != keys:
        raise InputError(f"keys {', '.join(sorted(keys))}", str(sorted(value)), where=where)
    names = (value["statement"], value["theorem"])
    if not all(isinstance(name, str) and re.fullmatch(r"[A-Za-z]\w*", name) for name in names):
        raise InputError("names of Rocq", repr(names), where=where)
    if not re.fullmatch(r"proofs/[A-Za-z]\w*\.v", str(value["file"])):
        raise InputError("proofs/<name>.v", repr(value["file"]), where=where)
    return Entry(
        claim=claim,
        proves=str(proves),
        statement=value["statement"],
        theorem=value["theorem"],
        file=value["file"],
        sha256=value["sha256"],
        axioms=tuple(value["axioms"]),
    )
