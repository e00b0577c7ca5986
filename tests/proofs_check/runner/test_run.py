"""Whole runs: equal for any number of processes, cached, resumed, and never stopped by a claim."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import fake_claims  # type: ignore[import-not-found]
import pytest

import headproof
from headproof.proofs_check.claim import Profile
from headproof.proofs_check.deferred import Deferred
from headproof.proofs_check.evidence import Kind
from headproof.proofs_check.registry import build
from headproof.proofs_check.runner import components, sources
from headproof.proofs_check.runner.lock import locked
from headproof.proofs_check.runner.run import Run
from headproof.proofs_check.verdict import Verdict
from headproof.symbolic.errors import InputError

MODULE = "fake_claims"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "log"
    folder.mkdir()
    monkeypatch.setenv("HEADPROOF_TEST_LOG", str(folder))
    return folder


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources that stay as they are while the test runs."""
    monkeypatch.setattr(sources, "digest", lambda: "one")


def test_a_run_of_other_claims_is_not_taken_over(tmp_path: Path) -> None:
    run = headproof.verify(registry=f"{MODULE}:good", out=tmp_path)
    assert repr(run) == f"<Run in {tmp_path / 'quick-0'}: 4 of 4 claims, as expected>"
    left = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    with pytest.raises(InputError, match=r"other claims, found one of fake.* and 3 more; give"):
        headproof.verify(registry=f"{MODULE}:noisy", out=tmp_path)
    assert sorted(path for path in tmp_path.rglob("*") if path.is_file()) == left
    assert headproof.verify(registry=f"{MODULE}:noisy", out=tmp_path / "other").folder.is_dir()


def times_run(log: Path, claim: str) -> int:
    path = log / claim
    return len(path.read_text().splitlines()) if path.exists() else 0


def lines_without_times(run: Run) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (run.folder / "results.jsonl").read_text().splitlines()]
    for line in lines:
        line["seconds"] = line["key"] = 0
        for piece in line["evidence"]:
            piece["seconds"] = 0
    return lines


def verdicts(run: Run) -> dict[str, str]:
    return {result.claim: result.statements[0].verdict.value for result in run.results}


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    runs = [
        headproof.verify(
            registry=f"{MODULE}:good", jobs=jobs, seed=5, out=tmp_path / str(jobs), cache=False
        )
        for jobs in (1, 2)
    ]
    assert lines_without_times(runs[0]) == lines_without_times(runs[1])
    assert all(run.as_expected and run.complete for run in runs)
    order = [line["claim"] for line in lines_without_times(runs[0])]
    assert order == ["fake.b-first", "fake.a-last", "fake.refuted", "fake.searched"]
    assert all(headproof.check(run.folder).valid for run in runs)
    other = headproof.verify(registry=f"{MODULE}:good", seed=6, out=tmp_path / "other")
    assert lines_without_times(other) != lines_without_times(runs[0])


def test_a_dead_worker_costs_its_claim_and_nothing_else(tmp_path: Path) -> None:
    run = headproof.verify(registry=f"{MODULE}:deadly", jobs=2, out=tmp_path)
    assert verdicts(run) == {
        "fake.a": "proved",
        "fake.b-dies": "failed",
        "fake.c-killed": "failed",
        "fake.d": "proved",
        "fake.e": "refuted",
    }
    reasons = {r.claim: r.statements[0].reason for r in run.results}
    assert "exited with status 9" in reasons["fake.b-dies"]
    assert "killed by SIGKILL" in reasons["fake.c-killed"]
    assert run.complete
    assert not run.as_expected


def test_a_claim_that_cannot_be_sent_to_a_process_fails_alone(tmp_path: Path) -> None:
    unsendable = fake_claims.claim("b", lambda context: fake_claims.proves(context))
    registry = build([fake_claims.claim("a"), unsendable, fake_claims.claim("c")])
    run = headproof.verify(registry=registry, jobs=2, out=tmp_path)
    assert verdicts(run) == {"fake.a": "proved", "fake.b": "failed", "fake.c": "proved"}
    assert (run.folder / "tracebacks" / "fake.b.worker.txt").is_file()


