import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from headproof.proofs_check.cli import main

Program = Callable[..., subprocess.CompletedProcess[str]]
FAKES = Path(__file__).parents[1] / "runner"
GOOD = ("verify", "--registry", "fake_claims:good", "--jobs", "1")
RAISING = ("verify", "--registry", "fake_claims:raising", "--jobs", "1")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(GOOD) == 0
    told = capsys.readouterr()
    rows = told.out.splitlines()
    columns = ["fake.b-first", "main", "(as verified)", "proved", "(expected proved)", "symbolic"]
    assert re.split(r" {2,}", rows[0])[:6] == columns
    assert "4 claims, 4 statements, all as expected" in rows
    assert "Check its certificates: headproof check runs/quick-0" in rows
    assert "[1/4] fake.b-first: as expected" in told.err
    assert main(["check", "runs/quick-0"]) == 0
    assert capsys.readouterr().out == "1 checked: 1 valid\n"
    assert main([*GOOD, "fake.b-first"]) == 0
    told = capsys.readouterr()
    assert "1 claim, 1 statement, all as expected" in told.out.splitlines()
    assert told.err.startswith("1 claim, run folder ")


def test_a_difference_names_the_command_that_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RAISING, "--seed", "3", "--profile", "full"]) == 1
    told = capsys.readouterr().out
    assert "fake.a, main: failed, expected proved" in told
    assert (
        "again: headproof verify fake.a --profile full --seed 3 --registry fake_claims:raising"
        in told
    )
    assert "traceback: runs/full-3/tracebacks/fake.a.only.txt" in told
    assert "1 not as expected" in told


def test_required_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*GOOD, "--require", "search"]) == 0
    assert main([*GOOD, "--require", "formal"]) == 1
    told = capsys.readouterr().out
    assert "No selected claim declares formal evidence, which was required." in told


def test_one_document_on_stdout(headproof: Program) -> None:
    done = headproof("verify", "--registry", "fake_claims:noisy", "--jobs", "1", "--json")
    document = json.loads(done.stdout)
    assert document["format"] == "headproof-verify/1"
    assert document["as_expected"]
    assert document["differences"] == []
    assert "noise" in done.stderr
    failed = headproof(*RAISING, "--json")
    assert failed.returncode == 1
    (difference,) = json.loads(failed.stdout)["differences"]
    assert difference["claim"] == "fake.a"
    assert difference["reproduce"].startswith("headproof verify fake.a --seed 0")


@pytest.mark.parametrize("colour", [True, False])
def test_a_terminal_gets_a_table_in_colour_unless_told_not_to(colour: bool, tmp_path: Path) -> None:
    path = os.pathsep.join(filter(None, [str(FAKES), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "TERM": "xterm-256color", "COLUMNS": "120"}
    environment.pop("NO_COLOR", None)
    if not colour:
        environment["NO_COLOR"] = "1"
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "headproof", *GOOD],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=tmp_path,
    ) as process:
        os.close(theirs)
        shown = b""
        while chunk := _read(ours):
            shown += chunk
    os.close(ours)
    assert process.returncode == 0
    assert b"verdict" in shown
    assert b"fake.refuted" in shown
    assert (b"\x1b[32m" in shown or b"\x1b[1;32m" in shown) is colour


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 65536)
    except OSError:  # the other end is closed
        return b""
