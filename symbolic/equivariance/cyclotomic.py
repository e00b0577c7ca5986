"""Numbers of a cyclotomic field Q(zeta_e), exactly: polynomials in zeta modulo Phi_e.

The values of characters lie there, and the entries of isotypic projections of a rational
representation in its real subfield. Only sums, products and the tests for rational and real
numbers are needed, so a field element is a polynomial of python-flint and no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import fmpq, fmpq_poly, fmpz_poly

from ..rational import Rational


@dataclass(frozen=True)
class CyclotomicField:
    """Q(zeta_e), zeta_e = exp(2 pi i/e).

    Args:
        order: e >= 1.
    """

    order: int

    @cached_property
    def modulus(self) -> fmpq_poly:
        """Phi_e."""
        return fmpq_poly(fmpz_poly.cyclotomic(self.order))

    def element(self, coefficients: Sequence[Rational]) -> fmpq_poly:
        """sum_k c_k zeta^k, reduced."""
        entries = [fmpq(c.numerator, c.denominator) for c in coefficients]
        return fmpq_poly(entries) % self.modulus

    def conjugate(self, value: fmpq_poly) -> fmpq_poly:
        """The complex conjugate: zeta goes to its inverse."""
        powers: list[Rational] = [0] * self.order
        for k, c in enumerate(value.coeffs()):
            powers[-k % self.order] += Fraction(int(c.p), int(c.q))
        return self.element(powers)


def rational(value: fmpq_poly) -> Rational | None:
    """The rational number that a field element is; None if it is not rational.

    Example:
        >>> field = CyclotomicField(3)
        >>> rational(field.element([0, 1, 1])), rational(field.element([0, 1]))
        (-1, None)
    """
    if value.degree() > 0:
        return None
    c = value[0]
    p, q = int(c.p), int(c.q)
    return p if q == 1 else Fraction(p, q)
