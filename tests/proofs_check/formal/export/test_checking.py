"""Exported files before coqc: good ones, and for every way to spoil one a spoilt one."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from headproof.proofs_check.formal.compilation import compile_all
from headproof.proofs_check.formal.export.checking import Checked, check_export
from headproof.proofs_check.formal.export.exported import Export, export_file
from headproof.proofs_check.formal.manifest import FOLDER
from headproof.proofs_check.formal.verification import Standing
from headproof.symbolic.cones.hull import convex_hull

SAMPLES = Path(__file__).parents[2] / "checker" / "samples"

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is missing")

FARKAS = SAMPLES / "farkas" / "good-gordan.json"


def spoilt(export: Export, old: str, new: str) -> Checked:
    assert export.text.count(old) == 1, old
    return check_export(replace(export, text=export.text.replace(old, new)))


@needs_coq
@pytest.mark.parametrize(
    "name",
    [
        "farkas/good-strict",
        pytest.param("hull/good-upper", marks=pytest.mark.long),
        pytest.param("rank/good-matrix", marks=pytest.mark.long),
        pytest.param("farkas/good-equation", marks=pytest.mark.long),
        pytest.param("hull/good-plain", marks=pytest.mark.long),
        pytest.param("hull/good-one-point", marks=pytest.mark.long),
        pytest.param("rank/good-matrix-full", marks=pytest.mark.long),
    ],
)
def test_a_good_certificate_is_proved_without_axioms(name: str) -> None:
    checked = check_export(export_file(SAMPLES / f"{name}.json"))
    assert (checked.standing, checked.axioms, checked.reasons) == (Standing.CHECKED, (), ())


@needs_coq
def test_forged_data_do_not_compile() -> None:
    checked = spoilt(
        export_file(FARKAS), "Condition [0; -1] Below (0)", "Condition [0; 1] Below (0)"
    )
    assert checked.standing is Standing.FAILED
    assert checked.reasons[0].startswith("does not compile")


@needs_coq
def test_a_file_that_takes_too_long_is_not_run() -> None:
    checked = check_export(export_file(FARKAS), limit=0.05)
    assert checked.standing is Standing.NOT_RUN
    assert checked.reasons == ("not compiled within 0.05 s",)


SPOILT = {
    "another bound": (
        "hull/good-upper",
        "[0; -1 # 2]",
        "[0; 1 # 2]",
        "does not compile",
    ),
    "a vertex too few": ("hull/good-upper", "Z.to_nat [0; 2]", "Z.to_nat [0]", "does not compile"),
    "another side": (
        "hull/good-upper",
        "  has_vertices Upper 2%nat",
        "  has_vertices Whole 2%nat",
        "does not compile",
    ),
    "another entry": ("rank/good-matrix", "(1, 4)", "(1, 5)", "does not compile"),
    "another rank": (
        "rank/good-matrix",
        "  has_rank 3%nat given_rows 2%nat",
        "  has_rank 3%nat given_rows 3%nat",
        "does not compile",
    ),
    "a theorem of another statement": (
        "farkas/good-gordan",
        "Theorem certified : statement.\nProof.",
        "Theorem certified : True.\nProof. exact I. Qed.\nTheorem other : statement.\nProof.",
        "certified is not of the type statement",
    ),
    "an axiom": (
        "farkas/good-gordan",
        "vm_cast_no_check (eq_refl true).",
        "exact (given (check_farkas given_system multipliers = true)).",
        "does not compile",
    ),
    "an axiom that is there": (
        "farkas/good-gordan",
        "Theorem certified : statement.\nProof.",
        "Axiom given : statement.\nTheorem certified : statement.\nProof. exact given. Qed.\n"
        "Theorem other : statement.\nProof.",
        "rests on Headproof.certificate.given",
    ),
    "a gap": (
        "farkas/good-gordan",
        "vm_cast_no_check (eq_refl true).\nQed.",
        "Admitted.",
        "certified is not opaque; rests on Headproof.certificate.certified",
    ),
    "Defined for Qed": (
        "farkas/good-gordan",
        "vm_cast_no_check (eq_refl true).\nQed.",
        "vm_cast_no_check (eq_refl true).\nDefined.",
        "certified is not opaque",
    ),
    "no theorem": (
        "farkas/good-gordan",
        "Theorem certified : statement",
        "Theorem another : statement",
        "does not compile",  # Print Assumptions asks for it
    ),
}


@pytest.mark.long
@needs_coq
@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_file_fails_for_its_own_reason(name: str) -> None:
    sample, old, new, reason = SPOILT[name]
    checked = spoilt(export_file(SAMPLES / f"{sample}.json"), old, new)
    assert checked.standing is Standing.FAILED
    assert "; ".join(checked.reasons).startswith(reason)


@pytest.mark.long
@needs_coq
def test_long_fractions_and_many_points(tmp_path: Path) -> None:
    points: list[list[int | Fraction]] = [
        [i, Fraction(i * i * 10**40 + 1, 10**39 + 7 * i), i % 3] for i in range(60)
    ]
    hull = convex_hull(points)
    path = tmp_path / "hull.json"
    path.write_text(json.dumps(hull.certificate("")))
    export = export_file(path)
    assert " # 0x" in export.text
    assert check_export(export).standing is Standing.CHECKED


@pytest.mark.long
@needs_coq
def test_the_fields_of_numbers_are_ordered_fields(tmp_path: Path) -> None:
    names = ["StatementsCertificates.v", "ordered_fields.v"]
    shutil.copyfile(FOLDER / names[0], tmp_path / names[0])
    source = Path(__file__).with_name(names[1]).read_text(encoding="utf-8")
    (tmp_path / names[1]).write_text(source)
    assert not any(compile_all(tmp_path, names, jobs=1).errors.values())
    (tmp_path / names[1]).write_text(source.replace("Qcplus Qcopp Qcmult", "Qcmult Qcopp Qcplus"))
    assert compile_all(tmp_path, names, jobs=1).errors[names[1]]
