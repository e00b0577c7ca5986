"""Compilation: every file once, each after those that it requires, in a copy of the folder.

The copy keeps compiled files of other versions out and the sources clean. coqdep names the
requirements; files that do not wait for each other are compiled at the same time. A file whose
requirement failed is not tried.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ...symbolic.errors import InputError

LIMIT = 300.0
"""Seconds for one file; the slowest takes a few."""

TOO_LONG = "not compiled within"
"""How the error of a file begins that took too long."""

OPTIONS = ("-q", "-w", "none", "-Q", ".", "Headproof")


@dataclass(frozen=True)
class Compiled:
    """What became of each file, by its path relative to the folder.

    Args:
        errors: why a file did not compile; empty for those that did.
        requires: the files that each file requires, those of its requirements included.
    """

    errors: Mapping[str, str]
    requires: Mapping[str, frozenset[str]]


def copy_sources(folder: Path, scratch: Path) -> tuple[str, ...]:
    """Copy the .v files of the folder and of its proofs; their relative paths."""
    (scratch / "proofs").mkdir(parents=True)
    found = sorted([*folder.glob("*.v"), *(folder / "proofs").glob("*.v")])
    names = []
    for path in found:
        name = path.relative_to(folder).as_posix()
        shutil.copyfile(path, scratch / name)
        names.append(name)
    return tuple(names)


def compile_all(
    scratch: Path,
    files: Sequence[str],
    *,
    wanted: Collection[str] | None = None,
    refused: Mapping[str, str] = MappingProxyType({}),
    jobs: int,
    limit: float = LIMIT,
) -> Compiled:
    """Compile the files of a scratch folder.

    Args:
        scratch: holds the sources, and the compiled files afterwards.
        files: relative paths.
        wanted: compile only these and what they require; None for all.
        refused: file -> why it must not be compiled.
        jobs: processes at the same time.
        limit: seconds for one file.

    Raises:
        InputError: coqdep cannot order the files.
    """
    direct = _requirements(scratch, files)
    errors: dict[str, str] = {}
    requires = {name: _closure(name, direct) for name in files}
    chosen = set(files) if wanted is None else set(files) & set(wanted)
    waiting = chosen.union(*(requires[name] for name in chosen))
    running: dict[Future[str], str] = {}
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        while waiting or running:
            for name in sorted(waiting):
                if not direct[name] <= set(errors):
                    continue
                waiting.discard(name)
                broken = sorted(other for other in direct[name] if errors[other])
                if name in refused:
                    errors[name] = refused[name]
                elif broken:
                    errors[name] = f"requires {broken[0]}, which does not compile"
                else:
                    running[pool.submit(_compile, scratch, name, limit)] = name
            if not running:
                if waiting and not any(direct[name] <= set(errors) for name in waiting):
                    raise InputError("proofs without a circle", ", ".join(sorted(waiting)))
                continue
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                errors[running.pop(done)] = done.result()
    return Compiled(errors, requires)


def environment(scratch: Path) -> dict[str, str]:
    """Variables for Rocq's programs: none that would add paths or start-up files."""
    other = ("COQ", "ROCQ", "XDG_", "OCAMLPATH", "CAML_LD")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(other)}
    return {**kept, "HOME": str(scratch)}


def _compile(scratch: Path, name: str, limit: float) -> str:
    """Compile one file; why it failed, empty if it did not."""
    try:
        done = subprocess.run(
            ["coqc", *OPTIONS, name],
            cwd=scratch,
            env=environment(scratch),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return f"{TOO_LONG} {limit:g} s"
    if done.returncode == 0 and (scratch / name).with_suffix(".vo").is_file():
        return ""
    return " ".join((done.stderr or done.stdout).split()) or f"coqc exited with {done.returncode}"


def _requirements(scratch: Path, files: Sequence[str]) -> dict[str, frozenset[str]]:
    done = subprocess.run(
        ["coqdep", "-Q", ".", "Headproof", *files],
        cwd=scratch,
        env=environment(scratch),
        capture_output=True,
        text=True,
        errors="replace",
        timeout=60,
    )
    if done.returncode:
        raise InputError("files that coqdep can read", " ".join(done.stderr.split())[:300])
    found: dict[str, frozenset[str]] = {name: frozenset() for name in files}
    for line in done.stdout.splitlines():
        targets, _, sources = line.partition(":")
        name = next((t[:-1] for t in targets.split() if t.endswith(".vo")), "")
        if name in found:
            needed = {word[:-1] for word in sources.split() if word.endswith(".vo")}
            found[name] = frozenset(needed & set(files))
    return found


def _closure(name: str, direct: Mapping[str, frozenset[str]]) -> frozenset[str]:
    found: set[str] = set()
    todo = [name]
    while todo:
        for other in direct[todo.pop()] - found:
            found.add(other)
            todo.append(other)
    return frozenset(found)
