"""Records: the result of a claim as results.jsonl holds it, one JSON line each.

Evidence is the record; verdicts are computed from it again whenever it is read back, so that a file
edited by hand, or a verdict rule that changed, cannot smuggle in a verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from ..claim import Role
from ..evidence import Evidence, Finding, Json, Kind, Status
from ..verdict import Verdict

FORMAT = "headproof-result/1"


@dataclass(frozen=True)
class StatementResult:
    """The verdict on one statement, beside the one expected.

    Args:
        name: of the statement.
        role: as stated, as verified, or control.
        verdict: computed from the evidence.
        expected: under this profile, with these components.
        reason: which evidence gave the verdict, and what was required and did not run.
        difference: whether the run counts it as an error.
    """

    name: str
    role: Role
    verdict: Verdict
    expected: Verdict
    reason: str
    difference: bool


@dataclass(frozen=True)
class ClaimResult:
    """Everything that a run found out about one claim.

    Args:
        claim: its id.
        key: what the result depends on, as one digest; empty if it must not be used again.
        seconds: wall time of all its producers.
        statements: in the order of the claim.
        evidence: in the order of the claim.
    """

    claim: str
    key: str
    seconds: float
    statements: tuple[StatementResult, ...]
    evidence: tuple[Evidence, ...]

    @property
    def differences(self) -> tuple[StatementResult, ...]:
        """The statements whose verdict is not the expected one."""
        return tuple(statement for statement in self.statements if statement.difference)

    def to_json(self) -> dict[str, Json]:
        """The line of results.jsonl as a value for ``json.dumps``."""
        return {
            "format": FORMAT,
            "claim": self.claim,
            "key": self.key,
            "seconds": self.seconds,
            "statements": [asdict(statement) for statement in self.statements],
            "evidence": [evidence_to_json(piece) for piece in self.evidence],
        }

    @classmethod
    def from_json(cls, line: Json) -> ClaimResult:
        """Read a line back.

        Raises:
            ValueError, KeyError, TypeError: it is no such line.
        """
        if not isinstance(line, dict) or line.get("format") != FORMAT:
            raise ValueError(f"not a {FORMAT} line")
        return cls(
            claim=str(line["claim"]),
            key=str(line["key"]),
            seconds=float(line["seconds"]),
            statements=tuple(_statement(value) for value in line["statements"]),
            evidence=tuple(evidence_from_json(value) for value in line["evidence"]),
        )


def evidence_to_json(piece: Evidence) -> dict[str, Json]:
    """A piece of evidence as a value for ``json.dumps``."""
    return asdict(piece)


def evidence_from_json(value: Mapping[str, Json]) -> Evidence:
    """Read a piece of evidence back.

    Raises:
        ValueError, KeyError, TypeError: it is none.
    """
    fields = dict(value)
    finding = fields.pop("finding")
    return Evidence(
        kind=Kind(fields.pop("kind")),
        status=Status(fields.pop("status")),
        finding=None if finding is None else Finding(finding),
        certificates=tuple(fields.pop("certificates")),
        **fields,
    )


def _statement(value: Mapping[str, Json]) -> StatementResult:
    fields = dict(value)
    return StatementResult(
        role=Role(fields.pop("role")),
        verdict=Verdict(fields.pop("verdict")),
        expected=Verdict(fields.pop("expected")),
        **fields,
    )
