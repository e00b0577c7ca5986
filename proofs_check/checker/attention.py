"""The units of an attention layer and their equations (CERTIFICATES.md, rank).

Everything is derived from the architecture here, by itself: the certificate only gives a point and
what can be moved. Matrices are dictionaries (row, column) -> integer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from .attention_layer import Layer, shifts
from .budget import Budget
from .errors import Rejected

Matrix: TypeAlias = Mapping[tuple[int, int], int]
Row: TypeAlias = dict[int, int]


@dataclass(frozen=True)
class Unit:
    """One key factor and its query factors.

    Args:
        planes: for every frequency how many planes; their coordinates come first.
        rest: how many coordinates do not turn.
        queries: m.
        query_rows: p.
        key_rows: q.
        norm, tied: as in the architecture.
        gains: "none", "moving" or "fixed".
        blind: the last entry of the last row of a tied factor with itself is not seen.
        copies: how many of them the layer has.
    """

    planes: tuple[int, ...]
    rest: int
    queries: int
    query_rows: int
    key_rows: int
    norm: bool = False
    tied: bool = False
    gains: str = "none"
    blind: bool = False
    copies: int = 1

    @property
    def width(self) -> int:
        """Columns of the factors."""
        return 2 * sum(self.planes) + self.rest

    @property
    def parameters(self) -> int:
        """Entries of the factors and of gains that are counted."""
        rows = self.key_rows + (0 if self.tied else self.queries * self.query_rows)
        return rows * self.width + (2 * self.width if self.gains == "moving" else 0)

    @property
    def scales(self) -> int:
        """Unknown lengths."""
        return (1 if self.tied else self.queries + 1) if self.norm else 0

    @property
    def entries(self) -> int:
        """How many different equations there are without a norm."""
        degree, rows = (2 if self.planes else 1), self.key_rows
        if not self.tied:
            return degree * self.queries * self.query_rows * rows
        return rows * rows if self.planes else rows * (rows + 1) // 2 - self.blind

    def reduced(self) -> Unit:
        """With square factors, if they have at least as many rows as columns."""
        least = self.key_rows if self.tied else min(self.query_rows, self.key_rows)
        # The last row of a tied factor that is not seen in full must not be among the square's.
        if self.width > least - self.blind:
            return self
        return replace(self, query_rows=self.width, key_rows=self.width, blind=False)

    def algebra(self) -> Iterator[tuple[Matrix, bool]]:
        """What stands between, with whether it belongs to coordinates that do not turn."""
        start = 0
        for count in self.planes:
            places = range(start, start + 2 * count)
            yield {(i, i): 1 for i in places}, False
            turn: dict[tuple[int, int], int] = {}
            for i in places[::2]:
                turn[i, i + 1], turn[i + 1, i] = -1, 1
            yield turn, False
            start += 2 * count
        if self.rest:
            yield {(i, i): 1 for i in range(start, start + self.rest)}, True


def units(found: Layer, part: str) -> list[Unit]:
    """The units whose fibres make up that of a part of the layer.

    Raises:
        Rejected: normalised heads that the argument does not cover.
    """
    qk = _query_key_units(found) if part != "vo" else []
    vo = [_value_output_unit(found)] if part != "qk" else []
    return qk + vo


def _query_key_units(found: Layer) -> list[Unit]:
    p, q = found.reads + ("q" in found.constants), found.reads + ("k" in found.constants)
    rest, planes = found.width - found.rotated, found.rotated // 2
    frequencies = [planes] if found.rope == "equal" else [1] * planes
    tied = "tied_qk" in found.flags
    whole = Unit(tuple(frequencies), rest, found.heads_per_group, p, q, tied=tied)
    whole = replace(whole, copies=found.groups)
    if "qk_norm" not in found.flags:
        split: list[Unit] = []
        if frequencies:
            copies = found.groups * len(frequencies)
            split.append(replace(whole, planes=(frequencies[0],), rest=0, copies=copies))
        if rest:
            seen = found.reads if shifts(found) else q
            blind = tied and "k" in found.constants and "sink" not in found.flags
            split.append(replace(whole, planes=(), key_rows=seen, blind=blind))
        return split
    if not 2 <= found.width <= min(p, q):
        raise Rejected("qk_norm: head_dim must be at least 2 and at most the rows of the factors")
    if found.norm != "none" and found.constants & {"q", "k"} and max(4, found.width) > found.reads:
        raise Rejected(
            "qk_norm: with biases behind another norm at least 4 and head_dim dimensions"
        )
    whole = replace(whole, norm=True)
    if "qk_norm_gain" not in found.flags:
        return [whole]
    first = replace(whole, gains="moving", copies=1)
    others = replace(whole, gains="fixed", copies=found.groups - 1)
    return [first, others] if others.copies else [first]


def _value_output_unit(found: Layer) -> Unit:
    rows = found.reads + ("v" in found.constants and "sink" in found.flags)
    per = found.heads_per_group
    return Unit((), found.width, per, found.d, rows, copies=found.groups)


@dataclass(frozen=True)
class Point:
    """A point of a unit: the factors, and the gains of queries and keys (1 without gains)."""

    queries: list[Matrix]
    key: Matrix
    query_gains: list[int]
    key_gains: list[int]


def equations(unit: Unit, point: Point, budget: Budget) -> Iterator[Row]:
    """The linear equations of a unit at a point, those without an entry left out.

    Raises:
        Unreadable: there are too many.
    """
    # Each column enters several dictionaries for every head.
    budget.spend(8 * unit.width * (2 + unit.queries) + len(unit.planes))
    n, p, q, m = unit.width, unit.query_rows, unit.key_rows, unit.queries
    key_start = 0 if unit.tied else m * p * n
    gains_start = key_start + q * n
    scales_start = gains_start + (2 * n if unit.gains == "moving" else 0)
    key_scale = scales_start + unit.scales - 1
    key_side = _scaled_columns(point.key, point.key_gains)
    for h, factor in enumerate(point.queries):
        start, scale = h * p * n, scales_start + h
        query_side = _scaled_columns(factor, point.query_gains)
        for middle, still in unit.algebra():
            left = by_first(product(query_side, middle))  # A g M, row by row
            of_b = by_first(product(key_side, transposed(middle)))  # M g' B^T, column by column
            budget.spend(len(left) * q + p * len(of_b))
            pairs = {(a, b) for a in left for b in range(q)}
            pairs |= {(a, b) for a in range(p) for b in of_b}
            for a, b in sorted(pairs):
                repeated = unit.tied and unit.gains == "none" and b < a
                if repeated or (unit.blind and still and a == b == q - 1):
                    continue
                equation: Row = {}
                for k, value in of_b.get(b, {}).items():
                    _add(equation, start + a * n + k, point.query_gains[k] * value)
                    if unit.gains == "moving":
                        _add(equation, gains_start + k, factor.get((a, k), 0) * value)
                for k, value in left.get(a, {}).items():
                    _add(equation, key_start + b * n + k, point.key_gains[k] * value)
                    if unit.gains == "moving":
                        _add(equation, gains_start + n + k, point.key.get((b, k), 0) * value)
                if unit.norm:
                    whole = sum(
                        value * query_side.get((a, k), 0) for k, value in of_b.get(b, {}).items()
                    )
                    _add(equation, scale, -whole)
                    _add(equation, key_scale, -whole)
                if equation:
                    yield equation
        if unit.norm and not unit.tied:
            yield from _lengths(factor, p, n, start, scale, budget)
    if unit.norm:
        yield from _lengths(point.key, q, n, key_start, key_scale, budget)


def _lengths(
    factor: Matrix, rows: int, n: int, start: int, scale: int, budget: Budget
) -> Iterator[Row]:
    """A a^T + a A^T = 2 c A A^T, on and above the diagonal."""
    budget.spend(rows * rows)
    by_row = by_first(factor)
    for i in range(rows):
        for j in range(i, rows):
            one, other = by_row.get(i, {}), by_row.get(j, {})
            equation: Row = {}
            for k, value in other.items():
                _add(equation, start + i * n + k, value)
            for k, value in one.items():
                _add(equation, start + j * n + k, value)
            whole = sum(value * other.get(k, 0) for k, value in one.items())
            _add(equation, scale, -2 * whole)
            if equation:
                yield equation


def _add(row: Row, column: int, value: int) -> None:
    if value:
        total = row.get(column, 0) + value
        if total:
            row[column] = total
        else:
            del row[column]


def by_first(matrix: Matrix) -> dict[int, dict[int, int]]:
    """The entries row by row."""
    found: dict[int, dict[int, int]] = {}
    for (i, j), value in matrix.items():
        found.setdefault(i, {})[j] = value
    return found


def transposed(matrix: Matrix) -> Matrix:
    """The transpose."""
    return {(j, i): value for (i, j), value in matrix.items()}


def _scaled_columns(matrix: Matrix, factors: list[int]) -> Matrix:
    return {(i, j): value * factors[j] for (i, j), value in matrix.items()}


def product(one: Matrix, other: Matrix) -> Matrix:
    """The matrix product."""
    rows = by_first(other)
    found: dict[tuple[int, int], int] = {}
    for (i, k), value in one.items():
        for j, entry in rows.get(k, {}).items():
            found[i, j] = found.get((i, j), 0) + value * entry
    return {place: value for place, value in found.items() if value}
