"""Rocq: whether the installed one can check the formal proofs, told without running any of them.

The proofs hold for one version of Rocq and of its libraries: another renames lemmas, and a proof
that breaks for that reason says nothing about the theorem. Rocq's version comes from ``coqc``; the
libraries carry none, so it is read off the deprecations in their sources, which name the version
that made them. Two short commands and a few files are read, less than a tenth of a second.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

NEEDED = "8.16"
"""Of Rocq."""

LIBRARIES = {
    "mathcomp": ("1.15", "ssreflect", r'since ?= ?"mathcomp (\d+)\.(\d+)'),
    "mathcomp-analysis": ("0.6", "analysis", r'since ?= ?"(?:mathcomp-)?analysis (0)\.(\d+)'),
}
"""Library -> its version, its folder, and how its deprecations name versions."""

FILES = (
    "ssreflect/all_ssreflect.vo",
    "fingroup/fingroup.vo",
    "algebra/all_algebra.vo",
    "algebra_tactics/ring.vo",
    "zify/zify.vo",
    "analysis/exp.vo",
)
"""What the proofs require, among the compiled files of the libraries."""


def version() -> str | None:
    """The version of Rocq if it can check the proofs, None if not."""
    found, problem = _look()
    return None if problem else found


def problem() -> str:
    """What keeps the installed Rocq from checking the proofs; empty if nothing does."""
    return _look()[1]


def alone() -> tuple[str, str]:
    """The version of Rocq without its libraries, and what is wrong with it; empty if nothing is.

    The standard library comes with it: what needs no other can be checked by it.
    """
    program = shutil.which("coqc")
    if program is None:
        return "", "coqc is missing"
    words = _said(program, "--print-version").split()
    found = words[0] if words else ""
    if not re.fullmatch(rf"{re.escape(NEEDED)}(\.\d+)?", found):
        return found, f"coqc is of version {found or 'unknown'}, the proofs are for {NEEDED}"
    return found, ""


def _look() -> tuple[str, str]:
    found, wrong = alone()
    program = shutil.which("coqc")
    if wrong or program is None:
        return found, wrong
    place = Path(_said(program, "-where").strip()) / "user-contrib" / "mathcomp"
    if absent := [name for name in FILES if not (place / name).is_file()]:
        return found, f"coqc {found} has no mathcomp/{absent[0].removesuffix('.vo')}"
    for library, (needed, folder, pattern) in LIBRARIES.items():
        newest = _newest(place / folder, pattern)
        if newest != needed:
            said = newest or "an unknown version"
            return found, f"coqc has {library} {said}, the proofs are for {needed}"
    return found, ""


def _said(program: str, option: str) -> str:
    try:
        done = subprocess.run(
            [program, option], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return done.stdout


def _newest(folder: Path, pattern: str) -> str:
    """The newest version that the deprecations of a library name; empty if they name none."""
    found = [
        (int(major), int(minor))
        for path in folder.glob("*.v")
        for major, minor in re.findall(pattern, path.read_text("utf-8", errors="replace"))
    ]
    return ".".join(map(str, max(found))) if found else ""
