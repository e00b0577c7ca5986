"""The verdicts as Markdown: a row for every statement, for every claim, for every training.

docs/verdicts.md carries the long table, which says the sentences themselves, so that it can be read
on its own; README.md carries the short one, which counts verdicts. Neither says anything that
differs from run to run or machine to machine (times, folders): the same verdicts give the same
text, which a test holds against both files. docs/trained.md carries the table of what was trained,
with the numbers that were measured.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ..claim import Claim, Role
from ..evidence import Evidence, Kind, Status
from ..registry import Registry, load
from ..runner.record import ClaimResult
from ..verdict import Verdict
from .badge import BADGES
from .recorded import read
from .table import Row, kinds_that_ran, rows
from .view import by_number

_HEAD = ("claim", "statement", "verdict", "evidence")
_SHORT_HEAD = ("claim", "as stated", "as verified", "evidence")
_TRAINED_HEAD = ("claim", "criterion", "verdict", "measured")
_ROLES = {Role.CONTROL: "*false variant*"}
_FIRST_SEED = "first seed"
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


def short_verdicts(run_folder: Path, *, registry: Registry | None = None) -> str:
    """The verdicts of a run as a Markdown table with one row for each claim.

    Args:
        run_folder: as `headproof verify` left it, finished or not.
        registry: the claims that are known; those of this version by default.

    Raises:
        InputError: the folder is no run.
    """
    claims = (load() if registry is None else registry).claims
    return claim_table(read(run_folder).results.values(), claims)


def trained_verdicts(run_folder: Path, *, registry: Registry | None = None) -> str:
    """What the trainings of a run came to as a Markdown table, with the measured numbers.

    Args:
        run_folder: as `headproof verify` left it, finished or not.
        registry: the claims that are known; those of this version by default.

    Raises:
        InputError: the folder is no run.
    """
    claims = (load() if registry is None else registry).claims
    return trained_table(read(run_folder).results.values(), claims)


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
    lines = [_line(_HEAD), "|" + "---|" * len(_HEAD)]
    ordered = _by_number(results, claims)
    lines += [_line(_cells(row, claims.get(row.claim))) for row in rows(ordered)]
    return "\n".join(lines) + "\n"


def claim_table(results: Iterable[ClaimResult], claims: Mapping[str, Claim]) -> str:
    """A Markdown table with a row for every claim, by the claims' numbers; no false variants.

    Args:
        results: in any order.
        claims: by id; a claim that is not there is shown by its id.

    Example:
        >>> print(claim_table([], {}), end="")
        | claim | as stated | as verified | evidence |
        |---|---|---|---|
    """
    lines = [_line(_SHORT_HEAD), "|" + "---|" * len(_SHORT_HEAD)]
    for result in _by_number(results, claims):
        claim = claims.get(result.claim)
        name = f"{claim.number} {claim.title}" if claim else result.claim
        told = (_told(result, Role.AS_STATED), _told(result, Role.AS_VERIFIED))
        lines.append(_line((_escaped(name), *told, ", ".join(kinds_that_ran(result.evidence)))))
    return "\n".join(lines) + "\n"


def trained_table(results: Iterable[ClaimResult], claims: Mapping[str, Claim]) -> str:
    """A Markdown table with a row for every statement on which trained evidence ran.

    Args:
        results: in any order.
        claims: by id; a claim that is not there is shown by its id, its statements by their names.

    Example:
        >>> print(trained_table([], {}), end="")
        | claim | criterion | verdict | measured |
        |---|---|---|---|
    """
    lines = [_line(_TRAINED_HEAD), "|" + "---|" * len(_TRAINED_HEAD)]
    for result in _by_number(results, claims):
        measured = {
            piece.statement: _numbers(piece)
            for piece in result.evidence
            if piece.kind is Kind.TRAINED and piece.status is Status.RAN
        }
        told = [row for row in rows([result]) if row.statement.name in measured]
        for place, row in enumerate(told):
            name, said, verdict, _ = _cells(replace(row, first=not place), claims.get(row.claim))
            lines.append(_line((name, said, verdict, measured[row.statement.name])))
    return "\n".join(lines) + "\n"


def _numbers(piece: Evidence) -> str:
    return "; ".join(
        _escaped(f"{name}: {value}") for name, value in piece.numbers.items() if name != _FIRST_SEED
    )


def _by_number(
    results: Iterable[ClaimResult], claims: Mapping[str, Claim]
) -> tuple[ClaimResult, ...]:
    """Known claims by their numbers, then the others as they came."""
    given = tuple(results)
    known = (result for result in given if result.claim in claims)
    others = (result for result in given if result.claim not in claims)
    return (*sorted(known, key=lambda result: by_number(claims[result.claim])), *others)


def _told(result: ClaimResult, role: Role) -> str:
    """The verdicts of a claim's statements of one role, counted."""
    met = [statement for statement in result.statements if statement.role is role]
    counts = Counter(statement.verdict for statement in met)
    parts = [
        f"{badge.sign} {badge.verdict.value}" + (f" ({counts[verdict]})" if len(met) > 1 else "")
        for verdict, badge in reversed(BADGES.items())
        if counts[verdict]
    ]
    if any(statement.difference for statement in met):
        parts.append("**not as expected**")
    return ", ".join(parts)


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
