"""Sources: one digest of everything in the package that can change a result.

A cached or resumed result is only as good as the code that made it, so the digest covers the
content of every module, schema and formal proof, whether or not a claim uses it: a false miss costs
a repetition, a false hit a wrong verdict. It reads the package folder only (a checkout also holds
tests and environments) and takes a few milliseconds.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..claim import Claim
from ..deferred import Deferred

PARTS = ("numeric", "oracle", "proofs_check", "symbolic")
"""The folders of the package; the root's own modules come on top."""

SUFFIXES = frozenset({".py", ".json", ".v"})

ROOT = Path(__file__).resolve().parents[2]
"""The folder of the installed package."""


def digest(root: Path | None = None, *, parts: Sequence[str] = PARTS) -> str:
    """SHA-256 over the relative path and the content of every source, in the order of the paths.

    Args:
        root: the package's folder; the installed package by default.
        parts: the folders that count, beside the root's own modules.
    """
    root = ROOT if root is None else root
    total = hashlib.sha256()
    for path in sorted(_files(root, parts), key=lambda path: path.relative_to(root).as_posix()):
        _add(total, path.relative_to(root).as_posix(), path)
    return total.hexdigest()


def outside_digest(claim: Claim) -> str:
    """The same over the modules of a claim's producers that lie outside the package.

    Empty for the suite's own claims. What such a module imports in turn is not covered.
    """
    files = {path for p in claim.producers if (path := _outside(p.produce)) is not None}
    if not files:
        return ""
    total = hashlib.sha256()
    for path in sorted(files):
        _add(total, path.name, path)
    return total.hexdigest()


def _files(root: Path, parts: Sequence[str]) -> Iterator[Path]:
    yield from root.glob("*.py")
    for part in parts:
        for path in (root / part).rglob("*"):
            if path.suffix in SUFFIXES and "__pycache__" not in path.parts:
                yield path


def _outside(function: Callable[..., Any]) -> Path | None:
    while isinstance(function, partial):
        function = function.func
    if isinstance(function, Deferred):
        found = function.source_file()
    else:
        try:
            found = inspect.getsourcefile(function)
        except TypeError:  # a built-in or a callable object
            return None
    path = Path(found).resolve() if found else None
    inside = path is None or any(path.is_relative_to(ROOT / part) for part in PARTS)
    return None if inside or path is None or not path.is_file() else path


def _add(total: hashlib._Hash, name: str, path: Path) -> None:
    content = path.read_bytes()
    total.update(f"{len(name)}:{name}{len(content)}:".encode())
    total.update(content)
