"""Induction over a range of integers."""

from __future__ import annotations

from ..statement import ForAll, Implication, substitute
from .judgement import Judgement, Refused, Rule


def _induction(judgement: Judgement) -> None:
    """Accept "P(k) for all k = a..b" from P(a) and from "P(k) implies P(k + 1)".

    In the second premise k is arbitrary: no open hypothesis or assumption names it, nor does the
    range of another index, and its declared range contains a..b - 1. Sound by induction on the
    integers a, a + 1, ..., b; over an empty range there is nothing to show.
    """
    goal = judgement.conclusion
    if not isinstance(goal, ForAll) or len(judgement.premises) != 2:
        raise Refused("for all, from a start and a step", goal)
    start, step = judgement.premises[0], judgement.premise(Implication, 1)
    variable, lower, upper = goal.limits
    ranges = judgement.setting.ranges
    if variable not in ranges:
        raise Refused(f"{variable} with a declared range", goal)
    named = any(variable in a.free_symbols for a in judgement.assumptions) or any(
        variable in end.free_symbols for ends in ranges.values() for end in ends
    )
    judgement.require(not named, f"{variable} arbitrary", "an open assumption names it")
    judgement.require(bool(lower.is_integer and upper.is_integer), "integers", goal)
    ends = lower.free_symbols | upper.free_symbols
    judgement.require(variable not in ends, f"ends without {variable}", goal)
    low, high = ranges[variable]
    wide = judgement.known.within(variable, low, high)
    judgement.require(wide.nonnegative(lower - low), low, lower)
    judgement.require(wide.nonnegative(high - upper + 1), upper - 1, high)
    try:
        first = substitute(goal.body, {variable: lower})
        following = substitute(goal.body, {variable: variable + 1})
    except ValueError as clash:
        raise Refused(goal, clash) from clash
    judgement.require(judgement.same(start, first), first, start)
    inside = judgement.form.within(variable, low, high)
    expected = Implication(goal.body, following)
    judgement.require(judgement.same(step, expected, inside), expected, step)


INDUCTION = Rule("induction", _induction)
