"""Claim A4, the exact side: tropical rational functions, and how far a head is from one.

A tropical rational function is a difference p - q of two tropical polynomials: continuous and
piecewise linear. A head whose values are lifted, v_ji = exp(u_ji/tau), has as its component i
tau log out_i = max_j (s_j + u_ji) - max_j s_j up to an error between -tau log N and tau log N; the
error is a difference of two gaps of claim A1, which is how it is enclosed here.

Values of either sign are split into a positive and a negative part, each a tropical rational map
with the same denominator (`signed_parts`). Values held fixed as tau -> 0 are no such case: the
limit is the mean value of the winners (`fixed_value_limit`), constant on cells, with jumps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ..enclosures.ball import Enclosure, log_sum_exp_gap
from ..errors import InputError
from ..rational import Rational, Vector, matrix, vector
from .polynomial import TropicalPolynomial, latex, polynomial
from .power_diagram import Keys, read_keys
from .routing_limit import limit

Table: TypeAlias = Sequence[Sequence[Rational | str]]
"""(N, n) rationals, a row a key."""


@dataclass(frozen=True, eq=False)
class TropicalRational:
    """f(x) = p(x) - q(x), compared as a function.

    Args:
        numerator: p.
        denominator: q.

    Raises:
        InputError: p and q have different numbers of variables.

    Example:
        >>> x, zero = polynomial([[1]]), polynomial([[0]])
        >>> absolute = TropicalRational(x + polynomial([[-1]]), zero)     # max(x, -x)
        >>> absolute([-3]), absolute / absolute == TropicalRational(zero, zero)
        (3, True)
    """

    numerator: TropicalPolynomial
    denominator: TropicalPolynomial

    def __post_init__(self) -> None:
        """Check that the two fit."""
        p, q = self.numerator.dimension, self.denominator.dimension
        if p != q:
            raise InputError(f"a denominator in {p} variables", f"one in {q}")

    @property
    def dimension(self) -> int:
        """The number of variables d."""
        return self.numerator.dimension

    def __call__(self, x: Sequence[Rational | str]) -> Rational:
        """f(x), exactly."""
        return self.numerator(x) - self.denominator(x)

    def __add__(self, other: TropicalRational) -> TropicalRational:
        """The maximum of two functions, over the common denominator."""
        p = self.numerator * other.denominator + other.numerator * self.denominator
        return TropicalRational(p, self.denominator * other.denominator)

    def __mul__(self, other: TropicalRational) -> TropicalRational:
        """The sum of two functions."""
        return TropicalRational(
            self.numerator * other.numerator, self.denominator * other.denominator
        )

    def __truediv__(self, other: TropicalRational) -> TropicalRational:
        """The difference of two functions."""
        return TropicalRational(
            self.numerator * other.denominator, self.denominator * other.numerator
        )

    def __eq__(self, other: object) -> bool:
        """Whether both are the same function: p q' = p' q as tropical polynomials."""
        if not isinstance(other, TropicalRational):
            return NotImplemented
        if self.dimension != other.dimension:
            return False
        return self.numerator * other.denominator == other.numerator * self.denominator

    __hash__ = None  # type: ignore[assignment]  # fractions have no reduced form to hash

    def _repr_latex_(self) -> str:
        r"""The difference of two maxima, for notebooks.

        Example:
            >>> TropicalRational(polynomial([[0], [1]]), polynomial([[2]]))._repr_latex_()
            '$\\max\\left(0,\\ x_{1}\\right) - \\left(2 x_{1}\\right)$'
        """
        return rf"${latex(self.numerator)} - \left({latex(self.denominator)}\right)$"


@dataclass(frozen=True)
class TropicalRationalMap:
    """A vector of tropical rational functions of the same variables.

    Args:
        components: one or more.

    Raises:
        InputError: no component, or different numbers of variables.
    """

    components: tuple[TropicalRational, ...]

    def __post_init__(self) -> None:
        """Check that there is one, and that all fit."""
        if not self.components:
            raise InputError("at least one component", "none")
        d = self.dimension
        for i, f in enumerate(self.components):
            if f.dimension != d:
                raise InputError(f"{d} variables", str(f.dimension), where=f"components[{i}]")

    @property
    def dimension(self) -> int:
        """The number of variables d."""
        return self.components[0].dimension

    def __call__(self, x: Sequence[Rational | str]) -> Vector:
        """The values of all components, exactly."""
        return tuple(f(x) for f in self.components)

    def _repr_latex_(self) -> str:
        """A column of the components, for notebooks."""
        rows = [f._repr_latex_().strip("$") for f in self.components]
        return r"$\begin{pmatrix}" + r" \\ ".join(rows) + r"\end{pmatrix}$"


def head_map(
    keys: Keys, biases: Sequence[Rational | str] | None, log_values: Table
) -> TropicalRationalMap:
    """The map of a head with lifted values: component i is max_j (s_j + u_ji) - max_j s_j.

    Args:
        keys: (N, d) rationals.
        biases: (N,) rationals, or None for zeros.
        log_values: u, (N, n) rationals: the value v_ji is exp(u_ji/tau).

    Raises:
        InputError: a float or shapes that do not fit.

    Example:
        >>> relu = head_map([[0], [1]], [0, 0], [[0, 0], [0, 1]])
        >>> relu([-3]), relu([-1]), relu([5])
        ((0, 0), (0, 0), (0, 1))
    """
    rows, heights = read_keys(keys, biases)
    table = _table(log_values, len(rows))
    below = polynomial(rows, heights)
    return TropicalRationalMap(
        tuple(
            TropicalRational(
                polynomial(rows, [b + u for b, u in zip(heights, column, strict=True)]), below
            )
            for column in zip(*table, strict=True)
        )
    )


def signed_parts(
    keys: Keys,
    biases: Sequence[Rational | str] | None,
    logs: Sequence[Rational | str],
    signs: Sequence[int],
) -> tuple[TropicalRational | None, TropicalRational | None]:
    """The positive and the negative part of one component, v_j = sign_j exp(u_j/tau).

    The output is P - Q, with tau log P and tau log Q within tau log N of the two parts.

    Args:
        keys: (N, d) rationals.
        biases: (N,) rationals, or None for zeros.
        logs: u, (N,) rationals.
        signs: (N,), each 1, 0 or -1.

    Returns:
        The parts; None for one to which no key contributes.

    Raises:
        InputError: a float, shapes that do not fit, or another sign.

    Example:
        >>> positive, negative = signed_parts([[-1], [1]], None, [0, 0], [-1, 1])
        >>> positive([3]), negative([3])
        (0, -6)
    """
    rows, heights = read_keys(keys, biases)
    values = vector(logs, "logs", dimension=len(rows))
    if len(signs) != len(rows):
        raise InputError(f"{len(rows)} signs", f"{len(signs)}", where="signs")
    for j, sign in enumerate(signs):
        if sign not in (-1, 0, 1):
            raise InputError("1, 0 or -1", repr(sign), where=f"signs[{j}]")
    below = polynomial(rows, heights)

    def part(wanted: int) -> TropicalRational | None:
        chosen = [j for j, sign in enumerate(signs) if sign == wanted]
        if not chosen:
            return None
        return TropicalRational(
            polynomial([rows[j] for j in chosen], [heights[j] + values[j] for j in chosen]), below
        )

    return part(1), part(-1)


def deviation(
    scores: Sequence[Rational | str],
    logs: Sequence[Rational | str],
    temperature: Rational | str,
    *,
    digits: int = 60,
) -> Enclosure:
    """Enclose tau log out - (max_j (s_j + u_j) - max_j s_j) for one component.

    It is the gap of s + u minus the gap of s (claim A1), each enclosed to that many digits.

    Args:
        scores: s, N >= 1 rationals of any size.
        logs: u, N rationals: v_j = exp(u_j/tau).
        temperature: tau > 0.
        digits: relative digits of the two gaps.

    Raises:
        InputError: a float, no score, other shapes, or a temperature that is not positive.
        PrecisionExhausted: the digits were not reached.

    Example:
        >>> found = deviation([0, 0], [0, -1000], 1)     # the output is half the larger value
        >>> float(found.upper)
        -0.6931471805599453
    """
    s = vector(scores, "scores")
    u = vector(logs, "logs", dimension=len(s))
    above = log_sum_exp_gap([a + b for a, b in zip(s, u, strict=True)], temperature, digits=digits)
    below = log_sum_exp_gap(s, temperature, digits=digits)
    return Enclosure(above.lower - below.upper, above.upper - below.lower)


def fixed_value_limit(scores: Sequence[Rational | str], values: Table) -> tuple[Fraction, ...]:
    """The limit of the output at temperature 0 when the values do not change: the winners' mean.

    Args:
        scores: s, N >= 1 rationals.
        values: v, (N, n) rationals.

    Raises:
        InputError: a float or shapes that do not fit.

    Example:
        >>> [fixed_value_limit([-x, x], [[-1], [1]])[0] for x in (-2, 0, 5)]
        [Fraction(-1, 1), Fraction(0, 1), Fraction(1, 1)]
    """
    shares = limit(scores)
    table = _table(values, len(shares))
    return tuple(
        sum((p * v for p, v in zip(shares, column, strict=True)), Fraction(0))
        for column in zip(*table, strict=True)
    )


def _table(rows: Table, count: int) -> tuple[Vector, ...]:
    table = matrix(rows, "values")
    if len(table) != count:
        raise InputError(f"{count} rows, one for each key", f"{len(table)}", where="values")
    if not table[0]:
        raise InputError("at least one component", "none", where="values[0]")
    return table
