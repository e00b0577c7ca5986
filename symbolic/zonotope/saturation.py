"""Saturated coefficients: which sign vectors select a vertex of a zonotope.

p = c + sum s_i g_i with signs s_i is a vertex iff some u has s_i <u, g_i> > 0 at every generator
that is not zero: then u is maximal over the zonotope at p alone. If there is none, Gordan's
alternative gives y >= 0, not 0, with sum y_i s_i g_i = 0. Then p = c + sum (1 - eps y_i) s_i g_i as
well, and where y_i > 0 this coefficient may move both ways: p lies inside a segment along g_i and
is no vertex. Exact; one linear program in d unknowns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..cones.feasibility import strict_cone
from ..errors import InputError
from ..rational import Vector
from .zonotope import Zonotope


@dataclass(frozen=True)
class Selection:
    """What a sign vector selects.

    Args:
        zonotope: c and g_i.
        signs: s_i, 1 or -1.
        point: c + sum s_i g_i.
        vertex: whether it is a vertex.
        functional: u with s_i <u, g_i> > 0 for all g_i != 0, for a vertex.
        multipliers: y >= 0, 0 at g_i = 0, not all 0, with sum y_i s_i g_i = 0, for any other point.
    """

    zonotope: Zonotope
    signs: tuple[int, ...]
    point: Vector
    vertex: bool
    functional: Vector | None
    multipliers: tuple[int, ...] | None


def selection(zonotope: Zonotope, signs: Sequence[int]) -> Selection:
    """Decide whether saturated coefficients select a vertex.

    Args:
        zonotope: in any position.
        signs: 1 or -1 for each generator.

    Raises:
        InputError: other signs.

    Example:
        >>> hexagon = Zonotope((0, 0), ((1, 0), (0, 1), (1, 1)))
        >>> selection(hexagon, (1, 1, 1)).vertex
        True
        >>> centre = selection(hexagon, (1, 1, -1))
        >>> centre.point, centre.multipliers
        ((0, 0), (1, 1, 1))
    """
    given = tuple(signs)
    if len(given) != len(zonotope.generators) or any(s not in (1, -1) for s in given):
        expected = f"{len(zonotope.generators)} signs, 1 or -1"
        raise InputError(expected, repr(given)[:60], where="signs")
    point = zonotope.point(given)
    used = [i for i, g in enumerate(zonotope.generators) if any(g)]
    rows = [[given[i] * x for x in zonotope.generators[i]] for i in used]
    found = strict_cone(rows, dimension=zonotope.dimension)
    if found.witness is not None:
        return Selection(zonotope, given, point, True, found.witness, None)
    assert found.multipliers is not None
    weights = dict(zip(used, found.multipliers, strict=True))
    multipliers = tuple(weights.get(i, 0) for i in range(len(given)))
    return Selection(zonotope, given, point, False, None, multipliers)
