"""README: what it says about one's own heads runs as it stands there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
BLOCK = README.read_text("utf-8").partition("## What you can ask")[2].split("```")[1]
LINES = BLOCK.removeprefix("sh\n").strip().splitlines()


def test_the_block_is_found() -> None:
    assert len(LINES) == 5
    assert all("headproof " in line for line in LINES)


@pytest.mark.long
@pytest.mark.parametrize("line", LINES, ids=range(len(LINES)))
def test_the_line_runs_as_written(line: str, tmp_path: Path) -> None:
    there = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    ran = subprocess.run(
        ["bash", "-o", "pipefail", "-c", line], cwd=tmp_path, env=there, capture_output=True
    )
    assert ran.returncode == 0, ran.stderr.decode()
    assert ran.stdout
