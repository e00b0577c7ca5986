"""Kind farkas: a rational linear system has no solution (CERTIFICATES.md, farkas).

The combination is computed over the integers: rows and bounds share one denominator, the
multipliers another.
"""

from __future__ import annotations

from operator import mul

from .budget import BITS, Budget, Rational, bits
from .errors import Rejected, Unreadable, show
from .fields import Json, items, members, vector
from .rationals import parse, scaled

RELATIONS = ("<=", "<", "=")


def check(data: Json, budget: Budget) -> None:
    """Check the data of a farkas certificate.

    Raises:
        Rejected: the multipliers do not show that the system is infeasible.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("rows", "multipliers"))
    rows = items(parts["rows"], "rows", least=1)
    relations: list[str] = []
    flat: list[Rational] = []
    width = -1
    for i, row in enumerate(rows):
        fields = members(row, f"rows[{i}]", ("coefficients", "relation", "bound"))
        if width < 0:
            width = len(items(fields["coefficients"], f"rows[{i}].coefficients", least=1))
        flat += vector(fields["coefficients"], f"rows[{i}].coefficients", width)
        flat.append(parse(fields["bound"], f"rows[{i}].bound"))
        relation = fields["relation"]
        if type(relation) is not str or relation not in RELATIONS:
            raise Unreadable(
                f"rows[{i}].relation: expected one of <=, <, =, found {show(relation)}"
            )
        relations.append(relation)
    multipliers = vector(parts["multipliers"], "multipliers", len(rows))
    for i, (relation, multiplier) in enumerate(zip(relations, multipliers, strict=True)):
        if relation != "=" and multiplier < 0:
            raise Rejected(f"multipliers[{i}] is negative and row {i} is an inequality")

    entries, _ = scaled(flat, "rows", budget)
    weights, _ = scaled(multipliers, "multipliers", budget)
    longest, heaviest = max(map(bits, entries)), max(map(bits, weights))
    if longest + heaviest > BITS:
        raise Unreadable("too large: rows and multipliers together are too long")
    budget.spend(len(entries) * (1 + longest // 128) * (1 + heaviest // 128))
    for c in range(width):
        total = sum(map(mul, weights, entries[c :: width + 1]))
        if total != 0:
            raise Rejected(f"the combination of the rows does not vanish in coefficient {c}")
    bound = sum(map(mul, weights, entries[width :: width + 1]))
    strict = any(r == "<" and w > 0 for r, w in zip(relations, weights, strict=True))
    if bound > 0 or (bound == 0 and not strict):
        excuse = "" if bound > 0 else ", and no strict row has a positive multiplier"
        raise Rejected(f"the combination of the bounds is not negative{excuse}")
