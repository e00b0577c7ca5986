import json
from pathlib import Path

import fake_claims  # type: ignore[import-not-found]
import pytest

from headproof.proofs_check.cli import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("good.json").write_text(json.dumps(fake_claims.certificate("t.x")))
    Path("wrong.json").write_text(json.dumps(fake_claims.certificate("t.x", at=1)))
    Path("broken.json").write_text("{")
    return tmp_path


@pytest.mark.parametrize(
    ("paths", "code", "bad"),
    [
        (["good.json"], 0, []),
        (["good.json", "wrong.json"], 1, ["wrong.json"]),
        (["good.json", "broken.json"], 2, ["broken.json"]),
        (["wrong.json", "broken.json"], 1, ["wrong.json", "broken.json"]),
        (["missing.json"], 2, ["missing.json"]),
        (["."], 1, ["broken.json", "wrong.json"]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_bad_certificates_are_named(
    paths: list[str], code: int, bad: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *paths]) == code
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines[:-1]] == bad
    assert main(["check", "--json", *paths]) == code
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "headproof-check/1"
    assert document["valid"] is (code == 0)
    named = [Path(one["path"]).name for one in document["results"] if not one["valid"]]
    assert named == bad
