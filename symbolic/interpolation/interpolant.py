"""What rational interpolation finds: a reduced fraction of polynomials, and where it fails.

The linearised problem "r(x_i) = y_i t(x_i) at n nodes, deg r < k, deg t <= n - k" always has a
solution, and r/t is unique. The problem that is meant, r/t = y at every node, may have none: where
r and t share the factor x - x_i the reduced fraction can miss y_i. Such a node is *unattainable*
(Cauchy's problem, in von zur Gathen and Gerhard, Modern Computer Algebra, 5.7), and it is reported,
never passed over.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from ..errors import InputError
from ..rational import Rational

Polynomial: TypeAlias = Any
"""A polynomial of python-flint over a field: nmod_poly or fmpq_poly."""


@dataclass(frozen=True)
class Interpolant:
    """A fraction p/q of coprime polynomials with q monic, coefficients in ascending order.

    Args:
        numerator: the coefficients of p; (0,) for the zero function.
        denominator: the coefficients of q.
        unattained: the positions of the nodes at which p/q is not the value asked for.

    Example:
        >>> f = Interpolant((Fraction(1),), (Fraction(2), Fraction(1)), ())
        >>> f(3), f.rank
        (Fraction(1, 5), 1)
    """

    numerator: tuple[Fraction, ...]
    denominator: tuple[Fraction, ...]
    unattained: tuple[int, ...]

    def __call__(self, x: Rational) -> Fraction:
        """The value p(x)/q(x).

        Raises:
            ZeroDivisionError: x is a pole.
        """
        return evaluate(self.numerator, x) / evaluate(self.denominator, x)

    @property
    def rank(self) -> int:
        """The degree of q: the number of poles, with multiplicity."""
        return len(self.denominator) - 1


def evaluate(coefficients: tuple[Fraction, ...], x: Rational) -> Fraction:
    """The value of a polynomial, by Horner's rule."""
    value = Fraction(0)
    for coefficient in reversed(coefficients):
        value = value * x + coefficient
    return value


def check_problem(nodes: tuple[Rational, ...], count: int, numerator_terms: int) -> None:
    """Refuse repeated nodes, missing values and impossible degrees.

    Raises:
        InputError: one of these.
    """
    if len(nodes) != count or not nodes:
        raise InputError("as many values as nodes, at least one", f"{count} for {len(nodes)}")
    if len(set(nodes)) < len(nodes):
        raise InputError("distinct nodes", "a repeated one", where="nodes")
    if not 0 < numerator_terms <= len(nodes):
        raise InputError(
            f"1 to {len(nodes)} terms of the numerator", str(numerator_terms), where="terms"
        )


def reduced(r: Polynomial, t: Polynomial) -> tuple[Polynomial, Polynomial, Polynomial]:
    """p, q and the common factor g, with r = p g, t = q g up to a constant, q monic."""
    g = r.gcd(t)
    p, q = r // g, t // g
    lead = q.leading_coefficient()
    return p / lead, q / lead, g


def minimal_solution(
    modulus: Polynomial, values: Polynomial, terms: int
) -> tuple[Polynomial, Polynomial]:
    """The first (r, t) of Euclid's extended algorithm with r = t values mod modulus, deg r < k.

    Args:
        modulus: prod (x - x_i), of degree n.
        values: the Lagrange polynomial of the data.
        terms: k.

    Returns:
        r and t with deg r < k and deg t <= n - k; every other solution is a multiple.
    """
    before, r = modulus, values
    t_before, t = modulus * 0, modulus * 0 + 1
    while r.degree() >= terms:
        quotient, rest = divmod(before, r)
        before, r = r, rest
        t_before, t = t, t_before - quotient * t
    return r, t
