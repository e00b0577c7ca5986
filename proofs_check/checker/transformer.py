"""Kind transformer: at which position a head looks (CERTIFICATES.md, transformer).

The checker runs the network itself, on all sequences of a family that it lists itself. Attention is
causal: a sequence's states serve all its continuations, and only its last position is new.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from .budget import Budget
from .errors import Rejected, Unreadable
from .fields import Json, count, index, integer, items, members
from .fixed import Ball, Fixed, Vector, Weights
from .rationals import parse

LARGEST = 1 << 40
_PARTS = ("query", "key", "value", "output", "up", "down")
Word: TypeAlias = tuple[int, ...]


class Layer(NamedTuple):
    """One layer as the certificate gives it."""

    heads: int
    norm1: tuple[list[int], list[int]]
    norm2: tuple[list[int], list[int]]
    parts: dict[str, Weights]


class Family(NamedTuple):
    """Dyck-(k, m): its beginnings of 1 to n symbols, or those that are listed."""

    types: int
    depth: int
    words: list[Word] | None
    length: int


def check(data: Json, budget: Budget) -> None:
    """Check the data of a transformer certificate.

    Raises:
        Rejected: where the head looks is another place than stated, or undecided.
        Unreadable: it is malformed or too large.
    """
    names = ("network", "precision", "head", "family", "looks", "count", "behind", "top", "most")
    parts = members(data, "data", names)
    runner = _Runner(parts["network"], integer(parts["precision"], "precision", 20, 400), budget)
    place = items(parts["head"], "head")
    if len(place) != 2:
        raise Unreadable("head: expected [layer, head]")
    layer = index(place[0], "head[0]", len(runner.layers), "layer")
    head = index(place[1], "head[1]", runner.layers[layer].heads, "head")
    family = _family(parts["family"])
    runner.fits(2 * family.types, family.length)
    looks = items(parts["looks"], "looks")
    found = behind = top = most = 0
    for word, waiting in _sequences(family, budget):
        if not word:
            continue
        where = f"looks[{found}]"
        if found == len(looks):
            raise Rejected(f"looks: {len(looks)} places, the family has more sequences")
        key = index(looks[found], where, len(word) + 1, "position")
        majority = runner.looks(word, layer, head, key, where)
        found += 1
        if waiting is not None and waiting < len(word):
            behind += 1
            if key == waiting:
                top += 1
                most += majority
    if found != len(looks):
        raise Rejected(f"looks: {len(looks)} places, the family has {found} sequences")
    count(parts, found, "sequences")
    for name, counted in (("behind", behind), ("top", top), ("most", most)):
        if integer(parts[name], name, 0) != counted:
            raise Rejected(f"{name}: {parts[name]} stated, {counted} counted")


class _Runner:
    """The network, with the states of the sequence that was run last."""

    def __init__(self, network: Json, precision: int, budget: Budget) -> None:
        fields = members(network, "network", ("bits", "eps", "symbols", "positions", "layers"))
        bits = integer(fields["bits"], "network.bits", 0, precision)
        eps = parse(fields["eps"], "network.eps")
        if not 0 < eps <= 1:
            raise Unreadable("network.eps: expected a number in (0, 1]")
        self._on = Fixed(precision, bits, budget)
        self._eps: Ball = (eps.numerator << precision) // eps.denominator, 1
        self._symbols = _rows(fields["symbols"], "network.symbols", budget)
        width = len(self._symbols[0])
        self._positions = _rows(fields["positions"], "network.positions", budget, width)
        self.layers = [
            _layer(layer, f"network.layers[{n}]", width, budget)
            for n, layer in enumerate(items(fields["layers"], "network.layers", 1))
        ]
        self._word: Word = ()
        # For each layer and head the keys and values of the positions run so far.
        self._keys: list[list[list[Vector]]] = [[[] for _ in range(x.heads)] for x in self.layers]
        self._values: list[list[list[Vector]]] = [[[] for _ in range(x.heads)] for x in self.layers]
        self._scores: list[list[list[list[Ball]]]] = [
            [[] for _ in range(x.heads)] for x in self.layers
        ]

    def fits(self, begin: int, longest: int) -> None:
        """Whether the network has the symbols and the positions; the last symbol begins."""
        if len(self._symbols) != begin + 1:
            raise Unreadable(f"network.symbols: expected {begin + 1} of them")
        if len(self._positions) < longest + 1:
            raise Unreadable(f"network.positions: expected at least {longest + 1} of them")

    def looks(self, word: Word, layer: int, head: int, key: int, where: str) -> bool:
        """Confirm that the last position looks at a key; whether it has most of the weight."""
        whole = (len(self._symbols) - 1, *word)
        same = 0
        while same < min(len(whole), len(self._word)) and whole[same] == self._word[same]:
            same += 1
        for store in (self._keys, self._values, self._scores):
            for row in store:
                for kept in row:
                    del kept[same:]
        for i in range(same, len(whole)):
            self._extend(whole[i], i, layer)
        self._word = whole
        scores = self._scores[layer][head][-1]
        best = scores[key]
        for j, other in enumerate(scores):
            if j != key and not best[0] - best[1] > other[0] + other[1]:
                raise Rejected(f"{where}: undecided or false that position {key} beats {j}")
        shares = self._on.shares(scores)
        rest = sum(m + r for j, (m, r) in enumerate(zip(*shares, strict=True)) if j != key)
        return shares.mid[key] - shares.rad[key] > rest

    def _extend(self, symbol: int, place: int, until: int) -> None:
        on = self._on
        x = on.add(on.exact(self._symbols[symbol]), on.exact(self._positions[place]))
        for n in range(until + 1):
            layer = self.layers[n]
            normal = on.normalised(x, *layer.norm1, self._eps)
            q, k, v = (on.affine(layer.parts[p], normal) for p in ("query", "key", "value"))
            size = len(q.mid) // layer.heads
            joined = Vector([], [])
            for h in range(layer.heads):
                cut = slice(h * size, (h + 1) * size)
                self._keys[n][h].append(Vector(k.mid[cut], k.rad[cut]))
                self._values[n][h].append(Vector(v.mid[cut], v.rad[cut]))
                asked = Vector(q.mid[cut], q.rad[cut])
                scores = [on.over_root(on.dot(asked, key), size) for key in self._keys[n][h]]
                self._scores[n][h].append(scores)
                if n < until:
                    mixed = on.mean(on.shares(scores), self._values[n][h])
                    joined.mid.extend(mixed.mid)
                    joined.rad.extend(mixed.rad)
            if n == until:
                return
            x = on.add(x, on.affine(layer.parts["output"], joined))
            inner = on.normalised(x, *layer.norm2, self._eps)
            active = on.relu(on.affine(layer.parts["up"], inner))
            x = on.add(x, on.affine(layer.parts["down"], active))


def _sequences(family: Family, budget: Budget) -> Iterator[tuple[Word, int | None]]:
    """The beginnings, each before its continuations, with the position of the top of the stack.

    Positions count from 1, 0 is the beginning symbol; None if no bracket is open.
    """
    k = family.types
    if family.words is not None:
        for n, word in enumerate(family.words):
            budget.spend(10 * len(word))
            yield word, _top(family, word, f"family.words[{n}]")
        return
    pending: list[tuple[Word, tuple[int, ...]]] = [((), ())]
    while pending:
        budget.spend(10)
        word, stack = pending.pop()
        yield word, stack[-1] if stack else None
        if len(word) == family.length:
            continue
        if stack:
            pending.append(((*word, word[stack[-1] - 1] + k), stack[:-1]))
        if len(stack) < family.depth:
            for t in reversed(range(k)):
                pending.append(((*word, t), (*stack, len(word) + 1)))


def _top(family: Family, word: Word, where: str) -> int | None:
    stack: list[int] = []
    for i, symbol in enumerate(word):
        if symbol < family.types:
            stack.append(i + 1)
            if len(stack) > family.depth:
                raise Rejected(f"{where}: deeper than {family.depth}")
        elif not stack or word[stack.pop() - 1] != symbol - family.types:
            raise Rejected(f"{where}: symbol {i} closes no open bracket of its type")
    return stack[-1] if stack else None


def _family(value: Json) -> Family:
    named = type(value) is dict and "words" in value
    last = "words" if named else "length"
    fields = members(value, "family", ("types", "depth", last))
    k = integer(fields["types"], "family.types", 1, 1000)
    m = integer(fields["depth"], "family.depth", 1, 1000)
    if not named:
        return Family(k, m, None, integer(fields["length"], "family.length", 1, 1000))
    words = [
        tuple(
            integer(symbol, f"family.words[{n}]", 0, 2 * k - 1)
            for symbol in items(word, f"family.words[{n}]", 1)
        )
        for n, word in enumerate(items(fields["words"], "family.words", 1))
    ]
    if len(set(words)) < len(words):
        raise Rejected("family.words: one stands twice")
    return Family(k, m, words, max(map(len, words)))


def _layer(value: Json, where: str, width: int, budget: Budget) -> Layer:
    fields = members(value, where, ("heads", "norm1", "norm2", *_PARTS))
    heads = integer(fields["heads"], f"{where}.heads", 1, width)
    if width % heads:
        raise Unreadable(f"{where}.heads: expected a divisor of {width}")
    norms = []
    for name in ("norm1", "norm2"):
        pair = _rows(fields[name], f"{where}.{name}", budget, width)
        if len(pair) != 2:
            raise Unreadable(f"{where}.{name}: expected a gain and a bias")
        norms.append((pair[0], pair[1]))
    parts = {}
    inner = 0
    for name in _PARTS:
        into = inner if name == "down" else width
        parts[name] = _weights(fields[name], f"{where}.{name}", into, budget)
        if name == "up":
            inner = len(parts[name].rows)
        elif len(parts[name].rows) != width:
            raise Unreadable(f"{where}.{name}: expected {width} rows")
    return Layer(heads, norms[0], norms[1], parts)


def _weights(value: Json, where: str, width: int, budget: Budget) -> Weights:
    pair = items(value, where)
    if len(pair) != 2:
        raise Unreadable(f"{where}: expected a matrix and a vector")
    rows = _rows(pair[0], f"{where}[0]", budget, width)
    constant = _rows([pair[1]], f"{where}[1]", budget, len(rows))[0]
    return Weights(rows, [[abs(x) for x in row] for row in rows], constant)


def _rows(value: Json, where: str, budget: Budget, width: int | None = None) -> list[list[int]]:
    rows = items(value, where, 1)
    found: list[list[int]] = []
    for n, row in enumerate(rows):
        entries = items(row, f"{where}[{n}]", 1)
        budget.spend(len(entries))
        found.append([integer(x, f"{where}[{n}]", -LARGEST, LARGEST) for x in entries])
        if len(entries) != (width or len(found[0])):
            raise Unreadable(f"{where}[{n}]: expected {width or len(found[0])} numbers")
    return found
