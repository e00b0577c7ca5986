"""Attention followed by a ReLU layer, recovered exactly (claim recovery.ffn).

Scores are even and the attention o is odd in X, and relu(z) - relu(-z) = z: the odd part
F(X) - F(-X) is plain attention with v_h = sum_k s_k g_kh, and gives all W_h at two queries each.
On sequences of one token o_h is the token itself, so along a line p + t q the function is piecewise
linear, with one kink for each neuron. Between two kinks F is one linear functional of (o_1..o_H);
it is solved for from sequences near a token there, modulo a prime, o being known by then. From cell
to cell it changes by D_k = +-g_k; the signs s_k are those of the slope jumps, and which neurons
are on at the left end is the subset of the D_k that sums to minus the functional there. If there is
none, a linear term is left (relu(z) and relu(-z) differ by one).

What must hold, and is noticed if it does not: every head shows in the odd part; sum_h g_kh is not
zero, and no two are parallel to one another (such neurons are found as one, or with a linear term:
still the same function); d >= 2. The comparison on random queries at the end is what counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil
from random import Random

from flint import fmpq, nmod, nmod_mat

from ...symbolic.errors import Degenerate, InputError
from ...symbolic.interpolation.modular import FIRST_PRIME, reconstruct
from ...symbolic.rational import Vector
from ..exact import exact
from ..ffn import FfnOracle, Form, Neuron
from ..model import Head
from ..protocol import Oracle, Query, Recorder, shown
from .exact import Task, recover_exact
from .kinks import find_kinks
from .schedule import Integers
from .simplest import simplest_within
from .subset import subset

ATTEMPTS = 5
EXTRA = 3
SHORT = 5
"""Random queries of each of the lengths 1, 2, 3 in the final comparison."""

NEAR_WALL = 6
"""Queries of two and of three tokens near every wall, in the final comparison."""

GROWTH = 8
"""Doublings of the distance from the origin, until a cell's sequences stay inside it."""


@dataclass(frozen=True)
class FfnRecovery:
    """The parts of F that can be seen, with the account of what was asked.

    Args:
        forms: W_h.
        neurons: the terms sign relu(sum_h g_h . o_h).
        linear: a linear term (H, d), or None.
        queries: value queries of the successful attempt, the final comparison not included.
        longest: the longest of them.
        queries_all_attempts: all value queries.
        attempts: how many drawings.
        fresh_queries: of the final comparison.
        fresh_longest: the longest of them.
        verified: the model gave every fresh answer.
    """

    forms: tuple[Form, ...]
    neurons: tuple[Neuron, ...]
    linear: tuple[Vector, ...] | None
    queries: int
    longest: int
    queries_all_attempts: int
    attempts: int
    fresh_queries: int
    fresh_longest: int
    verified: bool


class _OddPart:
    """F(X) - F(-X), at two queries each."""

    def __init__(self, ask: Recorder) -> None:
        self._ask = ask
        self.dimension = ask.dimension

    def __call__(self, query: Query) -> fmpq:
        return exact(self._ask(query)) - exact(self._ask(_negative(query)))


