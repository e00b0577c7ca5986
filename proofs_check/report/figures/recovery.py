"""Pictures of the topic recovery: what copies of a token reveal, and what the answers cost."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
from matplotlib.figure import Figure

from ..plot import FAINT, INK, SERIES, Plot, svg

_HEADS = ((4.0, 1.0), (0.25, -0.6), (0.0625, 0.8))
"""(z_h, v_h.w) of three heads."""


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic, drawn once."""
    return (
        Plot(
            "copies",
            "recovery.identity",
            "What copies of a token answer",
            "The answer to m copies of one token beside another, for three heads, as a function "
            "of m: a constant less the sum of <v_h, w>/(1 + m z_h). Only whole numbers of copies "
            "can be asked (dots, m from 0 to 6: 2 H + 1 answers); they determine the function for"
            " all real m. Its poles lie at m = -1/z_h, left of 0 (dashed), and give the heads.",
            svg("copies", (5.2, 4.2), _copies),
        ),
        Plot(
            "queries",
            "recovery.algorithm",
            "Value queries against heads",
            "4 H d^2 - 2 H + 1 value queries recover H heads of dimension d, on logarithmic axes: "
            "in proportion to the H (d^2 + d) numbers to be found. One head alone needs d^2 + d "
            "(hollow).",
            svg("queries", (5.2, 4.2), _queries),
        ),
    )


def answer(m: float) -> float:
    """The answer to m copies, the constant being 0.

    Example:
        >>> f"{answer(0):.1f}"
        '-1.2'
    """
    return -sum(c / (1 + m * z) for z, c in _HEADS)


def _copies(figure: Figure) -> None:
    axes = figure.subplots()
    poles = [-1 / z for z, _ in _HEADS]
    ends = sorted([-24.0, *poles, 8.0])
    for low, high in pairwise(ends):
        inside = np.linspace(low, high, 402)[1:-1]
        values = np.array([answer(m) for m in inside])
        values[np.abs(values) > 5] = np.nan
        axes.plot(inside, values, color=SERIES[0], linewidth=1.6)
    for pole in poles:
        axes.axvline(pole, color=INK, linestyle="--", linewidth=0.9)
    counts = range(7)
    axes.plot(counts, [answer(m) for m in counts], "o", color=SERIES[1], markersize=5)
    axes.axvline(0, color=FAINT, linewidth=1.2)
    axes.set(xlim=(-24, 8), ylim=(-4, 4), xlabel="copies $m$", ylabel="answer")
    axes.set_xscale("symlog", linthresh=1)
    marks = (-16, -4, -1, 0, 1, 4)
    axes.set_xticks(marks, [f"{at}".replace("-", "\N{MINUS SIGN}") for at in marks])


def _queries(figure: Figure) -> None:
    axes = figure.subplots()
    heads = np.arange(1, 65)
    for d, colour, line in zip((2, 8, 32, 128), SERIES, ("-", "--", "-.", ":"), strict=False):
        axes.plot(heads, 4 * heads * d**2 - 2 * heads + 1, line, color=colour, label=f"d = {d}")
        axes.plot([1], [d**2 + d], "o", color=colour, markerfacecolor="none", clip_on=False)
    axes.set(xscale="log", yscale="log", xlabel="heads $H$", ylabel="value queries")
    axes.set_xticks([1, 4, 16, 64], ["1", "4", "16", "64"])
    axes.minorticks_off()
    axes.legend(loc="lower right", ncols=2)
