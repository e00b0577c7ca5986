"""Files, folders and run folders: which certificates there are, and which ought to be."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NoReturn

from .certificate import CLAIM, Result, check_file
from .errors import Unreadable, show
from .fields import Json
from .reading import parse_json, read

RESULT = "headproof-result/1"
_OF_A_RUN = ("run.json", "results.jsonl", "certificates")


def check_paths(paths: Iterable[Path | str]) -> list[Result]:
    """Check files, folders and run folders, in the order given and then by name.

    Args:
        paths: what to check; a folder with run.json, results.jsonl or certificates/ is a run.

    Example:
        >>> [result.answer for result in check_paths(["no/such/file.json"])]
        ['unreadable']
    """
    return [result for path in paths for result in _check_path(Path(path))]


def _check_path(path: Path) -> Iterator[Result]:
    # os.path answers False where pathlib would raise, for a name too long or a closed folder.
    if not os.path.isdir(path):
        yield check_file(path)
        return
    run = any(os.path.lexists(path / name) for name in _OF_A_RUN)
    try:
        yield from _check_run(path) if run else _check_folder(path)
    except Unreadable as unreadable:
        yield _unreadable(path, str(unreadable))


def _check_folder(path: Path) -> Iterator[Result]:
    found = list(_json_files(path))
    if not found:
        raise Unreadable("the folder has no certificate")
    for file in found:
        yield check_file(file, follow=False)


def _refuse(error: OSError) -> NoReturn:
    raise Unreadable(f"{error.filename}: cannot be listed: {error.strerror}")


def _json_files(folder: Path) -> Iterator[Path]:
    """All entries whose name ends in .json, whatever they are; links are not followed."""
    for here, folders, names in os.walk(folder, onerror=_refuse):
        folders.sort()
        odd = [name for name in folders if (Path(here) / name).is_symlink()]
        for name in sorted([*names, *odd]):
            if name.endswith(".json") or name in odd:
                yield Path(here) / name


def _check_run(run: Path) -> Iterator[Result]:
    folder = run / "certificates"
    present: dict[str, Path] = {}
    if folder.is_symlink():
        yield Result(str(folder), "", "", False, "is a symbolic link, expected a folder")
    elif os.path.isdir(folder):
        present = {file.relative_to(run).as_posix(): file for file in _json_files(folder)}
    listed: dict[str, str] = {}
    problems: list[Result] = []
    if os.path.lexists(run / "results.jsonl"):
        try:
            listed, problems = _listed(run)
        except Unreadable as unreadable:
            problems = [_unreadable(run / "results.jsonl", str(unreadable))]
    elif not present:
        problems = [_unreadable(run, "the run has neither results.jsonl nor certificates")]
    yield from problems
    for name in sorted(present.keys() | listed.keys()):
        parts = PurePosixPath(name).parts
        owner = parts[1] if len(parts) > 2 else ""
        claim = listed.get(name, owner)
        if name not in present:
            where = str(run / name)
            yield Result(where, "", claim, False, "missing, but results.jsonl lists it")
        elif owner and owner != claim:
            reason = f"results.jsonl lists it for {claim}"
            yield Result(str(present[name]), "", claim, False, reason)
        elif present[name].is_symlink() or not present[name].is_file():
            yield Result(str(present[name]), "", claim, False, "is not a regular file")
        else:
            yield check_file(present[name], follow=False, claim=claim)


def _listed(run: Path) -> tuple[dict[str, str], list[Result]]:
    """The certificates that results.jsonl lists with their claims, and what is wrong with it."""
    path = run / "results.jsonl"
    listed: dict[str, str] = {}
    problems: list[Result] = []
    lines = read(path, follow=False).split(b"\n")
    if lines[-1]:
        problems.append(_unreadable(path, f"line {len(lines)} is cut off"))
    by_claim: dict[str, list[str]] = {}
    for number, line in enumerate(lines[:-1], start=1):
        try:
            claim, names = _line(parse_json(line, encoding="utf-8", floats=True))
        except Unreadable as unreadable:
            problems.append(_unreadable(path, f"line {number}: {unreadable}"))
        else:
            by_claim[claim] = names  # a claim that was run again has a later line
    for claim, names in by_claim.items():
        for name in names:
            if listed.setdefault(name, claim) != claim:
                reason = f"{name} is listed for {listed[name]} and for {claim}"
                problems.append(Result(str(path), "", claim, False, reason))
    return listed, problems


def _line(value: Json) -> tuple[str, list[str]]:
    if type(value) is not dict or value.get("format") != RESULT:
        raise Unreadable(f"expected an object of the format {RESULT!r}")
    claim, evidence = value.get("claim"), value.get("evidence")
    if type(claim) is not str or not claim or not CLAIM.fullmatch(claim):
        raise Unreadable(f"expected the id of a claim, found {show(claim)}")
    if type(evidence) is not list:
        raise Unreadable(f"evidence: expected a list, found {show(evidence)}")
    names: list[str] = []
    for piece in evidence:
        certificates = piece.get("certificates") if type(piece) is dict else None
        if type(certificates) is not list:
            raise Unreadable("evidence: expected objects with a list of certificates")
        for name in certificates:
            if not _inside(name):
                raise Unreadable(f"{show(name)} is no certificate of this run")
            names.append(name)
    return claim, names


def _inside(name: Json) -> bool:
    """Whether a listed name is a plain path below certificates/."""
    if type(name) is not str or "\\" in name or "\0" in name:
        return False
    parts = name.split("/")
    return (
        len(parts) > 1
        and parts[0] == "certificates"
        and all(part not in ("", ".", "..") for part in parts)
        and name.endswith(".json")
    )


def _unreadable(path: Path, reason: str) -> Result:
    return Result(str(path), "", "", False, reason, readable=False)
