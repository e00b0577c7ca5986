"""Runs stopped in the middle: kill -9, Ctrl-C, a polite kill; the same command goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def command(jobs: int, *options: str) -> list[str]:
    return [
        *(sys.executable, "-m", "headproof", "verify", "--registry", "fake_claims:waiting"),
        *("--no-cache", "--jobs", str(jobs), *options),
    ]


def environment(log: Path) -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "HEADPROOF_TEST_LOG": str(log)}


def listen() -> None:
    """Let Ctrl-C end a new process even where the tests run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def times_run(log: Path, claim: str) -> int:
    path = log / claim
    return len(path.read_text().splitlines()) if path.exists() else 0


def recorded(folder: Path) -> list[str]:
    path = folder / "results.jsonl"
    if not path.exists():
        return []
    return [json.loads(line)["claim"] for line in path.read_text().splitlines()]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_the_same_command_goes_on_without_redoing_what_was_finished(
    tmp_path: Path, jobs: int, number: signal.Signals
) -> None:
    log = tmp_path / "log"
    log.mkdir()
    run = tmp_path / "runs" / "quick-0"
    with subprocess.Popen(
        command(jobs),
        cwd=tmp_path,
        env=environment(log),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=listen,
    ) as process:
        try:
            wait_until(
                lambda: (log / "fake.c-waits").exists() and {"fake.a", "fake.b"} <= {*recorded(run)}
            )
            worker = int((log / "fake.c-waits").read_text().split()[-1])
            process.send_signal(number)
            _, told = process.communicate(timeout=30)
        finally:
            process.kill()
    assert not json.loads((run / "run.json").read_text())["complete"]
    before = set(recorded(run))
    assert "fake.c-waits" not in before
    wait_until(lambda: not alive(worker))
    if number is signal.SIGKILL:
        assert process.returncode == -9
    else:
        assert process.returncode == 3
        assert "the same command resumes" in told
        assert "Traceback" not in told

    (log / "go").touch()
    done = subprocess.run(
        command(jobs, "--json"),
        cwd=tmp_path,
        env=environment(log),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["as_expected"]
    assert recorded(run) == ["fake.a", "fake.b", "fake.c-waits", "fake.d"]
    assert json.loads((run / "run.json").read_text())["complete"]
    assert {claim: times_run(log, claim) for claim in before} == dict.fromkeys(before, 1)
    assert times_run(log, "fake.c-waits") == 2
