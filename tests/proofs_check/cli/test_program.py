"""What holds for every command: quick help, one clear line, one JSON document, exit codes."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from headproof.proofs_check.cli import main
from headproof.proofs_check.cli.program import COMMANDS, program
from headproof.symbolic import errors

Program = Callable[..., subprocess.CompletedProcess[str]]
HEAVY = ("torch", "sympy", "numpy", "scipy", "networkx", "jinja2", "hypothesis", "flint", "mpmath")


def loaded_after(statement: str) -> list[str]:
    text = (
        f"import sys\n{statement}\nprint([m for m in {HEAVY} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    loaded: list[str] = json.loads(done.stderr.replace("'", '"'))
    return loaded


@pytest.mark.parametrize(
    "statement",
    [
        "import headproof",
        "import headproof; headproof.check, headproof.verify",
        "from headproof.proofs_check.cli import main; main(['--help'])",
        "from headproof.proofs_check.cli import main; main(['verify', '--help'])",
        "from headproof.proofs_check.cli import main; main(['--version'])",
        "from headproof.proofs_check.cli import main; main(['check', 'nothing'])",
    ],
)
def test_light_commands_load_no_heavy_library(statement: str) -> None:
    assert loaded_after(statement) == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples_and_a_json_form(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0
    text = capsys.readouterr().out
    assert f"Examples:\n    headproof {name}" in text or "Examples:\n    echo" in text
    assert "--json" in text


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    assert all(f"  {name} " in text for name in COMMANDS)
    assert "...\n" not in text.replace("[ARGS]...", ""), "a line of the list is cut"
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "headproof 0.1.0\n"
    assert main([]) == 2
    assert "Usage" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["no-such-command"],
        ["verify", "--profile", "fast"],
        ["verify", "--jobs", "0"],
        ["verify", "--seed", "-1"],
        ["verify", "--require", "hope"],
        ["verify", "--no-such-option"],
        ["verify", "no.such-claim", "--registry", "fake_claims:good"],
        ["verify", "--registry", "fake_claims:good", "--out", "a-file"],
        ["verify", "--registry", "no_such_module:claims"],
        ["list", "no-such-topic", "--registry", "fake_claims:good"],
        ["show", "fake", "--registry", "fake_claims:good"],
        ["show", "fake.refuted", "--registry", "fake_claims:good", "--run", "."],
        ["check"],
        ["hull"],
        ["hull", "missing.json"],
        ["hull", "."],
        ["hull", "a-file"],
        ["hull", "points.json", "-o", "no/such/folder/cert.json"],
        ["report", "no-such-run"],
        ["report", "."],
    ],
)
def test_errors_of_use_are_one_line_or_one_document(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a-file").write_text("{")
    Path("points.json").write_text('{"points": [[0], [1]]}')
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("headproof: ")
    assert told.err.count("\n") == 1
    assert main([*arguments, "--json"]) == 2
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "headproof-error/1"
    assert set(document["error"]) == {"type", "message"}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.InputError("a", "b"), 2),
        (errors.NotInClass("x"), 1),
        (errors.CertificateInvalid("x"), 1),
        (errors.DerivationFailed(1, "a", "b", rule="r"), 1),
        (errors.Degenerate("x"), 3),
        (errors.PrecisionExhausted("x"), 3),
        (errors.LimitReached("x"), 3),
        (KeyboardInterrupt(), 3),
        (PermissionError(13, "Permission denied", "x"), 2),
        (ZeroDivisionError("x"), 4),
    ],
)
def test_every_way_to_fail_has_its_exit_code(
    error: BaseException,
    code: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(context: object) -> None:
        raise error

    monkeypatch.setattr(program, "invoke", fail)
    assert main(["list"]) == code
    told = capsys.readouterr().err
    assert ("Traceback" in told) is (code == 4)
    assert main(["list", "--json"]) == code
    name = "Interrupted" if isinstance(error, KeyboardInterrupt) else type(error).__name__
    assert json.loads(capsys.readouterr().out)["error"]["type"] == name


def test_a_reader_that_goes_away_causes_no_noise(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    path = os.pathsep.join(
        [str(Path(__file__).parents[1] / "runner"), os.environ.get("PYTHONPATH", "")]
    )
    done = subprocess.run(
        [sys.executable, "-m", "headproof", "list", "--registry", "fake_claims:good"],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
    )
    os.close(writing)
    assert done.returncode == 3
    assert done.stderr == ""


def test_the_module_runs_as_the_program_does(
    headproof: Program,
) -> None:
    done = headproof("--version")
    assert (done.returncode, done.stdout) == (0, "headproof 0.1.0\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_full_disk_under_stdout_is_told_in_one_line(options: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "headproof", "list", *options],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that closes streams")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-"])
def test_closed_streams_are_no_error(closed: str) -> None:
    line = f'"{sys.executable}" -m headproof list {closed}'
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that closes streams")
def test_an_input_that_is_closed_or_empty_is_told_in_one_line(headproof: Program) -> None:
    line = f'"{sys.executable}" -m headproof hull - <&-'
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    expected = "headproof: stdin, line 1, column 1: expected JSON, found nothing\n"
    assert (done.returncode, done.stderr) == (2, expected)


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_letters_that_the_encoding_lacks_are_no_error(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "headproof", "show", "tropical.depth"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0, done.stderr
    assert b"tropical.depth" in done.stdout


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("verfy", "No such command 'verfy'; did you mean verify?"),
        ("hul", "No such command 'hul'; did you mean hull?"),
        ("zzzz", "No such command 'zzzz'."),
    ],
)
def test_a_mistyped_command(typed: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([typed]) == 2
    assert capsys.readouterr().err == f"headproof: {said}\n"
