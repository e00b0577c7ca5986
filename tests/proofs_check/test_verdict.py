"""The whole table: what evidence gives which verdict, and what never does."""

from dataclasses import replace

import pytest

from headproof.proofs_check.evidence import Evidence, Finding, Kind, Status
from headproof.proofs_check.verdict import Verdict, decide


def piece(kind: Kind, finding: Finding | None = Finding.HOLDS, **fields: object) -> Evidence:
    made = Evidence(kind.value, "main", kind, Status.RAN, finding)
    return replace(made, **fields)  # type: ignore[arg-type]


CERTIFICATE = ("certificates/t.x/p.c.json",)
PROOF = piece(Kind.SYMBOLIC, general=True)
FORMAL = piece(Kind.FORMAL, general=True)
EXACT = piece(Kind.EXACT, certificates=CERTIFICATE)
BALL = piece(Kind.BALL, certificates=CERTIFICATE)
SEARCH = piece(Kind.SEARCH)
TRAINED = piece(Kind.TRAINED)
ARGUED = piece(Kind.SYMBOLIC, general=True, argued=1)
AGAINST = piece(Kind.SEARCH, Finding.VIOLATED, certificates=CERTIFICATE)
UNMET = piece(Kind.TRAINED, Finding.UNMET)
ABSENT = piece(Kind.FORMAL, None, status=Status.NOT_RUN, reason="coqc is missing")
RAISED = piece(Kind.EXACT, None, status=Status.RAISED, reason="ZeroDivisionError")
REJECTED = replace(EXACT, rejected={CERTIFICATE[0]: "invalid"})


@pytest.mark.parametrize(
    ("pieces", "verdict"),
    [
        ([PROOF], Verdict.PROVED),
        ([FORMAL], Verdict.PROVED),
        ([PROOF, EXACT, BALL, SEARCH], Verdict.PROVED),
        ([ARGUED, FORMAL], Verdict.PROVED),
        ([EXACT], Verdict.CERTIFIED),
        ([BALL, SEARCH], Verdict.CERTIFIED),
        ([piece(Kind.SYMBOLIC)], Verdict.CERTIFIED),
        ([piece(Kind.FORMAL)], Verdict.CERTIFIED),
        ([ARGUED, EXACT], Verdict.CERTIFIED),
        ([SEARCH], Verdict.SUPPORTED),
        ([TRAINED], Verdict.SUPPORTED),
        ([ARGUED, SEARCH], Verdict.SUPPORTED),
        ([AGAINST], Verdict.REFUTED),
        ([AGAINST, EXACT, SEARCH], Verdict.REFUTED),
        ([UNMET], Verdict.NOT_REPLICATED),
        ([ABSENT], Verdict.NOT_RUN),
        ([ARGUED], Verdict.NOT_RUN),
        ([], Verdict.NOT_RUN),
        ([ABSENT, SEARCH], Verdict.SUPPORTED),
    ],
)
def test_verdict_of_evidence_that_came_out(pieces: list[Evidence], verdict: Verdict) -> None:
    assert decide(pieces).verdict is verdict
    assert decide(pieces[::-1]).verdict is verdict


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (RAISED, "raised ZeroDivisionError"),
        (REJECTED, "certificate rejected"),
        (replace(AGAINST, certificates=()), "left no certificate"),
        (replace(EXACT, certificates=()), "without a certificate"),
        (replace(BALL, certificates=()), "without a certificate"),
        (replace(EXACT, general=True), "cannot be general"),
        (replace(SEARCH, finding=Finding.UNMET), "only trained evidence"),
        (replace(SEARCH, finding=None), "no finding"),
    ],
)
def test_a_piece_that_did_not_come_out_outweighs_any_proof(broken: Evidence, why: str) -> None:
    for others in ([], [PROOF], [FORMAL, EXACT, SEARCH]):
        decision = decide([*others, broken])
        assert decision.verdict is Verdict.FAILED
        assert why in decision.reason


def test_a_proof_beside_a_counterexample_is_a_failure() -> None:
    decision = decide([PROOF, AGAINST])
    assert decision.verdict is Verdict.FAILED
    assert "proves the statement" in decision.reason


def test_the_reason_says_what_is_missing() -> None:
    assert decide([ABSENT]).reason == "coqc is missing"
    assert "argued in words" in decide([ARGUED]).reason
