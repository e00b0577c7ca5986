"""Kind route: soft attention takes the route of hard attention (CERTIFICATES.md, route).

Both networks are run with intervals, side by side, together with a bound on their distance.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from .budget import Budget, Rational
from .errors import Rejected, Unreadable
from .fields import Json, flag, index, items, members, vector
from .formula import digits
from .intervals import Interval, Intervals
from .network import read
from .rationals import parse
from .values import interval

State: TypeAlias = list[Interval]
Rows: TypeAlias = list[list[Rational]]
_ZERO = (Decimal(0), Decimal(0))


class Head(NamedTuple):
    """Keys, biases and values of a head."""

    keys: Rows
    biases: list[Rational]
    values: Rows


class Layer(NamedTuple):
    """A layer as the certificate gives it."""

    heads: list[Head]
    residual: bool
    linear: Rows | None
    ffn: tuple[Rows, list[Rational], Rows, list[Rational]] | None


class Both(NamedTuple):
    """The hard and the soft state, and a bound on the length of their difference."""

    hard: State
    soft: State
    error: Decimal


def check(data: Json, budget: Budget) -> None:
    """Check the data of a route certificate.

    Raises:
        Rejected: a comparison is not decided as stated, or the error exceeds what is stated.
        Unreadable: it is malformed or too large.
    """
    parts = members(
        data, "data", ("network", "temperature", "digits", "box", "tree"), ("error", "departs")
    )
    if ("error" in parts) == ("departs" in parts):
        raise Unreadable("data: expected one of the keys 'error' and 'departs'")
    network = read(parts["network"], budget)
    if network.domain:
        raise Unreadable("network: expected no domain, the box says it")
    layers = [_layer(layer) for layer in parts["network"]["layers"]]
    arithmetic = digits(parts["digits"], budget)
    temperature = parse(parts["temperature"], "temperature")
    if temperature <= 0:
        raise Rejected("temperature: it is not positive")
    box = [interval(s, f"box[{i}]") for i, s in enumerate(items(parts["box"], "box"))]
    if len(box) != network.dimension:
        raise Unreadable(f"box: expected {network.dimension} intervals, found {len(box)}")
    runner = _Runner(layers, temperature, arithmetic, budget)
    if "departs" in parts:
        if any(low != high for low, high in box):
            raise Unreadable("box: expected a point where the soft network departs")
        runner.departure(box, parts["tree"], parts["departs"])
        return
    error = parse(parts["error"], "error")

    def descend(tree: Json, part: list[tuple[Rational, Rational]], where: str) -> None:
        if type(tree) is dict and "split" in tree:
            fields = members(tree, where, ("split", "at", "below", "above"))
            i = index(fields["split"], f"{where}.split", len(part), "input")
            at, (low, high) = parse(fields["at"], f"{where}.at"), part[i]
            if not low < at < high:
                raise Rejected(f"{where}: the split is not inside the part")
            for side, half in (("below", (low, at)), ("above", (at, high))):
                budget.spend(1 + len(part))
                descend(fields[side], [*part[:i], half, *part[i + 1 :]], f"{where}.{side}")
            return
        reached = runner.follow(part, tree, where)
        if Fraction(reached) > error:
            raise Rejected(f"{where}: the error may be {reached:.6g}, more than stated")

    descend(parts["tree"], box, "tree")


class _Runner:
    def __init__(
        self, layers: list[Layer], temperature: Rational, arithmetic: Intervals, budget: Budget
    ) -> None:
        self._layers, self._on, self._budget = layers, arithmetic, budget
        self._cold = arithmetic.enclose(temperature)
        self._near = Context(prec=arithmetic.digits, Emin=-99_999, Emax=99_999)

    def follow(self, part: list[tuple[Rational, Rational]], tree: Json, where: str) -> Decimal:
        """The error at the end, the soft network having followed the route."""
        state, route = self._start(part), self._route(tree, where)
        for k, layer in enumerate(self._layers):
            state = self._after(layer, state, route[k], f"{where}, layer {k}", strict=True)
        return state.error

    def departure(self, part: list[tuple[Rational, Rational]], tree: Json, departs: Json) -> None:
        """Confirm that the soft network prefers another key."""
        route = self._route(tree, "tree")
        place = items(departs, "departs")
        if len(place) != 3:
            raise Unreadable("departs: expected [layer, head, key]")
        stop = index(place[0], "departs[0]", len(self._layers), "layer")
        heads = self._layers[stop].heads
        h = index(place[1], "departs[1]", len(heads), "head")
        key = index(place[2], "departs[2]", len(heads[h].keys), "key")
        state = self._start(part)
        for k, layer in enumerate(self._layers[: stop + 1]):
            before = state
            state = self._after(layer, state, route[k], f"tree, layer {k}", strict=False)
        difference, constant = _difference(heads[h], route[stop][h], key)
        if not self._dot(difference, before.soft, constant)[1] < 0:
            raise Rejected("departs: it is not decided that the soft network prefers the key")

    def _start(self, part: list[tuple[Rational, Rational]]) -> Both:
        state = [(self._on.enclose(a)[0], self._on.enclose(b)[1]) for a, b in part]
        return Both(state, list(state), Decimal(0))

    def _route(self, tree: Json, where: str) -> list[list[int]]:
        rows = items(members(tree, where, ("route",))["route"], f"{where}.route")
        if len(rows) != len(self._layers):
            raise Unreadable(f"{where}.route: expected {len(self._layers)} layers")
        found = []
        for k, (row, layer) in enumerate(zip(rows, self._layers, strict=True)):
            names = items(row, f"{where}.route[{k}]")
            if len(names) != len(layer.heads):
                raise Unreadable(f"{where}.route[{k}]: expected {len(layer.heads)} keys")
            found.append(
                [
                    index(name, f"{where}.route[{k}]", len(head.keys), "key")
                    for name, head in zip(names, layer.heads, strict=True)
                ]
            )
        return found

    def _after(
        self, layer: Layer, state: Both, route: list[int], where: str, *, strict: bool
    ) -> Both:
        width = len(layer.heads[0].values[0]) if layer.heads else 0
        if layer.linear is not None:
            width = len(layer.linear)
        elif layer.residual or not layer.heads:
            width = len(state.hard)
        hard, soft, error = [_ZERO] * width, [_ZERO] * width, Decimal(0)
        if layer.residual and layer.linear is None:
            hard, soft, error = list(state.hard), list(state.soft), state.error
        elif layer.residual and layer.linear is not None:
            hard = [self._dot(row, state.hard) for row in layer.linear]
            soft = [self._dot(row, state.soft) for row in layer.linear]
            error = self._product(self._norm(layer.linear), state.error)
        for h, (head, j) in enumerate(zip(layer.heads, route, strict=True)):
            value, shift, added = self._head(head, j, state, f"{where}, head {h}", strict=strict)
            exact = [self._on.enclose(x) for x in value]
            hard = [self._on.add(a, b) for a, b in zip(hard, exact, strict=True)]
            soft = [
                self._on.add(self._on.add(a, b), c)
                for a, b, c in zip(soft, exact, shift, strict=True)
            ]
            error = self._sum(error, added)
        state = self._narrowed(hard, soft, error, strict=strict)
        if layer.ffn is None:
            return state
        w1, b1, w2, b2 = layer.ffn
        grown = self._sum(Decimal(1), self._product(self._norm(w1), self._norm(w2)))
        hard, soft = (self._forward(y, w1, b1, w2, b2) for y in (state.hard, state.soft))
        return self._narrowed(hard, soft, self._product(grown, state.error), strict=strict)

    def _head(
        self, head: Head, j: int, state: Both, where: str, *, strict: bool
    ) -> tuple[list[Rational], State, Decimal]:
        """The winner's value, the shift of the soft state from it, and what the error grows by."""
        same = [
            i
            for i, (key, bias) in enumerate(zip(head.keys, head.biases, strict=True))
            if key == head.keys[j] and bias == head.biases[j]
        ]
        if same[0] != j:
            raise Rejected(f"{where}: key {j} is not the lowest of its class")
        m, width = len(same), len(head.values[0])
        self._budget.spend(len(head.keys) * (len(state.hard) + width))
        mean: list[Rational] = [
            Fraction(sum(head.values[i][c] for i in same)) / m for c in range(width)
        ]
        total, sums = self._on.enclose(m), [_ZERO] * width
        least, farthest = None, Decimal(0)
        for i in range(len(head.keys)):
            if i in same:
                continue
            row, constant = _difference(head, j, i)
            ahead = self._dot(row, state.hard, constant)
            if not ahead[0] > 0:
                raise Rejected(f"{where}: undecided whether key {j} beats key {i}")
            low, high = self._dot(row, state.soft, constant)
            if strict:
                carried = self._product(self._length(row), state.error)
                low = max(low, self._on.subtract(ahead, (carried, carried))[0])
                if not low > 0:
                    raise Rejected(f"{where}: undecided whether key {j} beats key {i} softly")
                least = low if least is None else min(least, low)
            weight = self._decay((low, high))
            off = [v - x for v, x in zip(head.values[i], mean, strict=True)]
            farthest = max(farthest, self._length(off))
            total = self._on.add(total, weight)
            sums = [
                self._on.add(s, self._on.multiply(weight, self._on.enclose(x)))
                for s, x in zip(sums, off, strict=True)
            ]
        shift = [self._on.divide(s, total) for s in sums]
        if least is None:
            return mean, shift, Decimal(0)
        count = self._on.enclose(Fraction(len(head.keys) - m, m))
        ratio = self._on.multiply(count, self._decay((least, least)))
        share = self._on.divide(ratio, self._on.add((Decimal(1), Decimal(1)), ratio))
        return mean, shift, self._product(farthest, share[1])

    def _narrowed(self, hard: State, soft: State, error: Decimal, *, strict: bool) -> Both:
        if not strict:
            return Both(hard, soft, Decimal(0))
        around = (error.copy_negate(), error)
        narrow = []
        for a, b in zip(hard, soft, strict=True):
            low, high = self._on.add(a, around)
            narrow.append((max(low, b[0]), min(high, b[1])))
        gaps = [
            self._on.absolute(self._on.subtract(b, a))[1] for a, b in zip(hard, narrow, strict=True)
        ]
        return Both(hard, narrow, min(error, self._root(gaps)))

    def _forward(
        self, y: State, w1: Rows, b1: list[Rational], w2: Rows, b2: list[Rational]
    ) -> State:
        active = [
            self._on.largest(self._dot(row, y, b), _ZERO) for row, b in zip(w1, b1, strict=True)
        ]
        return [
            self._on.add(old, self._dot(row, active, b))
            for old, row, b in zip(y, w2, b2, strict=True)
        ]

    def _dot(self, row: Sequence[Rational], state: State, constant: Rational = 0) -> Interval:
        total = self._on.enclose(constant)
        for entry, value in zip(row, state, strict=True):
            if entry:
                total = self._on.add(total, self._on.multiply(self._on.enclose(entry), value))
        return total

    def _decay(self, ahead: Interval) -> Interval:
        return self._on.exp(self._on.negate(self._on.divide(ahead, self._cold)))

    def _length(self, row: Sequence[Rational]) -> Decimal:
        return self._root([self._on.enclose(max(x, -x))[1] for x in row])

    def _norm(self, rows: Rows) -> Decimal:
        """A bound on the spectral norm."""
        if not rows or not rows[0]:
            return Decimal(0)
        frobenius = self._length([x for row in rows for x in row])
        columns = list(zip(*rows, strict=True))
        across = max(_size(row) for row in rows)
        down = max(_size(column) for column in columns)
        root = self._near.sqrt(self._on.enclose(across * down)[1])
        return min(frobenius, self._near.next_plus(root))

    def _root(self, numbers: Sequence[Decimal]) -> Decimal:
        """The length of a vector of numbers >= 0, rounded up."""
        total = Decimal(0)
        for x in numbers:
            total = self._sum(total, self._product(x, x))
        return self._near.next_plus(self._near.sqrt(total)) if total else total

    def _sum(self, a: Decimal, b: Decimal) -> Decimal:
        return self._on.add((a, a), (b, b))[1]

    def _product(self, a: Decimal, b: Decimal) -> Decimal:
        return self._on.multiply((a, a), (b, b))[1]


def _size(numbers: Sequence[Rational]) -> Fraction:
    """The sum of the absolute values."""
    return sum((Fraction(max(x, -x)) for x in numbers), Fraction(0))


def _difference(head: Head, j: int, i: int) -> tuple[list[Rational], Rational]:
    row = [a - b for a, b in zip(head.keys[j], head.keys[i], strict=True)]
    return row, head.biases[j] - head.biases[i]


def _layer(value: Json) -> Layer:
    """A layer that `network.read` has accepted."""
    heads = [
        Head(
            _rows(head["keys"]),
            vector(head.get("biases", [0] * len(head["keys"])), "biases"),
            _rows(head["values"]),
        )
        for head in value["heads"]
    ]
    ffn = None
    if "ffn" in value:
        given = value["ffn"]
        w1, w2 = _rows(given["w1"]), _rows(given["w2"])
        ffn = (w1, vector(given["b1"], "b1"), w2, vector(given["b2"], "b2"))
    linear = _rows(value["linear"]) if "linear" in value else None
    return Layer(heads, flag(value.get("residual", True), "residual"), linear, ffn)


def _rows(value: Json) -> Rows:
    return [vector(row, "row") for row in value]
