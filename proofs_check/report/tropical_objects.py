"""Pictures of tropical objects in one to three dimensions, as matplotlib figures.

What is drawn is computed exactly (subdivisions, walls, corners of cells); floats enter when a
coordinate becomes a place on the paper. Each function makes a `Figure` of its own and touches no
global state of matplotlib, so that figures can be made in any thread, notebook or report.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any, TypeAlias

import networkx as nx
from matplotlib.figure import Figure

from ...symbolic.errors import InputError
from ...symbolic.minkowski.overlay import Head, overlay
from ...symbolic.minkowski.summands import pivot_columns
from ...symbolic.rational import Rational, Vector
from ...symbolic.tropical.dual_graph import dual_graph
from ...symbolic.tropical.newton import regular_subdivision
from ...symbolic.tropical.polynomial import TropicalPolynomial, polynomial

Window: TypeAlias = tuple[Rational, Rational]
"""The range that every coordinate is drawn in."""

Corner: TypeAlias = tuple[Fraction, Fraction]
Affine: TypeAlias = tuple[Vector, Rational]
"""The function <vector, x> + number."""

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")
"""Paul Tol's bright scheme: told apart by most colour-blind readers."""
INK = "#222222"
"""What is drawn with; a page may put colours of its own in their place (`plot.inlined`)."""

_PLANE = 260
"""Points of paper across the window of a plane, about."""
_LETTER = 0.65
"""The width of a letter of a label, in parts of its height."""
_SIZES = (10, 8, 6)
"""Of labels, in points; a cell that is too small for the last has none."""


def polynomial_figure(f: TropicalPolynomial, *, window: Window | None = None) -> Figure:
    """Where each term wins: the graph (d = 1), the power diagram (2), its corners and edges (3).

    Args:
        f: in one to three variables.
        window: the range of every coordinate; chosen around the corners if left out. In three
            dimensions only the bounded edges are drawn.

    Raises:
        InputError: f has more than three variables, or the window is empty.

    Example:
        >>> from headproof.symbolic.tropical.polynomial import polynomial
        >>> len(polynomial_figure(polynomial([[0], [1]])).axes)
        1
    """
    _require_dimension(f.dimension, 3)
    queries = [cell.query for cell in regular_subdivision(f).cells]
    low, high = _window(queries, window)
    if f.dimension == 1:
        return _graph(f, low, high)
    if f.dimension == 3:
        return _corners(f, low, high)
    figure, axes = _plane(low, high)
    for place, j in enumerate(f.winning):
        rivals = [term for i, term in enumerate(f.terms) if i != j]
        _fill(axes, _cell([(f.terms[j], rivals)], low, high), place, str(j))
    return figure


def subdivision_figure(f: TropicalPolynomial) -> Figure:
    """The Newton polytope with its regular subdivision: exponents, and the edges of the cells.

    Filled points win somewhere, hollow ones never do alone.

    Args:
        f: in one to three variables.

    Raises:
        InputError: f has more than three variables.

    Example:
        >>> from headproof.symbolic.tropical.polynomial import polynomial
        >>> figure = subdivision_figure(polynomial([[0, 0], [1, 0], [0, 1]]))
        >>> len(figure.axes[0].lines)
        6
    """
    d = f.dimension
    _require_dimension(d, 3)
    figure = Figure(figsize=(4.8, 4.2), layout="constrained")
    axes: Any = figure.add_subplot(projection="3d" if d == 3 else None)
    graph = dual_graph([{"keys": f.exponents, "biases": f.coefficients}])
    for (a,), (b,) in sorted(graph.edges):
        ends = zip(_shown(f.exponents[a]), _shown(f.exponents[b]), strict=True)
        axes.plot(*ends, color=INK, linewidth=1.2)
    winning = set(f.winning)
    for j, exponent in enumerate(f.exponents):
        filled = COLOURS[0] if j in winning else "none"
        place = [[x] for x in _shown(exponent)]
        axes.plot(*place, "o", color=COLOURS[0], markerfacecolor=filled, markersize=7)
    if d < 3:
        axes.locator_params(integer=True, nbins=6)
        axes.grid(False)
    axes.set_xlabel("$a_1$")
    if d == 1:
        axes.set_yticks([])
    else:
        axes.set_ylabel("$a_2$")
    return figure


