import json
from pathlib import Path

import pytest

from headproof.proofs_check.cli import main


@pytest.mark.parametrize("named", [True, False])
def test_the_report_is_written_where_it_is_told_to_be(
    named: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claims = ("--registry", "fake_claims:good")
    assert main(["verify", "--jobs", "1", "--out", str(tmp_path), *claims]) == 0
    capsys.readouterr()
    run = tmp_path / "quick-0"
    target = tmp_path / "new" / "page.html" if named else run / "report.html"
    options = ["-o", str(target)] if named else []
    assert main(["report", str(run), *options, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {"format": "headproof-report/1", "run": str(run), "output": str(target)}
    assert "fake.refuted" in target.read_text()
