"""Sums judged term by term."""

from __future__ import annotations

from typing import Any

from sympy import Eq, Gt, Lt, Sum, sympify

from ..antiderivative import Undecided
from ..statement import (
    Conjunction,
    Equivalence,
    Exists,
    ForAll,
    Statement,
    is_order,
    le,
    ordered,
)
from .judgement import Judgement, Refused, Rule


def _termwise(judgement: Judgement) -> None:
    """Accept Sum f R Sum g over a range from "f R g for all indices of the range".

    R is =, <= or <; the range must be decided to exist (length >= 0), and for < not to be
    empty. The conclusion may show the two sums in any form of the same normal form. A parameter is
    a weight m, which may name the index, and the sums are Sum m f and Sum m g: m must be decided to
    exist on the range, to be nonnegative there for <=, and positive for <.
    """
    every = judgement.premise(ForAll)
    variable, lower, upper = every.limits
    length = upper - lower + 1
    goal, body = judgement.conclusion, every.body
    judgement.require(judgement.known.nonnegative(length), 0, length)
    weight = _weight(judgement, every, ordering=is_order(goal))
    if isinstance(body, Eq) and isinstance(goal, Eq):
        difference, shown = body.rhs - body.lhs, goal.rhs - goal.lhs
    elif is_order(body) and is_order(goal):
        small, large, strict = ordered(body)
        low, high, sharp = ordered(goal)
        difference, shown = large - small, high - low
        if sharp:
            judgement.require(strict and judgement.known.positive(length), body, goal)
    else:
        raise Refused(every, goal)
    summed = Sum(weight * difference, (variable, lower, upper))
    judgement.require(judgement.equal(summed, shown), every, goal)


def _weight(judgement: Judgement, every: ForAll, *, ordering: bool) -> Any:
    """What the terms are multiplied by: 1 unless there is a parameter."""
    if not judgement.parameters:
        return sympify(1)
    if len(judgement.parameters) != 1:
        raise Refused("at most one weight", judgement.parameters)
    weight = judgement.parameters[0]
    try:
        judgement.form.within(*every.limits).reduce(weight)
    except Undecided as gap:
        raise Refused(weight, f"defined on the range ({gap})") from gap
    if ordering:
        known = judgement.known.within(*every.limits)
        sharp = isinstance(judgement.conclusion, Lt | Gt)
        decide = known.positive if sharp else known.nonnegative
        judgement.require(decide(weight), 0, weight)
    return weight


def _vanishing_sum(judgement: Judgement) -> None:
    """Accept "Sum f = 0 iff f = 0 for all indices" from "f >= 0 for all indices"."""
    every = judgement.premise(ForAll)
    sum_zero, all_zero = _two(judgement.conclusion)
    if not (is_order(every.body) and isinstance(all_zero, ForAll)):
        raise Refused(every, judgement.conclusion)
    variable, lower, upper = every.limits
    small, large, _ = ordered(every.body)
    term = large - small
    length = upper - lower + 1
    judgement.require(judgement.known.nonnegative(length), 0, length)
    expected = ForAll(Eq(term, 0, evaluate=False), every.limits)
    judgement.require(judgement.same(all_zero, expected), expected, all_zero)
    total = Eq(Sum(term, (variable, lower, upper)), 0, evaluate=False)
    judgement.require(judgement.same(sum_zero, total), total, sum_zero)


def _empty_sum(judgement: Judgement) -> None:
    """Accept "Sum f = 0 iff its length is 0" when f is decided positive on the range."""
    sum_zero, length_zero = _two(judgement.conclusion)
    if not (isinstance(sum_zero, Eq) and isinstance(sum_zero.lhs, Sum) and sum_zero.rhs == 0):
        raise Refused("Sum = 0", sum_zero)
    if len(sum_zero.lhs.limits) != 1:
        raise Refused("a sum over one index", sum_zero)
    variable, lower, upper = sum_zero.lhs.limits[0]
    length = upper - lower + 1
    judgement.require(judgement.known.nonnegative(length), 0, length)
    term = sum_zero.lhs.function
    inside = judgement.known.within(variable, lower, upper)
    judgement.require(inside.positive(term), 0, term)
    expected = Eq(length, 0, evaluate=False)
    judgement.require(judgement.same(length_zero, expected), expected, length_zero)


def _vanishing_terms(judgement: Judgement) -> None:
    """Accept "a + b + ... = 0 iff a = 0 and b = 0 and ..." when all are decided >= 0."""
    sum_zero, all_zero = _two(judgement.conclusion)
    if not (isinstance(all_zero, Conjunction) and all(isinstance(p, Eq) for p in all_zero.args)):
        raise Refused(sum_zero, all_zero)
    terms = [part.lhs - part.rhs for part in all_zero.args]
    for term in terms:
        judgement.require(judgement.known.nonnegative(term), 0, term)
    expected = Eq(sum(terms), 0, evaluate=False)
    judgement.require(judgement.same(sum_zero, expected), sum_zero, expected)


def _weighted_mean(judgement: Judgement) -> None:
    """Accept "some term with w_i > 0 has a_i <= b_i" from Sum w_i (a_i - b_i) <= 0.

    Premises: the inequality of the sums; Sum w_i = c with c > 0; w_i >= 0 for all i. Sound
    since otherwise a_i > b_i wherever w_i > 0, some w_i is positive, and the sum is positive.
    """
    goal = judgement.conclusion
    body = goal.body if isinstance(goal, Exists) else None
    if not isinstance(body, Conjunction) or len(body.args) != 2:
        raise Refused("for some index: weight > 0 and a <= b", goal)
    weight_positive, bounded = body.args
    if not (is_order(weight_positive) and is_order(bounded)):
        raise Refused("for some index: weight > 0 and a <= b", goal)
    zero, weight, strict = ordered(weight_positive)
    small, large, sharp = ordered(bounded)
    judgement.require(zero == 0 and strict and not sharp, weight_positive, bounded)
    variable, lower, upper = goal.limits

    def total(term: Any) -> Sum:
        return Sum(term, (variable, lower, upper))

    if len(judgement.premises) != 3:
        raise Refused("three premises", goal)
    sums, mass, signs = judgement.premises
    expected: Statement = le(total(weight * (small - large)), 0)
    judgement.require(judgement.same(sums, expected), sums, expected)
    if not (isinstance(mass, Eq) and judgement.known.positive(mass.rhs)):
        raise Refused("the sum of the weights is positive", mass)
    judgement.require(judgement.equal(mass.lhs, total(weight)), mass, total(weight))
    every = ForAll(le(0, weight), goal.limits)
    judgement.require(judgement.same(signs, every), signs, every)


def _two(goal: Statement) -> tuple[Any, Any]:
    if not isinstance(goal, Equivalence) or len(goal.args) != 2:
        raise Refused("an equivalence of two statements", goal)
    return goal.args[0], goal.args[1]


TERMWISE = Rule("termwise", _termwise)
VANISHING_SUM = Rule("vanishing sum", _vanishing_sum)
EMPTY_SUM = Rule("empty sum", _empty_sum)
VANISHING_TERMS = Rule("vanishing terms", _vanishing_terms)
WEIGHTED_MEAN = Rule("weighted mean", _weighted_mean)
