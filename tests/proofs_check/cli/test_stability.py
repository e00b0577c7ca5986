"""``headproof stability``: exit codes, certificates, one-line errors."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import headproof
from headproof.proofs_check.cli import main

SIGN = {"keys": [[-1], [1]], "values": [[-1], [1]]}
STEP = {"keys": [[0], [1]], "biases": [0, -1], "values": [[0], [1]]}
TWO: dict[str, Any] = {"dimension": 1, "layers": [{"heads": [SIGN]}, {"heads": [STEP]}]}


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "network.json"
    path.write_text(json.dumps(TWO))
    return str(path)


@pytest.mark.parametrize(
    ("at", "temperature", "code", "said"),
    [
        ("1/10", "1/40", 0, "takes the hard route; error at most 0.019"),
        ("1/10", "1", 1, "leaves the hard route (layer 1, head 0, key 0"),
        ("0", "1", 1, "no unique route"),
    ],
)
def test_answers(
    file: str, at: str, temperature: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stability", file, "--at", at, "--temperature", temperature]) == code
    assert said in capsys.readouterr().out


def test_certificates_of_both_ends(file: str, tmp_path: Path) -> None:
    out = tmp_path / "route.json"
    assert main(["stability", file, "--at", "1/10", "--largest", "-o", str(out)]) == 0
    assert headproof.check(out, f"{out}.above").valid


def test_an_open_domain_is_incomplete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = {"dimension": 1, "layers": [{"heads": [SIGN]}], "domain": {"lower": [-1], "upper": [2]}}
    path = tmp_path / "one.json"
    path.write_text(json.dumps(one))
    words = ["stability", str(path), "--temperature", "1", "--limit", "30", "--json"]
    assert main(words) == 3
    assert json.loads(capsys.readouterr().out)["follows"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--temperature and --largest"),
        (["--largest"], "domain"),
        (["--temperature", "1"], "domain"),
        (["--temperature", "0", "--at", "1"], "positive"),
        (["--temperature", "0.5", "--at", "1"], "p/q"),
        (["--temperature", "1", "--at", "1,x"], "at[1]"),
    ],
)
def test_errors(file: str, words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stability", file, *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_the_largest_temperature_on_a_domain(tmp_path: Path, capsys: Any) -> None:
    path, out = tmp_path / "two.json", tmp_path / "route.json"
    path.write_text(json.dumps({**TWO, "domain": {"lower": ["1/10"], "upper": ["1/5"]}}))
    assert main(["stability", str(path), "--largest", "--json", "-o", str(out)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert headproof.check(out).valid
    below, above = (Fraction(found[end]["temperature"]) for end in ("below", "above"))
    assert below < above < below * Fraction(1002, 1000)
    whole = headproof.stability(TWO, temperature=below, at=["1/10"])  # the least favourable input
    assert whole.follows
    path.write_text(json.dumps({**TWO, "domain": {"lower": [-1], "upper": [1]}}))
    assert main(["stability", str(path), "--largest", "--limit", "20"]) == 3
    assert "of the domain in" in capsys.readouterr().err


def test_floats_are_dyadic_rationals(tmp_path: Path, capsys: Any) -> None:
    layer = {"heads": [{"keys": [[-0.1], [0.5]], "values": [[-1.0], [0.3]]}]}
    path = tmp_path / "floats.json"
    path.write_text(json.dumps({"dimension": 1, "layers": [layer]}))
    words = ["stability", str(path), "--at", "1", "--temperature", "1/8", "--json"]
    assert main(words) == 2
    capsys.readouterr()
    out = tmp_path / "route.json"
    assert main([*words, "--floats", "-o", str(out)]) == 0
    assert headproof.check(out).valid
    (key,) = json.loads(out.read_text())["data"]["network"]["layers"][0]["heads"][0]["keys"][0]
    assert Fraction(key) == Fraction(-0.1)


def test_the_library_has_it() -> None:
    found = headproof.stability(TWO, temperature="1/40", at=["1/10"])
    assert found.follows
