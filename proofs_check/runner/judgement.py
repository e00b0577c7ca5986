"""Judgement: the verdicts on a claim's statements, held against the expected ones."""

from __future__ import annotations

from collections.abc import Sequence

from ..claim import Claim, Profile
from ..evidence import Evidence, Kind, Status
from ..verdict import decide
from .record import StatementResult


def judge(
    claim: Claim,
    evidence: Sequence[Evidence],
    *,
    profile: Profile,
    missing: frozenset[str],
    require: frozenset[Kind] = frozenset(),
) -> tuple[StatementResult, ...]:
    """The verdict on each statement of a claim.

    A statement none of whose evidence ran differs from nothing: what a profile or a machine leaves
    out is told, not blamed, unless it was required.

    Args:
        claim: with the expected verdicts.
        evidence: one piece for each of its producers.
        profile: of the run.
        missing: components that the machine lacks.
        require: kinds of evidence whose absence is a difference.
    """
    results = []
    for statement in claim.statements:
        pieces = [piece for piece in evidence if piece.statement == statement.name]
        decision = decide(pieces)
        expected = statement.expected.at(profile, missing)
        absent = [piece for piece in pieces if piece.status is Status.NOT_RUN]
        wanting = [piece for piece in absent if piece.kind in require]
        reason = decision.reason
        if wanting:
            listed = ", ".join(f"{p.producer} ({p.kind.value}): {p.reason}" for p in wanting)
            reason = f"{reason}; required but not run: {listed}"
        differs = decision.verdict is not expected and len(absent) < len(pieces)
        results.append(
            StatementResult(
                name=statement.name,
                role=statement.role,
                verdict=decision.verdict,
                expected=expected,
                reason=reason,
                difference=differs or bool(wanting),
            )
        )
    return tuple(results)


def undeclared(claims: Sequence[Claim], require: frozenset[Kind]) -> tuple[Kind, ...]:
    """The required kinds of which no selected claim declares any evidence."""
    declared = {producer.kind for claim in claims for producer in claim.producers}
    return tuple(kind for kind in Kind if kind in require and kind not in declared)
