"""The search behind `linear_regions`: a tree of polyhedra, split choice by choice.

A node is an open polyhedron on which the network's choices are partly fixed. Before it is split,
every choice that is still free at the current stage is narrowed: a class that wins nowhere in
the node is excluded, with multipliers that prove it, and never looked at again below. Then the
first choice with several classes left is split into one child a class; when none is left, the
network's next stage begins. So heads are pruned one by one and never combined blindly: the work
is proportional to the nodes of the tree and not to N^H.

Known points save decisions: every witness found in a node is handed down to the child that
contains it, and a class that wins at a known point needs no linear program. Questions of many
nodes are asked in one batch (`open_cells`). The order in which nodes are treated influences
nothing: a node's children, exclusions and points depend on the node alone, so that any number of
processes grows the same tree, integer by integer.

Cost: for a tree of F leaves about F (sum of the classes of a stage) decisions of a dozen rows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TypeAlias

from ..errors import LimitReached
from ..rational import primitive
from .network import Network
from .open_cells import Answer, Point, Question, Region, Row, decide
from .stages import IntegerMap, Stage, Unit, stages

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of finished leaves and of nodes still open."""

_BATCH = 256
_KNOWN_POINTS = 16


@dataclass(frozen=True)
class Exclusion:
    """A class that wins nowhere in a node.

    Args:
        unit: the choice, counted within its stage.
        winner: the class.
        path: (row of the path, weight).
        against: (class that it would have to beat, weight).
    """

    unit: int
    winner: int
    path: tuple[tuple[int, int], ...]
    against: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class RawLeaf:
    """A leaf as the search knows it: members of the chosen classes, stage by stage."""

    point: Point
    chosen: tuple[tuple[tuple[int, ...], ...], ...]
    map: IntegerMap


@dataclass
class Record:
    """What is known of a node in the end: exclusions, then a split or a leaf."""

    exclusions: list[Exclusion] = field(default_factory=list)
    unit: int = -1
    children: list[Record] = field(default_factory=list)
    leaf: RawLeaf | None = None

    def preorder(self) -> Iterator[Record]:
        """The records below this one, each before its children."""
        stack = [self]
        while stack:
            record = stack.pop()
            yield record
            stack.extend(reversed(record.children))


