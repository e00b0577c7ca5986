"""Rational interpolation over Q: Lagrange and the extended Euclidean algorithm on fmpq.

The direct route, and the yardstick for the modular one: the intermediate coefficients grow with
every step of Euclid's algorithm, so it costs far more than `modular` from about ten nodes on. It is
exact, needs no luck with primes, and fails only on a wrong question.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import fmpq, fmpq_poly

from ..rational import Rational, vector
from .interpolant import Interpolant, check_problem, minimal_solution, reduced


def interpolate(
    nodes: Sequence[Rational], values: Sequence[Rational], *, terms: int
) -> Interpolant:
    """The fraction r/t with deg r < k and deg t <= n - k through n points.

    Args:
        nodes: n distinct rationals.
        values: n rationals.
        terms: k, the number of terms of the numerator; H for type (H-1, H) with 2H points, H + 1
            for type (H, H) with 2H + 1.

    Raises:
        InputError: repeated nodes, or numbers that do not fit.

    Example:
        >>> f = interpolate([1, 2], [Fraction(1, 3), Fraction(1, 4)], terms=1)
        >>> f.numerator, f.denominator
        ((Fraction(1, 1),), (Fraction(2, 1), Fraction(1, 1)))
        >>> interpolate([1, 2, 3], [0, 0, 1], terms=2).unattained
        (2,)
    """
    x, y = vector(nodes, "nodes"), vector(values, "values")
    check_problem(x, len(y), terms)
    points = [fmpq(a.numerator, a.denominator) for a in x]
    data = [fmpq(a.numerator, a.denominator) for a in y]
    modulus = fmpq_poly([1])
    for point in points:
        modulus *= fmpq_poly([-point, 1])
    p, q, _ = reduced(*minimal_solution(modulus, _newton(points, data), terms))
    missed = tuple(
        i
        for i, (a, b) in enumerate(zip(points, data, strict=True))
        if q(a) == 0 or p(a) != b * q(a)
    )
    return Interpolant(_coefficients(p), _coefficients(q), missed)


def _newton(points: list[fmpq], data: list[fmpq]) -> fmpq_poly:
    """The polynomial of degree < n through the points, by divided differences."""
    table = list(data)
    for k in range(1, len(points)):
        for i in range(len(points) - 1, k - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (points[i] - points[i - k])
    result = fmpq_poly([0])
    for point, difference in zip(reversed(points), reversed(table), strict=True):
        result = result * fmpq_poly([-point, 1]) + difference
    return result


def _coefficients(p: fmpq_poly) -> tuple[Fraction, ...]:
    found = tuple(Fraction(int(c.p), int(c.q)) for c in p.coeffs())
    return found or (Fraction(0),)
