"""The picture of a head budget: error against head dimension, with its two parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...symbolic.ensemble.allocation import Allocation
from ...symbolic.errors import InputError

FORMATS = ("svg", "png", "pdf")
_COLOURS = ("#1d5a9e", "#c2571a", "#2c7a4b")


def paint(axes: Axes, found: Allocation, *, ink: str, faint: str, colours: Any) -> None:
    """Draw onto axes in given colours."""
    law = found.law
    best, minimiser = found.best[0], float(found.minimiser.upper)
    top = max(4.0, 2.2 * max(best, found.best_divisors[0], min(minimiser, float(law.D))))
    top = min(top, float(law.D)) if law.D > 1 else 2.0
    x = np.linspace(1.0 if top > 1 else 0.5, top, 300)
    rate, growth = float(law.alpha), 1.0 if law.C == "e" else float(np.log(float(law.C)))
    bias = float(law.A) * np.exp(-rate * x)
    variance = float(law.scale) * x * np.exp(growth * x)
    axes.plot(x, bias, "--", color=colours[0], label="squared bias")
    axes.plot(x, variance, ":", color=colours[1], label="variance")
    axes.plot(x, bias + variance, color=ink, label="mean squared error")
    shown = [d for d in law.divisors if 1 <= d <= top]
    heights = [float(law.error(d, digits=10).lower) for d in shown]
    axes.plot(shown, heights, "o", color=ink, markersize=4, label="divisors of D")
    if x[0] <= minimiser <= top:
        axes.axvline(minimiser, color=faint, linewidth=1.0)
        axes.annotate(
            f"$d_k^* = {minimiser:.2f}$", (minimiser, 1.0), (4, -12),
            xycoords=("data", "axes fraction"), textcoords="offset points", color=ink, fontsize=9,
        )  # fmt: skip
    for place, (d, name) in enumerate(
        ((best, "best integer"), (found.best_divisors[0], "best divisor"))
    ):
        if place == 0 or d != best:
            height = float(law.error(d, digits=10).lower)
            marker = "Ds"[place]
            label = f"{name}: {d}"
            face = colours[2] if place == 0 else "none"
            axes.plot(
                [d], [height], marker, color=colours[2], label=label,
                markersize=(6, 10)[place], markerfacecolor=face, linestyle="none",
            )  # fmt: skip
    axes.set_yscale("log")
    axes.set_ylim(bottom=max(float(np.min(bias + variance)) / 30, 1e-300))
    axes.set_xlabel("head dimension $d_k$")
    axes.set_ylabel("error")


def save(found: Allocation, path: str) -> None:
    """Write the picture; the suffix names the format.

    Raises:
        InputError: another suffix, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower().lstrip(".")
    if suffix not in FORMATS:
        raise InputError("a name that ends in .svg, .png or .pdf", repr(path), where="--plot")
    with matplotlib.rc_context(_style()):
        figure = budget_figure(found)
        try:
            figure.savefig(path, dpi=160)
        except OSError as error:
            found_instead = error.strerror or str(error)
            raise InputError("a file that can be written", found_instead, where=path) from None


def budget_figure(found: Allocation) -> Figure:
    """The figure itself, as `save` writes it.

    Args:
        found: the head budget.

    Example:
        >>> from ...symbolic.ensemble.allocation import head_budget
        >>> len(budget_figure(head_budget(n=100, D=12, alpha="log 2", C=2)).axes)
        1
    """
    with matplotlib.rc_context(_style()):
        figure = Figure(figsize=(7.2, 3.8), layout="constrained")
        axes = figure.subplots()
        paint(axes, found, ink="#1b1f24", faint="#8a9099", colours=_COLOURS)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
    return figure


def _style() -> Any:
    """The defaults first: a user's own matplotlibrc must not show."""
    return dict(matplotlib.rcParamsDefault) | {
        "axes.spines.right": False,
        "axes.spines.top": False,
        "legend.frameon": False,
        "svg.hashsalt": "head-budget",
    }
