"""Points and the polygon that their vertices span, as a matplotlib figure.

Which points are vertices was decided exactly; here they are only put in order around their centre,
by comparing directions in rationals, so that a vertex a hair off an edge cannot be misplaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key

from matplotlib.figure import Figure

from ...symbolic.errors import InputError
from ...symbolic.rational import Vector
from .tropical_objects import COLOURS, INK

Place = tuple[Fraction, Fraction]


def polygon_figure(points: Sequence[Vector], vertices: Sequence[Vector]) -> Figure:
    """All points hollow, the vertices filled, and the polygon of these.

    Args:
        points: (N, d), d at most 2; a point on a line is drawn at height 0.
        vertices: of their convex hull, in any order.

    Raises:
        InputError: more than two dimensions.

    Example:
        >>> figure = polygon_figure([(0, 0), (1, 0), (0, 1)], [(0, 0), (1, 0), (0, 1)])
        >>> len(figure.axes[0].patches)
        1
    """
    d = len(points[0])
    if not 1 <= d <= 2:
        raise InputError("points on the line or in the plane", f"d = {d}", where="plot")
    figure = Figure(figsize=(4.8, 4.4), layout="constrained")
    axes = figure.add_subplot()
    corners = around([_place(vertex) for vertex in vertices])
    xs, ys = [float(x) for x, _ in corners], [float(y) for _, y in corners]
    axes.fill(xs, ys, facecolor=COLOURS[0], alpha=0.2, linewidth=0)
    axes.plot([*xs, xs[0]], [*ys, ys[0]], color=INK, linewidth=1.2)
    places = [_place(point) for point in points]
    axes.plot(
        [float(x) for x, _ in places],
        [float(y) for _, y in places],
        "o",
        color=COLOURS[0],
        markerfacecolor="none",
    )
    axes.plot(xs, ys, "o", color=COLOURS[0])
    axes.set_xlabel("$x_1$")
    if d == 1:
        axes.set_yticks([])
    else:
        axes.set_ylabel("$x_2$")
        axes.set_aspect("equal", adjustable="datalim")
    return figure


def around(corners: Sequence[Place]) -> list[Place]:
    """The corners of a convex polygon, counterclockwise around their mean.

    Example:
        >>> square = [(Fraction(x), Fraction(y)) for x, y in ((0, 0), (1, 1), (1, 0), (0, 1))]
        >>> [(int(x), int(y)) for x, y in around(square)]
        [(1, 1), (0, 1), (0, 0), (1, 0)]
    """
    n = len(corners)
    cx = sum((x for x, _ in corners), Fraction(0)) / n
    cy = sum((y for _, y in corners), Fraction(0)) / n

    def compared(p: Place, q: Place) -> int:
        (a, b), (c, d) = (p[0] - cx, p[1] - cy), (q[0] - cx, q[1] - cy)
        halves = (_lower(a, b), _lower(c, d))
        if halves[0] != halves[1]:
            return halves[0] - halves[1]
        turn = a * d - b * c
        return -1 if turn > 0 else int(turn < 0)

    return sorted(corners, key=cmp_to_key(compared))


def _lower(x: Fraction, y: Fraction) -> int:
    """1 for a direction in the half plane below, the negative axis included."""
    return int(y < 0 or (y == 0 and x < 0))


def _place(point: Vector) -> Place:
    return Fraction(point[0]), Fraction(point[1]) if len(point) == 2 else Fraction(0)
