"""What matrix zonotopic attention cannot see of its parameters, by exact Jacobians (claim T2e).

The layer has heads with W_h = Q_h K_h^T (d x k factors) and values O_h (C_h + sum_i beta_hi G_hi)
(p x m and m x d), beta_hi = tanh(<a_hi, sum_j x_j> + b_hi); its parameters are Q, K, O, C, G, a, b.
At integer parameters and tokens the function to base 2 is rational, and so is its Jacobian, up to a
factor log 2 in whole columns (those of Q, K, a and b, which stand in exponents), which changes no
rank. Its rank at one point is a lower bound of the generic rank, and the tangent vectors of the
symmetries, (Q X, -K X^T) and (-O Y, Y C, Y G_1, ..., Y G_g), are in the kernel everywhere: when
both meet, the generic fibre has dimension H (k^2 + m^2), exactly.

Cost: one row for every output of every token; P parameters take some milliseconds a row in Python's
rationals. For layers of up to a hundred parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random
from typing import TypeAlias

from ..errors import Degenerate, InputError
from ..modular.rank import Rank, certified_rank
from .layer import tanh

Table: TypeAlias = list[list[int]]
Row: TypeAlias = list[Fraction]

ATTEMPTS = 20
"""Points that are tried: at some the rank is smaller."""


@dataclass(frozen=True)
class Sizes:
    """Sizes of a layer.

    Args:
        heads: H.
        width: d, of the tokens.
        key: k, of queries and keys, at most d.
        value: m, of values, at most p and d.
        out: p, of outputs.
        generators: g of each head.

    Raises:
        InputError: a size that is not positive (g: negative), or factors that are too wide: then
            more can be moved, and the count does not hold.
    """

    heads: int
    width: int
    key: int
    value: int
    out: int
    generators: int

    def __post_init__(self) -> None:
        """Refuse sizes that the count does not cover."""
        for name in ("heads", "width", "key", "value", "out"):
            if getattr(self, name) < 1:
                raise InputError("a positive integer", str(getattr(self, name)), where=name)
        if self.generators < 0:
            raise InputError("at least 0", str(self.generators), where="generators")
        if self.key > self.width:
            raise InputError(f"at most d = {self.width}", str(self.key), where="key")
        if self.value > min(self.out, self.width):
            bound = min(self.out, self.width)
            raise InputError(f"at most min(p, d) = {bound}", str(self.value), where="value")

    @property
    def parameters(self) -> int:
        """H (2 d k + p m + (g + 1) m d + g (d + 1))."""
        d, k, m, g = self.width, self.key, self.value, self.generators
        return self.heads * (2 * d * k + self.out * m + (g + 1) * m * d + g * (d + 1))

    @property
    def unidentified(self) -> int:
        """H (k^2 + m^2): one invertible matrix for each pair of factors."""
        return self.heads * (self.key**2 + self.value**2)


@dataclass(frozen=True)
class _Head:
    Q: Table
    K: Table
    O: Table  # noqa: E741
    values: list[Table]  # C, G_1, ..., G_g
    slopes: Table
    offsets: list[int]


def identified(sizes: Sizes, *, seed: int = 0, length: int = 3) -> tuple[list[list[int]], Rank]:
    """The Jacobian of a layer at a random point, in integers, with its certified rank.

    Args:
        sizes: of the layer.
        seed: of the point and of the tokens.
        length: tokens of a sequence, at least 2: at one token queries and keys do nothing.

    Returns:
        Rows brought to integers, and the rank with the tangent vectors of the symmetries as kernel.

    Raises:
        InputError: sequences of fewer than two tokens.
        Degenerate: at no point tried the rank is as large as the symmetries allow.

    Example:
        >>> sizes = Sizes(heads=1, width=2, key=1, value=1, out=1, generators=1)
        >>> rows, rank = identified(sizes)
        >>> sizes.parameters - rank.rank, sizes.unidentified
        (2, 2)
    """
    if length < 2:
        raise InputError("at least 2 tokens", str(length), where="length")
    random = Random(seed)
    # a sequence shows V_h(X) at no more than min(n, d) means, through outputs of rank H m
    shown = min(length, sizes.width) * min(sizes.out, sizes.heads * sizes.value)
    count = 2 * sizes.parameters // shown + 2
    for _ in range(ATTEMPTS):
        heads = [_draw(sizes, random) for _ in range(sizes.heads)]
        rows: list[list[int]] = []
        for _ in range(count):
            tokens = _table(random, length, sizes.width, max(3, sizes.generators))
            rows += [_whole(row) for row in jacobian(heads, sizes, tokens)]
        with suppress(Degenerate):
            return rows, certified_rank(rows, kernel=symmetries(heads, sizes))
    raise Degenerate(f"the symmetries explain no point of {ATTEMPTS}: try another seed")


def jacobian(heads: Sequence[_Head], sizes: Sizes, tokens: Table) -> Iterator[Row]:
    """The derivatives of every output of every token, columns of exponents without log 2."""
    for x in tokens:
        blocks = [_head_rows(head, sizes, tokens, x) for head in heads]
        for r in range(sizes.out):
            yield [entry for block in blocks for entry in block[r]]


def symmetries(heads: Sequence[_Head], sizes: Sizes) -> list[list[int]]:
    """Tangent vectors of the invertible matrices between the factors, head by head."""
    found = []
    for h, head in enumerate(heads):
        for vector in _moves(head, sizes):
            before = h * len(vector)
            found.append([0] * before + vector + [0] * (sizes.parameters - before - len(vector)))
    return found


def _moves(head: _Head, sizes: Sizes) -> Iterator[list[int]]:
    k, m = sizes.key, sizes.value
    for a in range(k):
        for b in range(k):
            Q = [[row[a] if c == b else 0 for c in range(k)] for row in head.Q]
            K = [[-row[b] if c == a else 0 for c in range(k)] for row in head.K]
            yield _flat(Q, K, _zero(head.O), *map(_zero, head.values), _zero(head.slopes)) + [
                0
            ] * len(head.offsets)
    for a in range(m):
        for b in range(m):
            O = [[-row[a] if c == b else 0 for c in range(m)] for row in head.O]  # noqa: E741
            moved = [
                [list(V[b]) if c == a else [0] * sizes.width for c in range(m)] for V in head.values
            ]
            yield _flat(_zero(head.Q), _zero(head.K), O, *moved, _zero(head.slopes)) + [0] * len(
                head.offsets
            )


def _head_rows(head: _Head, sizes: Sizes, tokens: Table, x: list[int]) -> list[Row]:
    """[p][parameters of the head] at query x."""
    d, k, m, g = sizes.width, sizes.key, sizes.value, sizes.generators
    query = [sum(x[e] * head.Q[e][c] for e in range(d)) for c in range(k)]
    keys = [[sum(y[e] * head.K[e][c] for e in range(d)) for c in range(k)] for y in tokens]
    scores = [sum(a * b for a, b in zip(query, key, strict=True)) for key in keys]
    powers = [Fraction(2) ** (s - max(scores)) for s in scores]
    weights = [power / sum(powers) for power in powers]
    mean = [
        sum((w * y[e] for w, y in zip(weights, tokens, strict=True)), Fraction(0)) for e in range(d)
    ]
    pooled = [sum(column) for column in zip(*tokens, strict=True)]
    beta = [
        Fraction(tanh(sum(a * s for a, s in zip(row, pooled, strict=True)) + b))
        for row, b in zip(head.slopes, head.offsets, strict=True)
    ]
    scale = [Fraction(1), *beta]
    value = [
        [sum(s * V[c][e] for s, V in zip(scale, head.values, strict=True)) for e in range(d)]
        for c in range(m)
    ]
    hidden = [sum(value[c][e] * mean[e] for e in range(d)) for c in range(m)]
    moved = [  # d mean / d score_j
        [w * (y[e] - mean[e]) for e in range(d)] for w, y in zip(weights, tokens, strict=True)
    ]
    found = []
    for r in range(sizes.out):
        out = head.O[r]
        through = [sum(out[c] * value[c][e] for c in range(m)) for e in range(d)]
        by_score = [sum(a * b for a, b in zip(through, v, strict=True)) for v in moved]
        row: Row = []
        for e in range(d):  # Q
            row += [
                Fraction(x[e] * sum(s * key[c] for s, key in zip(by_score, keys, strict=True)))
                for c in range(k)
            ]
        for e in range(d):  # K
            total = sum(s * y[e] for s, y in zip(by_score, tokens, strict=True))
            row += [Fraction(query[c] * total) for c in range(k)]
        for q in range(sizes.out):  # O
            row += [Fraction(hidden[c]) if q == r else Fraction(0) for c in range(m)]
        for s in scale:  # C, G_1, ..., G_g
            row += [Fraction(out[c] * s * mean[e]) for c in range(m) for e in range(d)]
        slopes = [
            (1 - beta[i] ** 2)
            * sum(out[c] * head.values[i + 1][c][e] * mean[e] for c in range(m) for e in range(d))
            for i in range(g)
        ]
        row += [Fraction(slope * s) for slope in slopes for s in pooled]
        row += [Fraction(slope) for slope in slopes]
        found.append(row)
    return found


def _draw(sizes: Sizes, random: Random) -> _Head:
    d, k, m, g = sizes.width, sizes.key, sizes.value, sizes.generators
    return _Head(
        _table(random, d, k, 2),
        _table(random, d, k, 2),
        _table(random, sizes.out, m, 3),
        [_table(random, m, d, 3) for _ in range(g + 1)],
        _table(random, g, d, 1),
        # equal (a_i, b_i) do not tell their generators apart: in one dimension only offsets differ
        [_entry(random, max(2, g)) for _ in range(g)],
    )


def _table(random: Random, rows: int, columns: int, size: int) -> Table:
    return [[_entry(random, size) for _ in range(columns)] for _ in range(rows)]


def _entry(random: Random, size: int) -> int:
    """Not 0: at a factor of 0 more can be moved."""
    return random.choice((-1, 1)) * random.randint(1, size)


def _zero(table: Table) -> Table:
    return [[0] * len(row) for row in table]


def _flat(*tables: Table) -> list[int]:
    return [entry for table in tables for row in table for entry in row]


def _whole(row: Row) -> list[int]:
    common = lcm(*(entry.denominator for entry in row))
    return [int(entry * common) for entry in row]
