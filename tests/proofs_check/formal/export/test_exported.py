"""What an exported file says, without Rocq."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.formal.export import exported, terms
from headproof.proofs_check.formal.export.exported import NotExported, export_file
from headproof.proofs_check.formal.export.rank import pivot_rows
from headproof.proofs_check.formal.sentences import sentences
from headproof.proofs_check.formal.vernacular import objections
from headproof.symbolic.errors import CertificateInvalid, InputError, LimitReached

SAMPLES = Path(__file__).parents[2] / "checker" / "samples"

GOOD = sorted(
    path.relative_to(SAMPLES).as_posix()
    for pattern in ("farkas/good-*", "hull/good-*", "rank/good-matrix*")
    for path in SAMPLES.glob(pattern)
)


@pytest.mark.parametrize("name", GOOD)
def test_only_what_a_proof_file_may_hold_and_one_question(name: str) -> None:
    found = sentences(export_file(SAMPLES / name).text)
    assert [(o.line, o.reason.split(":")[0]) for o in objections(found)] == [
        (found[-1].line, "Print")
    ]
    assert found[-1].text == "Print Assumptions certified"
    assert not any("Headproof" in sentence.text for sentence in found)


def test_the_statement_has_the_data_of_the_certificate() -> None:
    path = SAMPLES / "hull" / "good-upper.json"
    export = export_file(path)
    assert (export.kind, export.claim) == ("hull", "sample.claim")
    assert export.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert export.sha256 in export.text.split("*)")[0]
    said = [sentence.text for sentence in sentences(export.text)]
    data = said.index(
        "Definition given_points : list (list Q) := "
        "[[-1; 0]; [0; -1 # 2]; [1; 0]; [0; 0]; [1; -3]]%Q"
    )
    assert said[data + 1 : data + 3] == [
        "Definition given_vertices : list nat := map Z.to_nat [0; 2]%Z",
        "Definition statement : Prop := has_vertices Upper 2%nat given_points given_vertices",
    ]
    assert "Theorem certified : statement" in said


def test_reasons_are_integers_in_the_order_of_the_points() -> None:
    text = export_file(SAMPLES / "hull" / "good-upper.json").text
    witness = re.search(r"Definition reasons : list reason := (.*?)%Z\.", text, re.DOTALL)
    assert witness
    assert " ".join(witness[1].split()) == (
        "[ Wins [-2; 1]; Inside [(0, 1); (2, 1)]; Wins [3; 2]; Inside [(0, 1); (2, 1)]; "
        "Inside [(2, 1)] ]"
    )


def test_multipliers_are_those_of_the_integral_rows(tmp_path: Path) -> None:
    data = {
        "rows": [
            {"coefficients": ["1/2", "1/3"], "relation": "<=", "bound": "1/5"},
            {"coefficients": [-3, -2], "relation": "<", "bound": "-6/5"},
        ],
        "multipliers": ["6", 1],
    }
    text = export_file(written(tmp_path, "farkas", data)).text
    # 30 (row 0) and 5 (row 1) are integral; 6 and 1 of the rows are 1/5 and 1/5 of those.
    assert "Definition multipliers : list Z := [1; 1]%Z." in text


def written(folder: Path, kind: str, data: dict[str, Any]) -> Path:
    path = folder / "certificate.json"
    document = {"format": "headproof-certificate/1", "kind": kind, "claim": "", "data": data}
    path.write_text(json.dumps(document))
    return path


def test_the_same_certificate_gives_the_same_file() -> None:
    path = SAMPLES / "rank" / "good-matrix.json"
    assert export_file(path) == export_file(path)


@pytest.mark.parametrize(
    "name",
    ["farkas/wrong-feasible.json", "hull/wrong-functional.json", "rank/wrong-matrix-rank.json"],
)
def test_what_the_checker_rejects_is_not_exported(name: str) -> None:
    with pytest.raises(CertificateInvalid):
        export_file(SAMPLES / name)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("identity/good-square.json", "found identity"),
        ("rank/good-gqa-rope.json", "a rank certificate of a matrix, found one of an architecture"),
    ],
)
def test_another_kind_is_not_exported(name: str, found: str) -> None:
    with pytest.raises(NotExported, match=found):
        export_file(SAMPLES / name)


def test_no_certificate_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    for name in ("a.json", "missing.json"):
        with pytest.raises(InputError):
            export_file(tmp_path / name)


@pytest.mark.parametrize(("limit", "least"), [("STEPS", 10), ("LENGTH", 50)])
def test_too_large_a_certificate_is_refused(
    limit: str, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = SAMPLES / "hull" / "good-plain.json"
    export_file(path)
    monkeypatch.setattr(exported, limit, least)
    with pytest.raises(LimitReached, match="too large for Rocq"):
        export_file(path)


def test_steps_grow_with_points_and_digits(tmp_path: Path) -> None:
    def steps(n: int, scale: int) -> int:
        data = {
            "points": [[i * scale, i * i * scale] for i in range(n)],
            "vertices": [{"point": i, "functional": [2 * i, -1]} for i in range(n)],
            "others": [],
            "repeated": [],
            "count": n,
        }
        export_file(written(tmp_path, "hull", data))
        return exported.KINDS["hull"](data).steps

    assert steps(20, 1) == 4 * steps(10, 1)
    assert steps(10, 2**64) > 9 * steps(10, 1)


def test_long_lists_are_cut_into_lines() -> None:
    text = terms.definition("a", "list Z", [str(i) for i in range(500)], "Z")
    assert max(map(len, text.splitlines())) <= terms.WIDTH
    assert [int(x) for x in re.findall(r"\d+", text)] == list(range(500))
    assert terms.definition("a", "list Z", [], "Z") == "Definition a : list Z := []%Z."


def test_whole_keeps_signs_and_proportions() -> None:
    values: list[int | Fraction] = [Fraction(-1, 6), 0, Fraction(3, 4)]
    assert terms.whole(values) == [-2, 0, 9]
    assert terms.whole([0, 0]) == [0, 0]


def test_pivot_rows_skip_those_that_depend_modulo_the_prime() -> None:
    assert pivot_rows([{}, {0: 7}, {0: 1, 1: 1}, {0: 2, 1: 9}, {2: 1}], 7) == [2, 4]
