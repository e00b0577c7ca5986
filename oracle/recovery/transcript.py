"""The transcript of an exact recovery: everything asked and answered, as JSON.

Tokens stand in a table, a query is a list of runs [token, count], so that m copies cost one entry.
The result is the data of a certificate of kind recovery, which the checker replays in Fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...symbolic.errors import InputError
from ...symbolic.rational import from_fmpq, write
from ..exact import exact
from ..model import Head, Token
from ..protocol import Answer, Query, runs
from .recovery import Recovery


def transcript(recovery: Recovery) -> dict[str, Any]:
    """Every query and answer, the model and the counts.

    Raises:
        InputError: the answers are not exact rationals.

    Example:
        >>> from .recover import recover
        >>> from ..exact import ExactOracle
        >>> found = recover(ExactOracle([Head(((2,),), (3,))]), heads=1)
        >>> data = transcript(found)
        >>> data["heads"], data["queries"], len(data["schedule"]), data["most"]
        ([{'W': [[2]], 'v': [3]}], 3, 3, 1)
    """
    if recovery.arithmetic != "exact":
        raise InputError("an exact recovery, whose answers are rationals", recovery.arithmetic)
    table: dict[Token, int] = {}
    return {
        "dimension": recovery.dimension,
        "base": recovery.base,
        "most": recovery.most,
        "detected": recovery.detected,
        "heads": [document(head) for head in recovery.heads],
        "schedule": _rows(recovery.asked, table),
        "fresh": _rows(recovery.fresh, table),
        "tokens": [[write(entry) for entry in token] for token in table],
        "queries": recovery.queries,
        "longest": recovery.longest,
        "fresh_queries": recovery.fresh_queries,
        "fresh_longest": recovery.fresh_longest,
    }


def document(head: Head) -> dict[str, Any]:
    """A head as JSON.

    Example:
        >>> from fractions import Fraction
        >>> document(Head(((Fraction(1, 2),),), (3,)))
        {'W': [['1/2']], 'v': [3]}
    """
    return {
        "W": [[write(entry) for entry in row] for row in head.W],
        "v": [write(entry) for entry in head.v],
    }


def _rows(asked: Sequence[tuple[Query, Answer]], table: dict[Token, int]) -> list[Any]:
    return [
        [
            [[table.setdefault(token, len(table)), count] for token, count in runs(query)],
            write(from_fmpq(exact(answer))),
        ]
        for query, answer in asked
    ]
