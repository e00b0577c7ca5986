"""A whole attention-only decoder: layers on a residual stream, between embedding and unembedding.

x = E[token] (+ P[position]); every layer adds its attention (causal, of the normalised x); the
logits are norm(x) U. Besides what every layer hides, the residual stream itself can be turned: by
any invertible map when nothing is normalised; by rotations, and stretched, when RMS norms stand
before everything that reads it. LayerNorm removes one coordinate, and what is left is an RMS norm
on the other d - 1: the function is that of such a decoder, and its rank with it.

The exact Jacobian of the logits modulo a prime is here too: exponentials as elements of their own
(`modular.tangent`), one for every score that differs.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from operator import add
from random import Random

import numpy as np

from ..errors import Degenerate, InputError
from ..modular.rank import modular_rank
from ..modular.tangent import PRIME, Parameters, Residues, Tangent, above, beside
from .architecture import Architecture
from .counts import TRANSLATION, Answer, Count, Source, identify_architecture, translated
from .jacobian import ATTEMPTS, Layer
from .rotation import rotation
from .stabiliser import dimension


def decoder_count(architecture: Architecture, vocabulary: int) -> Answer:
    """What the logits of an attention-only decoder do not see.

    Args:
        architecture: of every layer, with ``layers``, ``input_norm`` (before every layer and
            before the unembedding) and ``positions``.
        vocabulary: how many tokens; more than d_model, so that the tokens reach every direction.

    Returns:
        The count for all parameters, embedding and unembedding included, or why there is none.

    Example:
        >>> rms = Architecture(d_model=3, heads=1, head_dim=2, layers=2, input_norm="rms")
        >>> decoder_count(rms, 5).count  # two layers of 4 + 4, rotations of R^3, one scale
        Count(unidentified=20, total=78)
    """
    a = architecture
    if a.mla is not None:
        return Answer(None, reason="latent projections on a residual stream")
    if vocabulary <= a.d_model:
        return Answer(None, reason=f"vocabulary = {vocabulary} must exceed d_model = {a.d_model}")
    block = identify_architecture(a).block
    if block.count is None:
        return block
    final = a.d_model * (a.input_norm_gain + a.input_norm_bias)
    ends = (2 * vocabulary + a.positions) * a.d_model
    total = ends + a.layers * block.count.total + final
    if a.input_norm == "layer":
        return _centred(a, vocabulary, total)
    sources = [Source(a.layers * one.dimension, one.why) for one in block.sources]
    if a.input_norm == "none":
        sources.append(Source(a.layers * a.d_model if translated(a) else 0, TRANSLATION))
        turned = int(dimension([("real", a.d_model)]))
        sources.append(Source(turned, "any invertible map of the residual stream"))
    else:
        turned = int(dimension([("real", a.d_model)], "orthogonal"))
        sources.append(Source(turned, "rotations of the residual stream"))
        sources.append(Source(1, "the scale of the residual stream"))
    if final:
        sources.append(Source(final, "the last gains, which the unembedding absorbs"))
    if a.positions:
        why = "a vector added to every token and taken from every position"
        sources.append(Source(a.d_model, why))
    kept = tuple(source for source in sources if source.dimension)
    return Answer(Count(sum(source.dimension for source in kept), total), kept)


def _centred(a: Architecture, vocabulary: int, total: int) -> Answer:
    """LayerNorm: the same rank as with an RMS norm one dimension below.

    Its bias gives the projections and the logits a constant; the latter is seen.
    """
    below = replace(
        a,
        d_model=a.reads,
        input_norm="rms",
        input_norm_gain=False,
        input_norm_bias=False,
        bias=tuple(a.read_biases),
    )
    inner = decoder_count(below, vocabulary)
    if inner.count is None:
        return inner
    seen = inner.count.total - inner.count.unidentified + a.input_norm_bias * vocabulary
    rest = total - seen - inner.count.unidentified
    why = (
        "the mean of the residual stream, the gains and the biases: LayerNorm removes or moves them"
    )
    return Answer(Count(total - seen, total), (*inner.sources, Source(rest, why)))


def decoder_unidentified(
    architecture: Architecture, vocabulary: int, *, sequences: int, length: int, seed: int = 0
) -> int:
    """Parameters less the rank of the Jacobian of the logits at a random point modulo a prime.

    Args:
        architecture: as for `decoder_count`; without a norm of queries and keys.
        vocabulary: how many tokens.
        sequences: how many different random sequences.
        length: tokens of each; at most ``positions`` if there is a table.
        seed: of the point and the sequences.

    Raises:
        InputError: an architecture that is not covered.
        Degenerate: no point with square roots was found.

    Example:
        >>> plain = Architecture(d_model=2, heads=1, layers=1)
        >>> decoder_unidentified(plain, 3, sequences=8, length=3)  # 4 + 4 + 4
        12
    """
    random = Random(seed)
    for _ in range(ATTEMPTS):
        try:
            rows = _Decoder(architecture, vocabulary, random).jacobian(sequences, length)
        except Degenerate:
            continue
        return int(rows.shape[1] - modular_rank(rows, PRIME).rank)
    raise Degenerate("no point with square roots was found")


class _Decoder:
    def __init__(self, a: Architecture, vocabulary: int, random: Random) -> None:
        answer = decoder_count(a, vocabulary)
        if answer.count is None or a.qk_norm:
            raise InputError("a decoder that is covered", answer.reason or "qk_norm")
        self.a, self.random = a, random
        self.drawn = Parameters(random, answer.count.total)
        self.embedding = self.drawn.matrix(vocabulary, a.d_model)
        self.positions = self.drawn.matrix(a.positions, a.d_model) if a.positions else None
        self.layers = [Layer(a, self.drawn, "block") for _ in range(a.layers)]
        count = a.layers + 1 if a.input_norm_gain else 0
        self.gains = [self.drawn.matrix(1, a.d_model) for _ in range(count)]
        count = a.layers + 1 if a.input_norm_bias else 0
        self.biases = [self.drawn.matrix(1, a.d_model) for _ in range(count)]
        self.unembedding = self.drawn.matrix(a.d_model, vocabulary)
        self.exponentials: dict[int, int] = {}

    def jacobian(self, sequences: int, length: int) -> Residues:
        tokens = self.embedding.value.shape[0]
        # Norms of single tokens first: a point without their roots is given up at once.
        self._normed(self.embedding, 0)
        rows: list[Residues] = []
        tried: set[tuple[int, ...]] = set()
        for _ in range(30 * sequences):
            chosen = tuple(self.random.randrange(tokens) for _ in range(length))
            if chosen in tried:
                continue
            tried.add(chosen)
            try:
                rows.append(self._logits(chosen).jacobian())
            except Degenerate:  # an inner norm without a root: another sequence
                continue
            if len(rows) == sequences:
                return np.concatenate(rows)
        raise Degenerate("too few sequences with square roots")

    def _logits(self, chosen: tuple[int, ...]) -> Tangent:
        x = above(*(self.embedding[token : token + 1, :] for token in chosen))
        if self.positions is not None:
            x = x + self.positions[: len(chosen), :]
        for number, layer in enumerate(self.layers):
            x = x + self._attention(layer, self._normed(x, number))
        return self._read(x[-1:, :]) @ self.unembedding

    def _read(self, x: Tangent) -> Tangent:
        """The last norm; without biases up to a factor that scales rows: it needs no root.

        d(x/r) = (dx - x d(r^2)/(2 r^2))/r.
        """
        if self.a.input_norm == "none":
            return x
        if self.biases:
            return self._normed(x, -1)
        x = self._without_mean(x)
        square = (x * x).total(1)
        half = self.drawn.constant([[pow(2, -1, PRIME)]])
        relative = square.slopes * square.inverse().value % PRIME * half.value % PRIME
        found = Tangent(x.value, (x.slopes - x.value * relative) % PRIME)
        return found * self.gains[-1] if self.gains else found

    def _normed(self, x: Tangent, number: int) -> Tangent:
        if self.a.input_norm == "none":
            return x
        x = self._without_mean(x)
        x = x * (x * x).total(1).root().inverse()
        x = x * self.gains[number] if self.gains else x
        return x + self.biases[number] if self.biases else x

    def _without_mean(self, x: Tangent) -> Tangent:
        if self.a.input_norm != "layer":
            return x
        return x.centred()

    def _attention(self, layer: Layer, x: Tangent) -> Tangent:
        length = len(x.value)
        ones = self.drawn.constant([[1]] * length)
        inputs = beside(x, ones)
        found: list[Tangent] = []
        for h, output in enumerate(layer.outputs):
            group = h * self.a.kv_heads // self.a.heads
            values = inputs @ layer.values[group] @ output
            queries, keys = inputs @ layer.queries[h], inputs @ layer.keys[group]
            rows = [self._row(queries, keys, values, i) for i in range(length)]
            found.append(above(*rows))
        total = reduce(add, found)
        return total if layer.output_bias is None else total + layer.output_bias

    def _row(self, queries: Tangent, keys: Tangent, values: Tangent, i: int) -> Tangent:
        """Attention of the token i on the tokens up to it."""
        terms = []
        for j in range(i + 1):
            turn = self.drawn.constant(rotation(self.a, i - j))
            terms.append(queries[i : i + 1, :] @ turn @ keys[j : j + 1, :].transpose())
        weights = above(*(self._exponential(term - terms[0]) for term in terms)).transpose()
        return weights @ values[: i + 1, :] * weights.total(1).inverse()

    def _exponential(self, score: Tangent) -> Tangent:
        """exp, the same element for equal scores; exp(0) = 1."""
        key = int(score.value[0, 0])
        if key not in self.exponentials:
            self.exponentials[key] = self.random.randrange(1, PRIME) if key else 1
        value = self.exponentials[key]
        return Tangent(np.full((1, 1), value, dtype=np.int64), value * score.slopes % PRIME)
