"""Quantifiers and connectives."""

from __future__ import annotations

from typing import Any

from sympy import Eq, Ne, Symbol, sympify
from sympy.logic import satisfiable
from sympy.logic.boolalg import And, Equivalent, Implies, Not, Or

from ..statement import (
    Conjunction,
    Connective,
    Disjunction,
    Equivalence,
    Exists,
    ForAll,
    Implication,
    Statement,
    eq,
    is_order,
    le,
    ordered,
    replace,
    substitute,
)
from .judgement import Judgement, Refused, Rule


def _instance(judgement: Judgement) -> None:
    """Accept P(t) from "P(j) for all j of a range", t (the parameter) being in the range."""
    every = judgement.premise(ForAll)
    if len(judgement.parameters) != 1:
        raise Refused("one index as the parameter", judgement.parameters)
    term = sympify(judgement.parameters[0])
    variable, lower, upper = every.limits
    judgement.require(bool(term.is_integer), "an integer", term)
    judgement.require(judgement.known.nonnegative(term - lower), lower, term)
    judgement.require(judgement.known.nonnegative(upper - term), term, upper)
    try:
        expected = substitute(every.body, {variable: term})
    except ValueError as clash:
        raise Refused(every, clash) from clash
    judgement.require(
        judgement.same(judgement.conclusion, expected), expected, judgement.conclusion
    )


def _generalisation(judgement: Judgement) -> None:
    """Accept "P(j) for all j of a range" from P(j), j an arbitrary index of that range.

    j must not occur in any open hypothesis or assumption, and the range must lie within the
    declared range of j. Also: "P for all j iff Q for all j" from "P iff Q".
    """
    if len(judgement.premises) != 1:
        raise Refused("one premise", judgement.conclusion)
    goal, premise = judgement.conclusion, judgement.premises[0]
    if isinstance(goal, Equivalence) and isinstance(premise, Equivalence):
        parts = list(zip(goal.args, premise.args, strict=True))
    else:
        parts = [(goal, premise)]
    for every, body in parts:
        if not isinstance(every, ForAll):
            raise Refused(premise, goal)
        _require_arbitrary(judgement, every)
        judgement.require(every.limits == parts[0][0].limits, premise, goal)
        judgement.require(judgement.same(every.body, body), body, every.body)


def _require_arbitrary(judgement: Judgement, every: ForAll) -> None:
    variable, lower, upper = every.limits
    ranges = judgement.setting.ranges
    if variable not in ranges:
        raise Refused(f"{variable} with a declared range", every)
    low, high = ranges[variable]
    fixed = any(variable in a.free_symbols for a in judgement.assumptions) or any(
        variable in end.free_symbols for ends in ranges.values() for end in ends
    )
    judgement.require(not fixed, f"{variable} arbitrary", "an open assumption names it")
    wide = judgement.known.within(variable, low, high)
    judgement.require(wide.nonnegative(lower - low), low, lower)
    judgement.require(wide.nonnegative(high - upper), upper, high)


def _consequence(judgement: Judgement) -> None:
    """Accept what follows by propositional logic; relations are compared by normal form.

    a < b counts as the negation of b <= a, a != b as that of a = b; anything quantified is one
    proposition. The premises with the negated conclusion are given to a SAT solver.
    """
    known: list[tuple[Statement, Symbol]] = []

    def letter(statement: Statement) -> Symbol:
        for other, name in known:
            if judgement.same(statement, other):
                return name
        known.append((statement, Symbol(f"p{len(known)}")))
        return known[-1][1]

    def encode(statement: Statement) -> Any:
        if isinstance(statement, Connective):
            kind = _ENCODING[type(statement)]
            return kind(*(encode(part) for part in statement.args))
        if isinstance(statement, Ne):
            return Not(letter(eq(statement.lhs, statement.rhs)))
        if is_order(statement):
            small, large, strict = ordered(statement)
            return Not(letter(le(large, small))) if strict else letter(le(small, large))
        return letter(statement)

    premises = And(*(encode(p) for p in judgement.premises))
    open_case = satisfiable(And(premises, Not(encode(judgement.conclusion))))
    judgement.require(open_case is False, judgement.premises, judgement.conclusion)


_ENCODING: dict[type, Any] = {
    Conjunction: And,
    Disjunction: Or,
    Implication: Implies,
    Equivalence: Equivalent,
}


def _zero_product(judgement: Judgement) -> None:
    """Accept "a = 0 or b = 0 or ..." from a b ... = 0."""
    product, goal = judgement.premise(Eq), judgement.conclusion
    if not (isinstance(goal, Disjunction) and all(isinstance(p, Eq) for p in goal.args)):
        raise Refused("a disjunction of equalities", goal)
    factors = sympify(1)
    for part in goal.args:
        factors *= part.lhs - part.rhs
    expected = eq(factors, 0)
    judgement.require(judgement.same(product, expected), product, expected)


def _another_index(judgement: Judgement) -> None:
    """Accept "for some i: i != j and Q(i)" from "for some i: w(i) > 0 and Q(i)" and w(j) = 0."""
    some, goal = judgement.premise(Exists), judgement.conclusion
    vanishing = judgement.premise(Eq, 1)
    if not (isinstance(goal, Exists) and goal.limits == some.limits):
        raise Refused(some, goal)
    if not (isinstance(some.body, Conjunction) and isinstance(goal.body, Conjunction)):
        raise Refused(some, goal)
    variable = goal.limits[0]
    form = judgement.form.within(*goal.limits)
    for part in goal.body.args:
        if any(judgement.same(part, given, form) for given in some.body.args):
            continue
        if not (isinstance(part, Ne) and part.lhs == variable):
            raise Refused(some, goal)
        excluded = part.rhs
        judgement.require(variable not in excluded.free_symbols, variable, excluded)
        weights = [
            ordered(given)[1]
            for given in some.body.args
            if is_order(given) and ordered(given)[2] and ordered(given)[0] == 0
        ]
        try:
            at = [replace(weight, {variable: excluded}) for weight in weights]
        except ValueError as clash:
            raise Refused(excluded, clash) from clash
        zero = vanishing.rhs == 0 and any(judgement.equal(w, vanishing.lhs) for w in at)
        judgement.require(zero, vanishing, part)


INSTANCE = Rule("instance", _instance)
GENERALISATION = Rule("generalisation", _generalisation)
CONSEQUENCE = Rule("propositional consequence", _consequence)
ZERO_PRODUCT = Rule("zero product", _zero_product)
ANOTHER_INDEX = Rule("another index", _another_index)
