"""Collection: every certificate of files, folders and runs, exported or left out with a reason."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ....symbolic.errors import CertificateInvalid, InputError, LimitReached
from ...checker import Result, check_paths
from .exported import Export, NotExported, export_file

FILE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\.v")
"""What coqc takes for the name of a file."""


@dataclass(frozen=True)
class Exported:
    """A certificate that was exported.

    Args:
        path: of the certificate.
        file: the name of its Rocq file, different for each.
        export: what is written.
    """

    path: str
    file: str
    export: Export


@dataclass(frozen=True)
class LeftOut:
    """A certificate that was not.

    Args:
        path: of the certificate.
        kind: that it states; may be empty.
        why: ``kind`` if there is no export for it, ``size``, ``invalid`` or ``unreadable``.
        reason: in words.
    """

    path: str
    kind: str
    why: str
    reason: str


def alone(path: str) -> Exported:
    """Export one certificate.

    Raises:
        HeadproofError: what `export_file` raises.
    """
    export = export_file(Path(path))
    return Exported(path, _name(path, export.claim, set()), export)


def collect(paths: Sequence[str]) -> tuple[tuple[Exported, ...], tuple[LeftOut, ...]]:
    """Export what can be exported among the certificates at some paths.

    Args:
        paths: files, folders and run folders, as for `headproof check`.
    """
    done: list[Exported] = []
    left: list[LeftOut] = []
    taken: set[str] = set()
    for result in check_paths(paths):
        if not result.valid:
            why = "invalid" if result.readable else "unreadable"
            left.append(LeftOut(result.path, result.kind, why, result.reason))
            continue
        try:
            export = export_file(Path(result.path))
        except LimitReached as error:
            left.append(LeftOut(result.path, result.kind, "size", _without(result, error)))
        except CertificateInvalid as error:  # it changed since it was checked
            left.append(LeftOut(result.path, result.kind, "invalid", _without(result, error)))
        except NotExported as error:
            left.append(LeftOut(result.path, result.kind, "kind", _without(result, error)))
        except InputError as error:
            left.append(LeftOut(result.path, result.kind, "unreadable", _without(result, error)))
        else:
            done.append(Exported(result.path, _name(result.path, export.claim, taken), export))
    return tuple(done), tuple(left)


def _without(result: Result, error: Exception) -> str:
    return str(error).removeprefix(f"{result.path}: ")


def _name(path: str, claim: str, taken: set[str]) -> str:
    """A name that coqc takes and no other certificate has."""
    stem = re.sub(r"[^A-Za-z0-9]+", "_", f"{claim}_{Path(path).stem}").strip("_")
    if not stem[:1].isalpha():
        stem = f"certificate_{stem}".rstrip("_")
    name, number = f"{stem}.v", 1
    while name.lower() in taken:
        number += 1
        name = f"{stem}_{number}.v"
    taken.add(name.lower())
    return name
