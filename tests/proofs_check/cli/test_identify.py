"""The command ``headproof identify``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import referencing

import headproof
from headproof.proofs_check.cli import main

SCHEMAS = Path(headproof.__file__).parent / "proofs_check" / "schemas"
LAYER = {"d_model": 12, "heads": 6, "kv_heads": 3, "rope": "distinct"}
LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 8,
    "num_hidden_layers": 3,
    "num_key_value_heads": 2,
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "layer.json").write_text(json.dumps(LAYER))
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    return tmp_path


def schema(name: str) -> Any:
    contents = [
        json.loads((SCHEMAS / f"{n}.schema.json").read_text())
        for n in ("identify", "identify-input")
    ]
    registry: Any = referencing.Registry().with_resources(
        (one["$id"], referencing.Resource.from_contents(one)) for one in contents
    )
    return jsonschema.Draft202012Validator(contents[name != "identify"], registry=registry)


@pytest.mark.usefixtures("folder")
def test_document_and_certificate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identify", "layer.json", "-o", "rank.json", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["qk"] == {"unidentified": 6, "total": 216, "ratio": "1/36"}
    assert document["block"]["unidentified"] == 18
    assert document["certificate"] == "rank.json"
    assert schema("identify").is_valid(document)
    assert not schema("identify").is_valid(document | {"qk": {"unidentified": 6}})
    assert schema("identify-input").is_valid(document["architecture"])
    assert not schema("identify-input").is_valid(document["architecture"] | {"colour": 1})
    assert main(["check", "rank.json"]) == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "source", [["--config", "config.json"], ["--config", "."], ["config.json"]]
)
def test_configuration(source: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identify", *source]) == 0
    shown = capsys.readouterr().out
    assert "llama: d = 64, 8 heads, 2 key/value heads, d_k = 8, 3 layers" in shown
    assert "What a change would do:" in shown
    assert main(["identify", *source, "--json"]) == 0
    assert schema("identify").is_valid(json.loads(capsys.readouterr().out))


@pytest.mark.usefixtures("folder")
def test_plot(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identify", "layer.json", "--plot", "picture.svg"]) == 0
    assert "Plot: picture.svg" in capsys.readouterr().out
    assert (folder / "picture.svg").read_text().startswith("<?xml")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "one of them"),
        (["layer.json", "--config", "config.json"], "one of them"),
        (["none.json"], "none.json"),
        (["layer.json", "--plot", "picture.pdf"], ".svg or .png"),
        (["layer.json", "-o", "no/such/rank.json"], "no/such"),
    ],
)
def test_errors(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["identify", *words]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
