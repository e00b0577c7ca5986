"""Builder of kind farkas: a system of linear conditions has no solution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ...symbolic.certificate import envelope
from ...symbolic.rational import Rational, write
from ..evidence import Json
from .arrays import write_array

Row: TypeAlias = tuple[Sequence[Rational], Literal["<=", "<", "="], Rational]
"""A condition coefficients . x <= bound (or <, =)."""


def certificate(
    claim: str, rows: Sequence[Row], multipliers: Sequence[Rational]
) -> dict[str, Json]:
    """Write a farkas certificate.

    Args:
        claim: the claim's id.
        rows: the system.
        multipliers: y with sum y_i a_i = 0 and sum y_i b_i < 0, or = 0 with weight on a strict row.

    Example:
        >>> c = certificate("", [([1], "<", 0), ([-1], "<=", 0)], [1, 1])
        >>> c["data"]["rows"][0]
        {'coefficients': [1], 'relation': '<', 'bound': 0}
    """
    data = {
        "rows": [
            {"coefficients": write_array(a), "relation": relation, "bound": write(b)}
            for a, relation, b in rows
        ],
        "multipliers": write_array(multipliers),
    }
    return envelope("farkas", claim, data)
