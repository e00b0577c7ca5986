"""One claim at a time, in this process: everything that a producer can do wrong."""

import random
from dataclasses import replace
from pathlib import Path

import fake_claims  # type: ignore[import-not-found]
import pytest

from headproof.proofs_check.claim import Claim, Profile
from headproof.proofs_check.evidence import Evidence, Kind, Status
from headproof.proofs_check.runner.folder import RunFolder
from headproof.proofs_check.runner.record import ClaimResult
from headproof.proofs_check.runner.worker import Task, lost, run_claim
from headproof.proofs_check.verdict import Verdict, decide


def task(claim: Claim, folder: Path, **fields: object) -> Task:
    given = {"missing": {}, "key": "k", "source": "", **fields}
    return Task(claim, Profile.QUICK, 0, folder=folder, **given)  # type: ignore[arg-type]


def piece(claim: Claim, folder: Path, **fields: object) -> Evidence:
    (found,) = run_claim(task(claim, folder, **fields)).evidence
    return found


def test_an_accepted_certificate_is_written_and_counted(tmp_path: Path) -> None:
    found = piece(fake_claims.claim("a", fake_claims.refutes, kind=Kind.EXACT), tmp_path)
    assert found.certificates == ("certificates/fake.a/only.instance.json",)
    assert (tmp_path / found.certificates[0]).is_file()
    assert not found.rejected
    assert decide([found]).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("produce", "why"),
    [
        (fake_claims.refutes_wrongly, "invalid"),
        (fake_claims.refutes_another_claim, "fake.another"),
    ],
)
def test_a_rejected_certificate_fails_its_statement(
    tmp_path: Path, produce: object, why: str
) -> None:
    found = piece(fake_claims.claim("a", produce, kind=Kind.EXACT), tmp_path)
    (reason,) = found.rejected.values()
    assert why in reason
    assert decide([found]).verdict is Verdict.FAILED


def test_a_violation_without_certificate_fails_its_statement(tmp_path: Path) -> None:
    found = piece(fake_claims.claim("a", fake_claims.refutes_without_certificate), tmp_path)
    assert decide([found]).verdict is Verdict.FAILED


@pytest.mark.parametrize(
    ("produce", "reason"),
    [
        (fake_claims.raises, "ZeroDivisionError: the reason"),
        (fake_claims.leaves, "SystemExit: 7"),
        (fake_claims.is_no_outcome, "TypeError: the producer returned str, not an Outcome"),
        (fake_claims.counts_in_nan, "ValueError"),
        (fake_claims.names_a_path, "ValueError: certificate name"),
    ],
)
def test_what_a_producer_raises_is_kept_with_its_traceback(
    tmp_path: Path, produce: object, reason: str
) -> None:
    found = piece(fake_claims.claim("a", produce), tmp_path)
    assert found.status is Status.RAISED
    assert found.reason.startswith(reason)
    assert "\n" not in found.reason
    assert "Traceback" in (tmp_path / found.traceback).read_text()
    assert decide([found]).verdict is Verdict.FAILED
    assert not list(tmp_path.rglob("*outside*"))


def test_profile_and_component_leave_out_with_a_reason(tmp_path: Path) -> None:
    later = piece(fake_claims.claim("a", since=Profile.FULL), tmp_path)
    assert (later.status, later.finding) == (Status.NOT_RUN, None)
    assert later.reason == "left out by profile quick (from full on)"
    without = piece(
        fake_claims.claim("a", needs=frozenset({"coqc"})),
        tmp_path,
        missing={"coqc": "coqc is missing (install it)"},
    )
    assert without.reason == "coqc is missing (install it)"


def test_the_global_random_state_is_the_callers(tmp_path: Path) -> None:
    state = random.getstate()
    piece(fake_claims.claim("a", fake_claims.disturbs), tmp_path)
    assert random.getstate() == state


def test_what_a_producer_prints_stays_off_stdout(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    piece(fake_claims.claim("a", fake_claims.prints), tmp_path)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "noise" in printed.err


def test_a_second_attempt_leaves_nothing_of_the_first(tmp_path: Path) -> None:
    stale = RunFolder(tmp_path)
    stale.write("certificates/fake.a/only.old.json", "{}")
    stale.write("tracebacks/fake.a.only.txt", "old")
    piece(fake_claims.claim("a"), tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_changed_sources_make_a_result_that_nothing_reuses(tmp_path: Path) -> None:
    assert run_claim(task(fake_claims.claim("a"), tmp_path, source="other")).key == ""


def test_a_lost_claim_has_failed_and_names_the_producer_at_work(tmp_path: Path) -> None:
    claim = fake_claims.claim("a")
    marker = RunFolder(tmp_path).marker(claim.id)
    marker.parent.mkdir()
    marker.write_text("earlier")
    (found,) = lost(task(claim, tmp_path), "it died").evidence
    assert found.reason == "lost: it died in earlier"
    assert decide([found]).verdict is Verdict.FAILED
    assert not marker.exists()


@pytest.mark.parametrize(
    ("fields", "reused"),
    [({}, "resumed"), ({"statement": "other"}, ""), ({"kind": Kind.FORMAL}, "")],
)
def test_a_recorded_piece_about_something_else_is_made_anew(
    tmp_path: Path, fields: dict[str, object], reused: str
) -> None:
    claim = fake_claims.claim("a")
    good = piece(claim, tmp_path)
    changed = replace(good, **fields)  # type: ignore[arg-type]
    recorded = ClaimResult(claim.id, "k", 0.0, (), (changed,))
    again = run_claim(task(claim, tmp_path, recorded=recorded))
    assert again.reused == reused
    assert [p.statement for p in again.evidence] == ["main"]
