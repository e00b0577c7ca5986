"""minkowski, overlay, regions: the shared cases, their documents, and everything refused."""

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import headproof
from headproof.proofs_check.cli import main
from headproof.symbolic.minkowski.minkowski_sum import MinkowskiSum

CASES = Path(__file__).parents[2] / "cases" / "polyhedra"
SCHEMAS = Path(headproof.__file__).parent / "proofs_check" / "schemas"

# Vertices and facets, or cells: what every program that finished found.
MINKOWSKI = {
    "minkowski_d2_N50_H4": (45, 45),
    "minkowski_d3_N12_H3": (66, 83),
    "minkowski_d3_N30_H4": (271, 331),
    "minkowski_d4_N10_H3": (188, 349),
    "minkowski_d4_N12_H4": (575, 946),
    "minkowski_d5_N8_H3": (253, 678),
    "minkowski_d6_N8_H4": (1355, 5004),
    "minkowski_zono_d5_n14": (2186, 2002),
}
OVERLAY = {
    "overlay_d1_N10_H3": 15,
    "overlay_d2_N8_H2": 25,
    "overlay_d2_N10_H3": 76,
    "overlay_d3_N6_H3": 80,
    "overlay_d3_N8_H4": 283,
}
SQUARE = {"summands": [[[0, 0], ["1/2", 0]], [[0, 0], [0, 1]]]}
LINE = {"heads": [{"keys": [[-1], [0], [1]], "biases": [0, 1, 0]}, {"keys": [["-2/3"], [4]]}]}
STEPS = {
    "dimension": 1,
    "layers": [
        {
            "heads": [
                {"keys": [[0], [1], [2]], "biases": [0, "-1/2", -2], "values": [[0], [-1], [0]]}
            ]
        }
    ],
}
SMALL = {"minkowski": SQUARE, "overlay": LINE, "regions": STEPS}


def feed(monkeypatch: pytest.MonkeyPatch, document: Any) -> None:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))


def schema(name: str) -> Any:
    return jsonschema.Draft202012Validator(
        json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    )


