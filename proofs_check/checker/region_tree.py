"""Kind region-tree: the cells and affine pieces of a network (CERTIFICATES.md, region-tree).

The steps are followed with a stack of the nodes that still have to come. Maps are composed anew,
once a node and stage; of the inequalities on the way to a node only those are written out that an
exclusion uses, since a leaf's point is run through the network itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from math import gcd
from operator import mul

from .affine import Affine, Row, identity, product
from .budget import BITS, Budget, bits
from .errors import Rejected, Unreadable, show
from .fields import Json, index, integer, items, members, vector
from .network import Network, Rival, Stage, read
from .rationals import parse, scaled


class Inequality:
    """winner > loser, written out in primitive integers when it is first used."""

    def __init__(self, winner: Row, loser: Row) -> None:
        """Keep both sides."""
        self._sides = (winner, loser)

    @cached_property
    def row(self) -> Row:
        """The inequality as row > 0."""
        row = [a - b for a, b in zip(*self._sides, strict=True)]
        divisor = gcd(*row)
        return tuple([entry // divisor for entry in row])


@dataclass(frozen=True)
class Node:
    """A polyhedron with the choices that are still free in its stage.

    Args:
        path: the inequalities on the way, those of the domain first.
        at: the map before the stage.
        stage: how many stages are decided.
        decided: the rivals chosen in each of them.
        choices: the rivals of each choice of the stage.
        alive: which of them are not excluded.
    """

    path: tuple[Inequality, ...]
    at: Affine
    stage: int
    decided: tuple[list[Rival], ...]
    choices: list[list[Rival]]
    alive: tuple[tuple[int, ...], ...]


def check(data: Json, budget: Budget) -> None:
    """Check the data of a region-tree certificate.

    Raises:
        Rejected: it does not prove the numbers of cells and pieces.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("network", "steps", "cells", "pieces"))
    network = read(parts["network"], budget)
    steps = items(parts["steps"], "steps", least=1)
    zero = (0,) * (network.dimension + 1)
    domain = tuple(Inequality(row, zero) for row in network.domain)
    root = Node(domain, identity(network.dimension), 0, (), [], ())
    node = _entered(root, network.stages, budget)
    waiting: list[Node] = []
    cells = 0
    pieces: set[Affine] = set()
    ended = False
    for k, step in enumerate(steps):
        where = f"steps[{k}]"
        if ended:
            raise Rejected(f"{where}: the tree is complete already")
        if type(step) is not dict:
            raise Unreadable(f"{where}: expected an object, found {show(step)}")
        if "exclude" in step:
            node = _excluded(node, step, where, network.stages, budget)
            continue
        if "split" in step:
            waiting.extend(reversed(_children(node, step, where, network.stages, budget)))
        else:
            _check_leaf(node, step, where, network, budget)
            cells += 1
            pieces.add(node.at)
        ended = not waiting
        if waiting:
            node = waiting.pop()
    if not ended:
        raise Rejected(f"steps: they end with {1 + len(waiting)} nodes left open")
    for name, found in (("cells", cells), ("pieces", len(pieces))):
        stated = integer(parts[name], name, 0)
        if stated != found:
            raise Rejected(f"{name}: {show(stated)} stated, {found} counted")


def _entered(node: Node, stages: list[Stage], budget: Budget) -> Node:
    """The node at its next stage that has a free choice, or behind the last one."""
    while node.stage < len(stages):
        stage = stages[node.stage]
        if not node.choices:
            choices = stage.choices(node.at, budget)
            alive = tuple(tuple(range(len(rivals))) for rivals in choices)
            node = replace(node, choices=choices, alive=alive)
        if any(len(classes) > 1 for classes in node.alive):
            return node
        chosen = [
            rivals[classes[0]] for rivals, classes in zip(node.choices, node.alive, strict=True)
        ]
        at = stage.after(node.at, chosen, budget)
        node = Node(node.path, at, node.stage + 1, (*node.decided, chosen), [], ())
    return node


def _free_choice(node: Node, value: Json, where: str) -> int:
    """A choice of the node's stage with several classes left."""
    unit = index(value, where, len(node.choices), "choice at this stage")
    if len(node.alive[unit]) < 2:
        raise Rejected(f"{where}: choice {unit} has one class left, nothing to decide")
    return unit


