"""Kind farkas: a system of linear conditions is infeasible, over every ordered field."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from ...checker.fields import Json
from ...checker.rationals import parse
from .terms import Parts, definition, digits, integer, listed, rational, whole

_RELATIONS = {"<=": "AtMost", "<": "Below", "=": "Equal"}


def parts(data: Json) -> Parts:
    """What a farkas certificate that the checker accepted contributes.

    The program multiplies each row by its own common denominator, so the multipliers are divided
    by it.

    Args:
        data: of the certificate.
    """
    rows = [
        (
            [parse(x, "coefficients") for x in row["coefficients"]],
            _RELATIONS[row["relation"]],
            parse(row["bound"], "bound"),
        )
        for row in data["rows"]
    ]
    given = [parse(x, "multipliers") for x in data["multipliers"]]
    scales = [lcm(*(x.denominator for x in [*a, b])) for a, _, b in rows]
    multipliers = whole([Fraction(y, scale) for y, scale in zip(given, scales, strict=True)])
    width = len(rows[0][0])
    entries = [
        f"Condition {listed(map(rational, a))} {relation} ({rational(b)})"
        for a, relation, b in rows
    ]
    size = digits([x for a, _, b in rows for x in [*a, b]]) * digits(multipliers)
    return Parts(
        data=(definition("given_system", "list condition", entries, "Q"),),
        statement="infeasible given_system",
        witness=(definition("multipliers", "list Z", [*map(integer, multipliers)], "Z"),),
        proof="farkas_sound_holds given_system multipliers",
        steps=len(rows) * (width + 1) * size,
        says=f"the given linear conditions (conditions: {len(rows)}, unknowns: {width}) have no "
        "common solution, in any ordered field.",
    )
