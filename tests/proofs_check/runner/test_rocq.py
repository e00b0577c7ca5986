"""Whether the installed Rocq can check the proofs: other versions and absent libraries are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from headproof.proofs_check.runner import rocq
from headproof.proofs_check.runner.components import COMPONENTS, why_missing

DEPRECATIONS = {
    "ssreflect/fintype.v": '#[deprecated(since="mathcomp 1.9.0")] (since="mathcomp 1.15.0")',
    "analysis/exp.v": 'since="mathcomp-analysis 0.6.0" since="mathcomp-analysis 1.6.0"',
}


def install(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    version: str = "8.16.1 4.13.1",
    without: str = "",
    **replaced: str,
) -> None:
    """A coqc on the search path that says what it is told to, and its libraries."""
    library = folder / "lib" / "user-contrib" / "mathcomp"
    texts = {name: "" for name in rocq.FILES if name != without} | DEPRECATIONS
    for name, text in texts.items():
        (library / name).parent.mkdir(parents=True, exist_ok=True)
        (library / name).write_text(replaced.get(Path(name).stem, text))
    program = folder / "bin" / "coqc"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncase "$1" in -where) echo "{folder}/lib";; *) echo "{version}";; esac\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))


def test_the_version_that_the_proofs_are_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    assert (rocq.version(), rocq.problem()) == ("8.16.1", "")


def test_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert COMPONENTS["coqc"].find() is None
    assert why_missing("coqc").startswith("coqc is missing (install coq 8.16, ")


@pytest.mark.parametrize(
    ("machine", "problem"),
    [
        ({"version": "8.20.0 5.2.0"}, "coqc is of version 8.20.0, the proofs are for 8.16"),
        ({"version": "8.160.0"}, "coqc is of version 8.160.0, the proofs are for 8.16"),
        ({"version": ""}, "coqc is of version unknown, the proofs are for 8.16"),
        ({"without": "analysis/exp.vo"}, "coqc 8.16.1 has no mathcomp/analysis/exp"),
        ({"without": "zify/zify.vo"}, "coqc 8.16.1 has no mathcomp/zify/zify"),
        (
            {"fintype": '(since="mathcomp 1.15.0") (since="mathcomp 2.0.0")'},
            "coqc has mathcomp 2.0, the proofs are for 1.15",
        ),
        (
            {"exp": '(since="mathcomp-analysis 0.6.0") (since="analysis 0.12.0")'},
            "coqc has mathcomp-analysis 0.12, the proofs are for 0.6",
        ),
        ({"exp": ""}, "coqc has mathcomp-analysis an unknown version, the proofs are for 0.6"),
    ],
)
def test_another_is_not_used_and_the_reason_told(
    machine: dict[str, str], problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, **machine)
    assert COMPONENTS["coqc"].find() is None
    assert why_missing("coqc").startswith(f"{problem} (install coq 8.16, ")


def test_one_that_does_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)
    (tmp_path / "bin" / "coqc").write_text("#!/bin/sh\nexit 1\n")
    assert rocq.problem() == "coqc is of version unknown, the proofs are for 8.16"
