"""What a certificate of a run proves, in one line, and whether the checker accepted it.

Nothing is checked here: the checker did that, and its word stands in the results. The file is
opened only to say what it is about, with a limit on its size, because a report may be asked of a
folder that somebody else sent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from .recorded import RecordedRun

_LARGEST = 2_000_000
"""Bytes of a certificate that are read to describe it."""

PROVES = {
    "ball": "an enclosure that holds at every point of a box",
    "counterexample": "a formula is false at the instance given",
    "exhaustive": "a formula holds for every member of a listed finite family",
    "farkas": "a rational system of inequalities has no solution",
    "group": "how a finite group permutes heads, which strata it has, or what covers them",
    "hull": "which points are vertices (each wins strictly somewhere) and which are not (each is "
    "a convex combination)",
    "identity": "two expressions are equal as rational functions",
    "minkowski": "the vertices and facets of a Minkowski sum, all of them",
    "overlay": "the full-dimensional cells of overlaid diagrams, all of them",
    "rank": "the exact rank of a matrix, or what attention cannot see of its parameters",
    "recovery": "every query and answer of a recovery, replayed",
    "region-tree": "the affine pieces of a network, all of them",
    "route": "soft attention takes the route of hard attention, and how far off it is; or where it "
    "leaves it",
    "transformer": "at which position a head of a transformer looks, on every sequence of a family",
}
"""Kind -> what a certificate of it proves, in one line."""


@dataclass(frozen=True)
class Exhibit:
    """A certificate as the report shows it.

    Args:
        file: relative to the run folder.
        kind: as the file says; empty if it cannot be read.
        proves: one line.
        rejected: why the checker rejected it; empty if it was accepted.
        present: whether the file is there.
    """

    file: str
    kind: str
    proves: str
    rejected: str
    present: bool

    @property
    def accepted(self) -> bool:
        """Whether the checker accepted it when the run was made."""
        return not self.rejected


def exhibit(run: RecordedRun, file: str, rejected: str = "") -> Exhibit:
    """Describe a certificate.

    Args:
        run: the run that holds it.
        file: its name, relative to the run folder.
        rejected: why the checker rejected it; empty if it was accepted.
    """
    path = run.inside(file)
    if path is None or not path.is_file():
        return Exhibit(file, "", "the file is not in the run folder", rejected, present=False)
    kind = _kind(path)
    if not kind:
        return Exhibit(file, "", "too large or not readable here", rejected, present=True)
    proves = PROVES.get(kind, f"what CERTIFICATES.md says of the kind {kind}")
    return Exhibit(file, kind, proves, rejected, present=True)


def _kind(path: Path) -> str:
    if path.stat().st_size > _LARGEST:
        return ""
    try:
        data = json.loads(path.read_text(encoding="utf-8"), parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return ""
    kind = data.get("kind") if isinstance(data, dict) else None
    return kind if isinstance(kind, str) else ""
