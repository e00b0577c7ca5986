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
from random import Random

from flint import fmpq, fmpz_mat

from ...symbolic.errors import Degenerate, InputError, NotInClass
from ...symbolic.rational import Vector
from ..exact import exact
from ..ffn import FfnOracle, Form, Neuron
from ..model import Head
from ..protocol import Oracle, Query, Recorder, shown
from ..workers import Workers
from .cell import Cell, check_single_tokens
from .exact import recover_exact
from .kinks import find_kinks
from .schedule import Integers, formula
from .simplest import simplest_within
from .subset import subset
from .task import Task

ATTEMPTS = 5
SHORT = 5
"""Random queries of each of the lengths 1, 2, 3 in the final comparison."""

NEAR_WALL = 6
"""Queries of two and of three tokens near every wall, in the final comparison."""

FAR = 1 << 12
"""Largest entry of a token on a wall; scores grow with it."""


@dataclass(frozen=True)
class FfnRecovery:
    """The parts of F that can be seen, with the account of what was asked.

    Args:
        forms: W_h.
        neurons: the terms sign relu(sum_h g_h . o_h).
        linear: a linear term (H, d), or None.
        queries: value queries of the successful attempt, the final comparison not included.
        longest: the longest of them.
        formula: how many of them the schedule says for the odd part, 2 (4 H d^2 - 2H + 1); the
            search for the kinks has no formula.
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
    formula: int
    queries_all_attempts: int
    attempts: int
    fresh_queries: int
    fresh_longest: int
    verified: bool


class _OddPart:
    """F(X) - F(-X), at two queries each; keeps F(X)."""

    def __init__(self, ask: Recorder) -> None:
        self._ask = ask
        self.dimension = ask.dimension
        self.answers: dict[Query, fmpq] = {}

    def __call__(self, query: Query) -> fmpq:
        self.answers[query] = exact(self._ask(query))
        negative = tuple(tuple(-e for e in token) for token in query)
        return self.answers[query] - exact(self._ask(negative))

    def heads(self, task: Task, seed: int) -> tuple[Head, ...]:
        """The heads that the odd part shows.

        Raises:
            NotInClass: it is no attention; carries F's own answer.
            Degenerate: it does not show them.
        """
        try:
            found = recover_exact(self, task, seed=seed, limit=None, workers=Workers(1)).heads
        except NotInClass as error:
            query: Query = error.query  # type: ignore[assignment]
            raise NotInClass(
                f"the odd part F(X) - F(-X) is no attention: {error}",
                query=query,
                answer=self.answers[query],
            ) from None
        except Degenerate as reason:
            raise Degenerate(f"the odd part does not show the heads: {reason}") from None
        if not found:
            raise Degenerate("the heads are invisible in the odd part, which is zero")
        return found


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
            heads_found = _OddPart(ask).heads(task, seed + number)
            learner = _Learner(ask, heads_found, base, random)
            terms, linear = learner.layer()
            queries, longest = ask.queries, ask.longest
            fresh = learner.compare(terms, linear)
        except Degenerate as failure:
            reason = failure
            continue
        return FfnRecovery(
            forms=tuple(head.W for head in heads_found),
            neurons=terms,
            linear=linear,
            queries=queries,
            longest=longest,
            formula=2 * formula(oracle.dimension, most),
            queries_all_attempts=total.queries,
            attempts=number + 1,
            fresh_queries=len(fresh),
            fresh_longest=max(map(len, fresh)),
            verified=True,
        )
    check_single_tokens(Recorder(total, keep=False), random)
    raise Degenerate(f"{ATTEMPTS} drawings gave no model, the last one because {reason}")


class _Learner:
    """The ReLU layer, once the W_h are known."""

    def __init__(self, ask: Recorder, heads: Sequence[Head], base: int, random: Random) -> None:
        self._ask = ask
        self._base = base
        self._random = random
        self._d = ask.dimension
        self._forms = tuple(head.W for head in heads)
        self._cell = Cell(ask, self._forms, base, random)
        self._walls: list[Integers] = []

    def layer(self) -> tuple[tuple[Neuron, ...], tuple[Vector, ...] | None]:
        """The neurons and the linear term."""
        p, q = self._vector(9), self._vector(9)
        while fmpz_mat([p, q]).rank() < 2:  # the line has to avoid 0
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

        self._walls = [_shortened(token(k)) for k, _ in kinks]
        edges = [k for k, _ in kinks]
        edges = [edges[0] - 2, *edges, edges[-1] + 2] if edges else [Fraction(-1), Fraction(1)]
        inside = [_inside(a, b) for a, b in pairwise(edges)]
        cells = []
        for t in inside:
            room = min((abs(t - k) for k, _ in kinks), default=Fraction(1)) * t.denominator
            cells.append(self._cell.functional(token(t), room * max(map(abs, q))))
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


def _shortened(wall: Integers) -> Integers:
    """A token within a unit of the ray through a wall's, with entries up to `FAR`."""
    largest = max(map(abs, wall))
    return wall if largest <= FAR else tuple(e * FAR // largest for e in wall)


def _inside(low: Fraction, high: Fraction) -> Fraction:
    """A short fraction in the middle half of an interval."""
    width = (high - low) / 4
    return simplest_within(low + width, high - width)
