"""``headproof symmetry``: documents, exit codes, certificates and refusals."""

import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import referencing

import headproof
from headproof.proofs_check.checker import check_file
from headproof.proofs_check.cli import main

SCHEMAS = Path(headproof.__file__).parent / "proofs_check" / "schemas"
SWAP = {
    "permutations": [[1, 0]],
    "heads": [
        {"W": [[1, 0], [0, 0]], "V": [[1, 0], [0, 0]]},
        {"W": [[0, 0], [0, 1]], "V": [[0, 0], [0, 1]]},
    ],
    "d_k": 1,
}
BROKEN = {**SWAP, "heads": SWAP["heads"][:1]}  # type: ignore[index]


def schema(name: str) -> Any:
    contents = [json.loads(path.read_text()) for path in SCHEMAS.glob("*.json")]
    registry: Any = referencing.Registry().with_resources(
        (each["$id"], referencing.Resource.from_contents(each)) for each in contents
    )
    found = json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    return jsonschema.Draft202012Validator(found, registry=registry)


def give(monkeypatch: pytest.MonkeyPatch, document: Any) -> None:
    stream = io.TextIOWrapper(io.BytesIO(json.dumps(document).encode()))
    monkeypatch.setattr("sys.stdin", stream)


def test_heads_that_are_permuted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    schema("symmetry-input").validate(SWAP)
    path = str(tmp_path / "group.cert")
    give(monkeypatch, SWAP)
    assert main(["symmetry", "-", "--json", "-o", path]) == 0
    answer = json.loads(capsys.readouterr().out)
    schema("symmetry").validate(answer)
    assert answer["equivariant"] is True
    assert (answer["order"], answer["stratum"], answer["certificate"]) == (2, [0], path)
    assert answer["orbits"][0]["heads"] == [0, 1]
    assert answer["price"]["abstract"] == {"heads": 3, "type": [0, 1]}
    assert answer["hidden"] == {"d_k": 1, "needed": [1, 1], "least": 2, "covers": False}
    assert check_file(path).answer == "valid"
    for key in answer:
        assert not schema("symmetry").is_valid({k: v for k, v in answer.items() if k != key}), key
    give(monkeypatch, SWAP)
    assert main(["symmetry", "-"]) == 0
    assert "the group permutes the heads" in capsys.readouterr().out


def test_heads_that_are_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "group.cert")
    give(monkeypatch, BROKEN)
    assert main(["symmetry", "-", "--json", "-o", path]) == 1
    answer = json.loads(capsys.readouterr().out)
    schema("symmetry").validate(answer)
    assert (answer["equivariant"], answer["stratum"], answer["orbits"]) == (False, None, [])
    assert answer["violation"]["moved"] != answer["violation"]["expected"]
    assert json.loads(Path(path).read_text())["data"]["statement"] == "not-equivariant"
    assert check_file(path).answer == "valid"
    give(monkeypatch, BROKEN)
    assert main(["symmetry", "-"]) == 1
    assert "not equivariant: generator 0" in capsys.readouterr().out


def test_matrices_that_generate_the_group(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    turn = {
        "matrices": [[[0, -1], [1, 0]]],
        "out": [[[1]]],
        "heads": [{"W": [[1, 0], [0, 1]], "V": [["1/2", 0]]}],
    }
    schema("symmetry-input").validate(turn)
    give(monkeypatch, turn)
    assert main(["symmetry", "-", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["order"] == 4
    assert answer["irreducibles"] == [{"dimension": 2, "endomorphisms": "C", "multiplicity": 1}]
    assert not any(each["realised"] for each in answer["classes"])
    assert answer["price"]["realised"] == {"heads": 0, "type": []}


def test_the_zero_function(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    zero = {"permutations": [[0]], "heads": [{"W": [[1]], "V": [[0]]}]}
    give(monkeypatch, zero)
    assert main(["symmetry", "-", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    schema("symmetry").validate(answer)
    assert (answer["heads"], answer["stratum"], answer["price"]) == ([], [], None)
    give(monkeypatch, zero)
    assert main(["symmetry", "-", "-o", "nowhere.cert"]) == 2
    assert "no canonical head" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        ({"heads": []}, 2, "at least one head"),
        ({"heads": 3}, 2, "heads: expected a list of heads, found int"),
        ({"heads": [3]}, 2, "heads[0]: expected an object"),
        ({"heads": [{"W": [[1]]}]}, 2, "heads[0]: expected an object"),
        ({"heads": [{"W": [[0.5]], "V": [[1]]}]}, 2, "heads[0].W[0][0]"),
        ({"permutations": [[1, 1]]}, 2, "generators[0]"),
        ({"permutations": "swap"}, 2, "permutations: expected a list"),
        ({"permutations": [[1, 2, 0]]}, 2, "2 coordinates"),
        ({"matrices": [[[2, 0], [0, 1]]]}, 2, "multiply as the permutations do"),
        ({"d_k": 0}, 2, "d_k"),
        ({"d_k": "1"}, 2, "d_k"),
        ({"seed": -1}, 2, "seed"),
        ({"out": [[[1]]]}, 2, "out: expected 2 coordinates"),
        ({"more": 1}, 2, "'more'"),
    ],
)
def test_bad_input_is_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, Any],
    code: int,
    message: str,
) -> None:
    give(monkeypatch, {**SWAP, **change})
    assert main(["symmetry", "-"]) == code
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    give(monkeypatch, {**SWAP, **change})
    assert main(["symmetry", "-", "--json"]) == code
    schema("error").validate(json.loads(capsys.readouterr().out))


def test_an_infinite_group_is_incomplete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shear = {"matrices": [[[1, 1], [0, 1]]], "heads": SWAP["heads"]}
    give(monkeypatch, shear)
    assert main(["symmetry", "-"]) == 3
    assert "no finite group" in capsys.readouterr().err


def test_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["symmetry", "nowhere.json"]) == 2
    assert "nowhere.json" in capsys.readouterr().err


def test_the_library_has_it() -> None:
    assert headproof.symmetry.__module__ == "headproof.symbolic.equivariance.symmetry"
