"""Certificates that no attention-only decoder of the family is closer (claim D2).

Kind exhaustive: for each cost one instance, a staircase through the family. Both costs are written
out as polynomials in the number of groups w and the depth L, whose coefficients are not negative.
With B[i] the last depth below the target at the i-th number of groups (one that costs exactly the
target is not below it), B[i] layers cost at most target - mismatch, B[i] + 1 at least
target + mismatch, hence so do fewer and more. If the width is free the numbers of groups are
1, 2, ..., and at the last of them B is 0: then all wider decoders cost at least target + mismatch
as well. If only the width is free, B is the last number of groups whose cost is at most
target - mismatch, at the one depth. The members M found attain the mismatch.
"""

from __future__ import annotations

from sympy import Symbol

from ...symbolic.attention_only.accounting import operations, parameters
from ...symbolic.attention_only.decoder import Decoder
from ...symbolic.attention_only.matching import COSTS, Cost, Match, Matching, family_member
from ..evidence import Json
from .arrays import Array
from .exhaustive import Listed
from .exhaustive import certificate as exhaustive
from .formula import Condition, Expression, at, equal, every, forall, implies, length, var
from .polynomial import polynomial

_WIDTH, _DEPTH = Symbol("w", integer=True, positive=True), Symbol("L", integer=True, positive=True)
_i, _j = var("i"), var("j")


def certificate(claim: str, found: Matching) -> dict[str, Json]:
    """Write the certificate of both matches.

    Args:
        claim: the claim's id, or empty.
        found: as `match` found it.

    Example:
        >>> from headproof.symbolic.attention_only.matching import match
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> written = certificate("", match(made))
        >>> [each["B"] for each in written["data"]["family"]["instances"]]
        [[5], [5]]
    """
    instances = [
        {"cost": which, "B": _stairs(found, match), "M": [list(m) for m in match.members]}
        for which, match in enumerate(found.matches)
    ]
    conditions = [
        implies(equal(var("cost"), which), _closest(found, which)) for which in range(len(COSTS))
    ]
    return exhaustive(claim, Listed(instances), every(*conditions))


def _stairs(found: Matching, match: Match) -> list[Array]:
    """The last depth (if only the width is free, width) below the target, 0 for none."""
    if found.vary == "width":
        return [max((w for w, _ in match.below), default=0)]
    deepest: dict[int, int] = {}
    for w, L in match.below:
        exact = match.mismatch == 0 and (w, L) in match.members
        deepest[w] = max(L - exact, deepest.get(w, 0))
    widths = {w for w, _ in (*match.below, *match.above)}
    return [deepest.get(w, 0) for w in sorted(widths)]


def _closest(found: Matching, which: int) -> Condition:
    match = found.matches[which]
    by, target, mismatch = COSTS[which], match.target, match.mismatch
    step = at("B", _i)
    if found.vary == "width":
        depth = found.standard.decoder.layers
        below, above = cost(found, by, step, depth), cost(found, by, step + 1, depth)
    else:
        width = found.standard.decoder.groups if found.vary == "depth" else _i + 1
        below, above = cost(found, by, width, step), cost(found, by, width, step + 1)
    stairs = forall(
        "i",
        length("B"),
        implies(step >= 1, below <= target - mismatch) & (above >= target + mismatch),
    )
    attained = cost(found, by, at("M", _j, 0), at("M", _j, 1))
    members = forall("j", length("M"), equal(abs(attained - target), mismatch))
    if found.vary == "both":
        return every(equal(at("B", length("B") - 1), 0), stairs, members)
    return stairs & members


def cost(found: Matching, by: Cost, width: Expression | int, depth: Expression | int) -> Expression:
    """A cost at a number of groups and a depth."""
    made: Decoder = family_member(found.standard.decoder, found.vary, _WIDTH, _DEPTH)
    if by == "parameters":
        counted = parameters(made)
    else:
        counted = operations(made, tokens=found.tokens, scores=found.scores).training
    given = {_WIDTH: width, _DEPTH: depth}
    fixed = {symbol: value for symbol, value in given.items() if isinstance(value, int)}
    names = {symbol: value for symbol, value in given.items() if not isinstance(value, int)}
    return polynomial(counted.subs(fixed), names)
