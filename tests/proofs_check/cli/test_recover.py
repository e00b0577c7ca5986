"""recover: planted models, their documents, certificates that check, and everything refused."""

import io
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import headproof
from headproof.oracle.exact import ExactOracle
from headproof.oracle.model import Head
from headproof.proofs_check.cli import main

SCHEMAS = Path(headproof.__file__).parent / "proofs_check" / "schemas"

ONE: dict[str, Any] = {"W": [[1, 2], [0, 1]], "v": [3, "1/2"]}
TWO: dict[str, Any] = {"W": [[0, -1], [2, 1]], "v": [1, 1]}
OPPOSITE: dict[str, Any] = {"W": ONE["W"], "v": [-3, "-1/2"]}
PAIR: dict[str, Any] = {"base": 2, "heads": [ONE, TWO]}


def feed(monkeypatch: pytest.MonkeyPatch, document: Any) -> None:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))


def schema(name: str) -> Any:
    return jsonschema.Draft202012Validator(
        json.loads((SCHEMAS / f"{name}.schema.json").read_text())
    )


def answered(
    document: Any,
    *options: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> dict[str, Any]:
    assert schema("recover-input").is_valid(document)
    feed(monkeypatch, document)
    assert main(["recover", "-", "--json", *options]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    schema("recover").validate(answer)
    return answer


def test_a_pair_of_heads_with_its_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "transcript.json")
    answer = answered(PAIR, "-o", path, monkeypatch=monkeypatch, capsys=capsys)
    assert answer["heads"] == [TWO, ONE]
    assert (answer["queries"], answer["formula"], answer["longest"]) == (29, 29, 5)
    assert (answer["verified"], answer["certificate"]) == (True, path)
    assert answer["queries_all_attempts"] == 29 + answer["fresh_queries"]
    for key in answer:
        assert not schema("recover").is_valid({k: v for k, v in answer.items() if k != key}), key
    assert not schema("recover").is_valid(answer | {"bits": 3})
    assert main(["check", path]) == 0
    false = json.loads(Path(path).read_text())
    false["data"]["heads"][0]["v"][0] += 1
    Path(path).write_text(json.dumps(false))
    assert main(["check", path]) == 1


def test_duplicates_merge_and_opposites_cancel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    planted = {"base": 3, "heads": [ONE, TWO, ONE, TWO, {"W": TWO["W"], "v": [-2, -2]}]}
    answer = answered(planted, monkeypatch=monkeypatch, capsys=capsys)
    assert answer["heads"] == [{"W": ONE["W"], "v": [6, 1]}]
    assert answer["queries"] == 15

    path = str(tmp_path / "empty.json")
    planted = {"base": 2, "heads": [ONE, OPPOSITE]}
    answer = answered(planted, "-o", path, monkeypatch=monkeypatch, capsys=capsys)
    assert (answer["heads"], answer["verified"], answer["queries"]) == ([], True, 1)
    assert main(["check", path]) == 0


@pytest.mark.parametrize("base", [2, "e"])
def test_no_heads_are_the_empty_model(
    base: int | str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answered({"base": base, "heads": []}, monkeypatch=monkeypatch, capsys=capsys)
    assert (answer["heads"], answer["verified"], answer["queries"]) == ([], True, 1)


@pytest.mark.parametrize(
    ("options", "queries", "longest"), [((), 4 * 4 * 4 - 8 + 1, 9), (("--detect",), 9 + 4 * 6, 9)]
)
def test_a_bound(
    options: tuple[str, ...],
    queries: int,
    longest: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = str(tmp_path / "bound.json")
    answer = answered(
        PAIR | {"bound": 4}, "-o", path, *options, monkeypatch=monkeypatch, capsys=capsys
    )
    assert answer["heads"] == [TWO, ONE]
    assert (answer["queries"], answer["longest"]) == (queries, longest)
    assert answer["formula"] == queries
    assert main(["check", path]) == 0


def test_the_true_softmax_in_balls(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fraction: dict[str, Any] = {"W": [["1/2", 0], [1, "-2/3"]], "v": ["1/7", 2]}
    planted = {"base": "e", "heads": [fraction]}
    answer = answered(planted, monkeypatch=monkeypatch, capsys=capsys)
    assert answer["heads"] == [fraction]
    assert answer["bits"] > 60


LAYER: dict[str, Any] = {
    "base": 2,
    "heads": [{"W": [[1, 0], [2, 1]]}],
    "ffn": {"a": [2, -1], "b": [[1, 0], [0, 1]], "V": [[[1, "1/2"], [1, -1]]]},
}


def test_a_layer_after_attention(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = answered(LAYER, monkeypatch=monkeypatch, capsys=capsys)
    assert answer["heads"] == LAYER["heads"]
    assert sorted(answer["neurons"], key=lambda neuron: neuron["sign"]) == [
        {"sign": -1, "g": [[1, -1]]},
        {"sign": 1, "g": [[2, 1]]},
    ]
    assert answer["formula"] == 2 * (4 * len(answer["heads"]) * 4 - 2 * len(answer["heads"]) + 1)
    assert not schema("recover").is_valid({k: v for k, v in answer.items() if k != "formula"})
    assert not schema("recover-input").is_valid({k: v for k, v in PAIR.items() if k != "base"})
    feed(monkeypatch, LAYER)
    assert main(["recover", "-"]) == 0
    assert "1 head and 2 neurons recovered" in capsys.readouterr().out
    for option in (["--detect"], ["-o", "x"]):
        feed(monkeypatch, LAYER)
        assert main(["recover", "-", *option]) == 2
        assert "without ffn" in capsys.readouterr().err
    feed(monkeypatch, LAYER)
    assert main(["recover", "-", "--limit", "20"]) == 3
    capsys.readouterr()


def test_a_black_box_in_floats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "black_box_of_test_recover.py").write_text(
        "from headproof.oracle.floats import attention\n"
        "answer = attention([[[0.5, -1.0], [0.25, 1.0]]], [[1.0, -0.75]])\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    named = ["recover", "--oracle", "black_box_of_test_recover:answer"]
    assert main([*named, "--dimension", "2", "--heads", "1", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    schema("recover").validate(answer)
    assert answer["heads"] == [{"W": [["1/2", -1], ["1/4", 1]], "v": [1, "-3/4"]}]
    assert main([*named, "--dimension", "2", "--heads", "1"]) == 0
    assert "within the estimated error" in capsys.readouterr().out
    assert (
        main(["recover", "--oracle", "no_such_module:f", "--dimension", "2", "--heads", "1"]) == 2
    )
    for words in (
        named,
        ["recover"],
        ["recover", "-", "--heads", "2"],
        ["recover", "--bound", "1"],
    ):
        assert main(words) == 2
        assert "--oracle" in capsys.readouterr().err
    assert main([*named, "--heads", "1"]) == 2
    assert "--dimension" in capsys.readouterr().err


def test_the_example_of_a_torch_layer(capsys: pytest.CaptureFixture[str]) -> None:
    from headproof.oracle.transformer import HEADS, layer

    named = ["recover", "--oracle", "headproof.oracle.transformer:layer", "--json"]
    for known in (["--heads", str(HEADS)], ["--bound", str(HEADS + 1)]):
        assert main([*named, *known]) == 0
        answer = json.loads(capsys.readouterr().out)
        schema("recover").validate(answer)
        found = [
            (np.array([[float(Fraction(e)) for e in row] for row in head["W"]]), head["v"])
            for head in answer["heads"]
        ]
        width = float(Fraction(answer["width"]))
        assert len(found) == HEADS
        assert width < 1e-9
        for W, v in zip(*layer.heads(), strict=True):
            errors = [
                max(
                    np.abs(a - W).max(), np.abs(np.array([float(Fraction(e)) for e in b]) - v).max()
                )
                for a, b in found
            ]
            assert min(errors) <= width


def test_a_black_box_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    for name, text, code, told in (
        ("mine_right", "answer = lambda X: 2 * float(X.mean())\nanswer.dimension = 1", 0, "1 head"),
        ("mine_squared", "answer = lambda X: float(X.mean()) ** 2", 1, "attention gives"),
        ("mine_raises", "def answer(X):\n    raise KeyError('x')", 2, "KeyError"),
        ("mine_none", "answer = print", 2, "one finite real number"),
        ("mine_broken", "answer = (", 2, "SyntaxError"),
    ):
        Path(f"{name}.py").write_text(text + "\n")
        words = ["recover", "--oracle", f"{name}:answer", "--heads", "1"]
        assert main(words if "dimension" in text else [*words, "--dimension", "1"]) == code
        captured = capsys.readouterr()
        assert told in captured.out + captured.err
        assert "Traceback" not in captured.err
    assert sys.path == before


def test_jobs_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Enough dimensions for batches that are sent to other processes.
    planted = {
        "base": 2,
        "heads": [
            {"W": [[(i * j + h) % 3 - 1 for j in range(5)] for i in range(5)], "v": [h, 1, 0, 0, 2]}
            for h in range(3)
        ],
    }
    texts = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.json"
        answer = answered(
            planted, "-o", str(path), "--jobs", jobs, monkeypatch=monkeypatch, capsys=capsys
        )
        texts.append((answer | {"certificate": None}, path.read_text()))
    assert texts[0] == texts[1]


def test_the_seed_of_the_command_goes_before_that_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def asked(document: Any, *options: str) -> Any:
        path = tmp_path / "asked.json"
        answered(document, "-o", str(path), *options, monkeypatch=monkeypatch, capsys=capsys)
        return json.loads(path.read_text())["data"]["schedule"]

    assert asked(PAIR, "--seed", "5") == asked(PAIR | {"seed": 5})
    assert asked(PAIR | {"seed": 4}, "--seed", "5") == asked(PAIR | {"seed": 5})
    assert asked(PAIR) != asked(PAIR | {"seed": 5})


def test_what_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "transcript.json")
    feed(monkeypatch, PAIR)
    assert main(["recover", "-", "-o", path]) == 0
    told = capsys.readouterr().out
    assert told.startswith("2 heads recovered")
    assert "W [[1, 2], [0, 1]]   v [3, 1/2]" in told
    assert "29 value queries (formula 29), the longest of 5 tokens; 33 in all, 1 attempt" in told
    assert f"headproof check {path}" in told


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"heads": [ONE]}, "expected the key 'base', found none"),
        ({"base": 2}, "expected the key 'heads', found none"),
        ({"base": 2, "heads": 0}, "a list of heads"),
        ({"base": 2, "heads": [], "ffn": {"a": [], "b": [], "V": []}}, "before an ffn"),
        ({"base": 2.5, "heads": [ONE]}, "base: expected"),
        ({"base": True, "heads": [ONE]}, "base: expected"),
        ({"base": 1, "heads": [ONE]}, "base: expected"),
        ({"base": 2, "heads": [{"W": [[1.5]], "v": [1]}]}, "heads[0].W[0][0]"),
        ({"base": 2, "heads": [{"W": [["1/2"]], "v": [1]}]}, "integer W for base 2"),
        ({"base": 2, "heads": [{"W": [[1, 2]], "v": [1]}]}, "heads[0].W"),
        ({"base": 2, "heads": [{"W": [[1]], "v": [1], "b": 0}]}, "'b'"),
        ({"base": 2, "heads": [ONE, {"W": [[1]], "v": [1]}]}, "heads[1]: expected dimension 2"),
        ({"base": 2, "heads": [ONE], "bond": 2}, "expected keys"),
        ({"base": 2, "heads": [ONE], "bound": 0}, "bound: expected"),
        ({"base": 2, "heads": [ONE], "seed": "x"}, "seed: expected"),
        (b"{", "line 1"),
        (b'{"base": 2, "base": 2}', "twice"),
    ],
)
def test_bad_input_is_one_clear_line(
    document: Any,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    feed(monkeypatch, document)
    assert main(["recover", "-"]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "change",
    [
        {"base": 1},
        {"base": 2.5},
        {"heads": 0},
        {"heads": [{"W": [[1.5]], "v": [1]}]},
        {"heads": [{"W": [[1]]}]},
        {"bond": 2},
        {"bound": 0},
        {"seed": "x"},
    ],
)
def test_the_schema_refuses_what_the_command_refuses(change: dict[str, Any]) -> None:
    validator = schema("recover-input")
    assert validator.is_valid(PAIR)
    assert not validator.is_valid(PAIR | change)


@pytest.mark.parametrize(
    ("document", "options", "code", "kind"),
    [
        (PAIR | {"bound": 1}, (), 1, "NotInClass"),
        (PAIR, ("--limit", "28"), 3, "LimitReached"),
        (PAIR, ("--detect",), 2, "InputError"),
        ({"base": "e", "heads": [ONE]}, ("-o", "x"), 2, "InputError"),
        (PAIR, ("--limit", "0"), 2, "UsageError"),
    ],
)
def test_exit_codes(
    document: Any,
    options: tuple[str, ...],
    code: int,
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    feed(monkeypatch, document)
    assert main(["recover", "-", "--json", *options]) == code
    assert json.loads(capsys.readouterr().out)["error"]["type"] == kind
    assert not list(tmp_path.iterdir())


def test_repeated_degeneracy_is_incomplete(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from headproof.oracle.recovery import exact
    from headproof.symbolic.errors import Degenerate

    def collide(*_: object, **__: object) -> None:
        raise Degenerate("the poles collide")

    monkeypatch.setattr(exact, "draw", collide)
    feed(monkeypatch, PAIR)
    assert main(["recover", "-"]) == 3
    assert "give another seed" in capsys.readouterr().err


def test_the_library_name() -> None:
    found = headproof.recover(ExactOracle([Head(((2,),), (3,))]), heads=1)
    assert found.heads == (Head(((2,),), (3,)),)
    assert found.transcript()["queries"] == 3
