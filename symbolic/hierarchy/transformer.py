"""A causal transformer with dyadic weights, enclosed: at which position a head looks (claim F7).

Arb evaluates the network on a sequence: LayerNorm and softmax are the only functions that are not
rational. If the enclosure of one score lies above those of all others, that position has the
largest weight, for the real numbers and not for their floats; otherwise the precision is doubled.
Causality makes the states of a sequence serve all its continuations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from flint import arb, arb_mat, fmpq

from ..enclosures.ball import precision
from ..errors import InputError, PrecisionExhausted
from .dyck import Word

Document: TypeAlias = Mapping[str, Any]
EPS = Fraction(1, 10**5)
"""What LayerNorm adds to the variance."""

_FIRST, _LAST = 64, 512


@dataclass(frozen=True)
class Look:
    """Where a head looks from the last position of a sequence.

    Args:
        word: the sequence, without the beginning symbol.
        key: the position with the largest weight; the beginning symbol is 0.
        lead: a lower bound on how far its score is ahead; None if it is the only position.
        majority: whether its weight is above 1/2 for certain.
    """

    word: Word
    key: int
    lead: Fraction | None
    majority: bool


def looks(network: Document, head: tuple[int, int], words: Iterable[Word]) -> Iterator[Look]:
    """Decide where a head looks, for one sequence after another.

    Args:
        network: weights as integers in units of 2^-bits, as a transformer certificate writes them.
        head: its layer and its place in it.
        words: sequences of symbols; fast if each is followed by its continuations.

    Raises:
        InputError: there is no such layer, head, symbol or position.
        PrecisionExhausted: two scores that seem to tie exactly.
    """
    layer, place = head
    if not 0 <= layer < len(network["layers"]):
        raise InputError(f"a layer below {len(network['layers'])}", str(layer), where="head")
    if not 0 <= place < network["layers"][layer]["heads"]:
        raise InputError(f"a head below {network['layers'][layer]['heads']}", str(place))
    engines: dict[int, _Engine] = {}
    for word in words:
        bits = _FIRST
        while True:
            with precision(bits):
                engine = engines.setdefault(bits, _Engine(network, layer))
                found = _decide(word, engine.scores(word, place))
            if found is not None:
                yield found
                break
            bits *= 2
            if bits > _LAST:
                raise PrecisionExhausted(f"{_LAST} bits do not decide where the head looks: {word}")


def _decide(word: Word, scores: Sequence[arb]) -> Look | None:
    best = max(range(len(scores)), key=lambda j: float(scores[j].mid()))
    others = [scores[best] - s for j, s in enumerate(scores) if j != best]
    if not all(gap > 0 for gap in others):
        return None
    rest = sum(((-gap).exp() for gap in others), arb(0))
    if not (rest < 1 or rest > 1):
        return None
    least = min((_below(gap) for gap in others), default=None)
    return Look(word, best, least, bool(rest < 1))


def _below(gap: arb) -> Fraction:
    """A rational just below the lower end."""
    lower = gap.lower()
    mantissa, exponent = lower.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


class _Engine:
    """The network at one precision, with the states of the last sequence."""

    def __init__(self, network: Document, until: int) -> None:
        self._bits, self._until = network["bits"], until
        self._symbols = [self._row(row) for row in network["symbols"]]
        self._positions = [self._row(row) for row in network["positions"]]
        self._layers = [self._layer(layer) for layer in network["layers"][: until + 1]]
        self._eps = arb(fmpq(EPS.numerator, EPS.denominator))
        self._whole: tuple[int, ...] = ()
        self._kept: list[list[tuple[arb_mat, arb_mat, arb_mat]]] = [[] for _ in self._layers]

    def scores(self, word: Word, head: int) -> list[arb]:
        """The last position's scores in the last layer."""
        whole = (len(self._symbols) - 1, *word)
        if len(whole) > len(self._positions):
            raise InputError(f"at most {len(self._positions) - 1} symbols", str(len(word)))
        if not all(0 <= s < len(self._symbols) - 1 for s in word):
            raise InputError(f"symbols below {len(self._symbols) - 1}", str(word), where="word")
        same = 0
        while same < min(len(whole), len(self._whole)) and whole[same] == self._whole[same]:
            same += 1
        same = min(same, len(whole) - 1)
        for states in self._kept:
            del states[same:]
        for i in range(same, len(whole)):
            self._extend(whole[i], i)
        self._whole = whole
        heads = self._layers[-1]["heads"]
        return self._of_head(self._until, head, heads)

    def _extend(self, symbol: int, place: int) -> None:
        x = self._symbols[symbol] + self._positions[place]
        for n, layer in enumerate(self._layers):
            normal = self._normalised(x, *layer["norm1"])
            q, k, v = (layer[p][0] * normal + layer[p][1] for p in ("query", "key", "value"))
            self._kept[n].append((q, k, v))
            if n == self._until:
                return
            heads = layer["heads"]
            d = x.nrows()
            joined: list[arb] = []
            for h in range(heads):
                scores = self._of_head(n, h, heads)
                top = max(scores, key=lambda s: float(s.mid())).mid()
                grown = [(s - top).exp() for s in scores]
                total = sum(grown, arb(0))
                for c in range(h * d // heads, (h + 1) * d // heads):
                    mixed = sum(
                        (g * kept[2][c, 0] for g, kept in zip(grown, self._kept[n], strict=True)),
                        arb(0),
                    )
                    joined.append(mixed / total)
            x = x + layer["output"][0] * arb_mat(d, 1, joined) + layer["output"][1]
            inner = self._normalised(x, *layer["norm2"])
            up = layer["up"][0] * inner + layer["up"][1]
            active = [up[c, 0].max(arb(0)) for c in range(up.nrows())]
            x = x + layer["down"][0] * arb_mat(len(active), 1, active) + layer["down"][1]

    def _of_head(self, n: int, h: int, heads: int) -> list[arb]:
        d = self._symbols[0].nrows()
        size = d // heads
        asked = self._kept[n][-1][0]
        return [
            sum((asked[c, 0] * kept[1][c, 0] for c in range(h * size, (h + 1) * size)), arb(0))
            / arb(size).sqrt()
            for kept in self._kept[n]
        ]

    def _normalised(self, x: arb_mat, gain: arb_mat, bias: arb_mat) -> arb_mat:
        d = x.nrows()
        entries = [x[c, 0] for c in range(d)]
        mean = sum(entries, arb(0)) / d
        centred = [e - mean for e in entries]
        deviation = (sum((c * c for c in centred), arb(0)) / d + self._eps).sqrt()
        rows = [c / deviation * gain[i, 0] + bias[i, 0] for i, c in enumerate(centred)]
        return arb_mat(d, 1, rows)

    def _layer(self, layer: Document) -> dict[str, Any]:
        found: dict[str, Any] = {"heads": layer["heads"]}
        for name in ("norm1", "norm2"):
            found[name] = tuple(self._row(row) for row in layer[name])
        for name in ("query", "key", "value", "output", "up", "down"):
            rows, constant = layer[name]
            unit = arb(2) ** -self._bits
            matrix = arb_mat(len(rows), len(rows[0]), [arb(x) * unit for row in rows for x in row])
            found[name] = (matrix, self._row(constant))
        return found

    def _row(self, numbers: Sequence[int]) -> arb_mat:
        unit = arb(2) ** -self._bits
        return arb_mat(len(numbers), 1, [arb(x) * unit for x in numbers])
