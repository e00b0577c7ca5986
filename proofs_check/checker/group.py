"""Kind group: statements about a finite group that acts on attention (CERTIFICATES.md, group)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import group_heads, group_hidden, group_price
from .budget import Budget
from .errors import Unreadable, show
from .fields import Json

STATEMENTS: Mapping[str, Callable[[dict[str, Json], Budget], None]] = {
    "hidden": group_hidden.check,
    "not-equivariant": group_heads.check_not_equivariant,
    "permuted": group_heads.check_permuted,
    "price": group_price.check,
    "strata": group_heads.check_strata,
}


def check(data: Json, budget: Budget) -> None:
    """Check the data of a group certificate.

    Raises:
        Rejected: the statement is not shown.
        Unreadable: it is malformed or too large.
    """
    if type(data) is not dict:
        raise Unreadable(f"data: expected an object, found {show(data)}")
    statement = data.get("statement")
    if type(statement) is not str or statement not in STATEMENTS:
        raise Unreadable(
            f"statement: expected one of {', '.join(STATEMENTS)}, found {show(statement)}"
        )
    STATEMENTS[statement](data, budget)