def overlay_figure(heads: Sequence[Head], *, window: Window | None = None) -> Figure:
    """The cells of overlaid heads in the line or the plane, each with its label if there is room.

    Args:
        heads: as for `overlay`.
        window: the range of every coordinate; chosen around the corners of the heads if left out.

    Raises:
        InputError: more than two dimensions, or heads that `overlay` refuses.

    Example:
        >>> line = {"keys": [[-1], [1]], "biases": [0, 0]}
        >>> len(overlay_figure([line, line]).axes)
        1
    """
    found = overlay(heads)
    d = len(found.heads[0][0][0])
    _require_dimension(d, 2)
    lifted = [
        [(tuple(key), b) for key, b in zip(keys, biases, strict=True)]
        for keys, biases in found.heads
    ]
    corners = [
        cell.query for terms in lifted for cell in regular_subdivision(_polynomial(terms)).cells
    ]
    low, high = _window(corners, window)
    figure, axes = _plane(low, high)
    colours = nx.greedy_color(dual_graph(heads))
    for label in found.labels:
        chosen = []
        for terms, j in zip(lifted, label, strict=True):
            own = (_flat(terms[j][0]), terms[j][1])
            rivals = [(_flat(key), b) for key, b in terms if (key, b) != terms[j]]
            chosen.append((own, rivals))
        _fill(axes, _cell(chosen, low, high), colours[label], ",".join(map(str, label)))
    if d == 1:
        axes.set_yticks([])
        axes.set_ylabel("")
        axes.set_aspect("auto")
    return figure


def _graph(f: TropicalPolynomial, low: Fraction, high: Fraction) -> Figure:
    """The graph in one variable, with every term as a thin line."""
    figure = Figure(figsize=(4.8, 3.6), layout="constrained")
    axes = figure.add_subplot()
    kinks = sorted(Fraction(cell.query[0]) for cell in regular_subdivision(f).cells)
    stops = [low, *(x for x in kinks if low < x < high), high]
    for a, b in pairwise(stops):
        middle = (a + b) / 2
        (j, *_) = sorted(f.winners([middle]))
        ends = [float(a), float(b)], [float(f([a])), float(f([b]))]
        axes.plot(*ends, color=COLOURS[j % len(COLOURS)], linewidth=2.5)
    bottom, top = axes.get_ylim()
    for (slope,), c in f.terms:
        values = [float(slope * x + c) for x in (low, high)]
        axes.plot([float(low), float(high)], values, color=INK, linewidth=0.5, zorder=0)
    axes.set_ylim(bottom - (top - bottom) / 4, top)
    axes.set_xlabel("$x$")
    axes.set_ylabel("$f(x)$")
    return figure


def _corners(f: TropicalPolynomial, low: Fraction, high: Fraction) -> Figure:
    """Corners of the diagram in three variables, joined where cells share a facet."""
    figure = Figure(figsize=(4.8, 4.4), layout="constrained")
    axes: Any = figure.add_subplot(projection="3d")
    cells = regular_subdivision(f).cells
    for one, other in combinations(cells, 2):
        shared = sorted(set(one.members) & set(other.members))
        if not shared:
            continue
        first, *rest = (f.exponents[j] for j in shared)
        differences = [tuple(a - b for a, b in zip(p, first, strict=True)) for p in rest]
        if len(pivot_columns(differences, 3)) == 2:
            ends = zip(map(float, one.query), map(float, other.query), strict=True)
            axes.plot(*ends, color=INK, linewidth=1.2)
    for cell in cells:
        axes.plot(*([float(x)] for x in cell.query), "o", color=COLOURS[1], markersize=5)
    span = float(low), float(high)
    axes.set(xlim=span, ylim=span, zlim=span, xlabel="$x_1$", ylabel="$x_2$", zlabel="$x_3$")
    return figure


def _cell(
    chosen: Sequence[tuple[Affine, Sequence[Affine]]], low: Fraction, high: Fraction
) -> list[Corner]:
    """The corners, inside the window, of the region where each own term beats its rivals."""
    polygon: list[Corner] = [(low, low), (high, low), (high, high), (low, high)]
    for (own, height), rivals in chosen:
        for rival, other in rivals:
            a, b = own[0] - rival[0], own[1] - rival[1]
            polygon = clipped(polygon, Fraction(a), Fraction(b), Fraction(height - other))
    return polygon


