"""``headproof rocq``: what it writes, what it says, and its exit codes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from headproof.proofs_check.cli import main
from headproof.proofs_check.formal.export import checking, exported
from headproof.proofs_check.formal.export.checking import Checked
from headproof.proofs_check.formal.verification import Standing
from headproof.proofs_check.runner import rocq

SAMPLES = Path(__file__).parents[1] / "checker" / "samples"
HULL = str(SAMPLES / "hull" / "good-plain.json")

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("hull/good-plain", "farkas/good-strict", "identity/good-square"):
        target = tmp_path / "all" / f"{name.split('/')[1]}.json"
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(SAMPLES / f"{name}.json", target)
    return tmp_path


def test_one_goes_to_stdout_or_to_the_file(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rocq", HULL]) == 0
    text = capsys.readouterr().out
    assert text == exported.export_file(Path(HULL)).text
    assert main(["rocq", HULL, "-o", "hull.v"]) == 0
    assert (folder / "hull.v").read_text() == text
    assert "written: hull.v: the vertices" in capsys.readouterr().out


def test_several_go_to_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rocq", "all", "-o", "proofs"]) == 0
    names = ["sample_claim_good_plain.v", "sample_claim_good_strict.v"]
    assert sorted(path.name for path in (folder / "proofs").iterdir()) == names
    assert capsys.readouterr().out.endswith("3 certificates: 2 written, 1 of another kind\n")


@needs_coq
def test_check_compiles_what_it_writes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rocq", "all/good-strict.json", "--check", "-o", "a.v", "--json"]) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["standing"], result["axioms"], result["file"]) == ("checked", [], "a.v")
    assert (folder / "a.v").is_file()


def test_without_rocq_nothing_is_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rocq, "alone", lambda: ("", "coqc is missing"))
    assert main(["rocq", HULL, "--check"]) == 3
    told = capsys.readouterr().out
    assert told.startswith("not run: ")
    assert "coqc is missing" in told
    assert "checked" not in told


def test_a_proof_that_fails_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rocq, "alone", lambda: ("8.16.1", ""))
    failed = Checked(Standing.FAILED, (), ("does not compile: why",))
    monkeypatch.setattr(checking, "check_export", lambda export: failed)
    assert main(["rocq", HULL, "--check"]) == 1
    assert "  does not compile: why" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["hull/wrong-functional.json"], 1, "does not strictly win"),
        (["farkas/wrong-ragged.json"], 2, "expected a certificate, found none"),
        (["identity/good-square.json"], 2, "expected a certificate of kind farkas, hull, rank"),
        (["rank/good-sink.json"], 2, "of a matrix, found one of an architecture"),
        (["identity/good-square.json", "rank/good-sink.json"], 2, "found none"),
        (["missing.json"], 2, "found none"),
        (["hull/good-plain.json", "hull/good-upper.json"], 2, "name a folder with -o"),
        (["hull/good-plain.json", "-o", "a-b.v"], 2, "ends in .v, as coqc wants it, found 'a-b.v'"),
        (["hull/good-plain.json", "-o", "no/such/a.v"], 2, "expected a place to write to"),
    ],
)
def test_refusals(
    arguments: list[str],
    code: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(SAMPLES)
    assert main(["rocq", *arguments]) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert message in told.err
    assert told.err.count("\n") == 1


def test_too_large_is_incomplete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exported, "STEPS", 1)
    assert main(["rocq", HULL]) == 3
    assert "too large for Rocq" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("bad", "code"), [("hull/wrong-functional", 1), ("farkas/wrong-ragged", 2)]
)
def test_one_bad_certificate_in_a_folder(
    bad: str, code: int, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copyfile(SAMPLES / f"{bad}.json", folder / "all" / "bad.json")
    assert main(["rocq", "all", "-o", "proofs"]) == code
    told = capsys.readouterr().out
    assert "left out: all/bad.json: " in told
    assert "2 written" in told
