"""One attention head as an exact black box, soft and at zero temperature.

With weights 2^(k s_j) instead of exp(s_j/tau) and queries at which every k s_j is an integer, the
answers of a soft head are rational numbers: nothing is rounded and nothing is a ball. Base 2
changes the unit of temperature only (tau = 1/(k log 2)).

Between the two heads stands claim tropical.routing-limit with its bound, made useful by
integrality: at x with denominator q the scores are multiples of 1/q, so at k = q t the mass outside
the argmax set is at most (N - 1) 2^-t. The limit answer is a mean of at most N integers, hence a
fraction with a denominator of at most N, and those lie 1/N^2 apart: a single soft answer at a
finite temperature determines the answer at zero temperature exactly (`harden`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Protocol

from ..symbolic.errors import InputError, NotInClass
from ..symbolic.rational import Rational


class Soft(Protocol):
    """What a learner may see of a soft head."""

    def __call__(self, x: Sequence[Rational], *, inverse_temperature: int) -> Fraction:
        """Answer a query: the value at x and inverse temperature k, with k x an integer point."""
        ...


@dataclass(frozen=True)
class Promise:
    """The class of heads that a learner is told about.

    Args:
        keys: at most this many keys, N.
        slope: integer keys |kappa| <= slope in each coordinate.
        bias: integer biases |b| <= bias.
        value: integer values |v| <= value; keys that win have distinct values.
    """

    keys: int
    slope: int
    bias: int
    value: int

    def __post_init__(self) -> None:
        """Refuse bounds that no head satisfies."""
        if self.keys < 1 or min(self.slope, self.bias, self.value) < 0:
            raise InputError("bounds with keys >= 1 and the others >= 0", repr(self))


class SoftHead:
    """A head with base-2 softmax: sum_j v_j 2^(k s_j) / sum_j 2^(k s_j), s_j = <kappa_j, x> + b_j.

    It counts its queries and remembers the largest inverse temperature that it was asked at.

    Args:
        keys: N integer points of Z^d.
        biases: N integers.
        values: N rationals.

    Raises:
        InputError: shapes that do not fit, or keys and biases that are no integers.

    Example:
        >>> head = SoftHead([[0], [1]], [0, 0], [0, 3])
        >>> head([Fraction(1, 2)], inverse_temperature=2)
        Fraction(2, 1)
        >>> head.queries, head.coldest
        (1, 2)
    """

    def __init__(
        self,
        keys: Sequence[Sequence[int]],
        biases: Sequence[int],
        values: Sequence[Rational],
    ) -> None:
        _check_shapes(keys, biases, values)
        entries = [*biases, *(entry for key in keys for entry in key)]
        odd = [entry for entry in entries if type(entry) is not int]
        if odd:
            raise InputError("integer keys and biases", repr(odd[0]))
        self._keys = tuple(tuple(key) for key in keys)
        self._biases = tuple(biases)
        self._values = tuple(Fraction(v) for v in values)
        self.queries = 0
        self.coldest = 0

    def __call__(self, x: Sequence[Rational], *, inverse_temperature: int) -> Fraction:
        """Answer a query exactly.

        Raises:
            InputError: k < 1, a point of another dimension, or k x is no integer point.
        """
        k = inverse_temperature
        if k < 1 or len(x) != len(self._keys[0]):
            raise InputError(
                f"a point with {len(self._keys[0])} coordinates and inverse temperature >= 1",
                f"{len(x)} coordinates and {k}",
            )
        scaled = [k * Fraction(c) for c in x]
        if any(c.denominator != 1 for c in scaled):
            q = lcm(*(Fraction(c).denominator for c in x))
            raise InputError(
                "k x integer, so that the weights are rational",
                f"x with denominator {q} at k = {k}",
                remedy=f"take k a multiple of {q}",
            )
        self.queries += 1
        self.coldest = max(self.coldest, k)
        exponents = [
            sum(a * int(c) for a, c in zip(key, scaled, strict=True)) + k * b
            for key, b in zip(self._keys, self._biases, strict=True)
        ]
        least = min(exponents)
        weights = [1 << (e - least) for e in exponents]
        total = sum(v * w for v, w in zip(self._values, weights, strict=True))
        return Fraction(total) / sum(weights)


class HardHead:
    """The head at zero temperature: the mean of the values over the argmax set.

    Args:
        keys: N rational points of Q^d.
        biases: N rationals.
        values: N rationals.

    Raises:
        InputError: shapes that do not fit.

    Example:
        >>> HardHead([[0], [1]], [0, 0], [0, 3])([0])
        Fraction(3, 2)
    """

    def __init__(
        self,
        keys: Sequence[Sequence[Rational]],
        biases: Sequence[Rational],
        values: Sequence[Rational],
    ) -> None:
        _check_shapes(keys, biases, values)
        self._keys = tuple(tuple(key) for key in keys)
        self._biases = tuple(biases)
        self._values = tuple(Fraction(v) for v in values)
        self.queries = 0

    def __call__(self, x: Sequence[Rational]) -> Fraction:
        """Answer a query exactly.

        Raises:
            InputError: a point of another dimension.
        """
        if len(x) != len(self._keys[0]):
            raise InputError(f"{len(self._keys[0])} coordinates", str(len(x)))
        self.queries += 1
        scores = [
            sum((a * c for a, c in zip(key, x, strict=True)), Fraction(b))
            for key, b in zip(self._keys, self._biases, strict=True)
        ]
        top = max(scores)
        best = [v for v, s in zip(self._values, scores, strict=True) if s == top]
        return sum(best, Fraction(0)) / len(best)


class Line:
    """A soft head seen along the line base + t direction: a head of one variable t.

    Example:
        >>> head = SoftHead([[0, 0], [1, 2]], [0, 0], [0, 3])
        >>> Line(head, base=[0, 0], direction=[1, -1])([1], inverse_temperature=1)
        Fraction(1, 1)
    """

    def __init__(self, oracle: Soft, *, base: Sequence[int], direction: Sequence[int]) -> None:
        self._oracle = oracle
        self._base = tuple(base)
        self._direction = tuple(direction)

    def __call__(self, x: Sequence[Rational], *, inverse_temperature: int) -> Fraction:
        """Ask the head at base + t direction, x = (t,)."""
        (t,) = x
        point = [a + t * c for a, c in zip(self._base, self._direction, strict=True)]
        return self._oracle(point, inverse_temperature=inverse_temperature)


def harden(oracle: Soft, promise: Promise, x: Sequence[Rational]) -> Fraction:
    """The answer at zero temperature, exactly, from one soft answer.

    |soft - hard| <= 2 V (N - 1) 2^-t at k = q t, and t is the least for which that is below
    1/(2 N^2): the nearest fraction with a denominator of at most N is the hard answer.

    Args:
        oracle: of a head with soft attention to base 2.
        promise: bounds on the head's numbers.
        x: (d,), the query.

    Raises:
        NotInClass: no such fraction is that near, or it lies outside [-V, V].

    Example:
        >>> head = SoftHead([[0], [1], [-9]], [0, 0, -1], [1, 4, 0])
        >>> harden(head, Promise(keys=3, slope=9, bias=1, value=4), [0])
        Fraction(5, 2)
    """
    N, V = promise.keys, promise.value
    t = max(1, (4 * V * N * N * (N - 1)).bit_length())
    k = t * lcm(*(Fraction(c).denominator for c in x))
    answer = oracle(x, inverse_temperature=k)
    hard = answer.limit_denominator(N)
    error = Fraction(2 * V * (N - 1), 2**t)
    if abs(answer - hard) > error or abs(hard) > V:
        point = ", ".join(str(c) for c in x)
        raise NotInClass(
            f"no head with at most {N} integer keys and values up to {V}: at x = ({point}) and "
            f"inverse temperature {k} the answer {_short(answer)} is not within {_short(error)} "
            f"of a mean of at most {N} such values"
        )
    return hard


def _short(value: Fraction) -> str:
    exact = (
        str(value)
        if max(value.numerator.bit_length(), value.denominator.bit_length()) < 200
        else ""
    )
    return exact if 0 < len(exact) <= 24 else f"{float(value):.6g}"


def _check_shapes(
    keys: Sequence[Sequence[object]], biases: Sequence[object], values: Sequence[object]
) -> None:
    if not keys or not keys[0]:
        raise InputError("at least one key with at least one coordinate", "none")
    lengths = sorted({len(key) for key in keys})
    if len(lengths) > 1:
        raise InputError("keys of one dimension", f"dimensions {lengths}")
    if not len(keys) == len(biases) == len(values):
        raise InputError(
            "as many biases and values as keys",
            f"{len(keys)} keys, {len(biases)} biases, {len(values)} values",
        )
