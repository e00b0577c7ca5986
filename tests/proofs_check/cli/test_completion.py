"""Shell completion: the scripts, and what they are answered."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from headproof.proofs_check.cli import main
from headproof.proofs_check.cli.completion import VARIABLE
from headproof.proofs_check.registry import TOPICS, load

Program = Callable[..., subprocess.CompletedProcess[str]]


def offered(
    words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[tuple[str, ...]]:
    """What bash is offered for the last word of a line."""
    monkeypatch.setenv(VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
    assert main([]) == 0
    return [tuple(line.split(",", 1)) for line in capsys.readouterr().out.split("\n") if line]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("headproof ver", [("plain", "verify")]),
        ("headproof verify --prof", [("plain", "--profile")]),
        ("headproof verify --profile pa", [("plain", "paper")]),
        ("headproof completion f", [("plain", "fish")]),
        ("headproof show ensemble.princ", [("plain", "ensemble.principal-angles")]),
        ("headproof train hier", [("plain", "hierarchy")]),
        ("headproof demo mink", [("plain", "minkowski")]),
        ("headproof hull poi", [("file", "poi")]),
        ("headproof check runs/qu", [("file", "runs/qu")]),
        ("headproof hull --no-such", []),
        ("headproof list --registry no_such_module:f trop", [("file", "trop")]),
    ],
)
def test_words_are_completed(
    words: str,
    expected: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert offered(words, monkeypatch, capsys) == expected


@pytest.mark.parametrize("command", ["verify", "list", "show", "derive", "formal"])
def test_claims_and_topics_are_offered(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = {word for _, word in offered(f"headproof {command} ", monkeypatch, capsys)}
    assert set(TOPICS) <= found
    assert set(load().claims) <= found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_name_the_program_and_the_variable(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"{VARIABLE}={shell}_complete" in script
    assert main(["completion", shell, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["script"].strip() == script.strip()


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "bash" in capsys.readouterr().err


@pytest.mark.parametrize("value", ["tcsh_complete", "bash_source", "nonsense"])
def test_an_unknown_instruction_is_no_completion(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(VARIABLE, value)
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("headproof ")


@pytest.fixture
def on_path(tmp_path: Path) -> dict[str, str]:
    """An environment in which the program is found."""
    program = tmp_path / "headproof"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m headproof "$@"\n')
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_with_the_script(on_path: dict[str, str]) -> None:
    script = (
        'eval "$(headproof completion bash)"\n'
        "COMP_WORDS=(headproof verify tropical.pow); COMP_CWORD=2\n"
        "_headproof_completion headproof tropical.pow verify\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script], env=on_path, capture_output=True, text=True
    )
    assert done.stdout == "tropical.power-diagram\n", done.stderr


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_with_whole_descriptions(on_path: dict[str, str]) -> None:
    script = 'headproof completion fish | source; complete -C "headproof verify --prof"'
    done = subprocess.run(
        ["fish", "--no-config", "-c", script], env=on_path, capture_output=True, text=True
    )
    word, _, told = done.stdout.strip().partition("\t")
    assert word == "--profile", done.stderr
    assert told.startswith("How much work: minutes, an hour"), "cut at a comma"
