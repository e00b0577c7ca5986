"""The checker as a program, without anything installed; run folders."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CHECKER = Path(__file__).parents[3] / "proofs_check" / "checker"
SAMPLES = Path(__file__).parent / "samples"
GOOD = SAMPLES / "hull" / "good-plain.json"


def run(*arguments: Any, cwd: Any = None) -> Any:
    """The folder as a script, isolated, with an empty environment."""
    command = [sys.executable, "-I", "-S", str(CHECKER), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env={}, cwd=cwd, timeout=60)


def test_every_kind_without_installed_packages() -> None:
    kinds = ("ball", "counterexample", "exhaustive", "farkas", "hull", "identity")
    done = run(*(path for kind in kinds for path in sorted((SAMPLES / kind).glob("good-*"))))
    assert (done.returncode, done.stderr) == (0, "")
    assert "valid (hull, sample.claim)" in done.stdout
    assert done.stdout.splitlines()[-1].endswith(" valid")


def test_as_a_module() -> None:
    command = [sys.executable, "-m", "headproof.proofs_check.checker", "--quiet", str(GOOD)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_copy_of_the_folder_works_under_any_name(tmp_path: Any) -> None:
    copy = tmp_path / "head-proof.2"
    shutil.copytree(CHECKER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "json.py").write_text("raise SystemExit('shadowed')\n")
    (copy / "decimal.py").write_text("raise SystemExit('shadowed')\n")
    command = [sys.executable, "-I", "-S", "head-proof.2", str(GOOD)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


FORBIDDEN = {"eval", "exec", "compile", "__import__", "pickle", "marshal", "subprocess"}


def offences(source: str) -> list[str]:
    """Imports from outside the standard library or the folder, and ways to run foreign code."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = [node.module or ""] if node.level == 0 else []
            if node.level > 1:
                found.append("an import from above the folder")
        else:
            modules = []
            if isinstance(node, ast.Name) and node.id in FORBIDDEN:
                found.append(node.id)
        for module in modules:
            top = module.split(".")[0]
            if top not in sys.stdlib_module_names or top in FORBIDDEN:
                found.append(module)
    return found


@pytest.mark.parametrize("path", sorted(CHECKER.glob("*.py")), ids=lambda path: path.stem)
def test_only_the_standard_library_is_imported(path: Path) -> None:
    assert offences(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    [
        "import numpy",
        "from sympy.core import x",
        "from ..claim import Claim",
        "import pickle",
        "x = eval('1')",
        "exec(text)",
    ],
)
def test_other_imports_are_noticed(source: str) -> None:
    assert offences(source)


@pytest.mark.parametrize(
    ("names", "status"),
    [
        (["hull/good-plain"], 0),
        (["hull/good-plain", "hull/wrong-count"], 1),
        (["hull/good-plain", "hull/wrong-unknown-key"], 2),
        (["hull/wrong-count", "hull/wrong-unknown-key"], 1),
        (["hull/there-is-none"], 2),
    ],
)
def test_exit_status(names: Any, status: Any) -> None:
    assert run(*(SAMPLES / f"{name}.json" for name in names)).returncode == status


@pytest.mark.parametrize("arguments", [[], ["--yaml", "x"], ["--json"], ["--quiet"]])
def test_wrong_usage(arguments: Any) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert "usage: checker" in done.stderr
    assert (json.loads(done.stdout)["error"]["type"] if done.stdout else None) == (
        "UsageError" if "--json" in arguments else None
    )


def test_help() -> None:
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "usage: checker" in done.stdout


def test_json_is_one_document() -> None:
    done = run("--json", GOOD, SAMPLES / "farkas" / "wrong-combination.json")
    document = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert document["format"] == "headproof-check/1"
    assert not document["valid"]
    assert [result["answer"] for result in document["results"]] == ["valid", "invalid"]
    assert document["results"][1]["reason"].startswith("the combination of the rows")


def test_names_do_not_steer_the_terminal(tmp_path: Any) -> None:
    (tmp_path / "\x1b[2Jé\n.json").write_text("{}")
    done = run(tmp_path)
    assert "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == 2


# Run folders ------------------------------------------------------------------------------

CLAIM = "sample.claim"
NAME = f"certificates/{CLAIM}/exact.hull.json"


def line(*names: Any, claim: Any = CLAIM) -> Any:
    evidence = [{"producer": "exact", "certificates": list(names), "seconds": 0.5, "detail": "é"}]
    return {"format": "headproof-result/1", "claim": claim, "evidence": evidence}


