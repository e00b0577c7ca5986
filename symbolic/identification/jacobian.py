"""The exact Jacobian of what attention computes, at a random point modulo a prime.

Independent of the stabiliser: nothing here knows what can be moved. Scores are computed from the
parameters, for rotations by rational angles (of Pythagorean triples) at as many distances as tell
the planes apart, and compared with the score of one key, as the softmax does; normalised ones at
random queries and keys, with true square roots modulo p. The rank at a point modulo p is a lower
bound of the generic rank; with the tangent vectors of the stabiliser above it is exact.

Dense: parameters times invariants. For layers of a few hundred parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from ..errors import Degenerate
from ..modular.rank import modular_rank
from ..modular.tangent import PRIME, Parameters, Residues, Tangent, above, beside
from .architecture import Architecture, Latent
from .counts import identify_architecture
from .rotation import rotation

ATTEMPTS = 1000


def jacobian(architecture: Architecture, part: str, *, seed: int = 0) -> Residues:
    """The Jacobian of the invariants of a part of a layer, modulo `modular.tangent.PRIME`.

    Args:
        architecture: the layer; at most six frequencies.
        part: "qk", "vo" or "block" (for "block" of ordinary projections use the model).
        seed: of the point.

    Returns:
        [invariants][parameters] residues.

    Raises:
        InputError: too many frequencies.
        Degenerate: no point was found at which the norms have square roots.

    Example:
        >>> from headproof.symbolic.modular.rank import modular_rank
        >>> layer = Architecture(d_model=6, heads=3, rope="distinct")
        >>> rows = jacobian(layer, "qk")
        >>> rows.shape[1] - modular_rank(rows, PRIME).rank  # H d_k
        6
    """
    random = Random(seed)
    for _ in range(ATTEMPTS):
        try:
            return _rows(architecture, part, random)
        except Degenerate:
            continue
    raise Degenerate("no point with square roots was found")


def _rows(a: Architecture, part: str, random: Random) -> Residues:
    drawn = Parameters(random, _parameters(a, part))
    layer = Layer(a, drawn, part)
    layer.norm_before(drawn.matrix if part == "block" else drawn.drawn)
    if a.mla is not None:
        return np.concatenate([one.jacobian() for one in layer.latent_invariants(part)])
    found = [*(layer.score_invariants() if part != "vo" else ())]
    if part != "qk":
        found += layer.value_invariants()
    return np.concatenate([one.jacobian() for one in found])


def _parameters(a: Architecture, part: str) -> int:
    answer = getattr(identify_architecture(a), part)
    if answer.count is not None:
        return int(answer.count.total)
    return 0


@dataclass(frozen=True)
class _Latent:
    """What makes the latent vectors."""

    queries: Tangent | None
    query_gain: Tangent | None
    down: Tangent
    down_gain: Tangent | None


def _latent_of(a: Architecture) -> Latent:
    if a.mla is None:
        raise ValueError("an architecture without latent projections")
    return a.mla


class Layer:
    """The projections of a layer with drawn parameters."""

    def __init__(self, a: Architecture, drawn: Parameters, part: str) -> None:
        """Draw the parameters of this part, in the order of the counts."""
        self.a, self.drawn = a, drawn
        self.queries: list[Tangent] = []
        self.keys: list[Tangent] = []
        self.values: list[Tangent] = []
        self.outputs: list[Tangent] = []
        self.output_bias: Tangent | None = None
        self.gains: tuple[Tangent, Tangent] | None = None
        self.input_gain: Tangent | None = None
        self.input_bias: Tangent | None = None
        if a.mla is not None:
            self._latent(part)
            return
        d, n = a.d_model, a.head_dim
        if part != "vo":
            self.keys = [self._projection(d, n, "k" in a.bias) for _ in range(a.kv_heads)]
            if a.tied_qk:
                self.queries = self.keys
            else:
                self.queries = [self._projection(d, n, "q" in a.bias) for _ in range(a.heads)]
            if a.qk_norm_gain:
                self.gains = drawn.matrix(1, n), drawn.matrix(1, n)
        if part != "qk":
            self.values = [self._projection(d, n, "v" in a.bias) for _ in range(a.kv_heads)]
            self.outputs = [drawn.matrix(n, d) for _ in range(a.heads)]
            if "o" in a.bias:
                self.output_bias = drawn.matrix(1, d)

    def _projection(self, rows: int, columns: int, bias: bool) -> Tangent:
        """[rows + 1][columns], the last row the bias or 0."""
        weight = self.drawn.matrix(rows, columns)
        last = self.drawn.matrix(1, columns) if bias else self.drawn.constant([[0] * columns])
        return above(weight, last)

    def norm_before(self, draw: Callable[[int, int], Tangent]) -> None:
        """The gains and biases of the norm before the projections."""
        d = self.a.d_model
        self.input_gain = draw(1, d) if self.a.input_norm_gain else None
        self.input_bias = draw(1, d) if self.a.input_norm_bias else None

    def _read(self, factor: Tangent) -> Tangent:
        """What a projection with its bias makes of the normalised x, continued by 1."""
        if self.a.input_norm == "none":
            return factor
        weight, constant = factor[: self.a.d_model, :], factor[self.a.d_model :, :]
        if self.input_bias is not None:
            constant = constant + self.input_bias @ weight
        if self.input_gain is not None:
            weight = self.input_gain.transpose() * weight
        return above(self._centred(weight.transpose()).transpose(), constant)

    def _centred(self, x: Tangent) -> Tangent:
        """Rows without their mean, if there is a LayerNorm."""
        if self.a.input_norm != "layer":
            return x
        return x.centred()

    def _latent(self, part: str) -> None:
        """The narrow projections first, then head by head."""
        mla, d, draw = _latent_of(self.a), self.a.d_model, self.drawn.matrix
        down = draw(d, mla.kv_rank)
        gain = draw(1, mla.kv_rank) if mla.norm_gain else None
        before = after = None
        if part != "vo" and mla.q_rank:
            before = draw(d, mla.q_rank)
            after = draw(1, mla.q_rank) if mla.norm_gain else None
        self.latent = _Latent(before, after, down, gain)
        if part != "vo":
            self.turned = draw(d, mla.rope_dim)
            for _ in range(self.a.heads):
                self.queries.append(draw(mla.q_rank or d, mla.nope_dim + mla.rope_dim))
                self.keys.append(draw(mla.kv_rank, mla.nope_dim))
        if part != "qk":
            for _ in range(self.a.heads):
                self.values.append(draw(mla.kv_rank, mla.value_dim))
                self.outputs.append(draw(mla.value_dim, d))

    def latent_invariants(self, part: str) -> Iterator[Tangent]:
        """Scores of random queries and keys less that of the first key, and values of keys."""
        mla = _latent_of(self.a)
        turns = [self.drawn.constant(rotation(self.a, t)) for t in self._distances()]
        for _ in range(2 + 2 * (mla.q_rank or self.a.d_model)):
            inputs = self._vectors(self.latent.down, self.latent.down_gain, 1 + self.a.d_model)
            if part != "qk":
                for value, output in zip(self.values, self.outputs, strict=True):
                    yield inputs[1] @ value @ output
            if part == "vo":
                continue
            if self.latent.queries is None:
                asked = self._inputs(2)
            else:
                asked = self._vectors(self.latent.queries, self.latent.query_gain, 2)[1]
            for query, key in zip(self.queries, self.keys, strict=True):
                keys = beside(inputs[1] @ key, inputs[0] @ self.turned)
                rows = asked @ query
                scores = beside(*(rows @ turn @ keys.transpose() for turn in turns))
                yield scores - scores[:, :1]

    def _vectors(self, down: Tangent, gain: Tangent | None, count: int) -> tuple[Tangent, Tangent]:
        """Random inputs, and their latent vectors with norm and gain."""
        if not _latent_of(self.a).norm:
            inputs = self._inputs(count)
            return inputs, inputs @ down
        found: list[tuple[Tangent, Tangent]] = []
        for _ in range(ATTEMPTS):
            one = self._inputs(1)
            row = one @ down
            try:
                row = row * (row * row).total(1).root().inverse()
            except Degenerate:
                continue
            found.append((one, row if gain is None else row * gain))
            if len(found) == count:
                return above(*(one for one, _ in found)), above(*(row for _, row in found))
        raise Degenerate("no inputs with square roots")

    def _inputs(self, count: int) -> Tangent:
        """Random inputs, normalised up to a factor, and the gain of this norm."""
        found = self._centred(self.drawn.drawn(count, self.a.d_model))
        return found if self.input_gain is None else found * self.input_gain

    def _distances(self) -> range:
        return range(self.a.rotary_dim + 1 if self.a.rope != "none" else 1)

    def score_invariants(self) -> Iterator[Tangent]:
        """What the softmax sees of the scores."""
        turns = [self.drawn.constant(rotation(self.a, t)) for t in self._distances()]
        for h, query in enumerate(self.queries):
            key = self._read(self.keys[h * len(self.keys) // len(self.queries)])
            query = self._read(query)
            if self.a.qk_norm:
                yield from self._normalised(query, key, turns)
                continue
            bias = slice(self.a.d_model, None)
            content = slice(None, self.a.d_model)
            scores = [query @ turn @ key.transpose() for turn in turns]
            for score in scores:
                yield score[:, content]
                shifted = score if self.a.sink else score - scores[0]
                yield shifted[:, bias]

    def _normalised(self, query: Tangent, key: Tangent, turns: list[Tangent]) -> Iterator[Tangent]:
        """Scores of random queries and keys, less that of the first key."""
        rows = query.value.shape[0]
        enough = 2 * rows * rows // len(turns) + rows + 2
        for _ in range(-(-enough // 4)):
            one = self._unit(query, 2, None if self.gains is None else self.gains[0])
            others = self._unit(key, 5, None if self.gains is None else self.gains[1])
            scores = beside(*(one @ turn @ others.transpose() for turn in turns))
            yield scores if self.a.sink else scores - scores[:, :1]

    def _unit(self, factor: Tangent, count: int, gain: Tangent | None) -> Tangent:
        """Random inputs, projected and divided by their lengths (rows whose square has a root)."""
        found: list[Tangent] = []
        for _ in range(ATTEMPTS):
            inputs = beside(self.drawn.drawn(1, self.a.d_model), self.drawn.constant([[1]]))
            row = inputs @ factor
            try:
                length = (row * row).total(1).root()
            except Degenerate:
                continue
            row = row * length.inverse()
            found.append(row if gain is None else row * gain)
            if len(found) == count:
                return above(*found)
        raise Degenerate("no inputs with square roots")

    def value_invariants(self) -> list[Tangent]:
        """Every head's W_V W_O, and the constant of the biases (with a sink head by head)."""
        found: list[Tangent] = []
        constant = self.output_bias
        content, bias = slice(None, self.a.d_model), slice(self.a.d_model, None)
        for h, output in enumerate(self.outputs):
            product = self._read(self.values[h * len(self.values) // len(self.outputs)]) @ output
            found.append(product[content, :])
            part = product[bias, :]
            if self.a.sink:
                found.append(part)
            else:
                constant = part if constant is None else constant + part
        if constant is not None:
            found.append(constant)
        return found


def unidentified(architecture: Architecture, part: str, *, seed: int = 0) -> int:
    """Parameters less the rank of the Jacobian at a random point modulo the prime.

    At least the dimension of the generic fibre, and equal to it unless the point or the prime is
    unlucky.
    """
    rows: Any = jacobian(architecture, part, seed=seed)
    return int(rows.shape[1] - modular_rank(rows, PRIME).rank)
