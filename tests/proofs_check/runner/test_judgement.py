import fake_claims  # type: ignore[import-not-found]
import pytest

from headproof.proofs_check.claim import Profile
from headproof.proofs_check.evidence import Evidence, Finding, Kind, Status
from headproof.proofs_check.runner.judgement import judge, undeclared
from headproof.proofs_check.runner.record import StatementResult
from headproof.proofs_check.verdict import Verdict

PROOF = Evidence("only", "main", Kind.SYMBOLIC, Status.RAN, Finding.HOLDS, general=True)
ABSENT = Evidence("only", "main", Kind.FORMAL, Status.NOT_RUN, reason="coqc is missing")


def result(evidence: list[Evidence], expected: Verdict, *require: Kind) -> StatementResult:
    claim = fake_claims.claim("a", expected=expected)
    (found,) = judge(
        claim,
        evidence,
        profile=Profile.QUICK,
        missing=frozenset(),
        require=frozenset(require),
    )
    return found


@pytest.mark.parametrize("expected", list(Verdict))
def test_a_difference_is_any_other_verdict_than_the_expected_one(expected: Verdict) -> None:
    assert result([PROOF], expected).difference is (expected is not Verdict.PROVED)


def test_a_stronger_verdict_than_expected_is_a_difference_too() -> None:
    assert result([PROOF], Verdict.SUPPORTED).difference


def test_what_did_not_run_is_no_difference_unless_required() -> None:
    assert not result([ABSENT], Verdict.PROVED).difference
    assert not result([PROOF, ABSENT], Verdict.PROVED).difference
    required = result([PROOF, ABSENT], Verdict.PROVED, Kind.FORMAL)
    assert required.difference
    assert "required but not run: only (formal): coqc is missing" in required.reason
    assert not result([PROOF, ABSENT], Verdict.PROVED, Kind.EXACT).difference


def test_a_required_kind_that_nobody_declares_is_found() -> None:
    claims = [fake_claims.claim("a"), fake_claims.claim("b", kind=Kind.SEARCH)]
    require = frozenset({Kind.SYMBOLIC, Kind.SEARCH, Kind.FORMAL, Kind.BALL})
    assert undeclared(claims, require) == (Kind.FORMAL, Kind.BALL)
