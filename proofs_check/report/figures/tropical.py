"""Pictures of the topic tropical: diagrams, polytopes and regions, the gap, the routing limit.

They illustrate what the claims say on small built-in examples and are drawn while the page is made.
They are no evidence, and the page says so. Cells of overlays, subdivisions and regions are computed
exactly (`tropical_objects`, `region_figure`); the other curves are floating point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ....symbolic.tropical.polynomial import polynomial
from .. import tropical_objects
from ..plot import FAINT, INK, SERIES, Plot, inlined, svg
from ..region_figure import regions, regions_figure
from ..tropical_objects import overlay_figure, subdivision_figure

Point = tuple[float, float]

SITES: tuple[tuple[Point, float], ...] = (
    ((-1.5, -0.9), 0.2),
    ((-0.9, 1.1), 0.0),
    ((0.5, 1.3), 0.3),
    ((1.5, 0.1), 0.0),
    ((0.4, -1.2), 0.4),
    ((-0.1, 0.1), -0.9),
)
"""Keys kappa_j with their biases b_j; the last key lies inside and never wins."""
_WINDOW = 2.4

HEADS: tuple[dict[str, Any], ...] = (
    {"keys": [[-1, 0], [0, 0], [1, 0]], "biases": [0, 1, 0]},
    {"keys": [[0, -1], [1, 2]], "biases": [0, 0]},
)
TENT = polynomial([[0, 0], [0, 2], [1, 1], [2, 0], [2, 2], [1, 0]], [0, 0, 1, 0, 0, -5])
NETWORK: dict[str, Any] = {
    "dimension": 2,
    "layers": [
        {
            "heads": [
                {
                    "keys": [[1, 0], [-1, 1], [0, -1]],
                    "biases": [0, 0, "1/4"],
                    "values": [["1/2", 0], ["-1/3", "1/2"], [0, "-3/4"]],
                }
            ],
            "residual": True,
        },
        {
            "heads": [
                {
                    "keys": [[1, 1], [-1, 0], [0, -1], ["1/4", "1/4"]],
                    "biases": [0, 0, 0, "3/4"],
                    "values": [[1, 0], [0, 1], [-1, 0], [0, 0]],
                }
            ],
            "residual": True,
        },
    ],
    "domain": {"lower": [-2, -2], "upper": [2, 2]},
}
"""Two layers of one head, with walls that do not go through."""
_COLOURS = dict(
    zip(tropical_objects.COLOURS, (*SERIES, FAINT), strict=True), **{tropical_objects.INK: INK}
)
"""The colours of those figures -> those of the page."""


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic: always the same ones, drawn once."""
    return (
        Plot(
            "power-diagram",
            "tropical.power-diagram",
            "A power diagram in the plane",
            "Six keys (dots) and the regions of queries x in which each has the highest score "
            "<kappa_j, x> + b_j. These are the cells of the power diagram with weights w_j = "
            "|kappa_j|^2 + 2 b_j. Key 6 (hollow) has no cell: its lifted point lies under the "
            "upper hull of the others.",
            svg("power-diagram", (4.6, 4.2), _power_diagram),
        ),
        Plot(
            "gap",
            "tropical.dequantisation",
            "The dequantisation gap between its bounds",
            "tau log sum_j exp(s_j/tau) less the maximum, against the temperature tau for four "
            "scores, on logarithmic axes, below the upper bound tau log N. Equal scores meet the "
            "bound; scores with a single maximum fall below every power of tau; the lower bound 0"
            " is off the scale.",
            svg("gap", (5.2, 4.2), _gap),
        ),
        Plot(
            "routing-limit",
            "tropical.routing-limit",
            "Weights in the routing limit",
            "Softmax weights of the scores (2, 2, 1, 0) against the inverse temperature 1/tau. The "
            "two tied maxima tend to 1/2 each, not to one of them; the others tend to 0.",
            svg("routing-limit", (5.2, 4.2), _routing_limit),
        ),
        Plot(
            "overlay",
            "tropical.overlay",
            "Two heads overlaid",
            "A head of three keys (horizontal routing) and one of two (vertical), with every cell "
            "of their common refinement and its label, the key of each head that wins there. "
            "There are six: as many as vertices of the Minkowski sum of the lifted keys.",
            inlined("overlay", lambda: overlay_figure(HEADS), colours=_COLOURS),
        ),
        Plot(
            "newton-polytope",
            "tropical.cells",
            "The Newton polytope behind a diagram",
            "Six keys in the plane, subdivided by lifting each to the height of its bias. Filled "
            "keys win somewhere and are joined where their cells share an edge; the hollow one "
            "lies below the hull of the others and never wins alone.",
            inlined("newton-polytope", lambda: subdivision_figure(TENT), colours=_COLOURS),
        ),
        Plot(
            "regions",
            "tropical.depth",
            "The pieces of two layers",
            f"Two layers of hard attention with residual connections cut the square into "
            f"{len(regions(NETWORK))} cells. Layer 2 sees what layer 1 has moved, so its walls "
            "jump where those of layer 1 are. Cells with the same affine map have the same "
            "colour; colours repeat.",
            inlined("regions", lambda: regions_figure(NETWORK), colours=_COLOURS),
        ),
    )


