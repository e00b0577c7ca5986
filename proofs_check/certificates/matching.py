"""Certificates that no attention-only decoder of the family is closer (claim D2).

Kind exhaustive: a list of members of the family with the side on which they lie, and one formula,
both costs being written out as polynomials in the number of groups w and the depth L. Coefficients
are not negative, so a member that is at most one of the lower side in both coordinates costs at
most target - mismatch, one that is at least one of the upper side at least target + mismatch; those
in the middle attain the mismatch. That the listed members leave nothing between them is seen by
sorting them by w; `symbolic.attention_only.matching` says how they came about.
"""

from __future__ import annotations

from sympy import Symbol

from ...symbolic.attention_only.accounting import operations, parameters
from ...symbolic.attention_only.decoder import Decoder
from ...symbolic.attention_only.matching import COSTS, Cost, Matching, family_member
from ..evidence import Json
from .arrays import Array
from .exhaustive import Listed
from .exhaustive import certificate as exhaustive
from .formula import Condition, Expression, equal, implies, var
from .polynomial import polynomial

_WIDTH, _DEPTH = Symbol("w", integer=True, positive=True), Symbol("L", integer=True, positive=True)


def certificate(claim: str, found: Matching) -> dict[str, Json]:
    """Write the certificate of both matches.

    Args:
        claim: the claim's id, or empty.
        found: as `match` found it.

    Example:
        >>> from headproof.symbolic.attention_only.matching import match
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> certificate("", match(made))["data"]["count"]
        6
    """
    instances: list[dict[str, Array]] = []
    for which, match in enumerate(found.matches):
        sides = ((-1, match.below), (0, match.members), (1, match.above))
        instances += [
            {"cost": which, "side": side, "w": w, "L": L} for side, ms in sides for w, L in ms
        ]
    conditions = [
        implies(equal(var("cost"), which), _sides(found, which)) for which in range(len(COSTS))
    ]
    return exhaustive(claim, Listed(instances), conditions[0] & conditions[1])


def _sides(found: Matching, which: int) -> Condition:
    match = found.matches[which]
    value, side = cost(found, COSTS[which]), var("side")
    return (
        implies(equal(side, -1), value <= match.target - match.mismatch)
        & implies(equal(side, 0), equal(abs(value - match.target), match.mismatch))
        & implies(equal(side, 1), value >= match.target + match.mismatch)
    )


def cost(found: Matching, by: Cost) -> Expression:
    """A cost in terms of w and L."""
    made: Decoder = family_member(found.standard.decoder, found.vary, _WIDTH, _DEPTH)
    names = {_WIDTH: "w", _DEPTH: "L"}
    if by == "parameters":
        return polynomial(parameters(made), names)
    counted = operations(made, tokens=found.tokens, scores=found.scores)
    return polynomial(counted.training, names)
