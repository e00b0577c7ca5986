"""Formulas of certificates as functions of intervals: the search's own reading of them.

CERTIFICATES.md says what the formulas mean; the checker has its own translation, which shares no
code with this one. Every number here is an `Interval` with derivatives, except indices, bounds of
ranges and exponents, which are integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any, TypeAlias

from ..errors import InputError
from ..rational import parse
from .interval import Interval, NoValue, constant

Formula: TypeAlias = Any
"""A formula as certificates write it: a number or a list [operator, ...]."""

Instance: TypeAlias = dict[str, Any]
"""Name -> an interval, lists of intervals (of lists ..), or the integer of an index."""

Evaluation: TypeAlias = Callable[[Instance], Interval]

_FOLDED: Mapping[str, Callable[[Interval, Interval], Interval]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "max": Interval.largest,
    "min": Interval.smallest,
}
_SINGLE: Mapping[str, Callable[[Interval], Interval]] = {
    "-": lambda a: -a,
    "exp": Interval.exp,
    "log": Interval.log,
    "abs": abs,
}
_RANGES = {"sum": "+", "maxover": "max", "minover": "min"}


def evaluation(formula: Formula) -> Evaluation:
    """The function of an instance that a formula is.

    Args:
        formula: an expression without conditions.

    Raises:
        InputError: it is no such expression. (When it is evaluated: `NoValue`.)

    Example:
        >>> f = evaluation(["+", ["exp", ["var", "x"]], 1])
        >>> [float(end) for end in f({"x": constant(0)}).ends]
        [2.0, 2.0]
    """
    if not isinstance(formula, list):
        number = parse(formula, "formula")
        found: dict[object, Interval] = {}

        def literal(env: Instance) -> Interval:
            if not found:
                found[number] = constant(number)
            return found[number]

        return literal
    head, parts = formula[0], formula[1:]
    if head in ("var", "at"):
        return _entry(parts)
    if head == "len":
        length = _length(parts)
        return lambda env: constant(length(env))
    if head in _RANGES:
        return _range(head, parts)
    if head == "^":
        base, exponent = evaluation(parts[0]), integer(parts[1])
        return lambda env: base(env).power(exponent(env))
    terms = [evaluation(part) for part in parts]
    if head in _SINGLE and len(terms) == 1:
        single, inner = _SINGLE[head], terms[0]
        return lambda env: single(inner(env))
    if head in _FOLDED and terms:
        double = _FOLDED[head]
        return lambda env: reduce(double, [term(env) for term in terms])
    raise InputError("an expression without conditions", repr(head), where="formula")


def integer(formula: Formula) -> Callable[[Instance], int]:
    """An index, a bound or an exponent as a function of an instance.

    Raises:
        InputError: it is built from other things than integers, indices, lengths, +, - and *.
    """
    if not isinstance(formula, list):
        number = parse(formula, "formula")
        if Fraction(number).denominator != 1:
            raise InputError("an integer", str(number), where="formula")
        return lambda env: int(number)
    head, parts = formula[0], formula[1:]
    if head == "var" and len(parts) == 1:
        name = parts[0]

        def index(env: Instance) -> int:
            if not isinstance(env[name], int):
                raise InputError("an index of a range", repr(name), where="formula")
            return int(env[name])

        return index
    if head == "len":
        return _length(parts)
    inner = [integer(part) for part in parts]
    if head == "-" and len(inner) == 1:
        return lambda env: -inner[0](env)
    folded: Mapping[str, Callable[[int, int], int]] = {
        "+": lambda a, b: a + b,
        "-": lambda a, b: a - b,
        "*": lambda a, b: a * b,
    }
    if head not in folded:
        raise InputError("an integer expression", repr(head), where="formula")
    return lambda env: reduce(folded[head], [part(env) for part in inner])


def _entry(parts: list[Any]) -> Evaluation:
    name, steps = parts[0], [integer(part) for part in parts[1:]]

    def entry(env: Instance) -> Interval:
        if name not in env:
            raise InputError("a variable of the box or a given one", repr(name), where="formula")
        value = env[name]
        for step in steps:
            i = step(env)
            if not 0 <= i < len(value):
                raise NoValue(f"index {i} of {name} is outside 0..{len(value) - 1}")
            value = value[i]
        return constant(value) if isinstance(value, int) else value

    return entry


def _length(parts: list[Any]) -> Callable[[Instance], int]:
    name, steps = parts[0], [integer(part) for part in parts[1:]]
    return lambda env: len(reduce(lambda value, step: value[step(env)], steps, env[name]))


def _range(head: str, parts: list[Any]) -> Evaluation:
    name, count, body = parts[0], integer(parts[1]), evaluation(parts[2])
    double = _FOLDED[_RANGES[head]]

    def over(env: Instance) -> Interval:
        values = [body(env | {name: j}) for j in range(count(env))]
        if head == "sum":
            return reduce(double, values, constant(0))
        if not values:
            raise NoValue(f"{head} over nothing")
        return reduce(double, values)

    return over
