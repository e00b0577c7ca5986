"""Attention with the true softmax as a rigorous black box: every answer is an Arb ball.

The model has rational parameters, the tokens are rational, and an answer encloses the real number
f(query) at the working precision. The same query can be asked again at any higher precision
(`at`), which is how a learner raises its precision without asking anything new. Scores and values
of the present tokens are kept while only the numbers of copies change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from operator import mul
from typing import Any

from flint import arb, arb_mat, fmpq

from ..symbolic.enclosures.ball import precision
from ..symbolic.errors import InputError
from ..symbolic.rational import Rational
from .model import Head, Token
from .protocol import Query, runs


class BallModel:
    """f with parameters that are themselves balls, evaluated at a precision.

    Args:
        forms: H matrices (d, d).
        functionals: H rows of length d.
        bits: the working precision.
    """

    def __init__(
        self,
        forms: Sequence[arb_mat],
        functionals: Sequence[Sequence[arb]],
        *,
        bits: int,
        dimension: int,
    ) -> None:
        self.bits = bits
        self.dimension = dimension
        self._forms = list(forms)
        self._functionals = arb_mat([list(row) for row in functionals])
        self._last: Token = ()
        self._rows = arb_mat(0, 0)
        self._columns: dict[Token, list[tuple[arb, arb]]] = {}
        self._present: tuple[Token, ...] = ()
        self._terms: list[tuple[arb, list[arb], list[arb]]] = []

    def __call__(self, query: Query) -> arb:
        """Enclose the answer.

        Raises:
            InputError: an empty query or a token of another dimension.
        """
        tokens = runs(query)
        present = tuple(token for token, _ in tokens)
        with precision(self.bits):
            if query[-1] is not self._last and query[-1] != self._last:
                self._attend(query[-1])
            if present != self._present:
                self._weigh(present)
            counts = [count for _, count in tokens]
            total = arb(0)
            for value, numerators, denominators in self._terms:
                total += value + sum(map(mul, numerators, counts)) / sum(
                    map(mul, denominators, counts)
                )
            return total

    def _attend(self, x: Token) -> None:
        row = self._column_of(x).transpose()
        self._rows = arb_mat([(row * W).entries() for W in self._forms])
        self._last, self._columns, self._present = x, {}, ()

    def _weigh(self, present: tuple[Token, ...]) -> None:
        """For every head: the value of the last token, weights relative to it, and differences."""
        for token in present:
            if token not in self._columns:
                column = self._column_of(token)
                scores = (self._rows * column).entries() if self._forms else []
                values = (self._functionals * column).entries() if self._forms else []
                self._columns[token] = list(zip(scores, values, strict=True))
        self._terms = []
        for entries in zip(*(self._columns[token] for token in present), strict=True):
            score, value = entries[-1]
            weights = [(s - score).exp() for s, _ in entries[:-1]] + [arb(1)]
            differences = [
                w * (v - value) for w, (_, v) in zip(weights[:-1], entries[:-1], strict=True)
            ]
            self._terms.append((value, [*differences, arb(0)], weights))
        self._present = present

    def _column_of(self, token: Token) -> arb_mat:
        if len(token) != self.dimension:
            raise InputError(f"tokens of dimension {self.dimension}", f"one of {len(token)}")
        return arb_mat([[_real(entry)] for entry in token])


class BallOracle(BallModel):
    """f(x_1..x_n) = sum_h sum_j softmax_j(x_n^T W_h x_j) v_h^T x_j, enclosed.

    Args:
        heads: with rational parameters.
        bits: the working precision.
        dimension: d, if it does not follow from the heads.

    Raises:
        InputError: heads of different dimensions, or a precision below 2 bits.

    Example:
        >>> oracle = BallOracle([Head(((0,),), (3,))], bits=100)
        >>> oracle(((1,), (2,))).contains(arb(9) / 2)  # equal weights: the mean of 3 and 6
        True
    """

    arithmetic = "ball"
    base = "e"
    replicable = True

    def __init__(
        self, heads: Iterable[Head], *, bits: int = 128, dimension: int | None = None
    ) -> None:
        self.heads = tuple(heads)
        d = len(self.heads[0].v) if self.heads else dimension
        if d is None or d < 1 or any(len(h.v) != d or len(h.W) != d for h in self.heads):
            raise InputError("heads of one dimension d >= 1", repr(dimension))
        if type(bits) is not int or bits < 2:
            raise InputError("a precision of at least 2 bits", repr(bits), where="bits")
        with precision(bits):
            forms = [arb_mat([[_real(e) for e in row] for row in h.W]) for h in self.heads]
            functionals = [[_real(e) for e in h.v] for h in self.heads]
        super().__init__(forms, functionals, bits=bits, dimension=d)

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes; flint's matrices cannot be pickled."""
        return partial(type(self), bits=self.bits, dimension=self.dimension), (self.heads,)

    def at(self, bits: int) -> BallOracle:
        """The same black box at another precision.

        Example:
            >>> BallOracle([Head(((0,),), (3,))], bits=100).at(200).bits
            200
        """
        return BallOracle(self.heads, bits=bits, dimension=self.dimension)


def _real(value: Rational) -> arb:
    if isinstance(value, int):
        return arb(value)
    return arb(fmpq(value.numerator, value.denominator))
