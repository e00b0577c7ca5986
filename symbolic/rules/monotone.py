"""Strictly monotone functions keep or reverse inequalities."""

from __future__ import annotations

from typing import Any

from sympy import Eq, Expr, Lambda, Symbol, diff, exp, log
from sympy.core.function import AppliedUndef

from ..antiderivative import Undecided
from ..statement import Equivalence, Statement, is_order, ordered, replace
from .judgement import Judgement, Refused, Rule


def _monotone(judgement: Judgement) -> None:
    """Accept f(a) R f(b) from a R b, or the equivalence of both, for strictly monotone f.

    The parameter is ``Lambda(x, f)``, where x is real, nonnegative or positive and so names the
    domain, an interval; f is built from exp, log, sums, products and integer powers, is defined
    on the whole domain (denominators nonzero, arguments of log positive, decided), and the sign
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
    variable, body = function.variables[0], function.expr
    kinds = (
        Symbol(variable.name, real=True),
        Symbol(variable.name, nonnegative=True),
        Symbol(variable.name, positive=True),
    )
    if variable in judgement.setting.letters():
        raise Refused("a variable that is no letter of the setting", variable)
    if len(function.variables) != 1 or variable not in kinds:
        raise Refused("one variable, real, nonnegative or positive", function)
    _require_elementary(body, variable)
    try:
        judgement.form.reduce(body)
    except Undecided as gap:
        raise Refused(body, f"defined on the whole domain ({gap})") from gap
    slope = diff(body, variable)
    if judgement.known.positive(slope):
        return True
    if judgement.known.positive(-slope):
        return False
    raise Refused(f"the sign of {slope}", function)


def _require_elementary(body: Expr, variable: Symbol) -> None:
    if variable not in body.free_symbols or body == variable:
        return
    plain = body.is_Add or body.is_Mul or isinstance(body, exp | log)
    power = body.is_Pow and body.exp.is_Integer
    if isinstance(body, AppliedUndef) or not (plain or power):
        raise Refused("exp, log, sums, products, integer powers", body)
    for part in body.args:
        _require_elementary(part, variable)


def _compare(
    judgement: Judgement, function: Any, base: Statement, image: Statement, *, rising: bool
) -> None:
    variable = function.variables[0]

    def f(argument: Any) -> Any:
        if variable.is_positive:
            judgement.require(judgement.known.positive(argument), 0, argument)
        elif variable.is_nonnegative:
            judgement.require(judgement.known.nonnegative(argument), 0, argument)
        try:
            return replace(function.expr, {variable: argument})
        except ValueError as clash:
            raise Refused(argument, clash) from clash

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