def _excluded(
    node: Node, step: dict[str, Json], where: str, stages: list[Stage], budget: Budget
) -> Node:
    """The node without a class that wins nowhere in it."""
    fields = members(step, where, ("exclude", "path", "against"))
    pair = items(fields["exclude"], f"{where}.exclude", least=2)
    if len(pair) != 2:
        raise Unreadable(f"{where}.exclude: expected a choice and a class")
    unit = _free_choice(node, pair[0], f"{where}.exclude[0]")
    rivals, alive = node.choices[unit], node.alive[unit]
    loser = index(pair[1], f"{where}.exclude[1]", len(rivals), "class")
    if loser not in alive:
        raise Rejected(f"{where}.exclude[1]: class {loser} is excluded already")
    rows: list[Row] = []
    weights: list[int] = []
    for number, weight in _terms(
        fields["path"], f"{where}.path", len(node.path), "inequality on the path"
    ):
        rows.append(node.path[number].row)
        weights.append(weight)
    for rival, weight in _terms(fields["against"], f"{where}.against", len(rivals), "class"):
        if rival == loser:
            raise Rejected(f"{where}.against: class {rival} need not beat itself")
        rows.append(Inequality(rivals[loser].row, rivals[rival].row).row)
        weights.append(weight)
    if not rows:
        raise Rejected(f"{where}: no inequality is combined")
    longest = max(map(bits, chain.from_iterable(rows)))
    heaviest = max(map(bits, weights))
    if longest + heaviest > BITS:
        raise Unreadable(f"{where}: weights and inequalities together are too long")
    size = (1 + longest // 128) * (1 + (longest + heaviest) // 128)
    budget.spend(20 + len(rows) * (4 + len(rows[0])) * size)
    *slopes, constant = (sum(map(mul, weights, column)) for column in zip(*rows, strict=True))
    if any(slopes):
        raise Rejected(f"{where}: the combination of the inequalities does not vanish")
    if constant > 0:
        raise Rejected(f"{where}: the combination of the inequalities is positive")
    left = tuple(c for c in alive if c != loser)
    alive_now = (*node.alive[:unit], left, *node.alive[unit + 1 :])
    return _entered(replace(node, alive=alive_now), stages, budget)


def _terms(value: Json, where: str, count: int, of_what: str) -> list[tuple[int, int]]:
    """Pairs of an index and a positive integer weight."""
    terms = []
    for entry in items(value, where):
        if type(entry) is not list or len(entry) != 2:
            raise Unreadable(f"{where}: expected pairs of an index and a weight")
        number = index(entry[0], where, count, of_what)
        weight = entry[1] if type(entry[1]) is int else parse(entry[1], where)
        if type(weight) is not int:
            raise Unreadable(f"{where}: expected an integer weight, found {show(weight)}")
        if weight <= 0:
            raise Rejected(f"{where}: the weight {show(weight)} is not positive")
        terms.append((number, weight))
    return terms


def _children(
    node: Node, step: dict[str, Json], where: str, stages: list[Stage], budget: Budget
) -> list[Node]:
    """One node for each class that the choice has left."""
    fields = members(step, where, ("split",))
    unit = _free_choice(node, fields["split"], f"{where}.split")
    rivals, alive = node.choices[unit], node.alive[unit]
    budget.spend(len(alive) * (len(node.path) + len(alive) + 20) // 8)
    children = []
    for winner in alive:
        added = tuple(Inequality(rivals[winner].row, rivals[c].row) for c in alive if c != winner)
        alive_there = (*node.alive[:unit], (winner,), *node.alive[unit + 1 :])
        child = replace(node, path=node.path + added, alive=alive_there)
        children.append(_entered(child, stages, budget))
    return children


def _check_leaf(
    node: Node, step: dict[str, Json], where: str, network: Network, budget: Budget
) -> None:
    fields = members(step, where, ("point",))
    if node.stage < len(network.stages):
        raise Rejected(f"{where}: a choice is still free here, no leaf")
    given = vector(fields["point"], f"{where}.point", network.dimension)
    numerators, below = scaled(given, f"{where}.point", budget)
    for i, row in enumerate(network.domain):
        if sum(map(mul, row, numerators)) + row[-1] * below <= 0:
            side = "upper" if i % 2 else "lower"
            raise Rejected(f"{where}: the point is not inside the domain, {side}[{i // 2}]")
    value = Affine(tuple((p,) for p in numerators), below)
    for number, (stage, chosen) in enumerate(zip(network.stages, node.decided, strict=True)):
        try:
            value = stage.run(value, chosen, budget)
        except Rejected as error:
            raise Rejected(f"{where}: stage {number}: {error}") from None
    homogeneous = (*numerators, below)
    column = [(entry,) for entry in homogeneous]
    composed = product(list(node.at.rows), column, node.at.longest, budget)
    for (left,), (right,) in zip(composed, value.rows, strict=True):
        if left * value.below != right * node.at.below * below:
            raise Rejected(f"{where}: the composed map and the network differ at the point")
