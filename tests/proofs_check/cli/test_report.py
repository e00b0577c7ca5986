import json
from pathlib import Path

import pytest

from headproof.proofs_check.cli import main

CLAIMS = ("--registry", "fake_claims:good")


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["verify", "--jobs", "1", "--out", str(tmp_path), *CLAIMS]) == 0
    capsys.readouterr()
    return tmp_path / "quick-0"


@pytest.mark.parametrize("named", [True, False])
def test_the_page_is_written_where_it_is_told_to_be(
    named: bool, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new" / "page.html" if named else run / "report.html"
    options = ["-o", str(target)] if named else []
    assert main(["report", str(run), *options, *CLAIMS]) == 0
    assert capsys.readouterr().out == f"Report: {target}\n"
    assert target.read_text().startswith("<!doctype html>")
    assert "fake.refuted" in target.read_text()


def test_markdown_by_the_name_of_the_file_or_by_the_option(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new" / "verdicts.md"
    assert main(["report", str(run), "-o", str(target), *CLAIMS]) == 0
    capsys.readouterr()
    assert main(["report", str(run), "--format", "markdown", *CLAIMS]) == 0
    text = capsys.readouterr().out
    assert text == target.read_text()
    assert text.startswith("| claim | statement | verdict | evidence |\n")
    assert not (run / "report.html").exists()


def test_json_is_the_document_and_writes_no_file(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(run), "--json", *CLAIMS]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "headproof-report/1"
    assert [claim["known"] for claim in document["claims"]] == [True] * 4
    assert not (run / "report.html").exists()


def test_json_beside_a_file_that_is_named(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "page.html"
    assert main(["report", str(run), "-o", str(target), "--json", *CLAIMS]) == 0
    assert json.loads(capsys.readouterr().out)["complete"] is True
    assert target.is_file()


def test_a_folder_that_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path)]) == 2
    assert "expected a run folder" in capsys.readouterr().err


def test_a_table_that_cannot_be_written_is_named_as_the_user_did(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "table.md").mkdir()
    target = tmp_path / "table.md"
    assert main(["report", str(run), "-o", str(target), *CLAIMS]) == 2
    told = capsys.readouterr().err
    assert (
        told == f"headproof: {target}: expected a file that can be written, found Is a directory\n"
    )
    assert list(tmp_path.glob(".*.part")) == []
