"""Pre-training: what is refused; in processes of its own, slow to start, hence long."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.distributed as processes

from headproof.numeric.attention_only import pretrain
from headproof.numeric.attention_only.pretrain import main
from headproof.numeric.attention_only.trainer import Updater

OPTIONS = {
    "width": 16,
    "heads": 2,
    "layers": 2,
    "ffn": 32,
    "context": 16,
    "batch": 4,
    "every": 2,
    "warmup": 2,
    "peak": 0.01,
    "seed": 3,
}


def commands(folder: Path, *more: str) -> list[str]:
    text = folder / "text.txt"
    text.write_bytes(
        b"".join(b"%d times %d is %d\n" % (a, b, a * b) for a in range(40) for b in range(9))
    )
    sizes = [word for name, value in OPTIONS.items() for word in (f"--{name}", str(value))]
    module = "headproof.numeric.attention_only.pretrain"
    return [sys.executable, "-m", module, "--text", str(text), "--qk-norm", *sizes, *more]


def run(command: list[str], **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        command,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(process: "subprocess.Popen[str]", code: int = 0) -> tuple[str, str]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == code, err
    return out, err


def log(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def losses(folder: Path) -> list[float]:
    return [line["loss"] for line in log(folder) if "loss" in line]


def arguments(folder: Path, *more: str) -> list[str]:
    return commands(folder, "--out", str(folder / "out"), *more)[3:]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--steps", "0"), "--steps: expected a positive number"),
        (("--every", "0"), "--every: expected a positive number"),
        (("--batch", "-4"), "--batch: expected a positive number"),
        (("--tokens", "nan"), "--tokens: expected a positive number"),
        (("--peak", "0"), "--peak: expected a positive number"),
        (("--context", "800"), "needs a text of at least 8010 symbols"),  # a tenth is too short
    ],
)
def test_refusals_before_any_step(
    words: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(tmp_path, *words)) == 2
    out, err = capsys.readouterr()
    assert said in err
    assert err.count("\n") == 1
    assert out == ""
    assert not (tmp_path / "out").exists()


def test_a_loss_that_is_not_finite_ends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    step = Updater.step

    def spoilt(self: Updater, batch: Any, number: int) -> torch.Tensor:
        return step(self, batch, number) * (float("nan") if number == 3 else 1.0)

    monkeypatch.setattr(Updater, "step", spoilt)
    assert main(arguments(tmp_path, "--steps", "6")) == 2
    assert "not finite at step 4" in capsys.readouterr().err
    assert losses(tmp_path / "out")[1:] == [None]
    kept = torch.load(tmp_path / "out" / "checkpoint.pt", weights_only=True)
    assert kept["step"] == 2


def test_weights_that_are_not_finite_are_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loss before the last update is finite, what the update leaves is not."""
    step = Updater.step

    def spoilt(self: Updater, batch: Any, number: int) -> torch.Tensor:
        loss = step(self, batch, number)
        if number == 3:
            with torch.no_grad():
                next(self.model.parameters())[0, 0] = float("inf")
        return loss

    monkeypatch.setattr(Updater, "step", spoilt)
    assert main(arguments(tmp_path, "--steps", "4")) == 2
    assert "a weight is not finite after step 4" in capsys.readouterr().err
    kept = torch.load(tmp_path / "out" / "checkpoint.pt", weights_only=True)
    assert kept["step"] == 2


def test_another_precision_does_not_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments(tmp_path, "--steps", "2")) == 0
    assert main(arguments(tmp_path, "--steps", "2", "--precision", "bfloat16")) == 2
    assert "other settings" in capsys.readouterr().err


def test_processes_that_differ_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def gathered(theirs: list[Any], mine: dict[str, int]) -> None:
        theirs[:] = [mine, {**mine, "step": 0}]

    monkeypatch.setattr(processes, "all_gather_object", gathered)
    with pytest.raises(ValueError, match="differ in step"):
        pretrain._require_agreement({"seed": 1, "step": 2}, 2)
    pretrain._require_agreement({"seed": 1, "step": 0}, 2)


@pytest.mark.long
def test_two_processes_and_a_resumed_run_have_the_losses_of_one(tmp_path: Path) -> None:
    one, two, again = (str(tmp_path / name) for name in ("one", "two", "again"))
    finished(run(commands(tmp_path, "--steps", "6", "--out", one)))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    both = [
        run(
            commands(tmp_path, "--steps", "6", "--out", two),
            RANK=str(rank),
            LOCAL_RANK=str(rank),
            WORLD_SIZE="2",
            MASTER_ADDR="127.0.0.1",
            MASTER_PORT=port,
        )
        for rank in range(2)
    ]
    for process in both:
        finished(process)
    expected = losses(Path(one))
    assert len(expected) == 3
    assert expected[-1] < expected[0]
    # Float32 sums in another order; six steps of a tame model do not amplify them much.
    assert max(abs(a - b) for a, b in zip(expected, losses(Path(two)), strict=True)) < 1e-5
    last = log(Path(one))[-1]
    assert last["tokens_per_second"] > 0
    assert last["utilisation"] > 0
    assert log(Path(one))[0]["text"]["sha256"]

    # Killed after the first checkpoint: what comes after is the same to the last bit.
    process = run(commands(tmp_path, "--steps", "6", "--out", again))
    assert process.stdout is not None
    for line in process.stdout:
        if json.loads(line).get("step") == 2:
            break
    process.kill()
    process.communicate()
    finished(run(commands(tmp_path, "--steps", "6", "--out", again)))
    assert losses(Path(again)) == expected

    # Other settings do not go on from it.
    _, err = finished(run(commands(tmp_path, "--steps", "8", "--out", again)), code=2)
    assert "other settings" in err
    assert len(err.strip().splitlines()) == 1
