"""The join of a run with the claims of this version."""

import json
from pathlib import Path
from typing import Any

from headproof.proofs_check.registry import Registry, build
from headproof.proofs_check.report.recorded import read
from headproof.proofs_check.report.view import View, view


def of(run: Path, registry: Registry) -> View:
    return view(read(run), registry)


def test_claims_come_by_number_with_their_worst_verdict(sample: Path, registry: Registry) -> None:
    shown = of(sample, registry)
    told = [(c.number, c.headline.value if c.headline else None) for c in shown.claims]
    assert told == [("A1", "proved"), ("A2", "proved"), ("A3", "failed"), ("A5", "failed")]
    assert shown.different == 2
    assert shown.notes == ()


def test_a_claim_that_this_version_does_not_know_is_shown(sample: Path, registry: Registry) -> None:
    known = build(c for c in registry if c.id != "tropical.cells")
    shown = of(sample, known)
    assert len(shown.claims) == 4
    assert shown.claims[-1].claim is None
    assert [s.name for s in shown.claims[-1].statements] == [
        "upper-vertices",
        "real-heads",
        "every-key-wins",
    ]
    assert any("Not known" in note and "tropical.cells" in note for note in shown.notes)


def test_an_unfinished_run_says_so_first(sample: Path, registry: Registry) -> None:
    path = sample / "run.json"
    manifest = json.loads(path.read_text(encoding="utf-8")) | {"complete": False}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    lines = (sample / "results.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (sample / "results.jsonl").write_text("".join(lines[:2]), encoding="utf-8")
    assert (
        of(sample, registry)
        .notes[0]
        .startswith("This run is not complete: 2 of 4 claims have a result.")
    )


def test_a_verdict_typed_in_by_hand_is_noticed(
    sample: Path, registry: Registry, amend: Any
) -> None:
    def improve(line: dict[str, Any]) -> None:
        for statement in line["statements"]:
            if statement["verdict"] == "failed":
                statement.update(verdict="proved", difference=False)

    amend(sample, improve)
    (note,) = of(sample, registry).notes
    assert "tropical.routing-limit (uniform-limit)" in note
    assert "tropical.cells (upper-vertices)" in note


def test_a_difference_hidden_by_hand_is_counted(
    sample: Path, registry: Registry, amend: Any
) -> None:
    def hide(line: dict[str, Any]) -> None:
        for statement in line["statements"]:
            statement["difference"] = False

    amend(sample, hide)
    assert of(sample, registry).different == 2


def test_a_statement_without_a_verdict_is_named(
    sample: Path, registry: Registry, amend: Any
) -> None:
    amend(sample, lambda line: line["statements"].pop())
    (note,) = of(sample, registry).notes
    assert note.startswith("The run recorded no verdict: tropical.dequantisation (lower-bound")


def test_commands_select_what_the_run_selected(sample: Path, registry: Registry) -> None:
    shown = of(sample, registry)
    assert shown.reproduce == "headproof verify --seed 0"
    assert shown.claims[0].reproduce == "headproof verify tropical.dequantisation --seed 0"
    path = sample / "run.json"
    part = {"selection": ["tropical.cells"], "profile": "full", "require": ["exact"]}
    manifest = json.loads(path.read_text(encoding="utf-8")) | part
    path.write_text(json.dumps(manifest), encoding="utf-8")
    assert of(sample, registry).reproduce == (
        "headproof verify tropical.cells --profile full --seed 0 --require exact"
    )


def test_certificates_are_described_and_judged_as_recorded(
    sample: Path, registry: Registry
) -> None:
    exhibits = {e.file.rpartition("/")[2]: e for e in of(sample, registry).exhibits}
    good = exhibits["grid.seven-keys-in-the-plane.json"]
    bad = exhibits["grid.three-keys-on-a-line.json"]
    assert (good.kind, good.accepted) == ("hull", True)
    assert (bad.kind, bad.accepted) == ("hull", False)
    assert "5/6" in bad.rejected


def test_a_certificate_that_is_not_there_is_said_to_be_missing(
    sample: Path, registry: Registry
) -> None:
    name = "certificates/tropical.cells/grid.seven-keys-in-the-plane.json"
    (sample / name).unlink()
    (lost,) = [e for e in of(sample, registry).exhibits if e.file == name]
    assert not lost.present
    assert "not in the run folder" in lost.proves


def test_certificates_that_cannot_be_read_do_not_stop_the_report(
    sample: Path, registry: Registry
) -> None:
    folder = sample / "certificates" / "tropical.cells"
    (folder / "grid.seven-keys-in-the-plane.json").write_text("[" * 100_000, encoding="utf-8")
    (folder / "grid.three-keys-on-a-line.json").write_text(" " * 3_000_000, encoding="utf-8")
    (folder / "centre.counterexample.json").write_bytes(b"\xff\xfe")
    kinds = [e.kind for e in of(sample, registry).exhibits if "tropical.cells" in e.file]
    assert kinds == ["", "", ""]


def test_accepted_certificates_of_one_sort_stand_together(
    sample: Path, registry: Registry, amend: Any
) -> None:
    files = [f"certificates/tropical.cells/more-{number}.json" for number in range(5)]
    for file in files:
        (sample / file).write_text('{"kind": "hull"}', encoding="utf-8")

    def add(line: dict[str, Any]) -> None:
        for piece in line["evidence"]:
            if piece["producer"] == "grid":
                piece["certificates"] += files

    amend(sample, add)
    pieces = [p for s in of(sample, registry).statements for p in s.pieces]
    (grid,) = [p for p in pieces if p.piece.producer == "grid"]
    assert [(len(group), group[0].accepted) for group in grid.exhibit_groups] == [
        (6, True),
        (1, False),
    ]
