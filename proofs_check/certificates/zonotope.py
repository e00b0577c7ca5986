"""Certificates about points of zonotopes (claims T2b, T2c), as formulas at one instance.

With c the centre, G the generators as rows, p the point: coefficients inside the cube show the
relative interior, a supporting functional the boundary, a separating one the outside; a functional
positive at every signed generator shows that signs select a vertex, a positive combination of
signed generators that vanishes shows that they do not. Why that proves it stands in
`symbolic.zonotope.membership` and `symbolic.zonotope.saturation`.

Each formula begins with the shapes: it runs over the coordinates of c and over the generators, and
coordinates of G or p beyond those of c would not be looked at.
"""

from __future__ import annotations

from ...symbolic.errors import InputError
from ...symbolic.zonotope.membership import Membership, Place
from ...symbolic.zonotope.saturation import Selection
from ...symbolic.zonotope.zonotope import Zonotope
from ..evidence import Json
from .arrays import Array
from .exhaustive import Listed
from .exhaustive import certificate as exhaustive
from .formula import (
    Condition,
    Expression,
    at,
    different,
    equal,
    every,
    exists,
    forall,
    implies,
    length,
    some,
    sum_over,
    var,
)

_i, _r = var("i"), var("r")


def place(claim: str, found: Membership) -> dict[str, Json]:
    """Write the certificate of the place of a point.

    Args:
        claim: the claim's id, or empty.
        found: as `membership` found it.

    Raises:
        InputError: a zonotope without generators, of which there is nothing to show.

    Example:
        >>> from headproof.symbolic.zonotope.membership import membership
        >>> segment = Zonotope((0,), ((2,),))
        >>> place("", membership(segment, (1,)))["data"]["family"]["instances"][0]["beta"]
        ['1/2']
    """
    instance = _instance(found.zonotope)
    instance["p"] = list(found.point)
    conditions = [_shapes(), equal(length("p"), length("c"))]
    if found.coefficients is not None:
        instance["beta"] = list(found.coefficients)
        conditions.append(equal(length("beta"), length("G")))
        size = abs(at("beta", _i))
        within = size < 1 if found.place is Place.INTERIOR else size <= 1
        conditions += [forall("i", length("G"), within), _made_of("beta")]
    if found.functional is not None:
        instance["u"] = list(found.functional)
        conditions.append(equal(length("u"), length("c")))
        width = sum_over("i", length("G"), abs(_along(at("G", _i, _r))))
        reach = _along(at("p", _r) - at("c", _r))
        if found.place is Place.OUTSIDE:
            conditions.append(reach > width)
        else:
            conditions += [equal(reach, width), width > 0]
    return exhaustive(claim, Listed([instance]), every(*conditions))


def selected(claim: str, found: Selection) -> dict[str, Json]:
    """Write the certificate of what a sign vector selects.

    Raises:
        InputError: a zonotope without generators.

    Example:
        >>> from headproof.symbolic.zonotope.saturation import selection
        >>> hexagon = Zonotope((0, 0), ((1, 0), (0, 1), (1, 1)))
        >>> selected("", selection(hexagon, (1, 1, -1)))["data"]["family"]["instances"][0]["y"]
        [1, 1, 1]
    """
    instance = _instance(found.zonotope)
    instance["s"] = list(found.signs)
    every_generator = length("G")
    whole = forall("i", every_generator, equal(at("s", _i) ** 2, 1))
    signs = every(_shapes(), equal(length("s"), every_generator), whole)
    zero = forall("r", length("c"), equal(at("G", _i, _r), 0))
    if found.functional is not None:
        instance["u"] = list(found.functional)
        wins = at("s", _i) * _along(at("G", _i, _r)) > 0
        selects = forall("i", every_generator, some(zero, wins))
        covector = equal(length("u"), length("c"))
        return exhaustive(claim, Listed([instance]), every(signs, covector, selects))
    instance["y"] = list(found.multipliers or ())
    weight = at("y", _i)
    vanishing = forall(
        "r",
        length("c"),
        equal(sum_over("i", every_generator, weight * at("s", _i) * at("G", _i, _r)), 0),
    )
    nonzero = exists("r", length("c"), different(at("G", _i, _r), 0))
    signed = forall("i", every_generator, (weight >= 0) & implies(weight > 0, nonzero))
    moves = exists("i", every_generator, weight > 0)
    weights = equal(length("y"), every_generator)
    return exhaustive(claim, Listed([instance]), every(signs, weights, signed, moves, vanishing))


def _instance(zonotope: Zonotope) -> dict[str, Array]:
    if not zonotope.generators:
        raise InputError("at least one generator", "none", where="zonotope")
    return {"c": list(zonotope.centre), "G": [list(g) for g in zonotope.generators]}


def _shapes() -> Condition:
    """Generators have as many coordinates as c."""
    return forall("i", length("G"), equal(length("G", _i), length("c")))


def _along(entry: Expression) -> Expression:
    """<u, v> for v with this entry r."""
    return sum_over("r", length("c"), at("u", _r) * entry)


def _made_of(coefficients: str) -> Condition:
    total = sum_over("i", length("G"), at(coefficients, _i) * at("G", _i, _r))
    return forall("r", length("c"), equal(at("p", _r), at("c", _r) + total))
