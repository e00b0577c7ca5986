"""The table of verdicts as Markdown: what README.md carries.

It says the sentences themselves, so that it can be read on its own, and nothing that differs from
run to run or machine to machine (times, folders): the same verdicts give the same text, which a
test holds against README.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from ..claim import Claim, Role
from ..registry import Registry, load
from ..runner.record import ClaimResult
from ..verdict import Verdict
from .badge import BADGES
from .recorded import read
from .table import Row, rows
from .view import by_number

_HEAD = ("claim", "statement", "verdict", "evidence")
_ROLES = {Role.CONTROL: "*false variant*"}
_SPECIAL = re.compile(r"[\\|*<`\[]")


def verdicts(run_folder: Path, *, registry: Registry | None = None) -> str:
    """The verdicts of a run as a Markdown table.

    Args:
        run_folder: as `headproof verify` left it, finished or not.
        registry: the claims that are known; those of this version by default.

    Raises:
        InputError: the folder is no run.
    """
    claims = (load() if registry is None else registry).claims
    return verdict_table(read(run_folder).results.values(), claims)


def verdict_table(results: Iterable[ClaimResult], claims: Mapping[str, Claim]) -> str:
    """A Markdown table with a row for every statement, by the claims' numbers.

    Args:
        results: in any order.
        claims: by id; a claim that is not there is shown by its id, its statements by their names.

    Example:
        >>> print(verdict_table([], {}), end="")
        | claim | statement | verdict | evidence |
        |---|---|---|---|
    """
    known = sorted(
        (r for r in results if r.claim in claims), key=lambda r: by_number(claims[r.claim])
    )
    others = [result for result in results if result.claim not in claims]
    lines = [_line(_HEAD), "|" + "---|" * len(_HEAD)]
    lines += [_line(_cells(row, claims.get(row.claim))) for row in rows([*known, *others])]
    return "\n".join(lines) + "\n"


def _cells(row: Row, claim: Claim | None) -> tuple[str, ...]:
    statement, badge = row.statement, BADGES[row.statement.verdict]
    role = _ROLES.get(statement.role, f"*{statement.role.value}*")
    name = f"{claim.number} {claim.title}" if claim else row.claim
    texts = {known.name: known.text for known in claim.statements} if claim else {}
    verdict = f"{badge.sign} {badge.verdict.value}"
    if statement.difference:
        verdict = f"**{verdict}** (expected {statement.expected.value})"
    evidence = ", ".join(row.kinds)
    if not evidence or statement.verdict is Verdict.NOT_RUN:
        evidence = _escaped(statement.reason)
    said = _escaped(texts.get(statement.name, statement.name))
    return (_escaped(name) if row.first else "", f"{role}: {said}", verdict, evidence)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))
