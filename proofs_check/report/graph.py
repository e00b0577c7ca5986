"""The claim graph, laid out in lanes and columns.

A lane for each topic, one under another. Within it a claim stands in the column of the longest
chain of claims of its topic under it, so that an arrow, from a claim to one that it rests on,
points to the left, and the drawing is no wider than the deepest topic. An arrow that spans several
columns is led through an empty place in each of them (Sugiyama, Tagawa and Toda, 1981), and places
are ordered by the mean height of their neighbours. Arrows between topics are few; they run dashed
from lane to lane, behind the boxes. Claims without arrows inside their topic fill rows under its
columns: in a column of their own they would make the drawing as tall as there are claims.

Ranks come from networkx; the coordinates are our own, since the layouts of networkx give points
and not boxes that must not overlap. Cost: linear in nodes and arrows for a fixed number of
sweeps. The same claims always give the same drawing.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

WIDTH, HEIGHT = 172, 56
_GAP_X, _GAP_Y = 42, 12
_WAYPOINT = 8
_LANE_TOP, _LANE_BOTTOM = 34, 18
_MARGIN = 14
_MOST_COLUMNS = 5
"""Boxes side by side before claims without arrows go to the next row."""
_SWEEPS = 6


@dataclass(frozen=True)
class Box:
    """Where one claim is drawn."""

    claim: str
    x: int
    y: int


@dataclass(frozen=True)
class Arrow:
    """How the arrow from a claim to one that it rests on is drawn.

    Args:
        source: the claim.
        target: the one that it rests on.
        path: as the `d` of an SVG path.
        across: whether it leads to another topic.
    """

    source: str
    target: str
    path: str
    across: bool


@dataclass(frozen=True)
class Lane:
    """The strip of one topic."""

    topic: str
    y: int
    height: int


@dataclass(frozen=True)
class Drawing:
    """The whole drawing, in the units of its view box."""

    width: int
    height: int
    lanes: tuple[Lane, ...]
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def draw(rests_on: Mapping[str, Sequence[str]]) -> Drawing:
    """Lay out claims.

    Args:
        rests_on: every claim to be drawn, in the order of the list, with those that it rests on;
            a claim that is mentioned but not listed is not drawn, and neither is its arrow.

    Raises:
        ValueError: claims rest on each other in a circle.

    Example:
        >>> drawing = draw({"t.a": [], "t.b": ["t.a"]})
        >>> [(box.claim, box.x) for box in drawing.boxes]
        [('t.a', 14), ('t.b', 228)]
    """
    graph: nx.DiGraph = nx.DiGraph()
    graph.add_nodes_from(rests_on)
    graph.add_edges_from((a, b) for a, under in rests_on.items() for b in under if b in rests_on)
    if not nx.is_directed_acyclic_graph(graph):
        raise ValueError("claims rest on each other in a circle")
    within: nx.DiGraph = nx.DiGraph(e for e in graph.edges if _topic(e[0]) == _topic(e[1]))
    rank = _ranks(within)
    topics = list(dict.fromkeys(_topic(claim) for claim in rests_on))

    lanes: list[Lane] = []
    corner: dict[str, tuple[int, int]] = {}
    through: dict[tuple[str, str], list[tuple[int, int]]] = {}
    top = 0
    for topic in topics:
        members = [claim for claim in rests_on if _topic(claim) == topic]
        joined = [claim for claim in members if claim in within]
        arrows = [edge for edge in within.edges if edge[0] in set(joined)]
        columns = _columns(joined, arrows, rank)
        bottom = _place(columns, top + _LANE_TOP, corner, through)
        bottom = _fill([c for c in members if c not in within], bottom, corner)
        bottom += _LANE_BOTTOM - _GAP_Y
        lanes.append(Lane(topic, top, bottom - top))
        top = bottom + _GAP_Y
    boxes = tuple(Box(claim, *corner[claim]) for claim in rests_on)
    drawn = tuple(
        Arrow(a, b, _path(corner[a], through.get((a, b), []), corner[b]), across=False)
        if (a, b) in within.edges
        else Arrow(a, b, _path_across(corner[a], corner[b]), across=True)
        for a, b in graph.edges
    )
    width = max((box.x + WIDTH for box in boxes), default=0) + _MARGIN
    return Drawing(width, max(top - _GAP_Y, 0), tuple(lanes), boxes, drawn)


def _topic(claim: str) -> str:
    return claim.partition(".")[0]


def _ranks(graph: nx.DiGraph) -> dict[str, int]:
    """The length of the longest chain of claims under each claim."""
    rank: dict[str, int] = {}
    for claim in nx.topological_sort(graph.reverse(copy=False)):
        rank[claim] = max((rank[under] + 1 for under in graph.successors(claim)), default=0)
    return rank


_Item = Hashable
"""A claim, or a waypoint (source, target, column)."""


def _columns(
    claims: Iterable[str], arrows: Sequence[tuple[str, str]], rank: Mapping[str, int]
) -> list[list[_Item]]:
    """What stands in each column of a lane, from top to bottom."""
    columns: dict[int, list[_Item]] = {}
    for claim in claims:
        columns.setdefault(rank[claim], []).append(claim)
    near: dict[_Item, list[_Item]] = {}
    for source, target in arrows:
        chain: list[_Item] = [source]
        for between in range(rank[source] - 1, rank[target], -1):
            waypoint = (source, target, between)
            columns.setdefault(between, []).append(waypoint)
            chain.append(waypoint)
        chain.append(target)
        for one, other in pairwise(chain):
            near.setdefault(one, []).append(other)
            near.setdefault(other, []).append(one)
    ordered = [columns.get(number, []) for number in range(max(columns, default=-1) + 1)]
    height = {item: i / len(column) for column in ordered for i, item in enumerate(column)}
    for sweep in range(_SWEEPS):
        for column in ordered[:: 1 if sweep % 2 == 0 else -1]:
            means: dict[_Item, float] = {}
            for item in column:
                beside = [height[other] for other in near.get(item, ()) if other in height]
                means[item] = sum(beside) / len(beside) if beside else height[item]
            column.sort(key=means.__getitem__)
            height.update({item: i / len(column) for i, item in enumerate(column)})
    return ordered


def _place(
    columns: Sequence[Sequence[_Item]],
    top: int,
    corner: dict[str, tuple[int, int]],
    through: dict[tuple[str, str], list[tuple[int, int]]],
) -> int:
    """Give every box its corner and every waypoint its point; return where the next row starts."""
    tall = [sum(_height(item) + _GAP_Y for item in column) for column in columns]
    tallest = max(tall, default=0)
    for number, column in enumerate(columns):
        x = _MARGIN + number * (WIDTH + _GAP_X)
        y = top + (tallest - tall[number]) // 2
        for item in column:
            if isinstance(item, tuple):
                through.setdefault((item[0], item[1]), []).append((x, y + _WAYPOINT // 2))
            else:
                corner[str(item)] = (x, y)
            y += _height(item) + _GAP_Y
    for points in through.values():
        points.sort(reverse=True)
    return top + tallest


def _height(item: _Item) -> int:
    return _WAYPOINT if isinstance(item, tuple) else HEIGHT


def _fill(claims: Sequence[str], top: int, corner: dict[str, tuple[int, int]]) -> int:
    """Set claims without arrows in rows; return where the next row starts."""
    for number, claim in enumerate(claims):
        row, column = divmod(number, _MOST_COLUMNS)
        x = _MARGIN + column * (WIDTH + _GAP_X)
        corner[claim] = (x, top + row * (HEIGHT + _GAP_Y))
    rows = -(-len(claims) // _MOST_COLUMNS)
    return top + rows * (HEIGHT + _GAP_Y)


def _path(
    source: tuple[int, int], points: Sequence[tuple[int, int]], target: tuple[int, int]
) -> str:
    """A smooth path from the left side of one box to the right side of another."""
    middle = HEIGHT // 2
    x, y = source[0], source[1] + middle
    path = f"M{x} {y}"
    stops = [(px + WIDTH, py, px) for px, py in points]
    stops.append((target[0] + WIDTH + 3, target[1] + middle, target[0]))
    for number, (right, height, left) in enumerate(stops):
        bend = max((x - right) // 2, 12)
        path += f" C{x - bend} {y} {right + bend} {height} {right} {height}"
        if number < len(stops) - 1:
            path += f" H{left}"
        x, y = left, height
    return path


def _path_across(source: tuple[int, int], target: tuple[int, int]) -> str:
    """A smooth path between two lanes, from top to bottom of the boxes or the other way."""
    up = target[1] < source[1]
    x, y = source[0] + WIDTH // 2, source[1] if up else source[1] + HEIGHT
    end, height = target[0] + WIDTH // 2, target[1] + HEIGHT + 3 if up else target[1] - 3
    bend = max(abs(height - y) // 2, 20) * (-1 if up else 1)
    return f"M{x} {y} C{x} {y + bend} {end} {height - bend} {end} {height}"
