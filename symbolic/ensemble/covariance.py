"""Claim B6: the leading covariance of two Gaussian heads by their principal angles.

X ~ N(0, I_d), kernels of bandwidth b, a = 1/b^2, at the query 0:
n cov/sigma^2 -> E[K_h K_g]/(E K)^2 = prod_i (1 - (a/(1+a))^2 cos^2 theta_i)^(-1/2).
Its square is rational for rational a and cos^2; the root is enclosed by a ball. Each factor is 1
for a right angle and grows with the cosine. In the second form every parameter stands once, so
that evaluation on a box loses nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..enclosures.ball import Enclosure, enclose, real
from ..errors import InputError
from ..rational import Rational, parse, vector, write


def squared_ratio(squares: Sequence[Rational | str], a: Rational | str) -> Fraction:
    """(n cov/sigma^2)^2, exactly.

    Args:
        squares: cos^2 of the principal angles, each in [0, 1]; their number is d_k.
        a: 1/b^2 > 0.

    Raises:
        InputError: no angle, one outside [0, 1], or a that is not positive.

    Example:
        >>> squared_ratio(["1/2", "1/2"], 4), squared_ratio([1, 0], 4)
        (Fraction(625, 289), Fraction(25, 9))
    """
    read, rate = _read(squares, a)
    share = (rate / (1 + rate)) ** 2
    value = Fraction(1)
    for square in read:
        value /= 1 - share * square
    return value


def ratio(squares: Sequence[Rational | str], a: Rational | str, *, digits: int = 60) -> Enclosure:
    """The ratio n cov/sigma^2, enclosed.

    Example:
        >>> float(ratio([1], 1, digits=20).lower)
        1.1547005383792515
        >>> ratio([0, 0], 3)
        Enclosure(lower=Fraction(1, 1), upper=Fraction(1, 1))
    """
    square = squared_ratio(squares, a)
    return enclose(lambda: real(square).sqrt(), digits=digits)


def _read(squares: Sequence[Rational | str], a: Rational | str) -> tuple[list[Fraction], Fraction]:
    read = [Fraction(x) for x in vector(squares, "squares")]
    if not read or min(read) < 0 or max(read) > 1:
        raise InputError("squared cosines in [0, 1]", repr(list(map(write, read))), where="squares")
    rate = Fraction(parse(a, "a"))
    if rate <= 0:
        raise InputError("a positive number", str(write(rate)), where="a")
    return read, rate
