"""Strictly monotone functions keep or reverse inequalities."""

from __future__ import annotations

from typing import Any

from sympy import Eq, Lambda, diff

from ..statement import Equivalence, Statement, is_order, ordered
from .function import require_function, value_at
from .judgement import Judgement, Refused, Rule


def _monotone(judgement: Judgement) -> None:
    """Accept f(a) R f(b) from a R b, or the equivalence of both, for strictly monotone f.

    The parameter is ``Lambda(x, f)``, a function on an interval (see `function`) of which the sign
    of f' is decided there. By the mean value theorem f is then strictly monotone and injective.
    Both arguments must be decided to lie in the domain.
    """
    if len(judgement.parameters) != 1 or not isinstance(judgement.parameters[0], Lambda):
        raise Refused("a function as the parameter", judgement.parameters)
    function = judgement.parameters[0]
    rising = _direction(judgement, function)
    goal = judgement.conclusion
    if isinstance(goal, Equivalence):
        image, base = goal.args
    else:
        if not judgement.premises:
            raise Refused("a premise a R b", goal)
        image, base = goal, judgement.premises[0]
    _compare(judgement, function, base, image, rising=rising)


def _direction(judgement: Judgement, function: Any) -> bool:
    require_function(judgement, function)
    slope = diff(function.expr, function.variables[0])
    if judgement.known.positive(slope):
        return True
    if judgement.known.positive(-slope):
        return False
    raise Refused(f"the sign of {slope}", function)


def _compare(
    judgement: Judgement, function: Any, base: Statement, image: Statement, *, rising: bool
) -> None:
    def f(argument: Any) -> Any:
        return value_at(judgement, function, argument)

    if isinstance(base, Eq) and isinstance(image, Eq):
        left, right = f(base.lhs), f(base.rhs)
        straight = judgement.equal(image.lhs - image.rhs, left - right)
        judgement.require(
            straight or judgement.equal(image.rhs - image.lhs, left - right), base, image
        )
        return
    if not (is_order(base) and is_order(image)):
        raise Refused(base, image)
    small, large, strict = ordered(base)
    low, high, sharp = ordered(image)
    exact = isinstance(judgement.conclusion, Equivalence)
    judgement.require(strict == sharp if exact else strict or not sharp, base, image)
    first, second = (f(small), f(large)) if rising else (f(large), f(small))
    judgement.require(judgement.equal(high - low, second - first), base, image)


MONOTONE = Rule("monotone function", _monotone)