def make_run(folder: Any, *lines: Any, certificates: Any = (NAME,)) -> None:
    for name in certificates:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(GOOD, folder / name)
    (folder / "run.json").write_text("{}")
    text = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in lines)
    (folder / "results.jsonl").write_text(text, encoding="utf-8")


def test_run_is_valid(tmp_path: Any) -> None:
    make_run(tmp_path, line(NAME))
    done = run(tmp_path)
    assert done.returncode == 0
    assert "1 checked: 1 valid" in done.stdout


def test_run_without_certificates(tmp_path: Any) -> None:
    make_run(tmp_path, line(), certificates=())
    assert run(tmp_path).returncode == 0


@pytest.mark.parametrize("name", [NAME, "results.jsonl"])
def test_run_with_a_link(name: Any, tmp_path: Any) -> None:
    make_run(tmp_path, line(NAME))
    (tmp_path / name).rename(tmp_path / "elsewhere")
    (tmp_path / name).symlink_to(tmp_path / "elsewhere")
    done = run(tmp_path)
    assert done.returncode == (1 if name == NAME else 2)


def test_falsified_certificate_is_named(tmp_path: Any) -> None:
    make_run(tmp_path, line(NAME))
    text = (tmp_path / NAME).read_text()
    (tmp_path / NAME).write_text(text.replace('"weight": "1/4"', '"weight": "1/3"', 1))
    done = run(tmp_path)
    assert done.returncode == 1
    assert f"{NAME}: invalid: point 3: combination: the weights do not sum to 1" in done.stdout


def test_missing_certificate_is_invalid(tmp_path: Any) -> None:
    make_run(tmp_path, line(NAME))
    os.unlink(tmp_path / NAME)
    done = run(tmp_path)
    assert done.returncode == 1
    assert f"{NAME}: invalid: missing" in done.stdout


def test_certificate_that_is_not_listed_is_checked(tmp_path: Any) -> None:
    extra = f"certificates/{CLAIM}/exact.extra.json"
    make_run(tmp_path, line(NAME), certificates=(NAME, extra))
    (tmp_path / extra).write_text("{}")
    assert run(tmp_path).returncode == 2


def test_certificate_of_another_claim(tmp_path: Any) -> None:
    other = "certificates/other.claim/exact.hull.json"
    make_run(tmp_path, line(other, claim="other.claim"), certificates=(other,))
    done = run(tmp_path)
    assert done.returncode == 1
    assert "it belongs to the claim sample.claim, not to other.claim" in done.stdout
    make_run(tmp_path, line(other), certificates=(other,))
    assert "results.jsonl lists it for sample.claim" in run(tmp_path).stdout


def test_a_later_line_of_a_claim_counts(tmp_path: Any) -> None:
    make_run(tmp_path, line(f"certificates/{CLAIM}/gone.json"), line(NAME))
    assert run(tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("spoilt", "reason"),
    [
        (b'{"format": "headproof-resu', "cut off"),
        (b"\n", "line 2: the file is empty"),
        (b"[]\n", "line 2: expected an object"),
        (b'{"format": "headproof-result/1", "claim": "a"}\n', "evidence"),
        (json.dumps(line("../../etc/passwd.json")).encode() + b"\n", "no certificate of this run"),
        (json.dumps(line("certificates/../a.json")).encode() + b"\n", "no certificate of this"),
        (json.dumps(line("/certificates/a.json")).encode() + b"\n", "no certificate of this run"),
        (b"\xff\n", "UTF-8"),
    ],
)
def test_spoilt_results(spoilt: Any, reason: Any, tmp_path: Any) -> None:
    make_run(tmp_path, line(NAME))
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(spoilt)
    done = run(tmp_path)
    assert done.returncode == 2
    assert reason in done.stdout
    assert f"{NAME}: valid" in done.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_answer_that_cannot_be_written_is_no_answer(options: Any) -> None:
    command = [sys.executable, "-I", "-S", str(CHECKER), *options, str(CHECKER)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (2, "stdout: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell that closes streams")
@pytest.mark.parametrize("end", [">&-", "| true"])
def test_a_reader_that_goes_away_is_told_nothing(end: str) -> None:
    line = f'(sleep 0.2; "{sys.executable}" -I -S "{CHECKER}" "{CHECKER}") {end}'
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True)
    assert done.stderr == ""
