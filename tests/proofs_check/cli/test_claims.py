"""list and show."""

import json
from pathlib import Path

import pytest

from headproof.proofs_check.cli import main

FAKE = ("--registry", "fake_claims:good")


def test_list_in_the_order_of_dependency(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", *FAKE]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["fake.b-first", "fake.a-last", "fake.refuted", "fake.searched"]
    assert main(["list", "fake.searched", "--json", *FAKE]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "headproof-list/1"
    assert [claim["id"] for claim in document["claims"]] == ["fake.searched"]


def test_show_says_what_is_stated_and_what_settles_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "fake.b-first", *FAKE]) == 0
    text = capsys.readouterr().out
    assert "used by:   fake.a-last" in text
    assert "evidence:   symbolic: only (quick)" in text
    assert "verdict:" not in text
    assert main(["show", "fake.a-last", "--json", *FAKE]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["rests_on"] == ["fake.b-first"]
    assert document["result"] is None


def test_show_with_the_verdict_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--jobs", "1", "--out", str(tmp_path), *FAKE]) == 0
    capsys.readouterr()
    run = str(tmp_path / "quick-0")
    assert main(["show", "fake.refuted", "--run", run, *FAKE]) == 0
    assert "verdict:    refuted: counterexample accepted: only" in capsys.readouterr().out