@pytest.mark.parametrize("case", [*MINKOWSKI, *OVERLAY])
def test_shared_cases(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command, certificate = case.partition("_")[0], str(tmp_path / "certificate.json")
    path = CASES / f"{case}.json"
    assert schema(f"{command}-input").is_valid(json.loads(path.read_text()))
    assert main([command, str(path), "-o", certificate, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    schema(command).validate(document)
    if command == "minkowski":
        assert (document["count"], document["facets"]) == MINKOWSKI[case]
        assert len(document["vertices"]) == len(document["choices"]) == document["count"]
    else:
        assert document["cells"] == len(document["labels"]) == OVERLAY[case] <= document["bound"]
    written = json.loads(Path(certificate).read_text())
    assert written["kind"] == command  # it was put before the checker before it was written


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "minkowski",
            {
                "count": 4,
                "vertices": [[0, 0], [0, 1], ["1/2", 0], ["1/2", 1]],
                "choices": [[0, 0], [0, 1], [1, 0], [1, 1]],
                "facets": 4,
            },
        ),
        ("overlay", {"cells": 4, "labels": [[0, 0], [1, 0], [1, 1], [2, 1]], "bound": 4}),
        ("regions", {"cells": 3, "pieces": 2}),
    ],
)
def test_small_documents(
    command: str,
    expected: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    feed(monkeypatch, SMALL[command])
    path = str(tmp_path / "certificate.json")
    assert main([command, "-", "-o", path, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {"format": f"headproof-{command}/1", **expected, "certificate": path}
    validator = schema(command)
    validator.validate(document)
    for key in document:
        assert not validator.is_valid({k: v for k, v in document.items() if k != key}), key
    assert not validator.is_valid(document | {"more": 1})
    assert not validator.is_valid(document | {"format": "headproof-other/1"})
    assert main(["check", path]) == 0
    capsys.readouterr()
    feed(monkeypatch, SMALL[command])
    assert main([command, "-"]) == 0
    assert "4 vertices" in (told := capsys.readouterr().out) or "cells" in told


def test_many_rows_are_not_all_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["overlay", str(CASES / "overlay_d2_N8_H2.json")]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == "  ... 5 more (--json has them all)"
    assert len(told) == 22


@pytest.mark.parametrize(
    ("command", "limit"), [("minkowski", "3"), ("overlay", "3"), ("regions", "2")]
)
def test_a_limit_that_is_reached(
    command: str, limit: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, SMALL[command])
    assert main([command, "-", "--limit", limit, "--json"]) == 3
    document = json.loads(capsys.readouterr().out)
    assert document["error"]["type"] == "LimitReached"
    assert limit in document["error"]["message"]
    feed(monkeypatch, SMALL[command])
    assert main([command, "-", "--limit", "4"]) == 0


def test_processes_do_not_change_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "network.json"
    path.write_text(json.dumps(STEPS))
    for command, file in (("regions", path), ("overlay", CASES / "overlay_d2_N8_H2.json")):
        told = []
        for jobs in ("1", "2"):
            assert main([command, str(file), "--jobs", jobs, "--json"]) == 0
            told.append(capsys.readouterr().out)
        assert told[0] == told[1]


def test_an_interruption(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("headproof.symbolic.minkowski.minkowski_sum.minkowski_sum", interrupted)
    feed(monkeypatch, SQUARE)
    assert main(["minkowski", "-", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["error"]["type"] == "Interrupted"


BAD: list[tuple[str, Any, str]] = [
    ("minkowski", {"summands": [[[0.5]]]}, "summands[0][0][0]"),
    ("minkowski", {"summands": [[[True]]]}, "summands[0][0][0]"),
    ("minkowski", {"summands": [[["2/4"]]]}, "not reduced"),
    ("minkowski", {"summands": [[["1/0"]]]}, "1/0"),
    ("minkowski", {"summands": [[[0], [1, 2]]]}, "summands[0]"),
    ("minkowski", {"summands": [[[0]], [[0, 1]]]}, "summands[1]"),
    ("minkowski", {"summands": [[]]}, "summands[0]"),
    ("minkowski", {"summands": [[[]]]}, "coordinate"),
    ("minkowski", {"summands": []}, "summand"),
    ("minkowski", {"summands": {"a": 1}}, "a list of summands"),
    ("minkowski", {"summands": None}, "null"),
    ("minkowski", {"summands": [[[0]]], "points": []}, "'points'"),
    ("minkowski", {}, "the key 'summands'"),
    ("minkowski", [1], "a JSON object"),
    ("minkowski", b'{"summands": [[[NaN]]]}', "NaN"),
    ("overlay", {"heads": []}, "head"),
    ("overlay", {"heads": [7]}, "heads[0]"),
    ("overlay", {"heads": [{"keys": [[0]], "bias": [0]}]}, "'bias'"),
    ("overlay", {"heads": [{"biases": [0]}]}, '"keys"'),
    ("overlay", {"heads": [{"keys": [[0]], "biases": [0, 1]}]}, "heads[0].biases"),
    ("overlay", {"heads": [{"keys": [[0]], "biases": [0.5]}]}, "heads[0].biases[0]"),
    ("overlay", {"heads": [{"keys": [[0]]}, {"keys": [[0, 1]]}]}, "heads[1]"),
    ("overlay", {"heads": [{"keys": 3}]}, "heads[0].keys"),
    ("overlay", {}, "the key 'heads'"),
    ("regions", {"dimension": 1}, "'layers'"),
    ("regions", {"dimension": 0, "layers": []}, "dimension"),
    ("regions", {"dimension": 1.0, "layers": []}, "dimension"),
    ("regions", {"dimension": 1, "layers": [{"heads": [{"keys": [[0]]}]}]}, "'values'"),
    ("regions", {"dimension": 1, "layers": [{"heads": [], "residuel": True}]}, "'residuel'"),
    ("regions", {**STEPS, "domain": {"lower": [0], "upper": [0]}}, "domain.upper[0]"),
    ("regions", {**STEPS, "seed": 1}, "'seed'"),
]


@pytest.mark.parametrize(("command", "document", "message"), BAD, ids=lambda v: str(v)[:40])
def test_bad_input_is_refused_with_a_reason(
    command: str,
    document: Any,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    feed(monkeypatch, document)
    assert main([command, "-"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert message in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("command", "document"),
    [
        ("minkowski", {"summands": [[[0.5]]]}),
        ("minkowski", {"summands": [[]]}),
        ("minkowski", {"summands": [[[0]]], "more": 1}),
        ("overlay", {"heads": []}),
        ("overlay", {"heads": [{"biases": [0]}]}),
        ("overlay", {"heads": [{"keys": [[0]], "bias": [0]}]}),
        ("regions", {"dimension": 0, "layers": []}),
        ("regions", {"dimension": 1}),
        ("regions", {"dimension": 1, "layers": [{"heads": [], "residuel": True}]}),
    ],
)
def test_the_schema_of_the_input_refuses_it_too(command: str, document: Any) -> None:
    assert schema(f"{command}-input").is_valid(SMALL[command])
    assert not schema(f"{command}-input").is_valid(document)


@pytest.mark.parametrize("option", [["--limit", "0"], ["--jobs", "0"], ["--limit", "x"]])
def test_options_out_of_range(option: list[str]) -> None:
    assert main(["minkowski", "no-file", *option]) == 2


def test_an_answer_that_the_checker_does_not_accept_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = MinkowskiSum.certificate

    def false(found: MinkowskiSum, claim: str = "") -> dict[str, Any]:
        certificate = honest(found, claim)
        certificate["data"]["facets"] += 1
        return certificate

    monkeypatch.setattr(MinkowskiSum, "certificate", false)
    feed(monkeypatch, SQUARE)
    output = tmp_path / "sum.json"
    assert main(["minkowski", "-", "-o", str(output)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "not accepted by the checker" in told.err
    assert not output.exists()


def test_the_library_exports_them() -> None:
    assert headproof.minkowski_sum([[[0], [1]]]).facets == 2
    assert headproof.overlay([{"keys": [[0], [1]]}]).cells == 2
    assert headproof.linear_regions(STEPS).pieces == 2
