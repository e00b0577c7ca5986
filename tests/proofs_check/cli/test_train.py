"""``headproof train``: lists, refuses what does not exist, stops and goes on."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Program = Callable[..., subprocess.CompletedProcess[str]]


def test_list(headproof: Program) -> None:
    found = headproof("train", "--list")
    assert found.returncode == 0
    assert any(line.startswith("order ") for line in found.stdout.splitlines())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name an EXPERIMENT"),
        (("order", "--list"), "--list goes with no EXPERIMENT"),
        (("ordr",), "did you mean order?"),
        (("order", "--seeds", "0"), "0 is not in the range"),
        (("order", "--profile", "large"), "is not one of"),
        (("order", "--limit", "0"), "0"),
        (("order", "--jobs", "2", "--dask", "tcp://host:8786"), "--jobs goes with no --dask"),
    ],
)
def test_bad_usage_is_one_line(
    headproof: Program, arguments: tuple[str, ...], message: str
) -> None:
    found = headproof("train", *arguments)
    assert found.returncode == 2
    assert message in found.stderr
    assert found.stderr.count("\n") == 1
    assert not found.stdout


@pytest.mark.long
def test_a_limit_is_incomplete_and_the_same_command_goes_on(
    headproof: Program, tmp_path: Path
) -> None:
    command = ("train", "order", "--profile", "smoke", "--jobs", "1", "--json")
    stopped = headproof(*command, "--limit", "0.01")
    assert stopped.returncode == 3
    assert "same command goes on" in json.loads(stopped.stdout)["error"]["message"]
    ended = headproof(*command)
    assert ended.returncode == 0
    document = json.loads(ended.stdout)
    assert document["complete"]
    folder = tmp_path / "runs" / "train-order-smoke"
    assert json.loads((folder / "result.json").read_text())["seeds"] == document["seeds"]
    names = {"stages", "heads", "early-stopping"}
    assert {path.stem for path in (folder / "plots").glob("*.png")} == names
    assert headproof(*command).returncode == 0
