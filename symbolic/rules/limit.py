"""Limits from the right at 0."""

from __future__ import annotations

from typing import Any

from sympy import Dummy, Eq, Limit, S, Sum, exp, limit
from sympy.core.function import AppliedUndef

from ..statement import is_order, ordered
from .judgement import Judgement, Refused, Rule


def _closed_limit(judgement: Judgement) -> None:
    """Accept Limit(e, t -> 0+) = L for a closed e that sympy's Gruntz algorithm decides.

    e is built from rational operations and exp, log; whatever does not depend on t is replaced
    by letters of the same sign. e must be defined for all t > 0 and its exponents must have
    decided signs, since sympy's answer may hold for one sign only. The value found is compared
    with L by normal form. The step is also evaluated near 0 (see `instance`), which does not
    use sympy's limits.
    """
    body, variable, target = _parts(judgement.conclusion)
    known = judgement.known
    letters: dict[Any, Any] = {}
    for part in body.atoms(AppliedUndef, Sum):
        judgement.require(variable not in part.free_symbols, variable, part)
        sign = {"positive": True} if known.positive(part) else {"real": True}
        letters[part] = Dummy(**sign)
    opened = body.xreplace(letters)
    judgement.require_defined(body)
    for part in body.atoms(exp):
        judgement.require(known.nonzero(part.args[0]), "a decided sign", part.args[0])
    try:
        found = limit(opened, variable, 0, "+")
    except (NotImplementedError, ValueError) as gap:
        raise Refused(body, gap) from gap
    unfinished = found.atoms(Limit) or variable in found.free_symbols
    infinite = found.has(S.NaN, S.Infinity, S.NegativeInfinity, S.ComplexInfinity)
    judgement.require(not unfinished and not infinite, body, found)
    back = {letter: part for part, letter in letters.items()}
    judgement.require(judgement.equal(found.xreplace(back), target), found, target)


def _squeeze(judgement: Judgement) -> None:
    """Accept Limit(e, t -> 0+) = L from l <= e <= u for all t > 0 and the limits of l and u.

    Premises: l <= e, e <= u, Limit(l) = L, Limit(u) = L. The inequalities hold for all t > 0
    since t is a positive symbol that no open hypothesis or assumption names.
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
    if point != 0 or str(direction) != "+" or not variable.is_positive:
        raise Refused("a limit at 0+ of a positive symbol", statement)
    if variable in statement.rhs.free_symbols:
        raise Refused("a value that does not depend on the variable", statement)
    return body, variable, statement.rhs


LIMIT = Rule("limit", _closed_limit)
SQUEEZE = Rule("squeeze", _squeeze)
