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
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from textwrap import wrap
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ...symbolic.derivations.sentence import pieces
from ...symbolic.mathml import mathml
from ..claim import Role
from ..registry import Registry, load
from . import figures, training
from .badge import BADGES
from .graph import HEIGHT, WIDTH, Drawing, draw
from .papers import papers
from .plot import Plot
from .recorded import RecordedRun, read
from .view import View, view

_TITLE_LETTERS = 23
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
        papers=papers(shown.claims),
        plots=_plots(shown, run),
        policy=_policy(script),
        roles=list(Role),
        script=Markup(script),
        box_lines=_box_lines,
        coded=coded,
        set=typeset,
        topics=list(dict.fromkeys(c.topic for c in shown.claims)),
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
    known = [claim.claim for claim in shown.claims if claim.claim]
    found = {topic: figures.plots(topic) for topic in dict.fromkeys(c.topic for c in known)}
    for claim in known:
        for piece in run.results[claim.id].evidence if claim.id in run.results else ():
            plot = figures.recorded(claim.id, piece.numbers)
            if plot is not None:
                found[claim.topic] += (plot,)
    for plot in training.plots(run, {claim.id for claim in shown.claims}):
        topic = plot.claim.partition(".")[0]
        found[topic] = (*found.get(topic, ()), plot)
    return {topic: drawn for topic, drawn in found.items() if drawn}


def typeset(sentence: str) -> Markup:
    """Running words with their formulas set, everything else escaped.

    Example:
        >>> str(typeset("more & more"))
        'more &amp; more'
    """
    return Markup("").join(
        mathml(piece.text, display="inline") if piece.formula else piece.text
        for piece in pieces(sentence)
    )


def coded(sentence: str) -> Markup:
    """Running words with what stands between backticks as code, everything else escaped.

    Example:
        >>> str(coded("use `a < b`"))
        'use <code>a &lt; b</code>'
    """
    parts = sentence.split("`")
    if len(parts) % 2 == 0:
        return Markup("{}").format(sentence)
    return Markup("").join(
        Markup("<code>{}</code>" if place % 2 else "{}").format(part)
        for place, part in enumerate(parts)
    )


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