@dataclass(frozen=True)
class Path:
    """The strict inequalities on the way to a node, numbered as the certificate numbers them.

    Of parallel rows only the tightest is kept; numbers count all of them.

    Args:
        tightest: direction -> (number, divisor, row), row = divisor * direction in its slopes.
        count: the number of rows so far.
    """

    tightest: dict[Row, tuple[int, int, Row]] = field(default_factory=dict)
    count: int = 0

    def extended(self, rows: Sequence[Row]) -> Path:
        """The path with further rows."""
        tightest = dict(self.tightest)
        for number, row in enumerate(rows, self.count):
            direction = primitive(row[:-1])
            if not any(direction):
                continue
            divisor = next(a // e for a, e in zip(row, direction, strict=False) if e)
            old = tightest.get(direction)
            if old is None or row[-1] * old[1] < old[2][-1] * divisor:
                tightest[direction] = (number, divisor, row)
        return Path(tightest, self.count + len(rows))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows that are kept."""
        return tuple(row for _, _, row in self.tightest.values())

    @cached_property
    def numbers(self) -> list[int]:
        """Their numbers."""
        return [number for number, _, _ in self.tightest.values()]


@dataclass
class Node:
    """A polyhedron that is not yet settled."""

    record: Record
    path: Path
    points: list[Point]
    before: IntegerMap
    stage: int
    chosen: tuple[tuple[tuple[int, ...], ...], ...] = ()
    units: tuple[Unit, ...] = ()
    alive: tuple[tuple[int, ...], ...] = ()


class Search:
    """Grow the tree of one network.

    Args:
        network: the network.
        limit: the most leaves that the tree may have.
        progress: called after each batch.
    """

    def __init__(
        self, network: Network, *, limit: int | None = None, progress: Progress | None = None
    ) -> None:
        self._stages: tuple[Stage, ...] = stages(network)
        self._limit = limit
        self._progress = progress
        self.leaves = 0
        self.open: deque[Node] = deque()

    def root(self, network: Network) -> Node:
        """The node that is all of the domain."""
        identity = IntegerMap.identity(network.dimension)
        rows, centre = domain_rows(network)
        node = Node(Record(), Path().extended(rows), [centre], identity, 0)
        self._enter_stage(node)
        return node

    def run(self, *, until: int | None = None) -> None:
        """Treat open nodes until none is left, or until so many are open at once.

        Raises:
            LimitReached: the tree has more leaves than the limit.
        """
        while self.open and (until is None or len(self.open) < until):
            # Depth first keeps few nodes open; breadth first spreads them for other processes.
            take = self.open.pop if until is None else self.open.popleft
            batch = [take() for _ in range(min(_BATCH, len(self.open)))]
            self._treat(batch)
            if self._limit is not None and self.leaves + len(self.open) > self._limit:
                # Every open node holds at least one leaf: it has a point.
                raise LimitReached(
                    f"the region tree has more than {self._limit} leaves: raise the limit"
                )
            if self._progress is not None:
                self._progress(self.leaves, len(self.open))

    def _treat(self, batch: Sequence[Node]) -> None:
        questions: list[Question] = []
        asked: list[tuple[int, int, int]] = []
        winners: list[list[dict[int, Point]]] = []
        for k, node in enumerate(batch):
            if node.stage == len(self._stages):
                winners.append([])
                continue
            known = [_known_winners(node, u) for u in range(len(node.units))]
            winners.append(known)
            region = None
            for u, alive in enumerate(node.alive):
                for c in alive:
                    if len(alive) > 1 and c not in known[u]:
                        region = region or Region(node.path.rows, node.points[0])
                        questions.append(Question(region, _beats(node.units[u], c, alive)))
                        asked.append((k, u, c))
        excluded: list[list[Exclusion]] = [[] for _ in batch]
        for (k, u, c), answer in zip(asked, decide(questions), strict=True):
            if answer.point is not None:
                winners[k][u][c] = answer.point
                batch[k].points.append(answer.point)
            else:
                excluded[k].append(_exclusion(batch[k], u, c, answer))
        for node, known, gone in zip(batch, winners, excluded, strict=True):
            self._settle(node, known, gone)

    def _settle(
        self, node: Node, witnesses: Sequence[dict[int, Point]], gone: Sequence[Exclusion]
    ) -> None:
        """Turn a narrowed node into a leaf, into its next stage, or into children."""
        if node.stage == len(self._stages):
            node.record.leaf = RawLeaf(node.points[0], node.chosen, node.before)
            self.leaves += 1
            return
        node.record.exclusions.extend(gone)
        lost = {(exclusion.unit, exclusion.winner) for exclusion in gone}
        node.alive = tuple(
            tuple(c for c in alive if (u, c) not in lost) for u, alive in enumerate(node.alive)
        )
        unit = next((u for u, alive in enumerate(node.alive) if len(alive) > 1), None)
        if unit is None:
            choice = [alive[0] for alive in node.alive]
            members = tuple(u.members[c] for u, c in zip(node.units, choice, strict=True))
            node.before = self._stages[node.stage].after(node.before, node.units, choice)
            node.chosen = (*node.chosen, members)
            node.stage += 1
            del node.points[_KNOWN_POINTS:]
            self._enter_stage(node)
            self.open.append(node)
            return
        node.record.unit = unit
        alive = node.alive[unit]
        shares: dict[int, list[Point]] = {c: [witnesses[unit][c]] for c in alive}
        for point in node.points:
            winner = node.units[unit].winner(point, alive)
            if winner is not None and point != shares[winner][0]:
                shares[winner].append(point)
        for c in alive:
            child = Node(
                Record(),
                node.path.extended(_beats(node.units[unit], c, alive)),
                shares[c][:_KNOWN_POINTS],
                node.before,
                node.stage,
                node.chosen,
                node.units,
                (*node.alive[:unit], (c,), *node.alive[unit + 1 :]),
            )
            node.record.children.append(child.record)
            self.open.append(child)

    def _enter_stage(self, node: Node) -> None:
        if node.stage < len(self._stages):
            node.units = self._stages[node.stage].units(node.before)
            node.alive = tuple(tuple(range(len(unit.rows))) for unit in node.units)


def domain_rows(network: Network) -> tuple[tuple[Row, ...], Point]:
    """The inequalities of the domain, lower and upper in turn for each coordinate, and a centre.

    Example:
        >>> from .network import Box
        >>> domain_rows(Network(1, (), Box((0,), (3,))))
        (((1, 0), (-1, 3)), (3, 2))
    """
    d = network.dimension
    if network.domain is None:
        return (), (0,) * d + (1,)
    rows: list[Row] = []
    for i, (low, high) in enumerate(zip(network.domain.lower, network.domain.upper, strict=True)):
        for sign, end in ((1, low), (-1, high)):
            row = [0] * (d + 1)
            row[i], row[-1] = sign * end.denominator, -sign * end.numerator
            rows.append(primitive(row))
    return tuple(rows), _midpoint(network)


def _midpoint(network: Network) -> Point:
    assert network.domain is not None
    middle = [
        Fraction(low + high) / 2
        for low, high in zip(network.domain.lower, network.domain.upper, strict=True)
    ]
    common = lcm(*(m.denominator for m in middle))
    return (*(m.numerator * (common // m.denominator) for m in middle), common)


def _known_winners(node: Node, unit: int) -> dict[int, Point]:
    """The classes of a free choice that win at a known point, with the first such point."""
    found: dict[int, Point] = {}
    if len(node.alive[unit]) > 1:
        for point in node.points:
            winner = node.units[unit].winner(point, node.alive[unit])
            if winner is not None:
                found.setdefault(winner, point)
    return found


def _beats(unit: Unit, winner: int, alive: Sequence[int]) -> tuple[Row, ...]:
    """The rows that say: this class beats every other one."""
    best = unit.rows[winner]
    return tuple(
        primitive([a - b for a, b in zip(best, unit.rows[c], strict=True)])
        for c in alive
        if c != winner
    )


def _exclusion(node: Node, unit: int, winner: int, answer: Answer) -> Exclusion:
    numbers = node.path.numbers
    rivals = [c for c in node.alive[unit] if c != winner]
    path = sorted((numbers[k], w) for k, w in answer.multipliers if k < len(numbers))
    against = [(rivals[k - len(numbers)], w) for k, w in answer.multipliers if k >= len(numbers)]
    return Exclusion(unit, winner, tuple(path), tuple(against))