def clipped(polygon: list[Corner], a: Fraction, b: Fraction, c: Fraction) -> list[Corner]:
    """The part of a convex polygon where a x + b y + c >= 0; its corners in order.

    Example:
        >>> square = [(Fraction(x), Fraction(y)) for x, y in ((0, 0), (2, 0), (2, 2), (0, 2))]
        >>> [(int(x), int(y)) for x, y in clipped(square, Fraction(-1), Fraction(0), Fraction(1))]
        [(0, 0), (1, 0), (1, 2), (0, 2)]
    """
    kept: list[Corner] = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        here, there = a * p[0] + b * p[1] + c, a * q[0] + b * q[1] + c
        if here >= 0:
            kept.append(p)
        if here * there < 0:
            t = here / (here - there)
            kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return kept


def _fill(axes: Any, corners: list[Corner], place: int, label: str) -> None:
    middle = _centroid(corners) if len(corners) > 2 else None
    if middle is None:  # outside the window
        return
    xs, ys = zip(*((float(x), float(y)) for x, y in corners), strict=True)
    axes.fill(xs, ys, color=COLOURS[place % len(COLOURS)], alpha=0.35, linewidth=0)
    axes.fill(xs, ys, fill=False, edgecolor=INK, linewidth=1.0)
    low, high = axes.get_xlim()
    for size in _SIZES:
        half = size * (high - low) / _PLANE / 2
        box = [
            (middle[0] + x * _LETTER * len(label) * half, middle[1] + y * half)
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
        if all(_contains(corners, place) for place in box):
            axes.text(*middle, label, ha="center", va="center", fontsize=size)
            return


def _centroid(corners: Sequence[Corner]) -> tuple[float, float] | None:
    """The centre of gravity of a convex polygon; None if it has no interior."""
    (x, y), *rest = corners
    area = across = up = Fraction(0)
    for p, q in pairwise(rest):
        part = (p[0] - x) * (q[1] - y) - (q[0] - x) * (p[1] - y)
        area += part
        across += part * (x + p[0] + q[0]) / 3
        up += part * (y + p[1] + q[1]) / 3
    return (float(across / area), float(up / area)) if area else None


def _contains(corners: Sequence[Corner], place: tuple[float, float]) -> bool:
    """Whether a convex polygon, corners counterclockwise, contains a place."""
    x, y = place
    return all(
        (float(q[0]) - float(p[0])) * (y - float(p[1]))
        >= (float(q[1]) - float(p[1])) * (x - float(p[0]))
        for p, q in zip(corners, [*corners[1:], corners[0]], strict=True)
    )


def _plane(low: Fraction, high: Fraction) -> tuple[Figure, Any]:
    figure = Figure(figsize=(4.8, 4.6), layout="constrained")
    axes = figure.add_subplot()
    span = float(low), float(high)
    axes.set(xlim=span, ylim=span, aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    axes.grid(False)
    return figure, axes


def _window(points: Sequence[Vector], window: Window | None) -> tuple[Fraction, Fraction]:
    if window is not None:
        low, high = map(Fraction, window)
        if low >= high:
            raise InputError("lower < upper", f"{low}, {high}", where="window")
        return low, high
    entries = [Fraction(x) for point in points for x in point]
    low, high = min(entries), max(entries)
    margin = (high - low) / 2 or Fraction(1)
    return low - margin, high + margin


def _polynomial(terms: Sequence[Affine]) -> TropicalPolynomial:
    return polynomial([key for key, _ in terms], [b for _, b in terms])


def _flat(key: Vector) -> Vector:
    """A key in the plane: on a line the second coordinate is not read."""
    return key if len(key) == 2 else (*key, 0)


def _shown(exponent: Vector) -> list[float]:
    """Where an exponent is drawn; a line is drawn at height 0."""
    place = [float(x) for x in exponent]
    return place if len(place) > 1 else [*place, 0.0]


def _require_dimension(d: int, most: int) -> None:
    if d > most:
        raise InputError(f"at most {most} dimensions", str(d), where="picture")
