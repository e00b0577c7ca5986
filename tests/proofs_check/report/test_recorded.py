"""Reading run folders: whatever a run can leave behind is read, and nothing else."""

import json
from pathlib import Path

import pytest

from headproof.proofs_check.report.recorded import read
from headproof.symbolic.errors import InputError


def test_the_sample_is_read_whole(sample: Path) -> None:
    run = read(sample)
    assert run.complete
    assert run.notes == ()
    assert len(run.results) == 4


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (None, "without run.json"),
        ("{", "no JSON"),
        ("[]", "list"),
        ('{"format": "headproof-run/99"}', "headproof-run/99"),
    ],
)
def test_a_folder_that_is_no_run_is_refused(
    tmp_path: Path, content: str | None, found: str
) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=found):
        read(tmp_path)


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        read(tmp_path / "absent")


def test_a_torn_line_is_named_and_left_out(sample: Path) -> None:
    path = sample / "results.jsonl"
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: text.rindex("evidence")], encoding="utf-8")
    run = read(sample)
    assert len(run.results) == 3
    assert len(run.notes) == 1
    assert run.notes[0].startswith("Line 4 of results.jsonl")


@pytest.mark.parametrize(
    "line",
    [
        "7",
        "[]",
        "null",
        '{"format": "headproof-result/2"}',
        "[" * 100_000,
        '{"format": "headproof-result/1", "claim": "a.b", "key": "", "seconds": 0, "statements": '
        '[{"name": "x", "role": "as verified", "verdict": "true", "expected": "proved", '
        '"reason": "", "difference": false}], "evidence": []}',
        '{"format": "headproof-result/1", "claim": "a.b", "key": "", "seconds": 0, "statements": '
        '[], "evidence": [{"producer": "x", "statement": 4, "kind": "exact", "status": "ran", '
        '"finding": "holds", "certificates": []}]}',
    ],
)
def test_a_line_of_another_shape_is_named_and_left_out(sample: Path, line: str) -> None:
    with (sample / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    run = read(sample)
    assert len(run.results) == 4
    assert len(run.notes) == 1


def test_a_run_without_results_says_so(sample: Path) -> None:
    (sample / "results.jsonl").unlink()
    assert "no claim was finished" in read(sample).notes[0]


def test_no_file_outside_the_folder_is_read(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (sample / "link.txt").symlink_to(tmp_path / "secret.txt")
    run = read(sample)
    assert run.text("../secret.txt") == ""
    assert run.text(str(tmp_path / "secret.txt")) == ""
    assert run.text("link.txt") == ""
    assert "ZeroDivisionError" in run.text("tracebacks/tropical.routing-limit.search.txt")


def test_a_huge_text_is_shortened(sample: Path) -> None:
    (sample / "long.txt").write_text("a" * 300_000, encoding="utf-8")
    text = read(sample).text("long.txt")
    assert len(text) < 101_000
    assert "[200000 characters left out]" in text


def test_an_unfinished_run_is_not_complete(sample: Path) -> None:
    path = sample / "run.json"
    manifest = json.loads(path.read_text(encoding="utf-8")) | {"complete": False, "finished": None}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    assert not read(sample).complete
