"""Plots as SVG that stands inside the page and takes its colours from the page.

matplotlib knows nothing of style sheets. The figure is therefore drawn in a few reserved colours,
which are replaced by CSS variables in the text of the SVG, so that one drawing serves light, dark
and print. Letters are paths: no font has to be found. The ids are made from the name of the plot
and nothing else, so that the same figure gives the same bytes and two figures in one page do not
share an id.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import matplotlib
from markupsafe import Markup
from matplotlib.figure import Figure

INK = "#010203"
FAINT = "#040506"
SERIES = ("#070809", "#0a0b0c", "#0d0e0f", "#101112", "#131415", "#161718")
"""What to draw with: each stands for a colour of the page."""

_VARIABLES = {INK: "--ink", FAINT: "--faint"} | {
    colour: f"--series-{number}" for number, colour in enumerate(SERIES, start=1)
}
_STYLE: dict[str, Any] = {
    "axes.edgecolor": INK,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": "none",
    "font.family": "DejaVu Sans",
    "font.size": 10.0,
    "grid.color": FAINT,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "savefig.facecolor": "none",
    "svg.fonttype": "path",
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
}


@dataclass(frozen=True)
class Plot:
    """A picture with the words that go with it.

    Args:
        name: unique in the page.
        claim: the claim that it illustrates.
        title: a few words.
        caption: what is seen, complete enough for a reader who does not see it.
        svg: the drawing.
    """

    name: str
    claim: str
    title: str
    caption: str
    svg: Markup


def svg(name: str, size: tuple[float, float], paint: Callable[[Figure], None]) -> Markup:
    """Draw a figure and return it as an SVG element without declarations or metadata.

    Args:
        name: of the plot: letters, digits and hyphens.
        size: width and height in inches.
        paint: puts the axes and everything else on the figure.
    """

    def make() -> Figure:
        figure = Figure(figsize=size, layout="constrained")
        paint(figure)
        return figure

    return inlined(name, make)


def inlined(
    name: str, make: Callable[[], Figure], *, colours: Mapping[str, str] | None = None
) -> Markup:
    """Make a figure and return it as an SVG element without declarations or metadata.

    Args:
        name: of the plot: letters, digits and hyphens.
        make: makes the figure, in the style of the page.
        colours: of the figure, in hexadecimal -> one of `INK`, `FAINT` and `SERIES`.
    """
    page = io.StringIO()
    # The defaults first: a user's own matplotlibrc must not show.
    style: Any = dict(matplotlib.rcParamsDefault) | _STYLE | {"svg.hashsalt": name}
    with matplotlib.rc_context(style):
        figure = make()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(page, format="svg", metadata=nothing, transparent=True)
    text = page.getvalue()
    for given, reserved in (colours or {}).items():
        text = text.replace(given, reserved)
    return Markup(_inline(text, name))


def _inline(text: str, name: str) -> str:
    text = text[text.index("<svg") :].strip()
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r"<style.*?</style>", "", text, flags=re.DOTALL)  # it would apply to the page
    text = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text)
    text = re.sub(r'\sid="', f' id="{name}-', text)
    text = re.sub(r'(?:xlink:)?href="#', f'href="#{name}-', text)
    text = text.replace("url(#", f"url(#{name}-")
    for colour, variable in _VARIABLES.items():
        text = text.replace(colour, f"var({variable})")
    return re.sub(r"<svg ", '<svg aria-hidden="true" focusable="false" ', text, count=1)
