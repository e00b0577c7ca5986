"""The folder of a pre-training, after deaths of every kind."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from headproof.numeric.attention_only.pretraining_folder import PretrainingFolder

CPU = torch.device("cpu")


def test_states_replace_one_another(tmp_path: Path) -> None:
    folder = PretrainingFolder(tmp_path)
    assert folder.state(CPU) is None
    for step in (1, 2):
        folder.keep({"step": step, "weights": torch.full((3,), float(step))})
    found = folder.state(CPU)
    assert found is not None
    assert found["step"] == 2
    assert found["weights"].tolist() == [2.0, 2.0, 2.0]
    assert [file.name for file in tmp_path.iterdir()] == ["checkpoint.pt"]


@pytest.mark.parametrize("length", [0, 10, -40])
def test_a_damaged_checkpoint_is_refused_by_name(tmp_path: Path, length: int) -> None:
    folder = PretrainingFolder(tmp_path)
    folder.keep({"step": 1})
    file = tmp_path / "checkpoint.pt"
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(ValueError, match=r"checkpoint\.pt cannot be read: remove it"):
        folder.state(CPU)


def test_a_state_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    folder = PretrainingFolder(tmp_path)
    folder.keep({"step": 1})
    (tmp_path / "checkpoint.part").mkdir()
    with pytest.raises(OSError, match="directory"):
        folder.keep({"step": 2})
    assert folder.state(CPU) == {"step": 1}


def test_lines_after_the_checkpoint_and_torn_ones_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = PretrainingFolder(tmp_path)
    folder.begin_log(0)
    lines: list[dict[str, Any]] = [
        {"format": "x"},
        {"step": 2, "loss": 1.0},
        {"step": 4, "loss": None},
    ]
    for line in lines:
        folder.write(line)
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == lines
    log = tmp_path / "log.jsonl"
    with log.open("a") as file:
        file.write('{"step": 6, "lo')
    folder.begin_log(2)
    assert [json.loads(line) for line in log.read_text().splitlines()] == lines[:2]
    log.unlink()
    folder.begin_log(2)
    assert log.read_text() == ""
    folder.write(lines[0])
    folder.begin_log(0)
    assert log.read_text() == ""


def test_no_line_that_json_does_not_know(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        PretrainingFolder(tmp_path).write({"loss": float("nan")})


def test_one_run_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "made"
    with (
        PretrainingFolder(path).held(),
        pytest.raises(ValueError, match="in use by another run"),
        PretrainingFolder(path).held(),
    ):
        pass
    with PretrainingFolder(path).held():
        pass
