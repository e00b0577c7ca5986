"""Matrix zonotopic attention over the rationals: the softmax and the coefficients to base 2.

f(X)_q = sum_h V_h(X) sum_j softmax_j(x_q^T W_h x_j) x_j,
V_h(X) = C_h + sum_i beta_hi(X) G_hi,   beta_hi(X) = tanh(sum_j <a_hi, x_j> + b_hi).

To base 2, 2^s for e^s, integer tokens and forms give rational values: tanh(t) becomes
(4^t - 1)/(4^t + 1). A change of base rescales W_h, a_hi and b_hi by log 2 and nothing else, so that
what holds for all parameters to base 2 holds to base e.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from ..errors import InputError
from ..rational import Rational, Vector, parse
from .zonotope import MatrixZonotope, dot

Tokens: TypeAlias = Sequence[Sequence[int]]
Coefficients: TypeAlias = "Callable[[Head, Tokens], Sequence[Rational]]"

_LARGEST = 10_000
"""Largest exponent: 2^s is written out."""


@dataclass(frozen=True)
class Head:
    """One head.

    Args:
        form: W, d x d integers.
        values: C and G_i.
        slopes: a_i, d integers for each generator.
        offsets: b_i, integers.

    Raises:
        InputError: shapes that do not fit, or entries in an exponent that are no integers: 2^s
            would not be rational.
    """

    form: tuple[tuple[int, ...], ...]
    values: MatrixZonotope
    slopes: tuple[tuple[int, ...], ...]
    offsets: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what does not fit."""
        d, g = len(self.values.centre[0]), len(self.values.generators)
        if len(self.form) != d or any(len(row) != d for row in self.form):
            raise InputError(f"a {d} x {d} form", f"{len(self.form)} rows", where="form")
        if len(self.slopes) != g or any(len(a) != d for a in self.slopes):
            raise InputError(f"{g} slopes of {d} entries", "others", where="slopes")
        if len(self.offsets) != g:
            raise InputError(f"{g} offsets", str(len(self.offsets)), where="offsets")
        for name, row in (
            *(("form", row) for row in self.form),
            *(("slopes", row) for row in self.slopes),
            ("offsets", self.offsets),
        ):
            _integers(row, name)


def coefficients(head: Head, tokens: Tokens) -> tuple[Rational, ...]:
    """beta_i(X) of pooled features.

    Raises:
        InputError: no token, tokens that are not d integers, or numbers too large.

    Example:
        >>> head = Head(((0,),), MatrixZonotope(((1,),), (((1,),),)), ((1,),), (0,))
        >>> coefficients(head, ((1,),))
        (Fraction(3, 5),)
    """
    _check(head, tokens)
    pooled = [sum(column) for column in zip(*tokens, strict=True)]
    return tuple(
        tanh(int(dot(a, pooled)) + b) for a, b in zip(head.slopes, head.offsets, strict=True)
    )


def tanh(t: int) -> Rational:
    """(4^t - 1)/(4^t + 1).

    Raises:
        InputError: |t| above 10,000.
    """
    if abs(t) > _LARGEST:
        raise InputError(f"an argument up to {_LARGEST}", str(t), where="tanh")
    power = 4 ** abs(t)
    value = parse(Fraction(power - 1, power + 1))
    return value if t >= 0 else -value


def mean(head: Head, tokens: Tokens, query: int) -> Vector:
    """sum_j softmax_j x_j, what the head attends to from a token.

    Raises:
        InputError: no token, tokens that are not d integers, no such query, or scores above
            10,000.
    """
    _check(head, tokens)
    if not 0 <= query < len(tokens):
        raise InputError(f"a token from 0 to {len(tokens) - 1}", str(query), where="query")
    left = [dot(column, tokens[query]) for column in zip(*head.form, strict=True)]
    scores = [int(dot(left, token)) for token in tokens]
    highest = max(scores)
    if highest - min(scores) > _LARGEST:
        raise InputError(f"scores within {_LARGEST}", str(highest - min(scores)), where="tokens")
    weights = [Fraction(1, 2 ** (highest - s)) for s in scores]
    total = sum(weights)
    return tuple(
        parse(sum(w * x[c] for w, x in zip(weights, tokens, strict=True)) / total)
        for c in range(len(tokens[0]))
    )


def evaluate(
    heads: Sequence[Head], tokens: Tokens, *, by: Coefficients = coefficients
) -> tuple[Vector, ...]:
    """f(X), one row a token.

    Args:
        heads: at least one.
        tokens: n rows of d integers.
        by: how the coefficients come about; of pooled features by default.

    Raises:
        InputError: no head, no token, tokens that are not d integers, heads of several output
            dimensions, or numbers too large to be written out.

    Example:
        >>> head = Head(((0,),), MatrixZonotope(((1,),), (((1,),),)), ((1,),), (0,))
        >>> evaluate([head], ((1,),)), evaluate([head], ((2,),))
        (((Fraction(8, 5),),), ((Fraction(64, 17),),))
    """
    if not heads:
        raise InputError("at least one head", "none", where="heads")
    for head in heads:
        _check(head, tokens)
        if (p := len(head.values.centre)) != (first := len(heads[0].values.centre)):
            raise InputError(f"{first} outputs of every head", str(p), where="heads")
    found = []
    for q in range(len(tokens)):
        rows = [head.values.at(mean(head, tokens, q)).point(by(head, tokens)) for head in heads]
        found.append(tuple(parse(sum(column)) for column in zip(*rows, strict=True)))
    return tuple(found)


def _check(head: Head, tokens: Tokens) -> None:
    """Refuse tokens that the head cannot read."""
    if not tokens:
        raise InputError("at least one token", "none", where="tokens")
    d = len(head.form)
    for token in tokens:
        if len(token) != d:
            raise InputError(f"tokens of {d} entries", str(len(token)), where="tokens")
        _integers(token, "tokens")


def _integers(row: Sequence[int], where: str) -> None:
    for entry in row:
        if type(entry) is not int:
            raise InputError("an integer", repr(entry)[:60], where=where)
