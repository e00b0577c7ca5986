"""Learning a head of one variable from value queries: its tropical polynomial, exactly.

At zero temperature a head sees the upper envelope max_j s_j only (claims tropical.cells and
tropical.routing-limit). This learner finds all of it, up to the one thing that softmax cannot see,
a common affine function:

1. Walls. Two cells meet at (b_i - b_j)/(kappa_j - kappa_i), a rational with denominator <= 2S, and
   all walls lie in [-2B, 2B]. Cells are intervals, so two equal answers settle everything between
   them: bisect over the points n/P, P a prime > 2 (2S)^2. None of these is a wall, and between
   neighbours there is room for one rational with denominator <= 2S at most: the simplest one,
   found by descending the Stern-Brocot tree. Every answer is hardened from a soft one.
2. Slopes. At distance M/k from a wall the two scores differ by k (M/k) (kappa_b - kappa_a), an
   integer whatever the temperature, while all others freeze out as k grows: the odds of the two
   values are a power of two, and its exponent is the difference of the slopes.
3. Verification at fresh points, then one soft answer: where it differs from the envelope's own,
   there are keys that never win.

Queries: about log2(4 B P) a wall, 4 more for its slope. It fails by saying so: `NotInClass` where
an answer fits no head of the class, `Degenerate` where a third key ties at a wall.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from random import Random

from ..symbolic.errors import Degenerate, NotInClass
from ..symbolic.rational import Rational
from .tropical import Promise, Soft, harden


@dataclass(frozen=True)
class Piece:
    """One cell of the envelope: where slope * x + bias is the largest.

    Args:
        slope: the key, relative to the first piece.
        bias: the bias, relative to the first piece.
        value: what the head answers there.
        share: how often the key stands in the context, relative to the first piece.
    """

    slope: int
    bias: int
    value: Fraction
    share: Fraction


@dataclass(frozen=True)
class Envelope:
    """What was learnt: max_j (slope_j x + bias_j), up to a common affine function.

    Args:
        pieces: from left to right.
        walls: where neighbours meet, one fewer.
        queries: how many were asked, verification included.
        coldest: the largest inverse temperature asked at.
        hidden: the head has keys that never win: a soft answer differs from the envelope's.
    """

    pieces: tuple[Piece, ...]
    walls: tuple[Fraction, ...]
    queries: int = 0
    coldest: int = 0
    hidden: bool = False

    def hard(self, x: Fraction) -> Fraction:
        """The answer at zero temperature."""
        scores = [piece.slope * x + piece.bias for piece in self.pieces]
        best = [p for p, s in zip(self.pieces, scores, strict=True) if s == max(scores)]
        shares = sum((p.share for p in best), Fraction(0))
        return sum((p.share * p.value for p in best), Fraction(0)) / shares

    def soft(self, x: Fraction, inverse_temperature: int) -> Fraction:
        """The answer at inverse temperature k if there were no other keys; k x an integer."""
        exponents = [inverse_temperature * (p.slope * x + p.bias) for p in self.pieces]
        weights = [
            p.share * Fraction(2) ** int(e - min(exponents))
            for p, e in zip(self.pieces, exponents, strict=True)
        ]
        total = sum((w * p.value for w, p in zip(weights, self.pieces, strict=True)), Fraction(0))
        return total / sum(weights, Fraction(0))


def learn_envelope(oracle: Soft, promise: Promise, *, seed: int = 0, checks: int = 16) -> Envelope:
    """Learn the tropical polynomial of a head of one variable from value queries.

    Args:
        oracle: the black box.
        promise: the class that it is said to be in.
        seed: of the fresh points.
        checks: how many fresh points to verify at.

    Raises:
        NotInClass: an answer fits no head of the class; the message names the query.
        Degenerate: more than two keys tie at a wall.

    Example:
        >>> from headproof.oracle.tropical import SoftHead
        >>> head = SoftHead([[-1], [0], [2], [0]], [0, 1, -2, -3], [5, 7, 9, 1])
        >>> found = learn_envelope(head, Promise(keys=4, slope=2, bias=3, value=9))
        >>> [str(wall) for wall in found.walls], [piece.slope for piece in found.pieces]
        (['-1', '3/2'], [0, 1, 3])
        >>> found.hidden
        True
    """
    counter = _Counter(oracle)
    values, walls = _walls(lambda x: harden(counter, promise, [x]), promise)
    pieces = [Piece(0, 0, values[0], Fraction(1))]
    for wall, value in zip(walls, values[1:], strict=True):
        pieces.append(_next_piece(counter, promise, pieces[-1], wall, value))
    learnt = Envelope(tuple(pieces), tuple(walls))
    _verify(counter, promise, learnt, Random(seed), checks)
    hidden = any(
        counter([x], inverse_temperature=1) != learnt.soft(Fraction(x), 1) for x in (-1, 0, 1)
    )
    return Envelope(learnt.pieces, learnt.walls, counter.queries, counter.coldest, hidden)


class _Counter:
    """Passes queries on and counts them."""

    def __init__(self, oracle: Soft) -> None:
        self._oracle = oracle
        self.queries = 0
        self.coldest = 0

    def __call__(self, x: Sequence[Rational], *, inverse_temperature: int) -> Fraction:
        self.queries += 1
        self.coldest = max(self.coldest, inverse_temperature)
        return self._oracle(x, inverse_temperature=inverse_temperature)


def _walls(
    hard: Callable[[Fraction], Fraction], promise: Promise
) -> tuple[list[Fraction], list[Fraction]]:
    """The values of the cells from left to right, and the walls between them."""
    widest = max(1, 2 * promise.slope)
    P = _prime_above(2 * widest * widest)
    end = (2 * promise.bias + 1) * P - 1
    values: list[Fraction] = [hard(Fraction(-end, P))]
    walls: list[Fraction] = []
    # Depth first from the left, so that walls and cells come out in order.
    stack = [(-end, values[0], end, hard(Fraction(end, P)))]
    while stack:
        low, left, high, right = stack.pop()
        if left == right:
            continue
        middle = _between(low, high, P)
        if middle is not None:
            value = hard(Fraction(middle, P))
            stack.append((middle, value, high, right))
            stack.append((low, left, middle, value))
            continue
        wall = simplest_between(Fraction(low, P), Fraction(high, P))
        if wall.denominator > widest:
            raise NotInClass(
                f"the answer changes between x = {low}/{P} and {high}/{P}, where no two integer "
                f"keys up to {promise.slope} can tie"
            )
        if right in values:
            raise NotInClass(
                f"the answer {right} at x = {high}/{P} was left before and comes back: a cell of "
                "a head is convex, unless two winning keys share a value, which the class excludes"
            )
        walls.append(wall)
        values.append(right)
    return values, walls


def _between(low: int, high: int, P: int) -> int | None:
    """A number near the middle that is no multiple of P; None if there is none between."""
    middle = (low + high) // 2
    for candidate in (middle, middle + 1):
        if low < candidate < high and candidate % P:
            return candidate
    return None


def _next_piece(
    oracle: _Counter, promise: Promise, piece: Piece, wall: Fraction, value: Fraction
) -> Piece:
    """The piece to the right of a wall, from the odds of the two values near it."""
    N, S, V = promise.keys, promise.slope, promise.value
    # Keys that do not tie at the wall lie 1/q below there, so k/q - 8 S - log N halvings below
    # at the four points; their effect on the odds is then below 2^-32.
    t = 16 * S + 8 * N.bit_length() + V.bit_length() + 64
    k = t * wall.denominator
    answers = {M: oracle([wall + Fraction(M, k)], inverse_temperature=k) for M in (0, 1, -1, 2)}
    near = f"near the wall x = {wall}, at inverse temperature {k},"
    if {answers[M] for M in (1, -1, 2)} <= {piece.value, value}:
        raise NotInClass(
            f"{near} the answers are exactly {piece.value} or {value}, the values on both sides: "
            "softmax leaves every key some weight"
        )
    if not all(min(piece.value, value) < a < max(piece.value, value) for a in answers.values()):
        raise Degenerate(
            f"{near} an answer is not between {piece.value} and {value}, the values on both "
            "sides: a third key ties there; take another line through the head"
        )
    odds = {M: (answer - piece.value) / (value - answer) for M, answer in answers.items()}
    share = odds[0].limit_denominator(N)
    growth = odds[1] / odds[0]
    slope = max(1, int(growth + Fraction(1, 2)).bit_length() - 1)
    for M, found in odds.items():
        if abs(found / (share * Fraction(2) ** (slope * M)) - 1) > Fraction(1, 2**32):
            raise Degenerate(
                f"{near} the odds of the values {piece.value} and {value} do not grow like a "
                "power of two: a third key ties there; take another line through the head"
            )
    bias = piece.bias - slope * wall
    if bias.denominator != 1 or slope > 2 * S:
        raise NotInClass(
            f"the wall x = {wall} with slopes {slope} apart belongs to no integer keys up to {S}"
        )
    return Piece(piece.slope + slope, int(bias), value, piece.share * share)


def _verify(
    oracle: _Counter, promise: Promise, learnt: Envelope, random: Random, checks: int
) -> None:
    """Replay the learnt envelope at fresh points, at zero temperature."""
    reach = 2 * promise.bias + 1
    for _ in range(checks):
        q = random.randint(1, 50)
        x = Fraction(random.randint(-reach * q, reach * q), q)
        answer = harden(oracle, promise, [x])
        if answer != learnt.hard(x):
            raise NotInClass(
                f"the envelope that fits all earlier answers gives {learnt.hard(x)} at x = {x} "
                f"and zero temperature, the oracle {answer}"
            )


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The fraction of least denominator in the open interval, by the Stern-Brocot tree.

    Raises:
        ValueError: the interval is empty.

    Example:
        >>> simplest_between(Fraction(3, 10), Fraction(2, 5))
        Fraction(1, 3)
        >>> simplest_between(Fraction(-1, 2), Fraction(1, 3))
        Fraction(0, 1)
    """
    if not low < high:
        raise ValueError(f"expected low < high, found {low} and {high}")
    if low < 0 < high:
        return Fraction(0)
    if high <= 0:
        return -simplest_between(-high, -low)
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    # Both ends lie in [whole, whole + 1]: turn the fractional parts over and go on.
    if low == whole:
        inverse = 1 / (high - whole)
        return whole + Fraction(1, inverse.numerator // inverse.denominator + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))


def _prime_above(bound: int) -> int:
    n = bound + 1
    while any(n % p == 0 for p in range(2, isqrt(n) + 1)):
        n += 1
    return n
