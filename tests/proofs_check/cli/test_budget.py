"""``headproof budget``: answers, document, certificate, picture, refusals."""

import json
from pathlib import Path

import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.cli import main

PLAIN = ["budget", "--n", "1,000,000", "--D", "768", "--alpha", "1/4", "--C", "3/2"]


def test_the_answer_with_its_caveats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(PLAIN) == 0
    told = capsys.readouterr().out
    assert "d_k* = 25.399" in told
    assert "best integer    d_k = 25, H = 30.720" in told
    assert "best divisor    d_k = 24, H = 32" in told
    caveats = [line for line in told.splitlines() if line.startswith("caveat: ")]
    assert any("one bandwidth" in line and "sqrt" in line for line in caveats)
    assert any("uncorrelated" in line for line in caveats)
    assert any("does not divide" in line for line in caveats)


def test_the_document_and_the_certificate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "budget.cert"
    assert main([*PLAIN, "--d-model", "16", "-o", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["best"] == [{"d_k": 16, "heads": 48}]
    assert found["certificate"] == str(path)
    assert any("d_model" in caveat for caveat in found["caveats"])
    check_certificate(json.loads(path.read_text()))


def test_a_tie(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--n", "1", "--D", "6", "--alpha", "log 2", "--C", "2", "--sigma2", "1/4"]
    assert main(["budget", *words]) == 0
    assert "d_k = 1, H = 6 and d_k = 2, H = 3 (a tie)" in capsys.readouterr().out


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
@pytest.mark.parametrize("words", [[], ["--n", "1", "--D", "1"], ["--D", "6", "--C", "e"]])
def test_the_picture(tmp_path: Path, suffix: str, words: list[str]) -> None:
    path = tmp_path / f"budget.{suffix}"
    assert main([*PLAIN, *words, "--plot", str(path)]) == 0
    assert path.stat().st_size > 1000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--n", "0"], "--n: expected a positive integer"),
        (["--D", "many"], "--D: expected a positive integer"),
        (["--D", "9999999999999"], "D: expected a positive integer up to"),
        (["--alpha", "0"], "alpha: expected a positive number"),
        (["--alpha", "0.5"], "alpha: expected an integer or a reduced string"),
        (["--alpha", "log 1/2"], "alpha: expected log of a number above 1"),
        (["--C", "1"], "C: expected a number above 1, or e"),
        (["--A", "-1"], "A: expected a positive number"),
        (["--sigma2", "0"], "sigma2: expected a positive number"),
        (["--d-model", "0"], "--d-model: expected a positive integer"),
        (["--plot", "x.gif"], "--plot: expected a name that ends in"),
        (["--plot", "nowhere/x.svg"], "expected a file that can be written"),
        (["-o", "nowhere/x.cert"], "expected a file that can be written"),
    ],
)
def test_what_is_refused(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*PLAIN, *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1
