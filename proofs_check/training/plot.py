"""Plots of a training, as files: SVG for a page, PNG for a look.

A plot is painted with a palette, so that the same function draws on white paper and in the report,
whose colours are the reader's (see `report.plot`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure


@dataclass(frozen=True)
class Palette:
    """The colours to paint with.

    Args:
        ink: text, axes and exact lines.
        faint: grids.
        series: one colour a curve, in order.
    """

    ink: str
    faint: str
    series: tuple[str, ...]


PAPER = Palette(
    "#1c1e21", "#d9dce0", ("#1d5a9e", "#b4500b", "#2f7d4f", "#7a3fa8", "#96731a", "#b03060")
)
"""On white."""

Paint = Callable[[Figure, Palette], None]


@dataclass(frozen=True)
class TrainingPlot:
    """A picture with the words that go with it.

    Args:
        name: of its files: lower-case letters, digits, hyphens.
        claim: that it illustrates.
        title: a few words.
        caption: what is seen, complete enough for a reader who does not see it.
        size: width and height in inches.
        paint: puts everything on the figure.
    """

    name: str
    claim: str
    title: str
    caption: str
    size: tuple[float, float]
    paint: Paint


def save(plot: TrainingPlot, folder: Path) -> None:
    """Write ``<name>.svg`` and ``<name>.png``, the title above the picture."""
    folder.mkdir(parents=True, exist_ok=True)
    style: Any = dict(matplotlib.rcParamsDefault) | _style(PAPER) | {"svg.hashsalt": plot.name}
    with matplotlib.rc_context(style):
        figure = Figure(figsize=plot.size, layout="constrained")
        plot.paint(figure, PAPER)
        figure.suptitle(plot.title, x=0.01, ha="left", fontsize=12, fontweight="bold")
        layout = figure.get_layout_engine()
        assert layout is not None
        layout.execute(figure)
        figure.set_layout_engine("none")  # found once, not anew for each file
        figure.savefig(folder / f"{plot.name}.svg", metadata={"Date": None})
        figure.savefig(folder / f"{plot.name}.png", dpi=160)


def _style(palette: Palette) -> dict[str, Any]:
    return {
        "axes.edgecolor": palette.ink,
        "axes.grid": True,
        "axes.labelcolor": palette.ink,
        "axes.linewidth": 0.8,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "font.family": "DejaVu Sans",
        "font.size": 10.0,
        "grid.color": palette.faint,
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "lines.linewidth": 1.8,
        "svg.fonttype": "path",
        "text.color": palette.ink,
        "xtick.color": palette.ink,
        "ytick.color": palette.ink,
    }