def recover_ffn(
    oracle: Oracle,
    *,
    heads: int | None = None,
    bound: int | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> FfnRecovery:
    """Recover attention and ReLU layer from exact value queries.

    Args:
        oracle: answers with exact rationals; its attribute `base` says b (2 if it has none).
        heads: H, the number of distinct W_h.
        bound: H0 >= H; give one of the two.
        seed: of the drawings.
        limit: the largest number of value queries in all.

    Raises:
        NotInClass: no such model; carries the query that shows it.
        Degenerate: a condition above fails in every drawing; the message says which.
        LimitReached: the limit was reached first.

    Example:
        >>> terms = [Neuron(1, ((2, 1),)), Neuron(-1, ((1, -1),))]
        >>> found = recover_ffn(FfnOracle([((1, 0), (2, 1))], terms), heads=1)
        >>> found.forms, sorted(found.neurons, key=lambda n: n.sign) == terms[::-1]
        ((((1, 0), (2, 1)),), True)
        >>> found.linear is None, found.verified
        (True, True)
    """
    if oracle.dimension < 2:
        raise InputError("d >= 2, so that a path from x to -x avoids 0", f"{oracle.dimension}")
    most = heads if heads is not None else bound
    if most is None or (heads is not None and bound is not None) or most < 1:
        raise InputError("either heads or bound, at least 1", f"{heads} and {bound}")
    total = Recorder(oracle, limit=limit, keep=False)
    base = getattr(oracle, "base", 2)
    random = Random(f"ffn {seed}")
    reason: Exception | None = None
    for number in range(ATTEMPTS):
        ask = Recorder(total, keep=False)
        try:
            task = Task(base, most, heads is not None, False)
            odd = recover_exact(_OddPart(ask), task, seed=seed + number, limit=None)
            if not odd.heads:
                raise Degenerate("the heads are invisible in the odd part, which is zero")
            learner = _Learner(ask, odd.heads, base, random)
            terms, linear = learner.layer()
            queries, longest = ask.queries, ask.longest
            fresh = learner.compare(terms, linear)
        except Degenerate as failure:
            reason = failure
            continue
        return FfnRecovery(
            forms=tuple(head.W for head in odd.heads),
            neurons=terms,
            linear=linear,
            queries=queries,
            longest=longest,
            queries_all_attempts=total.queries,
            attempts=number + 1,
            fresh_queries=len(fresh),
            fresh_longest=max(map(len, fresh)),
            verified=True,
        )
    raise Degenerate(f"{ATTEMPTS} drawings gave no model, the last one because {reason}")


class _Learner:
    """The ReLU layer, once the W_h are known."""

    def __init__(self, ask: Recorder, heads: Sequence[Head], base: int, random: Random) -> None:
        self._ask = ask
        self._base = base
        self._random = random
        self._d = ask.dimension
        self._forms = tuple(head.W for head in heads)
        self._walls: list[Integers] = []

    def layer(self) -> tuple[tuple[Neuron, ...], tuple[Vector, ...] | None]:
        """The neurons and the linear term."""
        p, q = self._vector(9), self._vector(9)

        def along(t: Fraction) -> Fraction:
            # F is positively homogeneous on single tokens, and tokens must be integer.
            D = t.denominator
            token = tuple(D * a + t.numerator * b for a, b in zip(p, q, strict=True))
            value = exact(self._ask((token,))) / D
            return Fraction(int(value.p), int(value.q))

        kinks = find_kinks(along, random=self._random)

        def token(t: Fraction) -> Integers:
            return tuple(t.denominator * a + t.numerator * b for a, b in zip(p, q, strict=True))

        self._walls = [token(k) for k, _ in kinks]
        edges = [k for k, _ in kinks]
        edges = [edges[0] - 2, *edges, edges[-1] + 2] if edges else [Fraction(-1), Fraction(1)]
        inside = [_inside(a, b) for a, b in pairwise(edges)]
        cells = []
        for t in inside:
            room = min((abs(t - k) for k, _ in kinks), default=Fraction(1)) * t.denominator
            cells.append(self._functional(token(t), room * max(map(abs, q))))
        steps = [
            [b - a for a, b in zip(left, right, strict=True)] for left, right in pairwise(cells)
        ]
        on = subset(steps, [-value for value in cells[0]])
        found = []
        for k, ((_, jump), step) in enumerate(zip(kinks, steps, strict=True)):
            sign = 1 if jump > 0 else -1
            flip = sign if on is None or k not in on else -sign
            found.append(Neuron(sign, self._rows([flip * value for value in step])))
        return tuple(found), None if on is not None else self._rows(cells[0])

    def _functional(self, x: Integers, room: Fraction) -> list[Fraction]:
        """The linear functional of (o_1..o_H) near the token x: H d rationals.

        Args:
            x: a token of the cell.
            room: about how far the walls of the cell are from it.
        """
        size = len(self._forms) * self._d
        start = ceil(2 * len(self._forms) / room)
        for growth in range(GROWTH):
            around = tuple(start * e << growth for e in x)
            rows, values = [], []
            for _ in range(size + EXTRA):
                query = tuple(
                    tuple(a + b for a, b in zip(around, self._vector(1), strict=True))
                    for _ in range(2)
                )
                rows.append(self._outputs(query))
                values.append(nmod(exact(self._ask(query)), FIRST_PRIME))
            A = nmod_mat(size, size, [e for row in rows[:size] for e in row], FIRST_PRIME)
            try:
                solution = A.solve(nmod_mat(size, 1, values[:size], FIRST_PRIME)).entries()
            except ZeroDivisionError:
                continue
            if all(
                sum((a * b for a, b in zip(row, solution, strict=True)), nmod(0, FIRST_PRIME))
                == value
                for row, value in zip(rows[size:], values[size:], strict=True)
            ):
                lifted = [reconstruct(int(e), FIRST_PRIME) for e in solution]
                if None in lifted:
                    raise Degenerate("the functional of a cell has no short fractions")
                return [e for e in lifted if e is not None]
        raise Degenerate("no neighbourhood of a cell's token lies in one linear region")

    def _outputs(self, query: Query) -> list[nmod]:
        """The o_h of a query modulo the prime, where no power is long."""
        P = FIRST_PRIME
        X = [[int(e) for e in token] for token in query]
        found = []
        for W in self._forms:
            row = [
                sum(a * int(e) for a, e in zip(X[-1], column, strict=True))
                for column in zip(*W, strict=True)
            ]
            scores = [sum(a * b for a, b in zip(row, token, strict=True)) for token in X]
            weights = [pow(self._base, score - scores[-1], P) for score in scores]
            inverse = pow(sum(weights), -1, P)
            found += [
                nmod(inverse * sum(w * token[i] for w, token in zip(weights, X, strict=True)), P)
                for i in range(self._d)
            ]
        return found

    def compare(self, terms: tuple[Neuron, ...], linear: tuple[Vector, ...] | None) -> list[Query]:
        """Random queries of length 1 to 6, one longer, and some near every wall, answered exactly.

        Raises:
            Degenerate: an answer differs: a neuron was invisible, or no such model.
        """
        model = FfnOracle(self._forms, terms, linear=linear, base=self._base)
        asked: list[Query] = []
        queries = [
            tuple(self._vector(3) for _ in range(length))
            for length in (*(1, 2, 3) * SHORT, 4, 5, 6, 2 * len(self._forms) + 4)
        ]
        # Two neurons with one wall on single tokens differ near it on longer sequences.
        for wall in self._walls:
            queries += [
                tuple(
                    tuple(a + b for a, b in zip(wall, self._vector(2), strict=True))
                    for _ in range(length)
                )
                for length in (2, 3) * NEAR_WALL
            ]
        for query in queries:
            asked.append(query)
            if exact(self._ask(query)) != model(query):
                raise Degenerate(
                    f"the model that fits disagrees at {shown(query)}: a neuron with sum_h g_h = 0 "
                    "or a head without odd part is invisible, or the oracle is no such model"
                )
        return asked

    def _vector(self, reach: int) -> Integers:
        return tuple(self._random.randint(-reach, reach) for _ in range(self._d))

    def _rows(self, values: Sequence[Fraction]) -> tuple[Vector, ...]:
        plain = [int(v) if v.denominator == 1 else v for v in values]
        return tuple(tuple(plain[h * self._d : (h + 1) * self._d]) for h in range(len(self._forms)))


def _inside(low: Fraction, high: Fraction) -> Fraction:
    """A short fraction in the middle half of an interval."""
    width = (high - low) / 4
    return simplest_within(low + width, high - width)


def _negative(query: Query) -> Query:
    return tuple(tuple(-e for e in token) for token in query)
