"""Networks of hard attention and ReLU layers, as region-tree certificates speak about them.

A network is read into *stages*: the heads of a layer, then its neurons. On a set of inputs where
the choices so far are the same the network so far is one affine map, kept as integer rows over a
positive denominator; a stage says which affine functions compete there and what the map becomes
once they are decided. The same stages run a single point through the network by the definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, chain
from math import lcm
from typing import NamedTuple, TypeAlias

from .affine import Affine, Row, product, pulled_back, shifted
from .budget import Budget, Rational, bits
from .errors import Rejected, Unreadable
from .fields import Json, flag, integer, items, members, vector
from .rationals import scaled

Members: TypeAlias = tuple[int, ...]


class Rival(NamedTuple):
    """One of the functions that compete in a choice, and whom it stands for.

    Args:
        members: the keys with this score; the sign -1, 1 or 0 of a neuron.
        row: the function, up to a positive factor that all rivals of the choice share.
    """

    members: Members
    row: Row


@dataclass(frozen=True)
class Heads:
    """A layer's heads and residual: y = linear x + sum of the means of the chosen values.

    Args:
        scores: per head the keys, each with its bias as last entry.
        values: per head the values, all over ``values_below``.
        values_below: their denominator.
        linear: the matrix over its denominator; None is the identity.
        residual: without it the linear term is left out.
        output: the dimension of y.
    """

    scores: list[list[Row]]
    values: list[list[Row]]
    values_below: int
    linear: tuple[list[Row], int] | None
    residual: bool
    output: int

    @cached_property
    def longest(self) -> int:
        """The bits of the longest number in the scores and the matrix."""
        rows = [*chain.from_iterable(self.scores), *(self.linear[0] if self.linear else ())]
        return max(map(bits, chain.from_iterable(rows)), default=0)

    def choices(self, at: Affine, budget: Budget) -> list[list[Rival]]:
        """The competing scores of each head: equal ones are one rival."""
        choices = []
        for scores in self.scores:
            groups: dict[Row, list[int]] = {}
            for j, row in enumerate(pulled_back(scores, at, self.longest, budget)):
                groups.setdefault(row, []).append(j)
            choices.append([Rival(tuple(keys), row) for row, keys in groups.items()])
        return choices

    def after(self, at: Affine, chosen: list[Rival], budget: Budget) -> Affine:
        """The map behind the layer's sum."""
        width = len(at.rows[0])
        if not self.residual:
            rows, below = [(0,) * width] * self.output, 1
        elif self.linear is None:
            rows, below = list(at.rows), at.below
        else:
            rows = product(self.linear[0], at.rows, self.longest, budget)
            below = self.linear[1] * at.below
        copies = lcm(*(len(rival.members) for rival in chosen))
        constant = [0] * self.output
        for rival, values in zip(chosen, self.values, strict=True):
            budget.spend(self.output * len(rival.members) // 8)
            share = copies // len(rival.members)
            for j in rival.members:
                constant = [a + share * b for a, b in zip(constant, values[j], strict=True)]
        return shifted(rows, below, constant, copies * self.values_below, budget)

    def run(self, point: Affine, chosen: list[Rival], budget: Budget) -> Affine:
        """The same at a single point, a map of width 1, by the definition.

        Raises:
            Rejected: the keys with the best score are not those chosen.
        """
        for h, (scores, rival) in enumerate(zip(self.scores, chosen, strict=True)):
            found = pulled_back(scores, point, self.longest, budget)
            best = max(found)
            if tuple([j for j, value in enumerate(found) if value == best]) != rival.members:
                raise Rejected(f"head {h} does not look at the keys {list(rival.members)} there")
        return self.after(point, chosen, budget)


@dataclass(frozen=True)
class Neurons:
    """A ReLU layer: y + w2 relu(w1 y + b1) + b2.

    Args:
        inner: w1 with b1 as last column, over ``inner_below``.
        inner_below: its denominator.
        outer: w2 with b2 as last column, over ``outer_below``.
        outer_below: its denominator.
    """

    inner: list[Row]
    inner_below: int
    outer: list[Row]
    outer_below: int

    @cached_property
    def longest(self) -> int:
        """The bits of the longest number in the two matrices."""
        return max(map(bits, chain.from_iterable((*self.inner, *self.outer))), default=0)

    def choices(self, at: Affine, budget: Budget) -> list[list[Rival]]:
        """Off or on; where the pre-activation vanishes there is nothing to choose."""
        choices = []
        for row in pulled_back(self.inner, at, self.longest, budget):
            off = (0,) * len(row)
            choices.append(
                [Rival((0,), off)] if row == off else [Rival((-1,), off), Rival((1,), row)]
            )
        return choices

    def after(self, at: Affine, chosen: list[Rival], budget: Budget) -> Affine:
        """The map behind the ReLU layer."""
        width = len(at.rows[0])
        active = [rival.row if rival.members == (1,) else (0,) * width for rival in chosen]
        active.append((0,) * (width - 1) + (at.below * self.inner_below,))
        outside = product(self.outer, active, self.longest, budget)
        scale = self.inner_below * self.outer_below
        rows = [
            tuple([a * scale + b for a, b in zip(old, added, strict=True)])
            for old, added in zip(at.rows, outside, strict=True)
        ]
        return shifted(rows, at.below * scale, [0] * len(rows), 1, budget)

    def run(self, point: Affine, chosen: list[Rival], budget: Budget) -> Affine:
        """The same at a single point, a map of width 1, by the definition.

        Raises:
            Rejected: a neuron has another sign than the one chosen.
        """
        found = []
        rows = pulled_back(self.inner, point, self.longest, budget)
        for k, (row, rival) in enumerate(zip(rows, chosen, strict=True)):
            sign = (row[0] > 0) - (row[0] < 0)
            if (sign,) != rival.members:
                raise Rejected(f"neuron {k} has the sign {sign} there, not {rival.members[0]}")
            found.append(Rival(rival.members, row))
        return self.after(point, found, budget)


Stage: TypeAlias = Heads | Neurons


class Network(NamedTuple):
    """A network, its stages in order, and the rows that say: strictly inside the domain."""

    dimension: int
    stages: list[Stage]
    domain: list[Row]


def read(value: Json, budget: Budget) -> Network:
    """The network of a certificate.

    Raises:
        Unreadable: it is malformed or too large.
    """
    parts = members(value, "network", ("dimension", "layers"), ("domain",))
    d = integer(parts["dimension"], "network.dimension", 1)
    budget.spend(d * (d + 1))
    stages: list[Stage] = []
    dimension = d
    for k, layer in enumerate(items(parts["layers"], "network.layers")):
        dimension = _read_layer(layer, f"network.layers[{k}]", dimension, stages, budget)
    domain: list[Row] = []
    if "domain" in parts:
        ends = members(parts["domain"], "network.domain", ("lower", "upper"))
        lower = vector(ends["lower"], "network.domain.lower", d)
        upper = vector(ends["upper"], "network.domain.upper", d)
        for i, (low, high) in enumerate(zip(lower, upper, strict=True)):
            if not low < high:
                raise Unreadable(f"network.domain: coordinate {i} is empty or a single number")
            for sign, end in ((1, low), (-1, high)):
                slope = (0,) * i + (sign * end.denominator,) + (0,) * (d - 1 - i)
                domain.append((*slope, -sign * end.numerator))
    return Network(d, stages, domain)


def _read_layer(
    value: Json, where: str, dimension: int, stages: list[Stage], budget: Budget
) -> int:
    parts = members(value, where, ("heads",), ("residual", "linear", "ffn"))
    residual = flag(parts.get("residual", True), f"{where}.residual")
    linear = None
    if "linear" in parts:
        linear = _matrix(parts["linear"], f"{where}.linear", None, dimension, budget)
    heads = items(parts["heads"], f"{where}.heads")
    output = dimension
    if linear is not None:
        output = len(linear[0])
    elif heads and not residual:
        output = -1  # the first head's values say it
    scores: list[list[Row]] = []
    values: list[list[Rational]] = []
    counts: list[int] = []
    for h, head in enumerate(heads):
        place = f"{where}.heads[{h}]"
        fields = members(head, place, ("keys", "values"), ("biases",))
        n = len(items(fields["keys"], f"{place}.keys", least=1))
        biases = fields.get("biases", [0] * n)
        scores.append(
            _matrix(fields["keys"], f"{place}.keys", n, dimension, budget, last=biases)[0]
        )
        if output < 0:
            first = items(fields["values"], f"{place}.values", least=1)[0]
            output = len(items(first, f"{place}.values[0]", least=1))
        values += _rows(fields["values"], f"{place}.values", n, output)
        counts.append(n)
    flat, below = scaled(list(chain.from_iterable(values)), f"{where}, the values", budget)
    whole = [tuple(flat[k : k + output]) for k in range(0, len(flat), output)]
    starts = accumulate(counts, initial=0)
    grouped = [whole[start : start + n] for start, n in zip(starts, counts, strict=False)]
    stages.append(Heads(scores, grouped, below, linear, residual, output))
    if "ffn" in parts:
        place = f"{where}.ffn"
        fields = members(parts["ffn"], place, ("w1", "b1", "w2", "b2"))
        m = len(items(fields["w1"], f"{place}.w1"))
        inner = _matrix(fields["w1"], f"{place}.w1", m, output, budget, last=fields["b1"])
        outer = _matrix(fields["w2"], f"{place}.w2", output, m, budget, last=fields["b2"])
        stages.append(Neurons(*inner, *outer))
    return output


def _rows(value: Json, where: str, height: int | None, width: int) -> list[list[Rational]]:
    rows = [
        vector(row, f"{where}[{i}]", width)
        for i, row in enumerate(items(value, where, least=1 if height is None else 0))
    ]
    if height is not None and len(rows) != height:
        raise Unreadable(f"{where}: expected {height} rows, found {len(rows)}")
    return rows


def _matrix(
    value: Json,
    where: str,
    height: int | None,
    width: int,
    budget: Budget,
    *,
    last: Json = None,
) -> tuple[list[Row], int]:
    """A matrix, with a last column if there is one, as integers over a denominator."""
    rows = _rows(value, where, height, width)
    if last is not None:
        column = vector(last, f"{where}, the constants beside it", len(rows))
        for row, entry in zip(rows, column, strict=True):
            row.append(entry)
        width += 1
    flat, below = scaled(list(chain.from_iterable(rows)), where, budget)
    return [tuple(flat[k * width : (k + 1) * width]) for k in range(len(rows))], below
