"""Which certificates of a folder are exported, and why the others are left out."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from headproof.proofs_check.formal.export import exported
from headproof.proofs_check.formal.export.collection import FILE_NAME, collect

SAMPLES = Path(__file__).parents[2] / "checker" / "samples"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("hull/good-plain", "farkas/wrong-feasible", "identity/good-square"):
        shutil.copyfile(SAMPLES / f"{name}.json", tmp_path / f"{name.split('/')[1]}.json")
    shutil.copyfile(SAMPLES / "rank" / "good-sink.json", tmp_path / "architecture.json")
    (tmp_path / "broken.json").write_text("{")
    return tmp_path


def test_each_certificate_is_exported_or_left_out_for_its_reason(folder: Path) -> None:
    done, left = collect([str(folder)])
    assert [one.file for one in done] == ["sample_claim_good_plain.v"]
    assert {Path(entry.path).stem: entry.why for entry in left} == {
        "wrong-feasible": "invalid",
        "good-square": "kind",
        "architecture": "kind",
        "broken": "unreadable",
    }
    assert all(entry.reason and str(folder) not in entry.reason for entry in left)


def test_one_that_is_too_large_is_left_out(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exported, "STEPS", 1)
    done, left = collect([str(folder / "good-plain.json")])
    assert not done
    assert [(entry.kind, entry.why) for entry in left] == [("hull", "size")]


def test_names_differ_and_coqc_takes_them(tmp_path: Path) -> None:
    certificate = json.loads((SAMPLES / "hull" / "good-plain.json").read_text()) | {"claim": ""}
    names = ("a.b.json", "a b.json", "A_b.json", "7.json", "__.json", "\u00e4.json")
    for name in names:
        (tmp_path / name).write_text(json.dumps(certificate))
    done, left = collect([str(tmp_path)])
    files = [one.file for one in done]
    assert not left
    assert len({file.lower() for file in files}) == len(names)
    assert all(FILE_NAME.fullmatch(file) for file in files)
