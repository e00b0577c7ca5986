"""The affine pieces of a network of hard attention in the plane, drawn layer by layer.

The window is a polygon on which the network so far is affine. A layer cuts each polygon into the
cells of its heads' power diagrams, pulled back by that map, and composes the map with the values
chosen. All of it is rational arithmetic and shares nothing with `regions`, which never sees a
polygon: that the two count the same cells is a test of both. Cost: cells times keys a layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from matplotlib.figure import Figure

from ...symbolic.errors import InputError
from .tropical_objects import COLOURS, INK, Corner, clipped

Map = tuple[tuple[tuple[Fraction, ...], ...], tuple[Fraction, ...]]
"""(matrix, offset), from the plane."""


@dataclass(frozen=True)
class Region:
    """A polygon of inputs with one routing and the map that the network is on it."""

    corners: tuple[Corner, ...]
    choices: tuple[tuple[int, ...], ...]
    map: Map


def regions(network: Mapping[str, Any]) -> tuple[Region, ...]:
    """The full-dimensional cells of a network in the plane inside its domain.

    Args:
        network: a document as ``headproof regions`` reads it, of dimension 2, with a domain and
            without ``ffn`` and ``linear``; keys of one head have different scores.

    Raises:
        InputError: the network is of another kind.

    Example:
        >>> head = {"keys": [[-1, 0], [1, 0]], "biases": [0, 0], "values": [[1, 0], [0, 1]]}
        >>> box = {"lower": [-1, -1], "upper": [1, 1]}
        >>> plane = {"dimension": 2, "layers": [{"heads": [head]}], "domain": box}
        >>> [region.choices for region in regions(plane)]
        [((0,),), ((1,),)]
    """
    if network.get("dimension") != 2 or "domain" not in network:
        raise InputError("a network of dimension 2 with a domain", "another", where="network")
    if any({"ffn", "linear"} & set(layer) for layer in network["layers"]):
        raise InputError("layers of attention alone", "ffn or linear", where="layers")
    (a, b), (c, d) = (map(Fraction, network["domain"][end]) for end in ("lower", "upper"))
    window = ((a, b), (c, b), (c, d), (a, d))
    one, zero = Fraction(1), Fraction(0)
    found = [Region(window, (), (((one, zero), (zero, one)), (zero, zero)))]
    for layer in network["layers"]:
        found = [cell for region in found for cell in _split(region, layer)]
    return tuple(sorted(found, key=lambda region: region.choices))


def regions_figure(network: Mapping[str, Any]) -> Figure:
    """The pieces of a network in the plane: pieces of one affine map have one colour.

    Args:
        network: as for `regions`.
    """
    found = regions(network)
    maps = list(dict.fromkeys(region.map for region in found))
    figure = Figure(figsize=(4.8, 4.6), layout="constrained")
    axes = figure.add_subplot()
    for region in found:
        xs, ys = zip(*((float(x), float(y)) for x, y in region.corners), strict=True)
        colour = COLOURS[maps.index(region.map) % len(COLOURS)]
        axes.fill(xs, ys, color=colour, alpha=0.35, linewidth=0)
        axes.fill(xs, ys, fill=False, edgecolor=INK, linewidth=0.9)
    box = network["domain"]
    (a, b), (c, d) = (map(float, map(Fraction, box[end])) for end in ("lower", "upper"))
    axes.set(xlim=(a, c), ylim=(b, d), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    axes.grid(False)
    return figure


def _split(region: Region, layer: Mapping[str, Any]) -> list[Region]:
    matrix, offset = region.map
    width = len(offset)
    pieces: list[tuple[tuple[Corner, ...], tuple[int, ...], list[Fraction]]]
    pieces = [(region.corners, (), [Fraction(0)] * width)]
    for head in layer["heads"]:
        pieces = [
            (corners, (*chosen, j), [p + Fraction(v) for p, v in zip(total, value, strict=True)])
            for whole, chosen, total in pieces
            for j, value in enumerate(head["values"])
            if (corners := _cell(whole, head, j, region.map))
        ]
    kept = 1 if layer.get("residual") else 0
    scaled = tuple(tuple(kept * entry for entry in row) for row in matrix)
    return [
        Region(
            corners,
            (*region.choices, chosen),
            (scaled, tuple(kept * o + t for o, t in zip(offset, total, strict=True))),
        )
        for corners, chosen, total in pieces
    ]


def _cell(
    corners: tuple[Corner, ...], head: Mapping[str, Any], j: int, at: Map
) -> tuple[Corner, ...]:
    """The part of a polygon where key j has the highest score; empty if it has no area."""
    polygon = list(corners)
    biases = head.get("biases", [0] * len(head["keys"]))
    for i, key in enumerate(head["keys"]):
        if i == j:
            continue
        lead = [Fraction(p) - Fraction(q) for p, q in zip(head["keys"][j], key, strict=True)]
        matrix, offset = at
        a, b = (sum(n * row[c] for n, row in zip(lead, matrix, strict=True)) for c in (0, 1))
        constant = sum(n * o for n, o in zip(lead, offset, strict=True))
        constant += Fraction(biases[j]) - Fraction(biases[i])
        polygon = clipped(polygon, Fraction(a), Fraction(b), Fraction(constant))
    return tuple(polygon) if _area(polygon) else ()


def _area(polygon: Sequence[Corner]) -> Fraction:
    """Twice the area."""
    following = [*polygon[1:], *polygon[:1]]
    return sum(
        (p[0] * q[1] - q[0] * p[1] for p, q in zip(polygon, following, strict=True)), Fraction(0)
    )
