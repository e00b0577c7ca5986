"""Equality of two expressions by their normal forms."""

from __future__ import annotations

from sympy import Eq

from .judgement import Judgement, Refused, Rule


def _normal_form(judgement: Judgement) -> None:
    """Accept ``left = right`` when the difference has normal form 0 (see `normal_form`).

    Sound because every rewriting of the normal form is an identity of real numbers; premises
    serve only to decide that denominators do not vanish.
    """
    goal = judgement.conclusion
    if not isinstance(goal, Eq):
        raise Refused("an equality", goal)
    judgement.require(judgement.equal(goal.lhs, goal.rhs), goal.lhs, goal.rhs)


NORMAL_FORM = Rule("normal form", _normal_form)
