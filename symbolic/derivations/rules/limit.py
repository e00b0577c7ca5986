"""Limits from the right at 0.

Computer algebra finds limits for general values of the letters: tau/(tau + x^2) "tends to 0",
although it tends to 1 when x = 0. Here a limit is taken part by part along the expression, and a
case distinction that nothing decides is a refusal.
"""

from __future__ import annotations

from typing import Any

from sympy import Add, Eq, Limit, Mul, Pow, S, Symbol, exp, expand, log

from ..antiderivative import Undecided
from ..sign import Known
from ..statement import is_order, ordered
from .judgement import Judgement, Refused, Rule


def _closed_limit(judgement: Judgement) -> None:
    """Accept Limit(e, t -> 0+) = L for an e built from rational operations, exp and log.

    Sums, products, integer powers, exp and log are continuous where they are defined, so the
    limit is taken part by part; a denominator must tend to a number that is decided nonzero, the
    argument of log to one that is decided positive. And exp(a) tends to 0 when t a tends to a
    number that is decided negative, for then a tends to -oo. The signs are decided without the
    premises that name t: near 0 they need not hold. L is compared by normal form.
    """
    body, variable, target = _parts(judgement.conclusion)
    known = judgement.known.without(variable)
    try:
        judgement.form.without(variable).reduce(body)
    except Undecided as gap:
        raise Refused(body, f"defined ({gap})") from gap
    found = _tends(body, variable, known)
    judgement.require(judgement.equal(found, target), found, target)


def _tends(e: Any, variable: Symbol, known: Known) -> Any:
    """The limit of an expression as the variable tends to 0 from the right."""
    if variable not in e.free_symbols:
        return e
    if e == variable:
        return S.Zero
    if isinstance(e, Add | Mul):
        return e.func(*(_tends(part, variable, known) for part in e.args))
    if isinstance(e, exp):
        try:
            return exp(_tends(e.args[0], variable, known))
        except Refused:
            slope = _tends(expand(variable * e.args[0]), variable, known)
            if known.positive(-slope):
                return S.Zero
            raise
    if isinstance(e, log):
        inner = _tends(e.args[0], variable, known)
        if not known.positive(inner):
            raise Refused(inner, "decided positive: it is the argument of log")
        return log(inner)
    if isinstance(e, Pow) and e.exp.is_Integer:
        base = _tends(e.base, variable, known)
        if e.exp < 0 and not known.nonzero(base):
            raise Refused(base, "decided nonzero: it is a denominator")
        return base**e.exp
    raise Refused(e, "built from rational operations, exp and log")


def _squeeze(judgement: Judgement) -> None:
    """Accept Limit(e, t -> 0+) = L from l <= e <= u for all t > 0 and the limits of l and u.

    Premises: l <= e, e <= u, Limit(l) = L, Limit(u) = L. The inequalities hold for all t > 0
    since t is a positive symbol, of which nothing else is known, that no open hypothesis or
    assumption names.
    """
    body, variable, target = _parts(judgement.conclusion)
    named = any(variable in a.free_symbols for a in judgement.assumptions)
    judgement.require(not named, f"{variable} arbitrary", "an open assumption names it")
    if len(judgement.premises) != 4:
        raise Refused("two bounds and their limits", judgement.conclusion)
    below, above, *limits = judgement.premises
    if not (is_order(below) and is_order(above)):
        raise Refused(below, above)
    low, middle, _ = ordered(below)
    also, high, _ = ordered(above)
    judgement.require(judgement.equal(middle, body) and judgement.equal(also, body), middle, body)
    for bound, premise in zip((low, high), limits, strict=True):
        inner, letter, value = _parts(premise)
        judgement.require(letter == variable, letter, variable)
        judgement.require(judgement.equal(inner, bound), inner, bound)
        judgement.require(judgement.equal(value, target), value, target)


def _parts(statement: Any) -> tuple[Any, Any, Any]:
    """Body, variable and value of ``Limit(body, t, 0, "+") = value``."""
    if not (isinstance(statement, Eq) and isinstance(statement.lhs, Limit)):
        raise Refused("Limit = value", statement)
    body, variable, point, direction = statement.lhs.args
    plain = variable == Symbol(variable.name, positive=True)  # an integer does not tend to 0
    if point != 0 or str(direction) != "+" or not plain:
        raise Refused("a limit at 0+ of a positive symbol", statement)
    if variable in statement.rhs.free_symbols:
        raise Refused("a value that does not depend on the variable", statement)
    return body, variable, statement.rhs


LIMIT = Rule("limit", _closed_limit)
SQUEEZE = Rule("squeeze", _squeeze)
