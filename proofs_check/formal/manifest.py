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
        axioms: those that the proof may rest on, by their full names.
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
        text = path.read_text(encoding="utf-8")
        document = json.loads(text, object_pairs_hook=_each_key_once)
    except (OSError, ValueError) as error:
        raise InputError("a manifest in JSON", str(error), where=str(path)) from None
    if not isinstance(document, dict) or set(document) != {"format", "claims", "unattached"}:
        raise InputError("keys format, claims, unattached", "others", where=str(path))
    if document["format"] != FORMAT:
        raise InputError(FORMAT, repr(document["format"]), where=str(path))
    claims, unattached = document["claims"], document["unattached"]
    if not isinstance(claims, dict) or not isinstance(unattached, list):
        raise InputError("claims by their ids, unattached as a list", "others", where=str(path))
    entries = [_entry(v, c, True) for c, values in claims.items() for v in _listed(values, c)]
    entries += [_entry(value, "unattached", False) for value in unattached]
    for entry in entries:
        if entries.count(entry) > 1:
            raise InputError("each entry once", f"{entry.theorem} twice", where=str(path))
    return tuple(entries)


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; of a key that stands twice, Python would take the last silently."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return found


def _listed(values: object, claim: str) -> list[Any]:
    if not isinstance(values, list):
        raise InputError("a list of entries", type(values).__name__, where=f"{FILE}: {claim}")
    return values


def _entry(value: object, place: str, attached: bool) -> Entry:
    keys = _KEYS | {"proves"} if attached else _KEYS
    where = f"{FILE}: {place}"
    if not isinstance(value, dict) or set(value) != keys:
        shown = str(sorted(value)) if isinstance(value, dict) else type(value).__name__
        raise InputError(f"keys {', '.join(sorted(keys))}", shown, where=where)
    axioms = value["axioms"]
    if not isinstance(axioms, list) or len(set(map(str, axioms))) < len(axioms):
        raise InputError("a list of different axioms", repr(axioms), where=where)
    for text in [*axioms, *(value[key] for key in keys - {"axioms"})]:
        if not isinstance(text, str):
            raise InputError("strings", repr(text), where=where)
    names = (value["statement"], value["theorem"])
    if not all(re.fullmatch(r"[A-Za-z]\w*", name) for name in names):
        raise InputError("names of Rocq", repr(names), where=where)
    if not re.fullmatch(r"proofs/[A-Za-z]\w*\.v", value["file"]):
        raise InputError("proofs/<name>.v", repr(value["file"]), where=where)
    if wrong := [axiom for axiom in axioms if not re.fullmatch(r"\w+(\.\w+)+", axiom)]:
        raise InputError("full names of axioms", repr(wrong[0]), where=where)
    return Entry(
        claim=place if attached else "",
        proves=value["proves"] if attached else "",
        statement=value["statement"],
        theorem=value["theorem"],
        file=value["file"],
        sha256=value["sha256"],
        axioms=tuple(axioms),
    )
