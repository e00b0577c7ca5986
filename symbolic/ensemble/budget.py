"""Claim B7: the head dimension that a budget D = H d_k asks for, at fixed bandwidth.

MSE(x) = A exp(-alpha x) + sigma^2 C^x x/(n D) is strictly convex for x >= 0 and its minimiser is

    x* = (W(k e^k M)/k - 1)/log C,    k = (alpha + log C)/log C,    M = alpha A n D/sigma^2,

W being Lambert's function. It is enclosed by balls. The best integer is the floor or the ceiling,
decided by comparing enclosures, which always ends: a tie would be a nontrivial polynomial relation
for exp(alpha/q), a transcendental number if alpha is rational (Lindemann). With alpha = log r and
a rational C both sides are rational and compared exactly; there a tie can happen and is reported.
Divisors: MSE being convex, the best divisor of D is one of the two around the minimiser.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor, isqrt, log
from typing import Literal, TypeAlias

from flint import arb

from ..enclosures.ball import Enclosure, enclose, precision, real
from ..errors import InputError, PrecisionExhausted
from ..rational import Rational, parse, write

Growth: TypeAlias = Fraction | Literal["e"]
"""C: a rational number above 1, or e."""

LARGEST_BUDGET = 10**12
"""Beyond, finding the divisors would take minutes."""

_DIGITS = (30, 120, 1000)
_SIZE = 10**100
"""A, alpha, C, sigma^2 and 1/log C lie below: the best error is then a number of usual size."""
_LONGEST = 5000
"""Powers beyond are not written out; balls compare them."""


@dataclass(frozen=True)
class Rate:
    """The rate alpha > 0 at which the squared bias decays: a rational number, or log of one.

    Args:
        value: the number; above 1 if its logarithm is meant.
        logarithm: whether it is.

    Example:
        >>> Rate.read("log 3/2"), Rate.read("1/2").logarithm
        (Rate(value=Fraction(3, 2), logarithm=True), False)
    """

    value: Fraction
    logarithm: bool = False

    @classmethod
    def read(cls, text: Rational | str, where: str = "alpha") -> Rate:
        """Read "p/q" or "log p/q".

        Raises:
            InputError: no such number, or a rate that is not positive.
        """
        inner = text[4:] if isinstance(text, str) and text.startswith("log ") else text
        logarithm = inner is not text
        value = _usual(Fraction(parse(inner, where)), where)
        if value <= logarithm:
            least = "log of a number above 1" if logarithm else "a positive number"
            raise InputError(least, repr(text), where=where)
        if logarithm and value - 1 < Fraction(1, _SIZE):
            raise InputError("log of a number from 1 + 10^-100", repr(text), where=where)
        return cls(value, logarithm)

    def __str__(self) -> str:
        """As it is read."""
        return f"{'log ' * self.logarithm}{write(self.value)}"

    def __float__(self) -> float:
        """Rounded, for pictures."""
        return float(log(self.value)) if self.logarithm else float(self.value)

    def ball(self) -> arb:
        """At the precision in force."""
        return real(self.value).log() if self.logarithm else real(self.value)


@dataclass(frozen=True)
class Law:
    """The parameters of MSE(x) = A exp(-alpha x) + sigma^2 C^x x/(n D).

    Args:
        A: the squared bias at x = 0, > 0.
        alpha: the rate at which it decays.
        C: the factor by which each coordinate raises the variance, > 1.
        variance: sigma^2 > 0.
        n: the number of training points.
        D: the budget H d_k.

    Example:
        >>> law = Law.of(A=1, alpha=1, C="e", variance="1/2", n=100, D=64)
        >>> round(float(law.minimiser(digits=20).lower), 6)
        3.930845
        >>> law.best(), law.best_divisor()
        ((4,), (4,))
    """

    A: Fraction
    alpha: Rate
    C: Growth
    variance: Fraction
    n: int
    D: int

    @classmethod
    def of(
        cls,
        *,
        A: Rational | str,
        alpha: Rational | str,
        C: Rational | str,
        variance: Rational | str,
        n: int,
        D: int,
    ) -> Law:
        """Check and read the parameters.

        Raises:
            InputError: one of them is out of its range; says which.
        """
        growth: Growth = "e" if C == "e" else Fraction(parse(C, "C"))
        if growth != "e" and growth <= 1:
            raise InputError("a number above 1, or e", repr(C), where="C")
        if growth != "e" and not Fraction(1, _SIZE) <= growth - 1 <= _SIZE:
            raise InputError("a number from 1 + 10^-100 to 10^100", repr(C), where="C")
        return cls(
            _positive(A, "A"),
            Rate.read(alpha),
            growth,
            _positive(variance, "sigma2"),
            _count(n, "n"),
            _count(D, "D", LARGEST_BUDGET),
        )

    @property
    def scale(self) -> Fraction:
        """sigma^2/(n D)."""
        return self.variance / (self.n * self.D)

    def log_growth(self) -> arb:
        """The logarithm of C at the precision in force."""
        return arb(1) if self.C == "e" else real(self.C).log()

    def size(self) -> arb:
        """M = alpha A n D/sigma^2 at the precision in force."""
        return self.alpha.ball() * real(self.A / self.scale)

    def minimiser(self, *, digits: int = 50) -> Enclosure:
        """x*, over all real x > -1/log C; negative if M < 1.

        Args:
            digits: the width is at most 2/10^digits of x* + 2/log C.
        """

        def value() -> arb:
            g = self.log_growth()
            k = (self.alpha.ball() + g) / g
            return ((k * k.exp() * self.size()).lambertw() / k - 1) / g

        shifted = enclose(lambda: value() + 2 / self.log_growth(), digits=digits)
        offset = enclose(lambda: 2 / self.log_growth(), digits=digits)
        return Enclosure(shifted.lower - offset.upper, shifted.upper - offset.lower)

    def error(self, x: int, *, digits: int = 50) -> Enclosure:
        """MSE(x) at an integer x >= 0."""
        exact = self.exact_error(x)
        if exact is not None:
            return Enclosure(exact, exact)

        return enclose(lambda: self._ball(x), digits=digits)

    def _ball(self, x: int) -> arb:
        bias = real(self.A) * (-self.alpha.ball() * x).exp()
        return bias + real(self.scale * x) * (self.log_growth() * x).exp()

    def exact_error(self, x: int) -> Fraction | None:
        """MSE(x), if it is rational and of sensible length."""
        if not self.alpha.logarithm or isinstance(self.C, str) or x > _LONGEST:
            return None
        return self.A / self.alpha.value**x + self.scale * x * self.C**x

    def compare(self, x: int, y: int) -> int:
        """The sign of MSE(x) - MSE(y), decided.

        Raises:
            PrecisionExhausted: a thousand digits do not tell them apart; the two differ all the
                same (see the module), by less than that.
        """
        one, other = self.exact_error(x), self.exact_error(y)
        if one is not None and other is not None:
            return (one > other) - (one < other)
        if x == y:
            return 0
        for digits in _DIGITS:
            with precision(10 * digits // 3 + 40 + 2 * max(x, y).bit_length()):
                apart = self._ball(x) - self._ball(y)  # may have more digits than can be written
                if apart > 0 or apart < 0:
                    return 1 if apart > 0 else -1
        raise PrecisionExhausted(f"the errors at {x} and {y} agree to {_DIGITS[-1]} digits")

    def best(self, *, most: int | None = None) -> tuple[int, ...]:
        """The best integers in 1..min(D, most): one, or two that tie.

        Raises:
            InputError: most is no positive integer.
        """
        top = self._top(most)
        low, high = self.around
        return self._least(sorted({min(max(1, x), top) for x in range(low, high + 1)}))

    def best_divisor(self, *, most: int | None = None) -> tuple[int, ...]:
        """The best d_k that divides D, at most `most`: H = D/d_k is then an integer."""
        top = self._top(most)
        low, high = self.around
        found = [x for x in self.divisors if x <= top]
        below = [x for x in found if x <= low][-1:]
        between = [x for x in found if low < x < high]
        return self._least([*below, *between, *[x for x in found if x >= high][:1]])

    @cached_property
    def around(self) -> tuple[int, int]:
        """Integers l <= x* <= u, neighbours unless the enclosure of x* holds an integer.

        By convexity no integer below l is as good as l, and none above u as good as u.
        """
        for digits in _DIGITS:
            found = self.minimiser(digits=digits)
            if found.width < 1:
                return floor(found.lower), ceil(found.upper)
        raise PrecisionExhausted(f"the minimiser is not known to {_DIGITS[-1]} digits")

    def outdone(self, x: int, y: int) -> int:
        """An integer z of x + 1..y with MSE(x) <= MSE(z), as near to the minimiser as is easy.

        MSE being convex, MSE(x) <= MSE(z) implies MSE(x) <= MSE(y), and MSE(z) is of usual size.

        Raises:
            ValueError: y <= x, or MSE(y) < MSE(x).
        """
        z = max(x + 1, self.around[1])
        while z < y and self.compare(x, z) > 0:
            z *= 2
        z = min(z, y)
        if y <= x or self.compare(x, z) > 0:
            raise ValueError(f"{x} does not outdo {y}")
        return z

    @cached_property
    def divisors(self) -> tuple[int, ...]:
        """The divisors of D, ascending."""
        small = [x for x in range(1, isqrt(self.D) + 1) if self.D % x == 0]
        return tuple(sorted({*small, *(self.D // x for x in small)}))

    def _top(self, most: int | None) -> int:
        return self.D if most is None else min(self.D, _count(most, "d_model"))

    def _least(self, candidates: list[int]) -> tuple[int, ...]:
        best: list[int] = []
        for x in candidates:
            sign = self.compare(x, best[0]) if best else -1
            best = [x] if sign < 0 else [*best, x] if sign == 0 else best
        return tuple(best)


def _positive(value: Rational | str, where: str) -> Fraction:
    read = Fraction(parse(value, where))
    if read <= 0:
        raise InputError("a positive number", str(write(read)), where=where)
    return _usual(read, where)


def _usual(value: Fraction, where: str) -> Fraction:
    """The same number, unless it is positive and out of all proportion."""
    if value > 0 and not Fraction(1, _SIZE) <= value <= _SIZE:
        raise InputError("a number from 10^-100 to 10^100", str(write(value))[:40], where=where)
    return value


def _count(value: int, where: str, most: int | None = None) -> int:
    if type(value) is not int or value < 1 or (most is not None and value > most):
        limit = "" if most is None else f" up to {most:,}"
        raise InputError(f"a positive integer{limit}", repr(value), where=where)
    return value
