"""Rational interpolation over Q as one linear system, which flint solves.

With t monic of degree n - k the linearised problem r(x_i) = y_i t(x_i) is a square system, regular
unless smaller degrees solve the problem as well; then Euclid's algorithm takes over. For short
nodes nothing is faster; with nodes of hundreds of bits the powers make the matrix long, and
`modular` wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat, nmod, nmod_poly

from ..rational import Rational, Vector, vector
from . import rational
from .interpolant import Interpolant, check_problem
from .modular import FIRST_PRIME


def interpolate(
    nodes: Sequence[Rational], values: Sequence[Rational], *, terms: int
) -> Interpolant:
    """The fraction r/t with deg r < k and deg t <= n - k through n points.

    Args:
        nodes: n distinct rationals.
        values: n rationals.
        terms: k, the number of terms of the numerator.

    Raises:
        InputError: repeated nodes, or numbers that do not fit.

    Example:
        >>> f = interpolate([1, 2], [Fraction(1, 3), Fraction(1, 4)], terms=1)
        >>> f.numerator, f.denominator
        ((Fraction(1, 1),), (Fraction(2, 1), Fraction(1, 1)))
    """
    x, y = vector(nodes, "nodes"), vector(values, "values")
    check_problem(x, len(y), terms)
    try:
        r, t = _solution(x, y, terms)
    except ZeroDivisionError:
        return rational.interpolate(x, y, terms=terms)
    if not r or not _coprime(r, t):
        return rational.interpolate(x, y, terms=terms)
    # Coprime, so at a zero of t the numerator is none, and r = y t fails: no node is missed.
    return Interpolant(_fractions(r), (*_fractions(t), Fraction(1)), ())


def _solution(x: Vector, y: Vector, terms: int) -> tuple[list[fmpq], list[fmpq]]:
    """The coefficients of r, and those of t below its leading 1.

    Raises:
        ZeroDivisionError: the system is singular.
    """
    degree = len(x) - terms
    top = max(degree, terms - 1)
    rows, right = [], []
    for a, b in zip(x, y, strict=True):
        n, d = fmpz(a.numerator), fmpz(a.denominator)
        powers = _powers(n, top)
        if d != 1:
            down = _powers(d, top)
            powers = [u * v for u, v in zip(powers, reversed(down), strict=True)]
        p, q = fmpz(b.numerator), fmpz(b.denominator)
        minus = -p
        rows.append([q * e for e in powers[:terms]] + [minus * e for e in powers[:degree]])
        right.append([p * powers[degree]])
    found = fmpq_mat(fmpz_mat(rows)).solve(fmpq_mat(fmpz_mat(right))).entries()
    numerator = found[:terms]
    while numerator and not numerator[-1]:
        numerator.pop()
    return numerator, found[terms:]


def _powers(base: fmpz, top: int) -> list[fmpz]:
    found = [fmpz(1)]
    for _ in range(top):
        found.append(found[-1] * base)
    return found


def _coprime(r: list[fmpq], t: list[fmpq]) -> bool:
    """Whether r and t are coprime modulo a prime, which proves that they are over Q.

    False too where this prime does not decide.
    """
    try:
        p = nmod_poly([int(nmod(c, FIRST_PRIME)) for c in r], FIRST_PRIME)
        q = nmod_poly([*(int(nmod(c, FIRST_PRIME)) for c in t), 1], FIRST_PRIME)
    except ZeroDivisionError:
        return False
    return bool(p.gcd(q).degree() == 0)


def _fractions(coefficients: Sequence[fmpq]) -> tuple[Fraction, ...]:
    return tuple(Fraction(int(c.p), int(c.q)) for c in coefficients)
