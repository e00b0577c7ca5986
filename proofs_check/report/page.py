"""The report as one HTML file that opens from disk and asks the network for nothing.

Style sheet, script, formulas and drawings stand in the file itself. A content security policy
forbids everything else, and allows only this script, by its hash: a claim or a result that smuggles
markup past the escaping still could not run. Without the script the page is complete: every fold is
open and nothing is hidden. The same run folder gives the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from textwrap import wrap
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ..claim import Role
from ..registry import Registry, load
from ..verdict import Verdict
from . import ensemble, training, tropical
from .badge import BADGES
from .graph import HEIGHT, WIDTH, Drawing, draw
from .plot import Plot
from .recorded import RecordedRun, read
from .view import ClaimView, View, view

PLOTS: Mapping[str, Callable[[], tuple[Plot, ...]]] = {
    "tropical": tropical.plots,
    "ensemble": ensemble.plots,
}
"""The pictures of each topic; drawn when a claim of the topic is in the report."""

RECORDED: Mapping[str, Callable[[Mapping[str, Any]], Plot | None]] = {
    ensemble.REAL_HEADS: ensemble.recorded
}
"""Claim -> the picture of numbers that its evidence recorded."""

_TITLE_LETTERS = 25
"""Letters in a line of a box of the graph."""


def render(run_folder: Path, output: Path, *, registry: Registry | None = None) -> None:
    """Write the report of a run.

    Args:
        run_folder: as `headproof verify` left it, finished or not.
        output: the HTML file to write; links to certificates are relative to it.
        registry: the claims that are known; those of this version by default.

    Raises:
        InputError: the folder is no run.
        OSError: the file cannot be written.
    """
    text = html(run_folder, output=output, registry=registry)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8", newline="\n")


def html(run_folder: Path, *, output: Path | None = None, registry: Registry | None = None) -> str:
    """The report of a run as the text of an HTML file.

    Args:
        run_folder: as `headproof verify` left it, finished or not.
        output: where the file will be, for relative links; the run folder by default.
        registry: the claims that are known; those of this version by default.

    Raises:
        InputError: the folder is no run.
    """
    run = read(run_folder)
    shown = view(run, load() if registry is None else registry)
    environment = Environment(
        loader=PackageLoader(__name__.rpartition(".")[0]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    script = _own(environment, "filter.js")
    return environment.get_template("page.html.j2").render(
        badges=BADGES,
        by_id={claim.id: claim for claim in shown.claims},
        box=(WIDTH, HEIGHT),
        drawing=_drawing(shown),
        href=_links(run_folder, output),
        manifest=run.manifest,
        papers=_papers(shown),
        plots=_plots(shown, run),
        policy=_policy(script),
        roles=list(Role),
        script=Markup(script),
        box_lines=_box_lines,
        moment=_moment,
        style=Markup(_own(environment, "style.css")),
        view=shown,
    )


def _own(environment: Environment, name: str) -> str:
    """A file of ours that stands in the page as it is."""
    loader = environment.loader
    assert loader is not None
    text, _, _ = loader.get_source(environment, name)
    if "</" in text:
        raise ValueError(f"{name} would close the element that it stands in")
    return text


def _policy(script: str) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _links(run_folder: Path, output: Path | None) -> Callable[[str], str]:
    """How a file of the run is linked from the page."""
    if output is None:
        start = ""
    else:
        try:
            relative = os.path.relpath(run_folder.resolve(), output.resolve().parent)
            start = quote(Path(relative).as_posix()) + "/"
        except ValueError:  # another drive
            start = run_folder.resolve().as_uri() + "/"
    return lambda file: f"{start or './'}{quote(file)}"


def _drawing(shown: View) -> Drawing:
    """The graph of the claims shown, and of those that they rest on among them."""
    return draw({claim.id: claim.rests_on for claim in shown.claims})


def _plots(shown: View, run: RecordedRun) -> dict[str, tuple[Plot, ...]]:
    topics = dict.fromkeys(claim.claim.topic for claim in shown.claims if claim.claim)
    found = {topic: PLOTS[topic]() for topic in topics if topic in PLOTS}
    for claim_id in [claim.id for claim in shown.claims if claim.id in RECORDED]:
        drawn = (
            RECORDED[claim_id](piece.numbers)
            for piece in (run.results[claim_id].evidence if claim_id in run.results else ())
        )
        topic = claim_id.partition(".")[0]
        found[topic] = found.get(topic, ()) + tuple(plot for plot in drawn if plot is not None)
    for plot in training.plots(run, {claim.id for claim in shown.claims}):
        topic = plot.claim.partition(".")[0]
        found[topic] = (*found.get(topic, ()), plot)
    return found


def _papers(shown: View) -> tuple[tuple[ClaimView, dict[str, int], dict[Verdict, int]], ...]:
    """For each paper: a claim of it, and how its statements came out.

    The statements as verified are counted by verdict; those as stated by how many stand.
    """
    rows = []
    for key in dict.fromkeys(c.paper.key for c in shown.claims if c.paper):
        claims = [c for c in shown.claims if c.paper and c.paper.key == key]
        statements = [s for c in claims for s in c.statements if s.role is not Role.CONTROL]
        verdicts = {v: sum(s.verdict is v for s in statements) for v in Verdict}
        sizes = {"claims": len(claims), "statements": len(statements)}
        rows.append((claims[0], sizes, verdicts))
    return tuple(rows)


def _box_lines(title: str) -> list[str]:
    """A title in at most two lines, cut to what fits in a box of the graph."""
    lines = wrap(title, _TITLE_LETTERS, max_lines=2, placeholder="…")
    return lines or [title[:_TITLE_LETTERS]]


def _moment(value: object) -> str:
    """A time of run.json in words that need no explanation; as it stands if it is none."""
    try:
        when = datetime.fromisoformat(str(value))
    except ValueError:
        return str(value)
    zone = f" {when.tzname()}" if when.tzinfo else ""
    return f"{when:%Y-%m-%d %H:%M:%S}{zone}"
