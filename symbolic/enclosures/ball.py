"""Rigorous enclosures of real numbers, as pairs of exact rationals.

Arb (python-flint) computes with balls: a midpoint and a radius that is proved to cover every
rounding. Its precision is a global setting; here it is set for one computation, raised until the
enclosure is as narrow as asked for, and put back. Sums of exponentials are formed from the gaps to
the largest score: exp(s_j / tau) itself overflows, and tau log sum - max s cancels, while
exp(-(max s - s_j) / tau) does neither. Terms too small for any use are enclosed by
[0, 2^-16384], so that scores of 10^30 at temperatures of 10^-30 cost no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from flint import arb, ctx, fmpq

from ..errors import InputError, PrecisionExhausted
from ..rational import Rational, Vector, parse, vector, write

FLOOR_BITS = 16384
"""Positive numbers below 2^-16384 are enclosed by [0, 2^-16384]."""

_FLOOR = Fraction(1, 1 << FLOOR_BITS)


@dataclass(frozen=True)
class Enclosure:
    """A closed interval with rational ends that is proved to contain a real number.

    Example:
        >>> Enclosure(Fraction(1, 3), Fraction(1, 2)).contains(Fraction(2, 5))
        True
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        """Refuse an empty interval."""
        if self.lower > self.upper:
            raise InputError("lower <= upper", f"{self.lower} > {self.upper}")

    @property
    def width(self) -> Fraction:
        """Upper minus lower end."""
        return self.upper - self.lower

    def contains(self, value: Rational) -> bool:
        """Whether the number lies in the interval."""
        return self.lower <= value <= self.upper

    def distance(self, value: Rational) -> Fraction:
        """How far the number lies outside the interval; 0 if it lies inside.

        Example:
            >>> Enclosure(Fraction(1), Fraction(2)).distance(Fraction(5, 2))
            Fraction(1, 2)
        """
        return max(self.lower - value, value - self.upper, Fraction(0))

    def rounded(self, places: int) -> Enclosure:
        """The interval widened outwards to decimals that are short to write.

        Args:
            places: decimal places of the ends.

        Returns:
            An enclosure of this one, each end moved by more than 0 and at most 2/10^places.

        Example:
            >>> Enclosure(Fraction(1, 3), Fraction(2, 3)).rounded(2)
            Enclosure(lower=Fraction(8, 25), upper=Fraction(17, 25))
        """
        scale = 10**places
        return Enclosure(
            Fraction(floor(self.lower * scale) - 1, scale),
            Fraction(ceil(self.upper * scale) + 1, scale),
        )

    def meets(self, other: Enclosure) -> bool:
        """Whether the intervals have a point in common: two enclosures of one number must."""
        return self.lower <= other.upper and other.lower <= self.upper


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Compute with this many bits, and put Arb's precision back afterwards.

    Example:
        >>> before = ctx.prec
        >>> with precision(200):
        ...     ctx.prec
        200
        >>> ctx.prec == before
        True
    """
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


def real(value: Rational) -> arb:
    """The ball around a rational number at the present precision."""
    return arb(fmpq(value.numerator, value.denominator))


def enclose(value: Callable[[], arb], *, digits: int = 60) -> Enclosure:
    """Evaluate until the enclosure is narrow: width <= 10^-digits |value|, or below 2^-16384.

    Args:
        value: computes the ball; called again at higher precision.
        digits: guaranteed relative digits, at least 1.

    Raises:
        PrecisionExhausted: no precision up to the largest allowed made it narrow.
        InputError: digits is no positive integer.

    Example:
        >>> third = enclose(lambda: arb(1) / 3, digits=20)
        >>> third.contains(Fraction(1, 3)), third.width < Fraction(1, 10**20)
        (True, True)
    """
    if type(digits) is not int or digits < 1:
        raise InputError("a positive integer", repr(digits), where="digits")
    bits = 10 * digits // 3 + 40
    most = max(1 << 16, 8 * bits)
    while bits <= most:
        with precision(bits):
            ball = value()
            ends = _ends(ball)
        if ends is not None and _narrow(ends, digits):
            return ends
        bits *= 2
    raise PrecisionExhausted(
        f"{digits} digits need more than {most} bits, or the value is no finite number: "
        "ask for fewer digits"
    )


def _narrow(ends: Enclosure, digits: int) -> bool:
    size = max(abs(ends.lower), abs(ends.upper))
    return ends.width * 10**digits <= size or ends.width <= 2 * _FLOOR


def _ends(ball: arb) -> Enclosure | None:
    if not ball.is_finite():
        return None
    return Enclosure(_dyadic(ball.lower(), up=False), _dyadic(ball.upper(), up=True))


def _dyadic(exact: arb, *, up: bool) -> Fraction:
    """The exact value of a ball of radius 0, rounded outward when it is tiny."""
    mantissa, exponent = (int(part) for part in exact.man_exp())
    if exponent >= 0:
        return Fraction(mantissa << exponent)
    if exponent + mantissa.bit_length() < -FLOOR_BITS:
        if mantissa > 0:
            return _FLOOR if up else Fraction(0)
        return Fraction(0) if up or not mantissa else -_FLOOR
    return Fraction(mantissa, 1 << -exponent)


def gaps(scores: Sequence[Rational | str]) -> Vector:
    """How far each score is behind the largest: max s - s_j.

    Raises:
        InputError: no score, or one that is no rational number.

    Example:
        >>> gaps([3, 1, 3])
        (0, 2, 0)
    """
    read = vector(scores, "scores")
    if not read:
        raise InputError("at least one score", "none", where="scores")
    best = max(read)
    return tuple(best - score for score in read)


def positive_temperature(temperature: Rational | str) -> Rational:
    """Read a temperature.

    Raises:
        InputError: it is no rational number, or not positive.
    """
    tau = parse(temperature, "temperature")
    if tau <= 0:
        raise InputError("a positive number", str(write(tau)), where="temperature")
    return tau


def log_sum_exp_gap(
    scores: Sequence[Rational | str], temperature: Rational | str, *, digits: int = 60
) -> Enclosure:
    """Enclose tau log sum_j exp(s_j / tau) - max s.

    Args:
        scores: s, N >= 1 rationals of any size.
        temperature: tau > 0.
        digits: guaranteed relative digits.

    Raises:
        InputError: a float, no score, or a temperature that is not positive.
        PrecisionExhausted: the digits were not reached.

    Example:
        >>> log_sum_exp_gap([5], 1)
        Enclosure(lower=Fraction(0, 1), upper=Fraction(0, 1))
        >>> float(log_sum_exp_gap([0, 0], 1, digits=20).lower)
        0.6931471805599453
    """
    behind, tau = gaps(scores), positive_temperature(temperature)
    others = list(behind)
    others.remove(0)
    if not others:
        return Enclosure(Fraction(0), Fraction(0))

    def value() -> arb:
        rest = sum((exponential(-Fraction(gap) / tau) for gap in others), arb(0))
        return real(tau) * rest.log1p()

    return enclose(value, digits=digits)


def scaled_log(count: int, temperature: Rational | str, *, digits: int = 60) -> Enclosure:
    """Enclose tau log N.

    Raises:
        InputError: N is no positive integer, or tau is not positive.

    Example:
        >>> float(scaled_log(2, 3, digits=20).upper)
        2.0794415416798357
    """
    if type(count) is not int or count < 1:
        raise InputError("a positive integer", repr(count), where="count")
    tau = positive_temperature(temperature)
    if count == 1:
        return Enclosure(Fraction(0), Fraction(0))
    return enclose(lambda: real(tau) * arb(count).log(), digits=digits)


def softmax(
    scores: Sequence[Rational | str], temperature: Rational | str, *, digits: int = 60
) -> tuple[Enclosure, ...]:
    """Enclose the weights exp(s_j / tau) / sum_i exp(s_i / tau).

    Raises:
        InputError: a float, no score, or a temperature that is not positive.
        PrecisionExhausted: the digits were not reached.

    Example:
        >>> [float(p.lower) for p in softmax([1, 1, 1, 1], 2, digits=20)]
        [0.25, 0.25, 0.25, 0.25]
    """
    behind, tau = gaps(scores), positive_temperature(temperature)

    def weight(own: Rational) -> Enclosure:
        def value() -> arb:
            total = sum((exponential(-Fraction(gap) / tau) for gap in behind), arb(0))
            return exponential(-Fraction(own) / tau) / total

        return enclose(value, digits=digits)

    distinct = {gap: weight(gap) for gap in set(behind)}
    return tuple(distinct[gap] for gap in behind)


def exponential(exponent: Rational) -> arb:
    """The ball around exp of a rational number."""
    return real(exponent).exp() if exponent else arb(1)
