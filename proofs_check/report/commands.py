"""The commands that a reader of a report may want to give, ready to be copied.

What run.json holds is quoted for the shell: a report may be made of a folder that somebody sent.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ..evidence import Json
from ..registry import Registry
from ..runner.command import verify_command
from .recorded import RecordedRun


def selected(run: RecordedRun, registry: Registry) -> list[str]:
    """The names that a command needs to select what the run selected: none for everything."""
    selection = names_in(run.manifest.get("selection"))
    return [] if set(selection) == set(registry.claims) else selection


def reproduce(run: RecordedRun, names: Sequence[str]) -> str:
    """The command that settles these claims again as the run did."""
    return verify_command(
        names,
        profile=str(run.manifest["profile"] or ""),
        seed=run.manifest["seed"],
        require=names_in(run.manifest.get("require")),
    )


def names_in(value: Json) -> list[str]:
    """The names in a list of run.json; none if it is no list."""
    return [str(name) for name in value] if isinstance(value, list) else []


def check(run: RecordedRun) -> str:
    """The command that checks the certificates again, with no more of the path than is needed."""
    path = run.path
    if path.is_absolute():
        here = Path.cwd()
        path = path.relative_to(here) if path.is_relative_to(here) else Path(*path.parts[-2:])
    return shlex.join(["headproof", "check", path.as_posix()])
