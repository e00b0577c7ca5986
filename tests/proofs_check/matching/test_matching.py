"""The document, Hugging Face configurations, and certificates that were spoilt."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from headproof import match
from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.matching.hugging_face import read_decoder
from headproof.proofs_check.producers.attention_only.accounting import (
    configurations,
    library_parameters,
)
from headproof.symbolic.attention_only.accounting import parameters
from headproof.symbolic.errors import InputError

GPT2 = {
    "model_type": "gpt2",
    "n_layer": 12,
    "n_head": 12,
    "n_embd": 768,
    "vocab_size": 50257,
    "n_positions": 1024,
}

SIZES = ("--d-model", "8", "--layers", "1", "--vocabulary", "3")


def test_gpt2_has_its_published_number_of_parameters() -> None:
    made, notes = read_decoder(GPT2)
    assert parameters(made) == 124_439_808
    assert notes == ()


def test_the_window_is_told() -> None:
    config = {
        "model_type": "mistral",
        "hidden_size": 4096,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "num_hidden_layers": 32,
        "intermediate_size": 14336,
        "vocab_size": 32000,
        "max_position_embeddings": 32768,
        "sliding_window": 4096,
    }
    made, notes = read_decoder(config)
    assert parameters(made) == 7_241_732_096  # Mistral 7B, as published
    assert "window of 4,096" in notes[0]


@pytest.mark.long
def test_models_of_the_library_have_as_many_parameters() -> None:
    pytest.importorskip("transformers")
    from hypothesis import given, settings

    @settings(max_examples=40)
    @given(configurations())
    def agree(config: dict[str, Any]) -> None:
        assert library_parameters(config) == parameters(read_decoder(config)[0])

    agree()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"model_type": "gemma2"}, "expected a model_type among gpt2"),
        ({"model_type": None}, "found none"),
        ({"vocab_size": None}, "vocab_size: expected a positive integer, found none"),
        ({"n_embd": 770}, "expected"),
        ({"n_inner": 0}, "n_inner: expected a positive integer, found 0"),
        ({"add_cross_attention": True}, "no cross-attention"),
        ({"tie_word_embeddings": "yes"}, "tie_word_embeddings: expected true or false"),
    ],
)
def test_refused_configurations(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match="expected") as caught:
        read_decoder({**GPT2, **change})
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "bias"),
    [
        ("llama", ("q", "k", "v", "o", "ffn")),
        ("qwen3", ("q", "k", "v", "o")),
        ("gemma", ("q", "k", "v", "o")),
        ("qwen2", ("q", "k", "v")),
        ("mistral", ()),
        ("phi3", ()),
    ],
)
def test_biases_that_the_library_does_not_build_are_not_counted(
    kind: str, bias: tuple[str, ...]
) -> None:
    sizes = dict.fromkeys(("hidden_size", "intermediate_size", "max_position_embeddings"), 64)
    config = {**sizes, "num_attention_heads": 32, "num_hidden_layers": 1, "vocab_size": 9}
    switches = {"attention_bias": True, "mlp_bias": True}
    made, _ = read_decoder({"model_type": kind, **config, **switches})
    assert made.bias == bias
    left_out = {"mistral": 8, "gemma": 16}  # key/value heads
    assert made.kv_heads == left_out.get(kind, 32)


@pytest.mark.parametrize("vary", ["depth", "width", "both"])
def test_a_certificate_and_what_spoils_it(vary: Any) -> None:
    good = match(GPT2, vary=vary).certificate()
    check_certificate(json.loads(json.dumps(good)))
    for k, instance in enumerate(good["data"]["family"]["instances"]):
        places = [("B", i) for i in range(len(instance["B"]))]
        for name, i in [*places[:9], places[-1], ("M", 0)]:
            spoilt = copy.deepcopy(good)
            row = spoilt["data"]["family"]["instances"][k][name]
            row[i] = row[i] + 1 if name == "B" else [row[i][0], row[i][1] + 1]
            with pytest.raises(Rejected):
                check_certificate(json.loads(json.dumps(spoilt)))


def test_a_file_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from headproof.proofs_check.cli import main

    (tmp_path / "config.json").write_text(json.dumps(GPT2))
    cert = str(tmp_path / "match.json")
    assert main(["match", str(tmp_path), "-o", cert, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["parameters"]["decoders"][0]["layers"] == 36
    assert told["depth"]["parameters"] < told["standard"]["parameters"]
    assert main(["check", cert]) == 0
    assert main(["match", str(tmp_path), "--vary", "both"]) == 0
    assert "no member of the family is closer" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give FILE, or --d-model"),
        (["x.json", "--heads", "3"], "give FILE or --heads, not both"),
        (["no-such.json"], "expected a file that can be read"),
        (
            [*SIZES, "--heads", "3", "--ffn", "8", "--tokens", "2"],
            "heads: expected a divisor of d_model",
        ),
        (
            [*SIZES, "--heads", "2", "--ffn", "8", "--tokens", "0"],
            "context: expected an integer of at least 1",
        ),
        (
            ["--d-model", f"1{0:02000}", *SIZES[2:], "--heads=1", "--ffn=8", "--tokens=2"],
            "d_model: expected an integer of at most 10^100, found a larger one",
        ),
        (
            [*SIZES, "--heads", "2", "--ffn", "0", "--tokens", "2"],
            "ffn: expected a decoder with feed-forward layers",
        ),
    ],
)
def test_refusals_in_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from headproof.proofs_check.cli import main

    assert main(["match", *words]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
