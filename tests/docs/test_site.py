"""The site builds without a warning, and shows what it is to show."""

import subprocess
import sys
from pathlib import Path

import pytest

from headproof.proofs_check.cli.program import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.long
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    for needed in ("sphinx", "furo", "myst_nb"):
        pytest.importorskip(needed, reason="needs the extra docs")
    built = tmp_path / "html"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-E", "-b", "html"),
            *("-d", str(tmp_path / "doctrees"), str(DOCS), str(built)),
        ],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr
    pages = {path.stem: path.read_text("utf-8") for path in built.rglob("*.html")}
    assert 'id="headproof.minkowski_sum"' in pages["api"]
    assert all(f'id="headproof-{name}"' in pages["commands"] for name in COMMANDS)
    assert "region-tree" in pages["certificates"]
    assert "A2 " in pages["verdicts"]
    assert "<math" in pages["recovery"]
    assert "<img" in pages["geometry"]
    outside = [name for name, text in pages.items() if 'src="http' in text]
    assert not outside, "pages load something from the network"
