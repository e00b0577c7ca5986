"""Pictures of the topic equivariance: a group that permutes heads, and how many ways there are."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch

from ....symbolic.equivariance.gset import count
from ....symbolic.equivariance.library import named
from ..plot import INK, SERIES, Plot, svg

Point = tuple[float, float]

_GROUPS = ("C_2", "C_3", "V_4", "S_3")
_MOST = 12


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic, drawn once."""
    return (
        Plot(
            "head-orbits",
            "equivariance.permutation",
            "A group permutes the heads",
            "Six heads of a layer that is equivariant under S_3, as points: an orbit of three "
            "(stabilisers of order 2), one of two and one fixed head. A transposition (solid "
            "arrows) and a rotation (dashed) act on them.",
            svg("head-orbits", (5.2, 3.6), _orbits),
        ),
        Plot(
            "strata",
            "equivariance.strata",
            "Ways to permute the heads",
            f"The number of G-sets of H points, up to isomorphism, for H up to {_MOST} and four "
            "groups, on a logarithmic axis; exact. Each is a candidate for a stratum of "
            "equivariant attention; not every one occurs.",
            svg("strata", (5.2, 4.2), _strata),
        ),
    )


def _orbits(figure: Figure) -> None:
    axes = figure.subplots()
    angles = [pi / 2 + 2 * pi * k / 3 for k in range(3)]
    triangle = [(1.2 * cos(angle), 1.2 * sin(angle)) for angle in angles]
    pair = [(2.6, 0.7), (2.6, -0.7)]
    orbits = (triangle, pair, [(4.0, 0.0)])
    for points, colour, marker in zip(orbits, SERIES, "osD", strict=False):
        xs, ys = zip(*points, strict=True)
        axes.plot(xs, ys, marker, color=colour, markersize=13)
    for k in range(3):
        _arrow(axes, triangle[k], triangle[(k + 1) % 3], "--", 0.25, "-|>")
    _arrow(axes, triangle[1], triangle[2], "-", -0.3, "<|-|>")
    _arrow(axes, pair[0], pair[1], "-", 0.0, "<|-|>")
    axes.set(xlim=(-1.9, 4.5), ylim=(-1.7, 1.7), aspect="equal")
    axes.set_axis_off()
    for x, words in ((0.0, "stabilisers of order 2"), (2.6, "order 3"), (4.0, "all")):
        axes.annotate(words, (x, -1.6), ha="center", fontsize=9)


def _arrow(axes: Axes, one: Point, other: Point, line: str, bend: float, style: str) -> None:
    axes.add_patch(
        FancyArrowPatch(
            one, other, arrowstyle=style, linestyle=line, color=INK, mutation_scale=11,
            connectionstyle=f"arc3,rad={bend}", shrinkA=11, shrinkB=11, linewidth=1.1,
        )
    )  # fmt: skip


def _strata(figure: Figure) -> None:
    axes = figure.subplots()
    heads = range(1, _MOST + 1)
    for name, colour, mark in zip(_GROUPS, SERIES, ("o-", "s--", "D-.", "^:"), strict=False):
        classes = named(name).classes
        numbers = [count(classes, H) for H in heads]
        axes.plot(heads, numbers, mark, color=colour, markersize=4, label=f"${name}$")
    axes.set(xlabel="heads $H$", ylabel="G-sets", yscale="log")
    axes.legend(loc="upper left")
