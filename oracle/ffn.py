"""Attention followed by a ReLU layer as an exact black box: F = sum_k a_k relu(b_k^T o(X)).

o(X) = sum_h V_h o_h(X) is the vector-valued attention, o_h(X) = sum_j p_hj x_j. With base-b softmax
and integer W_h and tokens every answer is rational. What F sees of V and b are the products
g_kh = V_h^T b_k only, so the oracle works with those; the heads' outputs are brought to one common
denominator, and signs are decided on integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import lcm
from operator import mul

from flint import fmpq, fmpz, fmpz_mat

from ..symbolic.errors import InputError
from ..symbolic.rational import Vector, matrix, plain, vector
from .exact import weight
from .protocol import Query, runs

Form = tuple[Vector, ...]


@dataclass(frozen=True)
class Neuron:
    """A term of F: sign relu(sum_h g_h . o_h).

    Args:
        sign: 1 or -1.
        g: (H, d).
    """

    sign: int
    g: tuple[Vector, ...]


def neurons(
    a: Sequence[object], b: Sequence[Sequence[object]], V: Sequence[Sequence[Sequence[object]]]
) -> tuple[Neuron, ...]:
    """The terms of sum_k a_k relu(b_k^T sum_h V_h o_h).

    Args:
        a: (K,) rationals.
        b: (K, p) rationals.
        V: (H, p, d) rationals.

    Raises:
        InputError: shapes that do not fit, or numbers that are not exact.

    Example:
        >>> neurons([-2], [[1]], [[[3, 0]]])
        (Neuron(sign=-1, g=((6, 0),)),)
    """
    outer, inner = vector(a, "ffn.a"), matrix(b, "ffn.b")
    if len(inner) != len(outer):
        raise InputError(f"{len(outer)} rows, as a has entries", str(len(inner)), where="ffn.b")
    p = len(inner[0]) if inner else 0
    maps = [matrix(each, f"ffn.V[{h}]") for h, each in enumerate(V)]
    if any(len(each) != p for each in maps):
        raise InputError(f"V with {p} rows, as b has columns", "another number", where="ffn.V")
    found = []
    for size, row in zip(outer, inner, strict=True):
        if not size:
            continue
        g = tuple(
            tuple(
                plain(abs(size) * sum(w * entry for w, entry in zip(row, column, strict=True)))
                for column in zip(*each, strict=True)
            )
            for each in maps
        )
        found.append(Neuron(1 if size > 0 else -1, g))
    return tuple(found)


class FfnOracle:
    """F(X) = sum_k s_k relu(sum_h g_kh . o_h(X)) + sum_h l_h . o_h(X).

    Args:
        forms: W_h, (H, d, d) integers.
        terms: the neurons.
        linear: (H, d), the linear term; none if None.
        base: the integer b >= 2.

    Raises:
        InputError: shapes that do not fit, or W that is no integer matrix.

    Example:
        >>> oracle = FfnOracle([((0,),)], [Neuron(1, ((2,),))])
        >>> oracle(((1,), (2,))), oracle(((-1,), (-2,)))  # the mean is 3/2
        (3, 0)
    """

    arithmetic = "exact"

    def __init__(
        self,
        forms: Iterable[Form],
        terms: Iterable[Neuron],
        *,
        linear: Sequence[Vector] | None = None,
        base: int = 2,
    ) -> None:
        self.forms, self.terms = tuple(forms), tuple(terms)
        self.linear = None if linear is None else tuple(linear)
        self.base = base
        if type(base) is not int or base < 2:
            raise InputError("an integer base b >= 2", repr(base), where="base")
        if not self.forms:
            raise InputError("at least one head", "none")
        d = self.dimension = len(self.forms[0])
        rows = [term.g for term in self.terms]
        if self.linear is not None:
            rows.append(self.linear)
        if any(len(g) != len(self.forms) or any(len(r) != d for r in g) for g in rows):
            raise InputError(f"g with a row of {d} entries for each head", "another shape")
        entries = [e for W in self.forms for row in W for e in row]
        if len(entries) != len(self.forms) * d * d or any(e.denominator != 1 for e in entries):
            raise InputError(f"integer W of shape ({d}, {d})", "another matrix")
        self._forms = [fmpz_mat([[int(e) for e in row] for row in W]) for W in self.forms]
        flat = [e for g in rows for row in g for e in row]
        self._scale = lcm(*(e.denominator for e in flat))
        integers = [int(e * self._scale) for e in flat]
        self._rows = fmpz_mat(len(rows), len(self.forms) * d, integers)

    def __call__(self, query: Query) -> fmpq:
        """Answer a query exactly.

        Raises:
            InputError: an empty query, or a token that is no integer vector of dimension d.
        """
        outputs, common = self.outputs(query)
        values = (self._rows * outputs).entries()
        total = fmpz(0)
        for term, value in zip(self.terms, values, strict=False):
            if value > 0:
                total += value if term.sign > 0 else -value
        if self.linear is not None:
            total += values[-1]
        return fmpq(total, common * self._scale)

    def outputs(self, query: Query) -> tuple[fmpz_mat, fmpz]:
        """The o_h one below the other, (H d, 1), times a common denominator; the denominator."""
        tokens = runs(query)
        for token, _ in tokens:
            if len(token) != self.dimension or any(e.denominator != 1 for e in token):
                raise InputError(f"integer tokens of dimension {self.dimension}", str(token))
        last = fmpz_mat([[int(e) for e in query[-1]]])
        X = fmpz_mat([[int(e) for e in token] for token, _ in tokens])
        sums, totals = [], []
        for W in self._forms:
            scores = [int(s) for s in (last * W * X.transpose()).entries()]
            least = min(scores)
            weights = [
                weight(self.base, score - least) * count
                for score, (_, count) in zip(scores, tokens, strict=True)
            ]
            sums.append((fmpz_mat(1, len(weights), weights) * X).entries())
            totals.append(sum(weights, fmpz(0)))
        # Products of all the others, from both sides: long divisions would cost more.
        before, after = [fmpz(1)], [fmpz(1)]
        for total, mirrored in zip(totals, reversed(totals), strict=True):
            before.append(before[-1] * total)
            after.append(after[-1] * mirrored)
        common = before[-1]
        column = [
            entry * others
            for entries, others in zip(
                sums, map(mul, before[:-1], reversed(after[:-1])), strict=True
            )
            for entry in entries
        ]
        return fmpz_mat(len(column), 1, column), common
