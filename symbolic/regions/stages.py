"""A network as a sequence of choices, composed along a path in exact integers.

On a cell where all earlier choices are fixed the network so far is one affine map of its input,
and the next choices depend on that map alone: the heads of a layer first, then its ReLU neurons,
each set being one *stage* of independent *units*. A unit offers classes of affine functions of
the network's input x, of which the greatest wins: a head offers its distinct scores (keys whose
scores coincide as functions of x form one class, whose value is the mean of theirs), a neuron
offers 0 and its pre-activation. One notion of choice serves both, and coincidence is decided
where it has to be, on the composed map: two keys may differ and yet agree on everything that a
rank-deficient map lets through, and a neuron's pre-activation may vanish on a whole cell, which
then has no sign to split.

All maps are integer matrices over one positive denominator, reduced; scores are kept up to one
positive factor a unit, which no comparison sees. Cost of a stage: N D d multiplications a head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd, lcm
from typing import TypeAlias

from ..rational import integer_rows
from .network import Ffn, Layer, Matrix, Network

Row: TypeAlias = tuple[int, ...]
"""The affine function x -> <row[:-1], x> + row[-1], up to a positive factor."""


@dataclass(frozen=True)
class IntegerMap:
    """x -> (rows[:, :-1] x + rows[:, -1]) / denominator, in lowest terms.

    Equal maps are equal as values, and hash alike.
    """

    rows: tuple[Row, ...]
    denominator: int

    @classmethod
    def reduced(cls, rows: Sequence[Sequence[int]], denominator: int) -> IntegerMap:
        """Divide out the common divisor of all entries and the denominator."""
        divisor = gcd(denominator, *(entry for row in rows for entry in row))
        if divisor == 1:
            return cls(tuple(map(tuple, rows)), denominator)
        return cls(
            tuple(tuple(entry // divisor for entry in row) for row in rows), denominator // divisor
        )

    @classmethod
    def identity(cls, dimension: int) -> IntegerMap:
        """The map with which every path begins."""
        return cls(
            tuple(tuple(int(i == j) for j in range(dimension + 1)) for i in range(dimension)), 1
        )


@dataclass(frozen=True)
class Unit:
    """One choice: the classes of which the one with the greatest row wins.

    Args:
        rows: distinct affine functions on a common scale.
        members: for a head the keys of each class, in the order of their lowest; for a neuron
            the sign of each class: (-1,) and (1,), or (0,) alone where it vanishes.
    """

    rows: tuple[Row, ...]
    members: tuple[tuple[int, ...], ...]

    def winner(self, point: Sequence[int], alive: Sequence[int]) -> int | None:
        """The class with the greatest value at a point, None if two share it.

        Args:
            point: homogeneous coordinates, the last positive.
            alive: the classes to compare.
        """
        values = [sum(map(int.__mul__, self.rows[c], point)) for c in alive]
        best = max(values)
        return alive[values.index(best)] if values.count(best) == 1 else None


class HeadStage:
    """The heads of one layer and its residual."""

    def __init__(self, layer: Layer, dimension: int) -> None:
        self._dimension = layer.output_dimension(dimension)
        self._scores = [
            integer_rows([(*k, b) for k, b in zip(head.keys, head.biases, strict=True)])[0]
            for head in layer.heads
        ]
        self._values = [integer_rows(head.values) for head in layer.heads]
        self._residual = layer.residual
        self._linear = None if layer.linear is None else integer_rows(layer.linear)

    def units(self, before: IntegerMap) -> tuple[Unit, ...]:
        """The choices of the heads on a cell where the layer's input is the map ``before``."""
        return tuple(_head_unit(scores, before) for scores in self._scores)

    def after(self, before: IntegerMap, units: Sequence[Unit], choice: Sequence[int]) -> IntegerMap:
        """The map behind the stage once each unit has chosen a class."""
        width = len(before.rows[0])
        rows: list[list[int]] = [[0] * width for _ in range(self._dimension)]
        denominator = 1
        if self._residual:
            rows, denominator = [list(row) for row in before.rows], before.denominator
            if self._linear is not None:
                matrix, scale = self._linear
                rows = [_combine(line, before.rows) for line in matrix]
                denominator *= scale
        offset, common = self._offset(units, choice)
        total = lcm(denominator, common)
        for row, entry in zip(rows, offset, strict=True):
            if total != denominator:
                row[:] = [a * (total // denominator) for a in row]
            row[-1] += entry * (total // common)
        return IntegerMap.reduced(rows, total)

    def _offset(self, units: Sequence[Unit], choice: Sequence[int]) -> tuple[list[int], int]:
        """The sum of the chosen means, over one denominator."""
        chosen = [unit.members[c] for unit, c in zip(units, choice, strict=True)]
        common = lcm(*(scale * len(m) for (_, scale), m in zip(self._values, chosen, strict=True)))
        offset = [0] * self._dimension
        for (values, scale), members in zip(self._values, chosen, strict=True):
            factor = common // (scale * len(members))
            for i in range(self._dimension):
                offset[i] += factor * sum(values[j][i] for j in members)
        return offset, common


class FfnStage:
    """The ReLU neurons of one layer."""

    def __init__(self, ffn: Ffn) -> None:
        weights: Matrix = tuple((*w, b) for w, b in zip(ffn.w1, ffn.b1, strict=True))
        self._inner, self._inner_scale = integer_rows(weights)
        outer: Matrix = tuple((*w, b) for w, b in zip(ffn.w2, ffn.b2, strict=True))
        self._outer, self._outer_scale = integer_rows(outer)

    def units(self, before: IntegerMap) -> tuple[Unit, ...]:
        """The choices of the neurons on a cell where the layer's sum is the map ``before``."""
        return tuple(_neuron_unit(self._activation(line, before)) for line in self._inner)

    def after(self, before: IntegerMap, units: Sequence[Unit], choice: Sequence[int]) -> IntegerMap:
        """The map behind the stage once each neuron has a sign."""
        # y + (outer relu + b2), relu = row / (inner_scale den), all over outer_scale too.
        scale = self._inner_scale * self._outer_scale
        denominator = before.denominator * scale
        rows = [[entry * scale for entry in row] for row in before.rows]
        for k, (unit, c) in enumerate(zip(units, choice, strict=True)):
            if unit.members[c] == (1,):
                for row, line in zip(rows, self._outer, strict=True):
                    if line[k]:
                        row[:] = [a + line[k] * g for a, g in zip(row, unit.rows[c], strict=True)]
        for row, line in zip(rows, self._outer, strict=True):
            row[-1] += line[-1] * before.denominator * self._inner_scale
        return IntegerMap.reduced(rows, denominator)

    def _activation(self, line: Sequence[int], before: IntegerMap) -> Row:
        """The pre-activation times (inner_scale denominator)."""
        row = _combine(line[:-1], before.rows)
        row[-1] += line[-1] * before.denominator
        return tuple(row)


Stage: TypeAlias = HeadStage | FfnStage


def stages(network: Network) -> tuple[Stage, ...]:
    """The stages of a network, first to last: two for a layer with an ffn, else one."""
    found: list[Stage] = []
    dimension = network.dimension
    for layer in network.layers:
        found.append(HeadStage(layer, dimension))
        dimension = layer.output_dimension(dimension)
        if layer.ffn is not None:
            found.append(FfnStage(layer.ffn))
    return tuple(found)


def _combine(line: Sequence[int], rows: Sequence[Row]) -> list[int]:
    """The combination of the rows with the coefficients of the line."""
    total = [0] * len(rows[0])
    for coefficient, row in zip(line, rows, strict=True):
        if coefficient:
            total = [a + coefficient * b for a, b in zip(total, row, strict=True)]
    return total


def _head_unit(scores: Sequence[Sequence[int]], before: IntegerMap) -> Unit:
    classes: dict[Row, list[int]] = {}
    for j, line in enumerate(scores):
        row = _combine(line[:-1], before.rows)
        row[-1] += line[-1] * before.denominator
        classes.setdefault(tuple(row), []).append(j)
    return Unit(tuple(classes), tuple(map(tuple, classes.values())))


def _neuron_unit(row: Row) -> Unit:
    zero = (0,) * len(row)
    if row == zero:
        return Unit((zero,), ((0,),))
    return Unit((zero, row), ((-1,), (1,)))
