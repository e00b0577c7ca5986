"""Inequalities: signs, linear combinations, rescaling."""

from __future__ import annotations

from sympy import Add, Eq, Ne, sympify

from ..statement import Equivalence, Statement, is_order, ordered
from .judgement import Judgement, Refused, Rule


def _sign(judgement: Judgement) -> None:
    """Accept an inequality whose difference has a decided sign (see `sign.Known`).

    Sound because a sum of nonnegative terms is nonnegative, a product of positive factors is
    positive, exp is positive, and so on up the expression.
    """
    goal = judgement.conclusion
    if isinstance(goal, Ne):
        judgement.require(judgement.known.nonzero(goal.lhs - goal.rhs), goal.lhs, goal.rhs)
        return
    if not is_order(goal):
        raise Refused("an inequality", goal)
    small, large, strict = ordered(goal)
    decide = judgement.known.positive if strict else judgement.known.nonnegative
    judgement.require(decide(large - small), small, large)


def _combination(judgement: Judgement) -> None:
    """Accept a linear combination of relations, the multipliers being the parameters.

    From l_i <= r_i with multipliers c_i >= 0, and l_i = r_i with any c_i, follows L <= R when
    R - L = sum c_i (r_i - l_i) by normal form, all c_i being defined; R > L when also c_i > 0
    for a strict premise.
    An equality follows from equalities only. Transitivity is the case of multipliers 1.
    """
    goal = judgement.conclusion
    multipliers = tuple(sympify(c) for c in judgement.parameters)
    if len(multipliers) != len(judgement.premises):
        raise Refused(f"{len(judgement.premises)} multipliers", f"{len(multipliers)} given")
    strict = False
    combined = []
    for premise, multiplier in zip(judgement.premises, multipliers, strict=True):
        judgement.require_defined(multiplier)  # 1/x would cancel an x that may be 0
        if isinstance(premise, Eq):
            combined.append(multiplier * (premise.rhs - premise.lhs))
            continue
        if not is_order(premise) or not is_order(goal):
            raise Refused(premise, goal)
        small, large, sharp = ordered(premise)
        judgement.require(judgement.known.nonnegative(multiplier), 0, multiplier)
        strict = strict or (sharp and judgement.known.positive(multiplier))
        combined.append(multiplier * (large - small))
    if isinstance(goal, Eq):
        judgement.require(judgement.equal(goal.rhs - goal.lhs, Add(*combined)), goal.lhs, goal.rhs)
        return
    if not is_order(goal):
        raise Refused("a relation", goal)
    small, large, sharp = ordered(goal)
    judgement.require(strict or not sharp, small, large)
    judgement.require(judgement.equal(large - small, Add(*combined)), small, large)


def _rescaling(judgement: Judgement) -> None:
    """Accept the equivalence of two relations whose differences are positive multiples.

    With the parameter c > 0: (l <= r) iff (L <= R) when R - L = c (r - l) by normal form; the
    same for strict inequalities. For equalities c need only be nonzero.
    """
    goal = judgement.conclusion
    if not isinstance(goal, Equivalence) or len(judgement.parameters) != 1:
        raise Refused("an equivalence and one factor", goal)
    one, other = goal.args
    factor = sympify(judgement.parameters[0])
    judgement.require_defined(factor)
    if isinstance(one, Eq) and isinstance(other, Eq):
        judgement.require(judgement.known.nonzero(factor), 0, factor)
    else:
        judgement.require(judgement.known.positive(factor), 0, factor)
    before, after = _difference(one), _difference(other)
    judgement.require(before[1:] == after[1:], one, other)
    judgement.require(judgement.equal(after[0], factor * before[0]), one, other)


def _difference(relation: Statement) -> tuple[object, str]:
    if isinstance(relation, Eq):
        return relation.rhs - relation.lhs, "="
    if is_order(relation):
        small, large, strict = ordered(relation)
        return large - small, "<" if strict else "<="
    raise Refused("an equality or an inequality", relation)


SIGN = Rule("sign", _sign)
COMBINATION = Rule("linear combination", _combination)
RESCALING = Rule("rescaling", _rescaling)
