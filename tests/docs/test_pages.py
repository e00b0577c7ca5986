"""The tutorials, followed literally: files and commands are taken from the pages."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FILE = re.compile(r"```\{code-block\} python\n:caption: (\S+)\n\n(.*?)```", re.DOTALL)
SHELL = re.compile(r"```sh\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r"```text\n(.*?)```", re.DOTALL)


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def save(text: str, folder: Path) -> None:
    files = FILE.findall(text)
    assert files
    for name, code in files:
        (folder / name).write_text(code, "utf-8")


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A line of the page; ``headproof`` is this Python's."""
    words = line.split()
    assert words[0] == "headproof"
    environment = {**os.environ, "NO_COLOR": "1", "OMP_NUM_THREADS": "1", "COLUMNS": "120"}
    environment.pop("PYTHONPATH", None)
    # -P: like the installed program, which does not find modules in the current folder by itself
    return subprocess.run(
        [sys.executable, "-P", "-m", "headproof", *words[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )


def commands(text: str) -> list[str]:
    return [line for block in SHELL.findall(text) for line in block.splitlines() if line]


def test_the_claim_is_settled_as_the_page_says(tmp_path: Path) -> None:
    text = page("claim.md")
    save(text, tmp_path)
    verify, check = commands(text)
    done = run(verify, tmp_path)
    assert done.returncode == 0, done.stderr
    (shown,) = SHOWN.findall(text)
    for line in shown.splitlines():
        assert line in done.stdout
    checked = run(check, tmp_path)
    assert (checked.returncode, checked.stdout) == (0, "4 checked: 4 valid\n")
    report = "headproof report mine/quick-0 --registry best_key:registry"
    assert f"`{report}`" in text
    assert run(report, tmp_path).returncode == 0
    assert "Best key" in (tmp_path / "mine" / "quick-0" / "report.html").read_text("utf-8")


def test_the_claim_has_thirty_lines_of_code() -> None:
    ((_, code),) = FILE.findall(page("claim.md"))
    assert sum(bool(line.strip()) for line in code.splitlines()) <= 30


def test_the_false_claim_fails_as_the_page_says(tmp_path: Path) -> None:
    text = page("claim.md")
    save(text, tmp_path)
    source = tmp_path / "best_key.py"
    spoilt = source.read_text("utf-8").replace("N * BEST >= TOTAL", "N * BEST > TOTAL")
    source.write_text(spoilt, "utf-8")
    done = run(commands(text)[0], tmp_path)
    assert done.returncode == 1
    assert "share: failed, expected certified" in done.stdout
    (first,) = (tmp_path / "mine").glob("*/certificates/mine.best-key/cases.N1.json")
    answer = json.loads(run(f"headproof check {first} --json", tmp_path).stdout)
    assert "-2" in answer["results"][0]["reason"]
    assert "rejects the certificate at `s = (-2)`" in text


def test_variants_are_recovered_or_refused_as_the_page_says(tmp_path: Path) -> None:
    text = page("variant.md")
    save(text, tmp_path)
    softmax, quiet = commands(text)
    done = run(softmax, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("2 heads recovered")
    assert "1,328 value queries" in done.stdout
    assert "6 fresh queries" in done.stdout
    assert "from 1,328 queries and six fresh ones" in text
    refused = run(quiet, tmp_path)
    assert refused.returncode == 1
    assert "attention gives" in refused.stderr


@pytest.mark.parametrize(
    "name", [name for name, _ in FILE.findall(page("variant.md")) if name != "mymodel.py"]
)
def test_scripts_run(name: str, tmp_path: Path) -> None:
    save(page("variant.md"), tmp_path)
    done = subprocess.run(
        [sys.executable, name], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert "assert " in (tmp_path / name).read_text("utf-8")