@pytest.mark.usefixtures("still")
def test_a_producer_that_raises_does_not_stop_the_run(tmp_path: Path) -> None:
    run = headproof.verify(registry=fake_claims.raising(), out=tmp_path)
    assert verdicts(run) == {"fake.a": "failed", "fake.b": "proved"}
    assert run.reproduce("fake.a") == "headproof verify fake.a --seed 0"


@pytest.mark.usefixtures("still")
def test_a_second_run_is_cached_and_a_change_of_the_sources_is_not(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(**options: Any) -> Run:
        return headproof.verify(registry=fake_claims.good(), out=tmp_path, **options)

    first = lines_without_times(run())
    assert lines_without_times(run()) == first
    assert times_run(log, "fake.refuted") == 1
    run(seed=1)
    assert times_run(log, "fake.refuted") == 2
    run(profile="full")
    assert times_run(log, "fake.refuted") == 3
    run(cache=False)
    assert times_run(log, "fake.refuted") == 4
    monkeypatch.setattr(sources, "digest", lambda: "two")
    run()
    assert times_run(log, "fake.refuted") == 5
    monkeypatch.setattr(components, "detect", lambda: {"torch": "0.0"})
    run()
    assert times_run(log, "fake.refuted") == 6
    run()
    assert times_run(log, "fake.refuted") == 6


@pytest.mark.usefixtures("still")
def test_another_claim_of_the_same_id_is_no_cache_hit(tmp_path: Path) -> None:
    for produce in (
        fake_claims.proves,
        fake_claims.raises,
        partial(fake_claims.either, fail=True),
        partial(fake_claims.either, fail=False),
        Deferred("fake_claims", "raises"),
        Deferred("fake_claims", "proves"),
    ):
        registry = build([fake_claims.claim("a", produce)])
        run = headproof.verify(registry=registry, out=tmp_path)
        raises = produce in (fake_claims.raises, Deferred("fake_claims", "raises"))
        fails = raises or getattr(produce, "keywords", {}).get("fail", False)
        assert run.as_expected is not fails


@pytest.mark.usefixtures("still")
def test_failures_are_not_cached(tmp_path: Path, log: Path) -> None:
    for _ in range(2):
        headproof.verify(registry=fake_claims.raising(), out=tmp_path)
    assert times_run(log, "fake.a") == 2
    assert times_run(log, "fake.b") == 1


def falsify_certificate(entry: Path) -> None:
    (path,) = entry.rglob("only.instance.json")
    path.write_text(path.read_text().replace('"x": 2', '"x": 1'))


def replace_certificate(entry: Path) -> None:
    """Another valid certificate, of which the evidence knows nothing."""
    (path,) = entry.rglob("only.instance.json")
    path.write_text(path.read_text().replace('"x": 2', '"x": 3'))


def remove_certificate(entry: Path) -> None:
    (path,) = entry.rglob("only.instance.json")
    path.unlink()


def change_finding(entry: Path) -> None:
    path = entry / "entry.json"
    path.write_text(path.read_text().replace('"violated"', '"holds"'))


def cut_off(entry: Path) -> None:
    path = entry / "entry.json"
    path.write_text(path.read_text()[:-20])


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize(
    "damage",
    [falsify_certificate, replace_certificate, remove_certificate, change_finding, cut_off],
)
def test_a_damaged_cache_entry_is_done_again(tmp_path: Path, log: Path, damage: Any) -> None:
    registry = build(
        [fake_claims.claim("a", fake_claims.refutes, Verdict.REFUTED, kind=Kind.EXACT)]
    )
    headproof.verify(registry=registry, out=tmp_path)
    (entry,) = (tmp_path / "cache").iterdir()
    damage(entry)
    run = headproof.verify(registry=registry, out=tmp_path)
    assert times_run(log, "fake.a") == 2
    assert run.as_expected
    assert headproof.check(run.folder).valid
    headproof.verify(registry=registry, out=tmp_path)
    assert times_run(log, "fake.a") == 2


@pytest.mark.usefixtures("still")
def test_the_checker_looks_at_cached_certificates(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even an entry whose digests agree is put before the checker."""
    from headproof.proofs_check.runner import cache

    registry = build([fake_claims.claim("a", fake_claims.refutes, kind=Kind.EXACT)])
    headproof.verify(registry=registry, out=tmp_path)
    asked = []

    def object_always(path: Path, claim: str) -> str:
        asked.append(path)
        return "no"

    monkeypatch.setattr(cache, "objection", object_always)
    headproof.verify(registry=registry, out=tmp_path)
    assert len(asked) == 1
    assert times_run(log, "fake.a") == 2


@pytest.mark.usefixtures("still")
def test_a_falsified_certificate_in_the_run_folder_is_rejected_by_name(tmp_path: Path) -> None:
    run = headproof.verify(registry=fake_claims.good(), out=tmp_path)
    falsify_certificate(run.folder)
    report = headproof.check(run.folder)
    assert not report.valid
    assert [Path(r.path).name for r in report.results if not r.valid] == ["only.instance.json"]


@pytest.mark.usefixtures("still")
def test_an_interrupted_run_redoes_what_its_folder_no_longer_proves(
    tmp_path: Path, log: Path
) -> None:
    registry = fake_claims.good()
    run = headproof.verify(registry=registry, out=tmp_path, cache=False)
    description = json.loads((run.folder / "run.json").read_text())
    interrupted = json.dumps({**description, "complete": False, "finished": None})
    (run.folder / "run.json").write_text(interrupted)
    falsify_certificate(run.folder)
    with (run.folder / "results.jsonl").open("a") as file:
        file.write('{"format": "headproof-result/1", "cla')
    again = headproof.verify(registry=registry, out=tmp_path, cache=False)
    assert times_run(log, "fake.refuted") == 2
    assert times_run(log, "fake.searched") == 1
    assert again.as_expected
    assert lines_without_times(again) == lines_without_times(run)


@pytest.mark.usefixtures("still")
def test_required_evidence_that_does_not_run_differs(tmp_path: Path) -> None:
    late = build([fake_claims.claim("a"), fake_claims.claim("late", since=Profile.FULL)])
    assert headproof.verify(registry=late, out=tmp_path).as_expected
    run = headproof.verify(registry=late, out=tmp_path, require=["symbolic"])
    assert [result.claim for result in run.results if result.differences] == ["fake.late"]
    formal = headproof.verify(registry=late, out=tmp_path, require=["formal"])
    assert not formal.as_expected
    assert formal.undeclared == (Kind.FORMAL,)
    assert not any(result.differences for result in formal.results)


def test_two_runs_at_once_in_one_folder_are_refused(tmp_path: Path) -> None:
    registry = fake_claims.good()
    run = headproof.verify(registry=registry, out=tmp_path)
    before = (run.folder / "results.jsonl").read_bytes()
    with locked(run.folder / "lock"):
        with pytest.raises(InputError, match="no other run is using"):
            headproof.verify(registry=registry, out=tmp_path)
        assert (run.folder / "results.jsonl").read_bytes() == before
        headproof.verify(registry=registry, out=tmp_path, seed=1)
    headproof.verify(registry=registry, out=tmp_path)


def test_a_selection_has_a_folder_of_its_own(tmp_path: Path) -> None:
    everything = headproof.verify(registry=fake_claims.good(), out=tmp_path)
    one = headproof.verify("fake.searched", registry=fake_claims.good(), out=tmp_path)
    assert everything.folder.name == "quick-0"
    assert one.folder.name.startswith("quick-0-")
    assert [result.claim for result in one.results] == ["fake.searched"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"ids": "fake.nothing"}, "a claim id or a topic"),
        ({"profile": "fast"}, "one of quick, full, paper"),
        ({"require": ["proof"]}, "one of formal, symbolic"),
        ({"jobs": 0}, "at least one job"),
        ({"seed": -1}, "a seed from 0 on"),
        ({"registry": "fake_claims"}, "module:function"),
        ({"registry": "fake_claims:nothing"}, "can be imported"),
        ({"registry": "fake_claims:proves.__doc__"}, "can be imported"),
    ],
)
def test_bad_arguments_are_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    given = {"registry": fake_claims.good(), "out": tmp_path, **options}
    with pytest.raises(InputError, match=message):
        headproof.verify(given.pop("ids", ()), **given)
