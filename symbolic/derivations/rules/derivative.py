"""Derivatives from the right, as limits of difference quotients.

Sums with symbolically many terms are differentiated term by term, which is why sympy's ``diff`` is
not asked: what is trusted is the short table below.
"""

from __future__ import annotations

from typing import Any

from sympy import Add, Eq, Integer, Limit, Mul, Pow, S, Sum, Symbol, exp, log, sympify

from ..antiderivative import Undecided
from ..normal_form import NormalForm
from ..sign import Known
from ..statement import replace
from .judgement import Judgement, Refused, Rule


def _derivative(judgement: Judgement) -> None:
    """Accept Limit((f(h) - f(0))/h, h -> 0+) = f'(0), the parameter being f.

    f is built from exp, log, integer powers, products and sums (finite sums, over ranges that do
    not name h). Every part of f that names h is decided to be defined at h = 0, without the
    premises that name h: h^2/(h + g) is no such function unless g != 0, though sympy takes it to
    be 0 at h = 0. Then f has there the derivative that the sum, product and chain rules give. The
    difference quotient and the value are compared by normal form.
    """
    goal = judgement.conclusion
    if not (isinstance(goal, Eq) and isinstance(goal.lhs, Limit)):
        raise Refused("Limit = value", goal)
    body, h, point, direction = goal.lhs.args
    plain = h == Symbol(h.name, positive=True)
    if point != 0 or str(direction) != "+" or not plain:
        raise Refused("a limit at 0+ of a positive symbol", goal)
    if h in goal.rhs.free_symbols or len(judgement.parameters) != 1:
        raise Refused("a function as the parameter and a value without its variable", goal)
    f = sympify(judgement.parameters[0])
    form = judgement.form.without(h)
    try:
        at_zero, slope = replace(f, {h: Integer(0)}), replace(_slope(f, h), {h: Integer(0)})
        _require_defined_at_zero(f, h, form, judgement.known.without(h))
        form.reduce(at_zero)
        quotient = form.equal(body, (f - at_zero) / h)
        value = form.equal(goal.rhs, slope)
    except (Undecided, ValueError) as gap:
        raise Refused(f, gap) from gap
    judgement.require(quotient, body, (f - at_zero) / h)
    judgement.require(value, slope, goal.rhs)


def _slope(e: Any, h: Symbol) -> Any:
    """The derivative of an expression by h, defined wherever the expression is."""
    if h not in e.free_symbols:
        return S.Zero
    if e == h:
        return S.One
    if isinstance(e, Add):
        return Add(*(_slope(part, h) for part in e.args))
    if isinstance(e, Mul):
        terms = []
        for k, part in enumerate(e.args):
            terms.append(Mul(*e.args[:k], _slope(part, h), *e.args[k + 1 :]))
        return Add(*terms)
    if isinstance(e, Pow) and e.exp.is_Integer:
        return e.exp * e.base ** (e.exp - 1) * _slope(e.base, h)
    if isinstance(e, exp):
        return e * _slope(e.args[0], h)
    if isinstance(e, log):
        return _slope(e.args[0], h) / e.args[0]
    if isinstance(e, Sum) and not any(h in limit.free_symbols for limit in e.limits):
        return Sum(_slope(e.function, h), *e.limits)
    raise Refused(e, "built from exp, log, integer powers, products and sums")


def _require_defined_at_zero(e: Any, h: Symbol, form: NormalForm, known: Known) -> None:
    """Refuse unless every denominator and logarithm that names h exists at h = 0."""
    if h not in e.free_symbols:
        return
    if isinstance(e, Sum):
        for limit in e.limits:
            form, known = form.within(*limit), known.within(*limit)
        _require_defined_at_zero(e.function, h, form, known)
        return
    for part in e.args:
        _require_defined_at_zero(part, h, form, known)
    if isinstance(e, log) or (isinstance(e, Pow) and e.exp.is_Integer and e.exp < 0):
        inside = replace(e.args[0], {h: Integer(0)})
        form.reduce(inside)
        exists = known.positive if isinstance(e, log) else known.nonzero
        if not exists(inside):
            raise Refused(e, f"defined at {h} = 0")


DERIVATIVE = Rule("derivative", _derivative)
