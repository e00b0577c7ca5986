"""Functions of one variable that a step names as its parameter.

The parameter is ``Lambda(x, f)``, where x is real, nonnegative or positive and so names the
domain, an interval. f is built from exp, log, sums, products and integer powers, so that it has
derivatives of every order wherever it is defined, and it must be decided to be defined on the
whole domain (denominators nonzero, arguments of log positive).
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, Lambda, Symbol, exp, log, sympify
from sympy.core.function import AppliedUndef

from ..antiderivative import Undecided
from ..statement import replace
from .judgement import Judgement, Refused


def require_function(judgement: Judgement, function: Any) -> None:
    """Refuse what is no such function.

    Raises:
        Refused: it has another variable or form, or is not decided to be defined.
    """
    if not isinstance(function, Lambda) or len(function.variables) != 1:
        raise Refused("a function of one variable as the parameter", function)
    variable, body = function.variables[0], function.expr
    kinds = (
        Symbol(variable.name, real=True),
        Symbol(variable.name, nonnegative=True),
        Symbol(variable.name, positive=True),
    )
    if variable in judgement.setting.letters():
        raise Refused("a variable that is no letter of the setting", variable)
    if variable not in kinds:
        raise Refused("one variable, real, nonnegative or positive", function)
    _require_elementary(body, variable)
    try:
        judgement.form.reduce(body)
    except Undecided as gap:
        raise Refused(body, f"defined on the whole domain ({gap})") from gap


def value_at(judgement: Judgement, function: Any, argument: Any, body: Any = None) -> Any:
    """The function, or another body in its variable, at an argument of its domain.

    Raises:
        Refused: the argument is not decided to lie in the domain.
    """
    variable, argument = function.variables[0], sympify(argument)
    judgement.require_defined(argument)
    if variable.is_positive:
        judgement.require(judgement.known.positive(argument), 0, argument)
    elif variable.is_nonnegative:
        judgement.require(judgement.known.nonnegative(argument), 0, argument)
    try:
        return replace(function.expr if body is None else body, {variable: argument})
    except ValueError as clash:
        raise Refused(argument, clash) from clash


def _require_elementary(body: Expr, variable: Symbol) -> None:
    if variable not in body.free_symbols or body == variable:
        return
    plain = body.is_Add or body.is_Mul or isinstance(body, exp | log)
    power = body.is_Pow and body.exp.is_Integer
    if isinstance(body, AppliedUndef) or not (plain or power):
        raise Refused("exp, log, sums, products, integer powers", body)
    for part in body.args:
        _require_elementary(part, variable)
