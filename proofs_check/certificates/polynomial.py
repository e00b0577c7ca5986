"""Polynomials of sympy as formulas for certificates."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Expr, Poly, Symbol

from ...symbolic.errors import InputError
from ...symbolic.rational import parse
from .formula import Expression, number, var


def polynomial(expression: Expr | int, names: Mapping[Symbol, str | Expression]) -> Expression:
    r"""Write a polynomial with rational coefficients as a sum of monomials.

    Args:
        expression: the polynomial.
        names: symbol -> name of the variable in the certificate, or what stands in its place.

    Raises:
        InputError: it is no polynomial in these symbols with rational coefficients.

    Example:
        >>> d = Symbol("d")
        >>> polynomial(3 * d**2 + 1, {d: "d"}).latex()
        '3 \\cdot d^{2} + 1'
    """
    symbols = list(names)
    bases = [var(n) if isinstance(n, str) else n for n in names.values()]
    try:
        terms = Poly(expression, *symbols, domain="QQ").terms()
    except Exception as error:  # sympy's own hierarchy of refusals
        raise InputError("a polynomial with rational coefficients", str(expression)) from error
    total: Expression | None = None
    for exponents, coefficient in terms:
        value = parse(f"{coefficient.p}/{coefficient.q}" if coefficient.q > 1 else coefficient.p)
        factors = [
            base if k == 1 else base**k for base, k in zip(bases, exponents, strict=True) if k
        ]
        term = number(value) if value != 1 or not factors else factors.pop(0)
        for factor in factors:
            term = term * factor
        total = term if total is None else total + term
    assert total is not None  # the zero polynomial has the one term 0
    return total