def cell(index: int, sites: Sequence[tuple[Point, float]] = SITES) -> list[Point]:
    """The corners of one cell inside the window, in order; empty if the key never wins.

    Example:
        >>> len(cell(5))
        0
    """
    w = _WINDOW
    corners: list[Point] = [(-w, -w), (w, -w), (w, w), (-w, w)]
    (kx, ky), b = sites[index]
    for other, ((ox, oy), c) in enumerate(sites):
        if other == index or not corners:
            continue

        def lead(p: Point, n: Point = (kx - ox, ky - oy), offset: float = b - c) -> float:
            return n[0] * p[0] + n[1] * p[1] + offset

        kept: list[Point] = []
        for p, q in zip(corners, corners[1:] + corners[:1], strict=True):
            here, there = lead(p), lead(q)
            if here >= 0:
                kept.append(p)
            if (here >= 0) != (there >= 0):
                t = here / (here - there)
                kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
        corners = kept
    return corners


def _power_diagram(figure: Figure) -> None:
    axes = figure.add_subplot()
    for number, ((x, y), _) in enumerate(SITES):
        colour = SERIES[number % len(SERIES)]
        corners = cell(number)
        if corners:
            xs, ys = zip(*corners, strict=True)
            axes.fill(xs, ys, color=colour, alpha=0.22, linewidth=0)
            axes.fill(xs, ys, fill=False, edgecolor=INK, linewidth=1.0)
        axes.plot(
            [x],
            [y],
            "o",
            color=colour,
            markersize=8,
            markerfacecolor=colour if corners else "none",
            markeredgewidth=1.6,
        )
        axes.annotate(str(number + 1), (x, y), (7, 5), textcoords="offset points", weight="bold")
    axes.set(xlim=(-_WINDOW, _WINDOW), ylim=(-_WINDOW, _WINDOW), aspect="equal")
    axes.set_xlabel("$x_1$")
    axes.set_ylabel("$x_2$")
    axes.grid(False)


def _gap(figure: Figure) -> None:
    axes = figure.add_subplot()
    taus = np.geomspace(0.05, 10, 160)
    axes.plot(
        taus,
        taus * math.log(4),
        color=INK,
        linestyle="--",
        linewidth=1.2,
        label=r"bound $\tau\,\log N$",
    )
    examples = (
        ("all equal", (0.0, 0.0, 0.0, 0.0), "-"),
        ("two tied", (0.0, 0.0, -1.0, -2.0), "-."),
        ("one maximum", (0.0, -0.5, -1.0, -2.0), "-"),
        ("far apart", (0.0, -2.0, -4.0, -6.0), ":"),
    )
    for (label, scores, line), colour in zip(examples, SERIES, strict=False):
        sums = [sum(math.exp(s / tau) for s in scores) for tau in taus]
        gaps = [tau * math.log(total) for tau, total in zip(taus, sums, strict=True)]
        marker = "o" if label == "all equal" else ""
        axes.plot(taus, gaps, line, color=colour, label=label, marker=marker, markevery=16)
    axes.set(xscale="log", yscale="log", ylim=(1e-4, 20))
    axes.set_xlabel(r"temperature $\tau$")
    axes.set_ylabel("gap")
    axes.legend(loc="lower right")


def _routing_limit(figure: Figure) -> None:
    axes = figure.add_subplot()
    scores = (2.0, 2.0, 1.0, 0.0)
    inverse = np.linspace(0, 6, 160)
    styles = (("$s = 2$ (two keys)", 0, "-"), ("$s = 1$", 2, "--"), ("$s = 0$", 3, ":"))
    for (label, key, line), colour in zip(styles, SERIES, strict=False):
        weights = [
            math.exp(scores[key] * k) / sum(math.exp(s * k) for s in scores) for k in inverse
        ]
        axes.plot(inverse, weights, line, color=colour, label=label)
    for limit in (0.0, 0.5):
        axes.axhline(limit, color=FAINT, linewidth=1.0)
    axes.set(ylim=(-0.02, 0.56), xlim=(0, 6))
    axes.set_yticks([0, 0.25, 0.5], ["0", "1/4", "1/2"])
    axes.set_xlabel(r"inverse temperature $1/\tau$")
    axes.set_ylabel("weight of a key")
    axes.legend(loc="center right")
