import json
import subprocess
import sys
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


@pytest.mark.usefixtures("folder")
def test_a_run_is_checked_without_any_heavy_library() -> None:
    assert main(["verify", "--registry", "fake_claims:good", "--jobs", "1"]) == 0
    program = (
        "import sys\n"
        "from headproof.proofs_check.cli import main\n"
        "for name in ('torch', 'sympy', 'flint', 'numpy', 'scipy'):\n"
        "    sys.modules[name] = None\n"  # importing it raises
        "code = main(['check', 'runs/quick-0'])\n"
        "raise SystemExit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "1 checked: 1 valid\n"), done.stderr
