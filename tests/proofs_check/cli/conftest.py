"""Makes the runner's fake_claims importable, and runs the program in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FAKES = Path(__file__).parents[1] / "runner"
sys.path.insert(0, str(FAKES))


@pytest.fixture
def headproof(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run ``python -m headproof`` in an empty folder."""

    path = os.pathsep.join(filter(None, [str(FAKES), os.environ.get("PYTHONPATH")]))

    def run(
        *arguments: str, stdin: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "headproof", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": path, **environment},
        )

    return run
