"""Sources: one digest of everything in the package that can change a result.

A cached or resumed result is only as good as the code that made it, so the digest covers the
content of every module, schema and formal proof, whether or not a claim uses it: a false miss costs
a repetition, a false hit a wrong verdict. It reads the package folder only (a checkout also holds
tests and environments) and takes a few milliseconds.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..claim import Claim
from ..deferred import Deferred

PARTS = ("numeric", "oracle", "proofs_check", "symbolic")
"""The folders of the package; the root's own modules come on top."""

SUFFIXES = frozenset({".py", ".json", ".v"})

ROOT = Path(__file__).resolve().parents[2]
"""The folder of the installed package."""


def digest(root: Path | None = None) -> str:
    """SHA-256 over the relative path and the content of every source, in the order of the paths.

    Args:
        root: the package's folder; the installed package by default.
    """
    root = ROOT if root is None else root
    total = hashlib.sha256()
    for path in sorted(_files(root), key=lambda path: path.relative_to(root).as_posix()):
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


def module_digest(module: str) -> str:
    """The same over one module and all of the package that it imports, directly or not.

    What takes minutes to train must not be lost to a change elsewhere. Imports are read off the
    source, those within functions included, those for type checkers not; nothing in numeric/,
    where experiments live, is imported by a computed name.

    Args:
        module: its full name, in the package or not.

    Raises:
        ModuleNotFoundError: there is no such module.
    """
    files = imported_files(module)
    total = hashlib.sha256()
    for name in sorted(files):
        _add(total, name, files[name])
    return total.hexdigest()


def imported_files(module: str) -> dict[str, Path]:
    """The file of a module and of all of the package that it imports, by full names."""
    top = __name__.partition(".")[0]
    first = find_spec(module)
    if first is None or first.origin is None:
        raise ModuleNotFoundError(f"no module named {module!r}")
    found, waiting = {module: Path(first.origin)}, [module]
    while waiting:
        name = waiting.pop()
        package = name if found[name].name == "__init__.py" else name.rpartition(".")[0]
        for other in _imports(found[name], package):
            # `from .x import y` may name a module y, and loading x.y runs the packages above it.
            parts = other.split(".")
            # The root's own module only names what is exported, and changes with every export.
            above = [".".join(parts[:n]) for n in range(2, len(parts) + 1)]
            for each in above if parts[0] == top else ():
                if each not in found and (file := _file_of(each)) is not None:
                    found[each] = file
                    waiting.append(each)
    return found


def _imports(file: Path, package: str) -> Iterator[str]:
    waiting: list[ast.AST] = [ast.parse(file.read_bytes())]
    while waiting:
        node = waiting.pop()
        never = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        waiting += [] if never else ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            stem = node.module or ""
            if node.level:
                base = package.split(".")
                base = base[: len(base) - node.level + 1]
                stem = ".".join([*base, stem] if stem else base)
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def _file_of(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split(".")[1:])
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file
    return None


def _files(root: Path) -> Iterator[Path]:
    yield from root.glob("*.py")
    for part in PARTS:
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
