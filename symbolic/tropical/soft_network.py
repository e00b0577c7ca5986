"""A network of soft attention beside its hard limit, on a box of inputs, by intervals (claim A12).

Both states run through the layers together with a bound on their distance. Where one key leads by
more than the carried distance can move the scores, the soft network takes the hard route and
the distance grows as claim ``tropical.stability-scope`` says; the soft state is also enclosed
directly, and each of the two narrows the other. A point is a box of width 0. Cost: one pass,
O(keys x dimension) per head, at the precision in force; nothing is refined here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from ..enclosures.interval import Interval, constant, coordinate
from ..rational import Rational
from ..regions.network import Ffn, Head, Layer, Matrix, Network

Sides: TypeAlias = Sequence[tuple[Rational, Rational]]
Route: TypeAlias = tuple[tuple[int, ...], ...]
"""For every layer and head the key that wins, the lowest of its class."""


@dataclass(frozen=True)
class Place:
    """A head of a layer, and a key of it."""

    layer: int
    head: int
    key: int


@dataclass(frozen=True)
class Passage:
    """What one pass found.

    Args:
        route: of the hard network, as far as it was decided.
        hard: the place at which the hard winner was not decided; None: everywhere.
        soft: the first place at which the soft winner was not decided; None: everywhere.
        departs: the first place at which the soft network certainly prefers another key.
        output: enclosures of the soft and of the hard output, if the hard route was decided.
        error: a bound on the distance of the two outputs, if the soft route was decided too.
        recursion: the same by the recursion alone, if its condition held in every layer.
    """

    route: Route
    hard: Place | None = None
    soft: Place | None = None
    departs: Place | None = None
    output: tuple[tuple[Interval, ...], tuple[Interval, ...]] | None = None
    error: arb | None = None
    recursion: arb | None = None

    @property
    def follows(self) -> bool:
        """Whether the soft network was shown to take the hard route."""
        return self.hard is None and self.soft is None and self.departs is None


def winners(network: Network, point: Sequence[Rational]) -> tuple[Route, Place | None]:
    """The route of the hard network at a point, exactly, up to the first tie.

    Returns:
        The route, and the place of a tie between keys that differ: another key that wins too.

    Example:
        >>> head = Head(keys=((-1,), (1,)), values=((0,), (1,)))
        >>> network = Network(1, (Layer((head,)),))
        >>> winners(network, [2]), winners(network, [0])
        ((((1,),), None), (((),), Place(layer=0, head=0, key=1)))
    """
    route: list[tuple[int, ...]] = []
    for number, layer in enumerate(network.layers):
        part = Network(network.dimension, network.layers[:number])
        x = part.evaluate(point)
        chosen: list[int] = []
        for h, head in enumerate(layer.heads):
            scores = [
                sum((Fraction(a) * b for a, b in zip(key, x, strict=True)), Fraction(bias))
                for key, bias in zip(head.keys, head.biases, strict=True)
            ]
            best = [j for j, score in enumerate(scores) if score == max(scores)]
            others = [j for j in best if j not in _class(head, best[0])]
            if others:
                return (*route, tuple(chosen)), Place(number, h, others[0])
            chosen.append(best[0])
        route.append(tuple(chosen))
    return tuple(route), None


def run(network: Network, sides: Sides, temperature: Rational, route: Route) -> Passage:
    """Run both networks over a box, the hard one along a route that is to be confirmed.

    Args:
        network: the network.
        sides: an interval for every input.
        temperature: tau > 0.
        route: as `winners` gives it at some point of the box.
    """
    hard = [Interval(coordinate(*side, 0).ends) for side in sides]
    soft, error = list(hard), arb(0)
    plain: arb | None = arb(0)
    undecided = departs = None
    for number, layer in enumerate(network.layers):
        width = layer.output_dimension(len(hard))
        norm = arb(0)
        after = [constant(0)] * width, [constant(0)] * width
        if layer.residual:
            norm = arb(1) if layer.linear is None else _norm(layer.linear)
            after = _linear(layer, hard), _linear(layer, soft)
        added, plainly, before = arb(0), arb(0), plain
        known = error if undecided is None else None
        for h, (head, j) in enumerate(zip(layer.heads, route[number], strict=True)):
            found = _head(head, j, (hard, soft), (known, before), temperature)
            if found.lost is not None:
                return Passage(route, hard=Place(number, h, found.lost))
            if found.open is not None:
                undecided = undecided or Place(number, h, found.open)
            if found.ahead is not None:
                departs = departs or Place(number, h, found.ahead)
            for c, (value, shift) in enumerate(zip(found.value, found.shift, strict=True)):
                after[0][c] = after[0][c] + constant(value)
                after[1][c] = after[1][c] + constant(value) + shift
            if found.least is None:
                continue
            n, m = len(head.keys), len(_class(head, j))
            added = _up(added + _added(n, m, found.farthest, found.least, temperature))
            if plain is not None and found.carried is not None and found.carried > 0:
                more = _added(n, m, found.farthest, found.carried, temperature)
                plainly = _up(plainly + more)
            else:
                plain = None
        plain = None if plain is None else _up(norm * plain + plainly)
        follows = undecided is None
        hard, soft, error = _narrowed(*after, _up(norm * error + added), follows)
        if layer.ffn is not None:
            factor = _up(1 + _norm(layer.ffn.w1) * _norm(layer.ffn.w2))
            plain = None if plain is None else _up(factor * plain)
            hard, soft = _forward(layer.ffn, hard), _forward(layer.ffn, soft)
            hard, soft, error = _narrowed(hard, soft, _up(factor * error), follows)
    return Passage(
        route,
        soft=undecided,
        departs=departs,
        output=(tuple(soft), tuple(hard)),
        error=error if undecided is None else None,
        recursion=plain,
    )


@dataclass(frozen=True)
class _Found:
    """What a head does."""

    value: tuple[Rational, ...] = ()
    shift: tuple[Interval, ...] = ()
    least: arb | None = None
    carried: arb | None = None
    farthest: arb = field(default_factory=lambda: arb(0))
    lost: int | None = None
    open: int | None = None
    ahead: int | None = None


def _head(
    head: Head,
    j: int,
    states: tuple[list[Interval], list[Interval]],
    bounds: tuple[arb | None, arb | None],
    temperature: Rational,
) -> _Found:
    """One head: the winner's lead in both states, the soft output, what the error grows by.

    Args:
        head: the head.
        j: the key that is to win.
        states: hard and soft.
        bounds: on the distance of the two, and the same by the recursion alone.
        temperature: tau.
    """
    hard, soft = states
    error, plain = bounds
    same, width = _class(head, j), len(head.values[0])
    m = len(same)
    mean = tuple(Fraction(sum(head.values[i][c] for i in same)) / m for c in range(width))
    total, sums = constant(m), [constant(0)] * width
    leads: list[arb] = []
    carried: list[arb] = []
    farthest, undecided, ahead = arb(0), None, None
    for i in range(len(head.keys)):
        if i in same:
            continue
        row = [a - b for a, b in zip(head.keys[j], head.keys[i], strict=True)]
        bias = head.biases[j] - head.biases[i]
        lead = dot(row, hard, bias).ends[0]
        if not lead > 0:
            return _Found(lost=i)
        low, high = dot(row, soft, bias).ends
        length = _length([constant(max(x, -x)).ends[1] for x in row])
        if error is not None:
            low = max(low, (lead - _up(length * error)).lower())
        if plain is not None:
            carried.append((lead - _up(length * plain)).lower())
        if not low > 0:
            undecided = i if undecided is None else undecided
        if high < 0:
            ahead = i if ahead is None else ahead
        leads.append(low)
        weight = (-(Interval((low, high)) / constant(temperature))).exp()
        off = [v - x for v, x in zip(head.values[i], mean, strict=True)]
        farthest = max(farthest, _length([constant(max(x, -x)).ends[1] for x in off]))
        total = total + weight
        sums = [s + weight * constant(x) for s, x in zip(sums, off, strict=True)]
    return _Found(
        mean,
        tuple(s / total for s in sums),
        min(leads, default=None),
        min(carried, default=None),
        farthest,
        open=undecided,
        ahead=ahead,
    )


def _class(head: Head, j: int) -> list[int]:
    """The keys that score like key j everywhere."""
    return [
        i
        for i, (key, bias) in enumerate(zip(head.keys, head.biases, strict=True))
        if key == head.keys[j] and bias == head.biases[j]
    ]


def _added(n: int, m: int, farthest: arb, ahead: arb, temperature: Rational) -> arb:
    """D q/(1 + q), q = (n - m)/m exp(-ahead/tau): what A10 allows."""
    q = constant(Fraction(n - m, m)).ends[1] * (-ahead / constant(temperature).ends[1]).exp()
    q = _up(q)
    return _up(farthest * (1 - 1 / (1 + q)).upper())


def _linear(layer: Layer, state: list[Interval]) -> list[Interval]:
    if layer.linear is None:
        return list(state)
    return [dot(row, state) for row in layer.linear]


def _forward(ffn: Ffn, y: list[Interval]) -> list[Interval]:
    active = [
        dot(row, y, bias).largest(constant(0)) for row, bias in zip(ffn.w1, ffn.b1, strict=True)
    ]
    return [old + dot(row, active, bias) for old, row, bias in zip(y, ffn.w2, ffn.b2, strict=True)]


def _narrowed(
    hard: list[Interval], soft: list[Interval], error: arb, follows: bool
) -> tuple[list[Interval], list[Interval], arb]:
    if not follows:
        return hard, soft, arb(0)
    narrow = []
    for a, b in zip(hard, soft, strict=True):
        low, high = (a.ends[0] - error).lower(), (a.ends[1] + error).upper()
        narrow.append(Interval((max(low, b.ends[0]), min(high, b.ends[1]))))
    gaps = [abs(b - a).ends[1] for a, b in zip(hard, narrow, strict=True)]
    return hard, narrow, min(error, _length(gaps))


def dot(row: Sequence[Rational], state: Sequence[Interval], bias: Rational = 0) -> Interval:
    """The affine function <row, state> + bias of intervals."""
    total = constant(bias)
    for entry, value in zip(row, state, strict=True):
        if entry:
            total = total + constant(entry) * value
    return total


def _length(numbers: Sequence[arb]) -> arb:
    return _up(sum((x * x for x in numbers), arb(0)).sqrt()) if numbers else arb(0)


def _norm(rows: Matrix) -> arb:
    """A bound on the spectral norm: Frobenius', or the root of the product of two others."""
    if not rows or not rows[0]:
        return arb(0)
    frobenius = _length([constant(max(x, -x)).ends[1] for row in rows for x in row])
    across = max(_size(row) for row in rows)
    down = max(_size(column) for column in zip(*rows, strict=True))
    return min(frobenius, _up(constant(across * down).ends[1].sqrt()))


def _size(numbers: Sequence[Rational]) -> Fraction:
    """The sum of the absolute values."""
    return sum((Fraction(max(x, -x)) for x in numbers), Fraction(0))


def _up(value: arb) -> arb:
    return value.upper()
