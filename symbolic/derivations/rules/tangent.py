"""A convex function lies above its tangents."""

from __future__ import annotations

from sympy import Ne, diff

from ..statement import is_order, ordered
from .function import require_function, value_at
from .judgement import Judgement, Refused, Rule


def _tangent(judgement: Judgement) -> None:
    """Accept f(a) + f'(a) (b - a) <= f(b) for a convex function f; strictly so from a != b.

    The parameters are ``Lambda(x, f)``, a function on an interval (see `function`), and a and b,
    decided to lie in the domain. f'' must be decided nonnegative on the domain, positive for the
    strict inequality. By Taylor's theorem f(b) = f(a) + f'(a) (b - a) + f''(c) (b - a)^2/2 for some
    c between a and b, which lies in the domain as well. f' and f'' are sympy's derivatives.
    """
    if len(judgement.parameters) != 3:
        raise Refused("a function and two arguments", judgement.parameters)
    function, a, b = judgement.parameters
    goal = judgement.conclusion
    require_function(judgement, function)
    if not is_order(goal):
        raise Refused("an inequality", goal)
    small, large, strict = ordered(goal)
    variable = function.variables[0]
    slope = diff(function.expr, variable)
    curvature = diff(slope, variable)
    if strict:
        judgement.require(judgement.known.positive(curvature), 0, curvature)
        apart = judgement.premise(Ne)
        different = judgement.equal(apart.lhs - apart.rhs, a - b)
        judgement.require(
            different or judgement.equal(apart.rhs - apart.lhs, a - b), apart, Ne(a, b)
        )
    else:
        judgement.require(judgement.known.nonnegative(curvature), 0, curvature)
    first, second = (value_at(judgement, function, argument) for argument in (a, b))
    line = first + value_at(judgement, function, a, slope) * (b - a)
    judgement.require(judgement.equal(large - small, second - line), goal, second - line)


TANGENT = Rule("tangent", _tangent)
