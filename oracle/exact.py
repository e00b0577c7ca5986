"""Attention with base-b softmax as an exact black box: every answer is a rational number.

With weights b^score instead of exp(score), integer W_h and integer tokens, all weights are powers
of b. The cost of a query is the sum over heads of rationals with long denominators, and there the
greatest common divisor is what costs: each head's fraction is reduced by itself and the heads are
added in a balanced tree of reduced fractions, whose sums need divisors of the half-length
denominators only. Scores are kept for the last attending token, because a learner asks many
queries in a row that differ in the number of copies alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from math import lcm
from operator import itemgetter, mul
from typing import Any, NamedTuple

from flint import fmpq, fmpz, fmpz_mat

from ..symbolic.errors import InputError, LimitReached
from ..symbolic.rational import Rational
from .model import Head, Token
from .protocol import Query, runs

LONGEST = 1 << 24
"""Bits of the longest weight: scores of a query that differ by more are refused."""


class Quotient(NamedTuple):
    """A fraction p/q that travels between processes without its divisor being sought again."""

    p: fmpz
    q: fmpz


def weight(base: int, exponent: int) -> fmpz:
    """b^e, an exact weight relative to the least one of a query.

    Raises:
        LimitReached: it has more than `LONGEST` bits.

    Example:
        >>> weight(3, 4)
        81
    """
    if exponent * (base.bit_length() - 1) > LONGEST:
        raise LimitReached(
            f"scores of a query that differ by more than {LONGEST:,} bits of base {base} have no "
            "exact weights of sensible length: take smaller entries of W"
        )
    return fmpz(1) << exponent if base == 2 else fmpz(base) ** exponent


class ExactOracle:
    """f(x_1..x_n) = sum_h sum_j p_j v_h^T x_j with p_j proportional to b^(x_n^T W_h x_j).

    Args:
        heads: W_h with integer entries, v_h rational; none only if `dimension` is given.
        base: the integer b >= 2.
        dimension: d, if it does not follow from the heads.

    Raises:
        InputError: W that is no integer matrix, a base below 2, heads of different dimensions.

    Example:
        >>> oracle = ExactOracle([Head(((1,),), (3,))])
        >>> oracle(((2,), (1,)))  # weights 2^2 and 2^1, values 6 and 3
        5
        >>> oracle(((1,), (2,)))  # now 2 attends: weights 2^2 and 2^4
        27/5
    """

    arithmetic = "exact"
    # To bring an answer over from another process takes the divisor that it took to compute it.
    replicable = False

    def __init__(
        self, heads: Iterable[Head], *, base: int = 2, dimension: int | None = None
    ) -> None:
        self.heads = tuple(heads)
        self.base = base
        d = len(self.heads[0].v) if self.heads else dimension
        if d is None or d < 1 or (dimension is not None and dimension != d):
            raise InputError("a dimension d >= 1 that fits the heads", repr(dimension))
        if type(base) is not int or base < 2:
            raise InputError("an integer base b >= 2", repr(base), where="base")
        self.dimension: int = d
        for h, head in enumerate(self.heads):
            if len(head.v) != d or len(head.W) != d or any(len(row) != d for row in head.W):
                raise InputError(f"W of shape ({d}, {d}) and v of length {d}", f"head {h}")
            if any(entry.denominator != 1 for row in head.W for entry in row):
                raise InputError("integer W, so that b^score is rational", f"head {h} without")
        self._forms = [fmpz_mat([[int(e) for e in row] for row in head.W]) for head in self.heads]
        self._common = lcm(*(entry.denominator for head in self.heads for entry in head.v))
        self._functionals = fmpz_mat(
            len(self.heads),
            d,
            [int(entry * self._common) for head in self.heads for entry in head.v],
        )
        self._last: Token = ()
        self._rows = fmpz_mat(0, 0)
        self._columns: dict[Token, list[tuple[int, fmpz]]] = {}
        self._present: tuple[Token, ...] = ()
        self._terms: list[tuple[fmpz, list[fmpz], list[fmpz]]] = []

    def __call__(self, query: Query) -> fmpq:
        """Answer a query exactly.

        Raises:
            InputError: an empty query, a token of another dimension or with a fraction in it.
            LimitReached: a weight is too long.
        """
        whole, fractions = self._parts(query)
        return (balanced([fmpq(n, q) for n, q in fractions]) + whole) / self._common

    def __reduce__(self) -> tuple[Any, ...]:
        """For other processes; flint's matrices cannot be pickled."""
        return partial(type(self), base=self.base, dimension=self.dimension), (self.heads,)

    def agrees(self, query: Query, answer: fmpq | Quotient) -> bool:
        """Whether this is the answer, decided by products alone (no divisor is computed)."""
        whole, fractions = self._parts(query)
        fractions.append((whole * answer.q - answer.p * self._common, answer.q))
        while len(fractions) > 1:
            pairs = zip(fractions[::2], fractions[1::2], strict=False)
            joined = [(a * d + c * b, b * d) for (a, b), (c, d) in pairs]
            fractions = joined + fractions[len(fractions) // 2 * 2 :]
        return bool(fractions[0][0] == 0)

    def _parts(self, query: Query) -> tuple[fmpz, list[tuple[fmpz, fmpz]]]:
        """A whole number, and a fraction for each head: together the answer times a constant.

        The value of the heaviest token is split off: of two distinct tokens a short numerator
        remains, which has a divisor in common with the long denominator in short time.
        """
        tokens = runs(query)
        present = tuple(token for token, _ in tokens)
        if query[-1] is not self._last and query[-1] != self._last:
            self._attend(query[-1])
        if present != self._present:
            self._weigh(present)
        counts = [count for _, count in tokens]
        whole, fractions = fmpz(0), []
        for value, numerators, denominators in self._terms:
            whole += value
            n = sum(map(mul, counts, numerators), fmpz(0))
            fractions.append((n, sum(map(mul, counts, denominators), fmpz(0))))
        return whole, fractions

    def _weigh(self, present: tuple[Token, ...]) -> None:
        """For every head: the heaviest value, and weights with and without differences to it."""
        self._terms = []
        for entries in zip(*(self._column(token) for token in present), strict=True):
            least = min(score for score, _ in entries)
            _, heaviest = max(entries, key=itemgetter(0))
            weights = [weight(self.base, score - least) for score, _ in entries]
            differences = [
                w * (value - heaviest) for w, (_, value) in zip(weights, entries, strict=True)
            ]
            self._terms.append((heaviest, differences, weights))
        self._present = present

    def _attend(self, x: Token) -> None:
        """Make x the attending token: the rows x^T W_h."""
        row = self._integers(x)
        entries = [e for W in self._forms for e in (row * W).entries()]
        self._rows = fmpz_mat(len(self._forms), self.dimension, entries)
        self._last, self._columns, self._present = x, {}, ()

    def _column(self, token: Token) -> list[tuple[int, fmpz]]:
        """Score and value of a token in every head."""
        known = self._columns.get(token)
        if known is None:
            column = self._integers(token).transpose()
            scores = (self._rows * column).entries()
            values = (self._functionals * column).entries()
            known = [(int(s), v) for s, v in zip(scores, values, strict=True)]
            self._columns[token] = known
        return known

    def _integers(self, token: Token) -> fmpz_mat:
        if len(token) != self.dimension:
            raise InputError(f"tokens of dimension {self.dimension}", f"one of {len(token)}")
        if any(entry.denominator != 1 for entry in token):
            raise InputError("integer tokens, so that b^score is rational", str(token))
        return fmpz_mat(1, self.dimension, [int(entry) for entry in token])


def balanced(terms: list[fmpq]) -> fmpq:
    """The sum of fractions by halves, so that long denominators meet only at the end.

    Example:
        >>> balanced([fmpq(1, 2), fmpq(1, 3), fmpq(1, 6)])
        1
    """
    if not terms:
        return fmpq(0)
    while len(terms) > 1:
        pairs = [a + b for a, b in zip(terms[::2], terms[1::2], strict=False)]
        terms = pairs + terms[len(terms) // 2 * 2 :]
    return terms[0]


def exact(answer: object, where: str = "answer") -> fmpq:
    """An oracle's answer as an exact rational.

    Args:
        answer: an int, a Fraction or an ``fmpq``.
        where: its place, for the message.

    Raises:
        InputError: it is none.

    Example:
        >>> from fractions import Fraction
        >>> exact(Fraction(1, 3)), exact(2)
        (1/3, 2)
    """
    if isinstance(answer, fmpq):
        return answer
    if isinstance(answer, Rational) and not isinstance(answer, bool):
        return fmpq(answer.numerator, answer.denominator)
    raise InputError(
        "an exact rational", f"{answer!r} of type {type(answer).__name__}", where=where
    )


def short(value: fmpq) -> str:
    """An answer in a message: itself if it is short, else about its size.

    Example:
        >>> short(fmpq(1, 3)), short(fmpq(10) ** 60)
        ('1/3', 'about 1e+60')
    """
    text = str(value) if max(value.p.bit_length(), value.q.bit_length()) < 200 else ""
    if 0 < len(text) <= 40:
        return text
    shift = max(value.p.bit_length(), value.q.bit_length()) - 900
    shift = max(shift, 0)
    below = value.q >> shift
    return (
        f"about {float(int(value.p >> shift)) / float(int(below)):.6g}" if below else "a long one"
    )
