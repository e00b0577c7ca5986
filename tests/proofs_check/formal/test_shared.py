"""One verification for all claims, and what the claims are told."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.evidence import Finding
from headproof.proofs_check.formal import evidence, shared
from headproof.proofs_check.formal.manifest import FOLDER, read_manifest
from headproof.proofs_check.formal.shared import from_json, shared_verification, to_json
from headproof.proofs_check.formal.verification import Standing, Verification, verify_formal
from headproof.symbolic.errors import HeadproofError

CONTEXT = Context("recovery.algorithm", "count", Profile.QUICK, 1)


@pytest.fixture(scope="module")
def not_run() -> Verification:
    return verify_formal(FOLDER, coq=None)


def standing(verification: Verification, new: Standing) -> Verification:
    results = tuple(replace(r, standing=new) for r in verification.results)
    return replace(verification, results=results, coq="8.16.1")


def test_json_round_trip(not_run: Verification) -> None:
    assert from_json(to_json(not_run)) == not_run


def test_made_once_for_the_same_sources_and_rocq(
    not_run: Verification, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    def verify(
        folder: Path, *, coq: str, claims: Collection[str] | None, jobs: int
    ) -> Verification:
        made.append(coq)
        assert claims is None
        return replace(not_run, coq=coq)

    monkeypatch.setattr(shared, "verify_formal", verify)
    first = shared_verification(tmp_path / "formal", coq="1")
    assert shared_verification(tmp_path / "formal", coq="1") == first
    assert made == ["1"]
    shared_verification(tmp_path / "formal", coq="2")
    assert made == ["1", "2"]
    file = tmp_path / "formal" / "formal.json"
    file.write_text(file.read_text()[:-9])
    shared_verification(tmp_path / "formal", coq="2")
    assert made == ["1", "2", "2"]
    file.write_text(file.read_text().replace('"program": "', '"program": "0'))
    shared_verification(tmp_path / "formal", coq="2")
    assert made == ["1", "2", "2", "2"]
    file.write_text(file.read_text().replace('"standing": "not run"', '"standing": "checked"', 1))
    shared_verification(tmp_path / "formal", coq="2")
    assert made == ["1", "2", "2", "2", "2"]


def test_a_few_claims_need_only_their_theorems(
    not_run: Verification, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[list[str] | None] = []

    def verify(
        folder: Path, *, coq: str, claims: Collection[str] | None, jobs: int
    ) -> Verification:
        made.append(None if claims is None else sorted(claims))
        return replace(not_run, coq=coq)

    monkeypatch.setattr(shared, "verify_formal", verify)
    everything = {entry.claim for entry in read_manifest() if entry.claim}
    both = ["recovery.algorithm", "recovery.identity"]
    for claims in (both, both[:1], ["tropical.cells"], both, everything, both, None):
        shared_verification(tmp_path / "formal", coq="1", claims=claims)
    assert made == [both, ["tropical.cells"], both, None]


def test_what_the_first_raises_is_not_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def verify(folder: Path, **_: object) -> Verification:
        raise HeadproofError("broken")

    monkeypatch.setattr(shared, "verify_formal", verify)
    with pytest.raises(HeadproofError, match="broken"):
        shared_verification(tmp_path, coq="1")


@pytest.mark.parametrize("new", [Standing.FAILED, Standing.NOT_RUN])
def test_only_checked_theorems_hold(
    new: Standing, not_run: Verification, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "_verification", lambda _: standing(not_run, Standing.CHECKED))
    outcome = evidence.theorems(CONTEXT)
    assert (outcome.finding, outcome.general) == (Finding.HOLDS, True)
    assert "Definition query_count : Prop :=" in outcome.detail
    monkeypatch.setattr(evidence, "_verification", lambda _: standing(not_run, new))
    with pytest.raises(HeadproofError, match=f"query_count_holds {new.value}"):
        evidence.theorems(CONTEXT)


def test_a_statement_without_theorems_gets_none(
    not_run: Verification, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evidence, "_verification", lambda _: standing(not_run, Standing.CHECKED))
    with pytest.raises(HeadproofError, match="no theorem for one-fewer"):
        evidence.theorems(replace(CONTEXT, statement="one-fewer"))


def test_without_rocq_there_is_no_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(HeadproofError, match="coqc is missing"):
        evidence.theorems(replace(CONTEXT, runs=tmp_path))
