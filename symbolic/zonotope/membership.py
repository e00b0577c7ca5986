"""Where a point lies: in the relative interior of a zonotope, on its relative boundary, outside.

The relative interior is the image of the open cube: p = c + sum beta_i g_i with all |beta_i| < 1
(the relative interior of a linear image is the image of the relative interior). A supporting
functional u that is not constant on the zonotope shows the boundary, <u, p - c> = sum |<u, g_i>| >
0, and one that separates shows the outside, <u, p - c> > sum |<u, g_i>|. Both come from the
multipliers of an infeasible system: with y at the equations and s, t >= 0 at the sides, u = -y has
<u, g_i> = s_i - t_i, hence sum |<u, g_i>| <= sum (s_i + t_i) <= <u, p - c>, and equality leaves a
positive weight at a strict side. Exact, at most two linear programs in g unknowns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ..cones.feasibility import Condition, Decision, feasible
from ..rational import Rational, Vector, vector
from .zonotope import Zonotope, dot


class Place(Enum):
    """Where a point lies."""

    INTERIOR = "relative interior"
    BOUNDARY = "relative boundary"
    OUTSIDE = "outside"


@dataclass(frozen=True)
class Membership:
    """The place of a point with its reason.

    Args:
        zonotope: c and g_i.
        point: p.
        place: where it lies.
        coefficients: beta with p = c + sum beta_i g_i, all |beta_i| < 1 in the interior, <= 1 on
            the boundary; None outside.
        functional: u that supports the boundary or separates the outside; None in the interior.
    """

    zonotope: Zonotope
    point: Vector
    place: Place
    coefficients: Vector | None
    functional: Vector | None

    @property
    def inside(self) -> bool:
        """Whether the point belongs to the zonotope."""
        return self.place is not Place.OUTSIDE


def membership(zonotope: Zonotope, point: Sequence[Rational | str]) -> Membership:
    """Find where a point lies.

    Args:
        zonotope: in any position; without generators it is a point, its own relative interior.
        point: d rationals.

    Raises:
        InputError: a float, or another dimension.

    Example:
        >>> hexagon = Zonotope((0, 0), ((1, 0), (0, 1), (1, 1)))
        >>> [membership(hexagon, p).place.value for p in ((0, 0), (2, 1), (2, "-1/9"))]
        ['relative interior', 'relative boundary', 'outside']
    """
    p = vector(point, "point", dimension=zonotope.dimension)
    if not zonotope.generators:
        return _of_a_point(zonotope, p)
    strict = _solve(zonotope, p, strict=True)
    if strict.witness is not None:
        return Membership(zonotope, p, Place.INTERIOR, strict.witness, None)
    u = _functional(zonotope, strict)
    if _excess(zonotope, u, p) > 0:
        return Membership(zonotope, p, Place.OUTSIDE, None, u)
    closed = _solve(zonotope, p, strict=False)
    if closed.witness is not None:
        return Membership(zonotope, p, Place.BOUNDARY, closed.witness, u)
    return Membership(zonotope, p, Place.OUTSIDE, None, _functional(zonotope, closed))


def _of_a_point(zonotope: Zonotope, p: Vector) -> Membership:
    if p == zonotope.centre:
        return Membership(zonotope, p, Place.INTERIOR, (), None)
    u = tuple(a - b for a, b in zip(p, zonotope.centre, strict=True))
    return Membership(zonotope, p, Place.OUTSIDE, None, vector(u, "functional"))


def _solve(zonotope: Zonotope, p: Vector, *, strict: bool) -> Decision:
    count = len(zonotope.generators)
    conditions: list[Condition] = [
        ([g[r] for g in zonotope.generators], "=", p[r] - zonotope.centre[r])
        for r in range(zonotope.dimension)
    ]
    for i in range(count):
        unit = [int(i == k) for k in range(count)]
        for sign in (1, -1):
            conditions.append(([sign * x for x in unit], "<" if strict else "<=", 1))
    return feasible(conditions)


def _functional(zonotope: Zonotope, against: Decision) -> Vector:
    assert against.multipliers is not None
    return tuple(-y for y in against.multipliers[: zonotope.dimension])


def _excess(zonotope: Zonotope, u: Vector, p: Vector) -> Rational:
    return dot(u, p) - zonotope.support(u)
