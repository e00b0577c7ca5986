"""Tropical polynomials: maxima of finitely many affine functions, exact, equal as functions.

Max-plus: the sum of two polynomials is their maximum, the product their ordinary sum. A head's
best score x -> max_j <kappa_j, x> + b_j is the polynomial with exponents kappa_j and coefficients
b_j; exponents are any rationals (Puiseux), because keys are.

Different lists of terms can be one function: a term that is never alone at the top changes nothing.
By claim A5 the terms that matter are the upper vertices of the lifted points (exponent,
coefficient), which `upper_hull` decides exactly in any position; they are the canonical form, and
equality and hashing compare it. Products are convolutions with repeated exponents merged:
N M terms at most before that, and no hull is taken until one is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

from ..cones.hull import upper_hull
from ..errors import InputError
from ..rational import Rational, Vector, inner, matrix, vector, write

Term: TypeAlias = tuple[Vector, Rational]
"""An exponent vector in Q^d and a coefficient: the affine function <a, x> + c."""


@dataclass(frozen=True, eq=False)
class TropicalPolynomial:
    """f(x) = max_j <a_j, x> + c_j, compared as a function.

    Args:
        terms: distinct exponents with their coefficients, in lexicographic order; `polynomial`
            makes them from any list.

    Raises:
        InputError: no term, no variable, exponents of different dimensions, repeated or unordered
            ones, or floats.

    Example:
        >>> f = polynomial([[0], [1]], [0, 1])   # max(0, x + 1)
        >>> f([2]), (f * f)([2]), (f + f) == f
        (3, 6, True)
    """

    terms: tuple[Term, ...]

    def __post_init__(self) -> None:
        """Check the terms at the border."""
        exponents = matrix([a for a, _ in self.terms], "exponents", least_rows=1)
        if not exponents[0]:
            raise InputError("at least one variable", "none", where="exponents[0]")
        coefficients = vector([c for _, c in self.terms], "coefficients")
        if any(a >= b for a, b in pairwise(exponents)):
            raise InputError(
                "distinct exponents in order", "others", remedy="make it with `polynomial`"
            )
        object.__setattr__(self, "terms", tuple(zip(exponents, coefficients, strict=True)))

    @property
    def dimension(self) -> int:
        """The number of variables d."""
        return len(self.terms[0][0])

    @property
    def exponents(self) -> tuple[Vector, ...]:
        """The exponent vectors."""
        return tuple(a for a, _ in self.terms)

    @property
    def coefficients(self) -> Vector:
        """The coefficients."""
        return tuple(c for _, c in self.terms)

    @property
    def lifted(self) -> tuple[Vector, ...]:
        """The points (exponent, coefficient) in Q^(d + 1)."""
        return tuple((*a, c) for a, c in self.terms)

    @cached_property
    def winning(self) -> tuple[int, ...]:
        """The terms that are alone at the top somewhere, hence on an open set."""
        return upper_hull(self.lifted).vertices

    @cached_property
    def canonical(self) -> TropicalPolynomial:
        """The same function with no term that could be left out.

        Example:
            >>> polynomial([[0], [1], [2]], [0, 0, 0]).canonical.exponents
            ((0,), (2,))
        """
        return TropicalPolynomial(tuple(self.terms[j] for j in self.winning))

    def values(self, x: Sequence[Rational | str]) -> Vector:
        """The value of every term at a point of Q^d.

        Raises:
            InputError: a float, or a point of another dimension.
        """
        point = vector(x, "x", dimension=self.dimension)
        return tuple(inner(a, point) + c for a, c in self.terms)

    def __call__(self, x: Sequence[Rational | str]) -> Rational:
        """f(x), exactly."""
        return max(self.values(x))

    def winners(self, x: Sequence[Rational | str]) -> frozenset[int]:
        """The terms that attain the maximum at a point.

        Example:
            >>> sorted(polynomial([[0], [1], [3]]).winners([0]))
            [0, 1, 2]
        """
        found = self.values(x)
        best = max(found)
        return frozenset(j for j, value in enumerate(found) if value == best)

    def __add__(self, other: TropicalPolynomial) -> TropicalPolynomial:
        """The tropical sum: the maximum of two functions."""
        _require_same(self, other)
        return _collected([*self.terms, *other.terms])

    def __mul__(self, other: TropicalPolynomial) -> TropicalPolynomial:
        """The tropical product: the sum of two functions; exponents add up pairwise."""
        _require_same(self, other)
        return _collected([(_plus(a, b), c + e) for a, c in self.terms for b, e in other.terms])

    def __pow__(self, n: int) -> TropicalPolynomial:
        """The tropical power n f, n >= 0: as a function, each term n times.

        Raises:
            InputError: n is no integer >= 0.

        Example:
            >>> f = polynomial([[0], [1]], [0, 2])
            >>> f**3 == f * f * f, f**0 == polynomial([[0]])
            (True, True)
        """
        if type(n) is not int or n < 0:
            raise InputError("an integer >= 0", repr(n), where="power")
        # Mixed products of an n-fold sum are convex combinations of these: they never win alone.
        return _collected([(tuple(n * x for x in a), n * c) for a, c in self.terms])

    def __eq__(self, other: object) -> bool:
        """Whether both are the same function on R^d."""
        if not isinstance(other, TropicalPolynomial):
            return NotImplemented
        return self.canonical.terms == other.canonical.terms

    def __hash__(self) -> int:
        """Of the function."""
        return hash(self.canonical.terms)

    def _repr_latex_(self) -> str:
        r"""Max over the terms, for notebooks.

        Example:
            >>> polynomial([[0, 0], [1, 2]], ["1/2", 0])._repr_latex_()
            '$\\max\\left(\\frac{1}{2},\\ x_{1} + 2 x_{2}\\right)$'
        """
        return f"${latex(self)}$"


def polynomial(
    exponents: Sequence[Sequence[Rational | str]],
    coefficients: Sequence[Rational | str] | None = None,
) -> TropicalPolynomial:
    """The tropical polynomial with these terms; of equal exponents the largest coefficient counts.

    Args:
        exponents: (N, d) rationals, N, d >= 1, in any position: the keys of a head.
        coefficients: (N,) rationals, or None for zeros: its biases.

    Raises:
        InputError: a float, no term, or shapes that do not fit.

    Example:
        >>> polynomial([[1], [0], [1]], [3, 0, 5]).terms
        (((0,), 0), ((1,), 5))
    """
    rows = matrix(exponents, "exponents", least_rows=1)
    if not rows[0]:
        raise InputError("at least one variable", "none", where="exponents[0]")
    heights: Vector = (0,) * len(rows)
    if coefficients is not None:
        heights = vector(coefficients, "coefficients", dimension=len(rows))
    return _collected(list(zip(rows, heights, strict=True)))


def latex(f: TropicalPolynomial) -> str:
    """The maximum in LaTeX, without dollar signs; a single term without ``max``."""
    written = [_affine(a, c) for a, c in f.terms]
    if len(written) == 1:
        return written[0]
    return r"\max\left(" + r",\ ".join(written) + r"\right)"


def _affine(exponent: Vector, coefficient: Rational) -> str:
    parts: list[tuple[Rational, str]] = [
        (value, f"x_{{{i}}}") for i, value in enumerate(exponent, start=1) if value
    ]
    if coefficient or not parts:
        parts.append((coefficient, ""))
    text = ""
    for value, letter in parts:
        positive = -value if value < 0 else value
        size = "" if letter and positive == 1 else number(positive)
        product = " ".join(part for part in (size, letter) if part)
        sign = "-" if value < 0 else "+"
        text += f" {sign} {product}" if text else (f"-{product}" if value < 0 else product)
    return text


def number(value: Rational) -> str:
    r"""A rational number in LaTeX.

    Example:
        >>> from fractions import Fraction
        >>> number(Fraction(-1, 2))
        '-\\frac{1}{2}'
    """
    above, _, below = str(write(value)).partition("/")
    if not below:
        return above
    sign = "-" if above.startswith("-") else ""
    return rf"{sign}\frac{{{above.lstrip('-')}}}{{{below}}}"


def _collected(terms: Sequence[Term]) -> TropicalPolynomial:
    best: dict[Vector, Rational] = {}
    for exponent, coefficient in terms:
        best[exponent] = max(best.get(exponent, coefficient), coefficient)
    return TropicalPolynomial(tuple(sorted(best.items())))


def _require_same(f: TropicalPolynomial, g: TropicalPolynomial) -> None:
    if f.dimension != g.dimension:
        raise InputError(f"a polynomial in {f.dimension} variables", f"one in {g.dimension}")


def _plus(a: Vector, b: Vector) -> Vector:
    return tuple(p + q for p, q in zip(a, b, strict=True))
