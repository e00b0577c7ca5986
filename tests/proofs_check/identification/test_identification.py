"""The identification of an architecture: counts, model, changes, and both kinds of documents."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import headproof
from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.identification.hugging_face import READERS, read_configuration
from headproof.proofs_check.identification.identification import identify, merged
from headproof.proofs_check.identification.lines import WIDTH, identification_lines, percent
from headproof.proofs_check.identification.plot import save_plot
from headproof.proofs_check.identification.variants import variants
from headproof.symbolic.errors import InputError
from headproof.symbolic.identification.architecture import Architecture

SHARED = {"hidden_size": 64, "num_attention_heads": 8, "num_hidden_layers": 3}
CONFIGURATIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "gpt2": (
        {"n_embd": 12, "n_head": 3, "n_layer": 2},
        {"d_model": 12, "heads": 3, "bias": ("q", "k", "v", "o"), "rotary_dim": 0, "layers": 2},
    ),
    "bert": (SHARED, {"heads": 8, "bias": ("q", "k", "v", "o"), "head_dim": 8, "rope": "none"}),
    "bloom": (
        {"hidden_size": 64, "n_head": 4, "n_layer": 2},
        {"alibi": True, "bias": ("q", "k", "v", "o"), "head_dim": 16},
    ),
    "llama": (
        SHARED | {"num_key_value_heads": 2},
        {"kv_heads": 2, "rotary_dim": 8, "rope": "distinct", "bias": (), "input_norm_gain": True},
    ),
    "mistral": (
        SHARED | {"num_key_value_heads": 2, "head_dim": 16, "attention_bias": True},
        {"head_dim": 16, "bias": ()},
    ),
    "mixtral": (SHARED | {"num_attention_heads": 16}, {"kv_heads": 8, "bias": ()}),
    "qwen2_moe": (SHARED | {"num_key_value_heads": 4, "qkv_bias": False}, {"bias": ()}),
    "gemma2": (SHARED, {"head_dim": 256, "heads": 8}),
    "gemma3_text": (
        SHARED | {"head_dim": 32},
        {"head_dim": 32, "qk_norm": True, "qk_norm_gain": True},
    ),
    "qwen2": (SHARED | {"num_key_value_heads": 4}, {"bias": ("q", "k", "v"), "kv_heads": 4}),
    "qwen3": (
        SHARED | {"num_key_value_heads": None},
        {"head_dim": 128, "qk_norm_gain": True, "bias": (), "kv_heads": 8},
    ),
    "phi": (SHARED, {"rotary_dim": 4, "bias": ("q", "k", "v", "o"), "input_norm": "layer"}),
    "gpt_neox": (SHARED | {"rotary_pct": 0.25}, {"rotary_dim": 2, "kv_heads": 8}),
    "phi3": (SHARED | {"partial_rotary_factor": 0.75}, {"rotary_dim": 6, "bias": ()}),
    "stablelm": (SHARED | {"use_qkv_bias": True}, {"rotary_dim": 2, "bias": ("q", "k", "v")}),
    "gpt_oss": (SHARED | {"attention_bias": True}, {"sink": True, "bias": ("q", "k", "v", "o")}),
}
LATENT = {
    "model_type": "deepseek_v3",
    **SHARED,
    "q_lora_rank": 24,
    "kv_lora_rank": 16,
    "qk_nope_head_dim": 8,
    "qk_rope_head_dim": 4,
    "v_head_dim": 8,
}


def test_the_table() -> None:
    found = identify({"d_model": 12, "heads": 3})
    assert found.counts.qk.count is not None
    assert found.counts.qk.count.ratio == Fraction(48, 288)
    assert headproof.identify is identify


@pytest.mark.parametrize("kind", CONFIGURATIONS)
def test_configurations(kind: str) -> None:
    config, expected = CONFIGURATIONS[kind]
    found = read_configuration({"model_type": kind, **config}).architecture
    assert {key: getattr(found, key) for key in expected} == expected
    answer = identify({"model_type": kind, **config})
    assert answer.counts.vo.count is not None
    for line in identification_lines(answer):
        assert len(line) <= WIDTH


def test_latent_projections() -> None:
    found = identify(LATENT)
    assert found.architecture.mla is not None
    assert (found.architecture.mla.q_rank, found.architecture.mla.norm_gain) == (24, True)
    without = identify(LATENT | {"q_lora_rank": None})
    assert without.architecture.mla is not None
    assert without.architecture.mla.q_rank == 0
    with pytest.raises(InputError, match="latent"):
        found.certificate()


def test_text_beside_images() -> None:
    text = {"model_type": "gemma3_text", **SHARED, "head_dim": 32}
    found = identify({"model_type": "gemma3", "text_config": text})
    assert (found.name, found.architecture.head_dim) == ("gemma3_text", 32)
    short = {"model_type": "gemma3_text", "hidden_size": 2560, "num_hidden_layers": 34}
    a = identify({"model_type": "gemma3", "text_config": short}).architecture
    assert (a.heads, a.kv_heads, a.head_dim) == (8, 4, 256)


def test_the_model_is_its_layers() -> None:
    found = identify({"d_model": 8, "heads": 2, "layers": 5})
    assert found.model.count is not None
    assert found.model.count.unidentified == 5 * 64
    assert sum(source.dimension for source in found.model.sources) == 5 * 64


def test_a_mean_that_is_removed() -> None:
    """d = 6: what reads loses a row in the layer, in the model what writes loses one too."""
    found = identify({"d_model": 6, "heads": 2, "input_norm": "layer", "layers": 2})
    counts = found.counts.block.count, found.model.count
    assert [count.unidentified for count in counts if count] == [54, 2 * (54 + 6)]
    assert "LayerNorm before" in "\n".join(identification_lines(found))


def test_gpt2_by_hand() -> None:
    config = {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12}
    found = identify(config)
    counts = found.counts.qk.count, found.counts.vo.count, found.counts.block.count
    square, d = 12 * 64**2, 768  # b_K, b_V and a row each of W_Q, W_K, W_V; gains and biases
    expected = [square + 3 * d, square + 2 * d, 2 * square + 7 * d]
    assert [count.unidentified for count in counts if count] == expected
    assert found.model.count is not None
    assert found.model.count.unidentified == 12 * (2 * square + 7 * d + d + 1)


def test_what_is_said_beside_the_counts() -> None:
    assert identify({"d_model": 8, "heads": 2, "input_norm": "rms"}).notes == ()
    assert "no proof for all sizes" in identify(LATENT).notes[0]
    for kind, words in (("bert", "residual"), ("phi", "feed-forward"), ("gemma2", "length of W_O")):
        assert words in identify({"model_type": kind, **CONFIGURATIONS[kind][0]}).notes[0]


def test_reasons_add_up() -> None:
    for kind, (config, _) in CONFIGURATIONS.items():
        counts = identify({"model_type": kind, **config}).counts
        for answer in (counts.qk, counts.vo, counts.block):
            if answer.count is not None:
                total = sum(source.dimension for source in merged(answer))
                assert total == answer.count.unidentified


def test_changes() -> None:
    shares = {
        v.name: v.counts.qk.count.ratio
        for v in variants(Architecture(d_model=16, heads=4))
        if v.counts.qk.count is not None
    }
    assert shares["as it is"] == Fraction(1, 8)
    assert shares["twice the heads"] == Fraction(1, 16)
    assert shares["half the heads"] == Fraction(1, 4)
    assert shares["rotary positions"] == Fraction(1, 32)
    assert shares["one key/value head"] == Fraction(1, 20)
    one = variants(Architecture(d_model=1, heads=1))
    assert one[0].name == "as it is"
    assert all(variant.architecture.d_model == 1 for variant in one)


def test_certificate() -> None:
    found = identify({"d_model": 12, "heads": 6, "kv_heads": 3, "rope": "distinct"})
    certificate = json.loads(json.dumps(found.certificate()))
    assert certificate["data"]["unidentified"] == 6 + 12
    check_certificate(certificate)


@pytest.mark.parametrize(
    "wrong",
    [
        {"d_model": 4},
        {"d_model": 4, "heads": 3},
        {"d_model": 4, "heads": 2, "colour": 1},
        {"model_type": "unheard-of", "hidden_size": 4},
        {"model_type": "llama", "hidden_size": 4, "num_attention_heads": 2},
        {"model_type": "llama", **SHARED, "num_attention_heads": "8"},
        {"model_type": "llama", **SHARED, "num_key_value_heads": 3},
        {"model_type": "llama", **SHARED, "partial_rotary_factor": 2},
        {"model_type": "llama", **SHARED, "attention_bias": 1},
        {"model_type": "gemma2", **SHARED, "attention_bias": True},
        {"model_type": "phi", **SHARED, "qk_layernorm": True},
        {"model_type": "bert", **SHARED, "position_embedding_type": "relative_key"},
        {"num_attention_heads": 8},
        LATENT | {"attention_bias": True},
        LATENT | {"kv_lora_rank": 0},
    ],
)
def test_what_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="expected"):
        identify(wrong)


def test_every_model_type_is_tried_or_alike() -> None:
    tried = {READERS[kind] for kind in (*CONFIGURATIONS, "deepseek_v3")}
    assert tried == set(READERS.values())


def test_files(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama", **SHARED}))
    assert identify(tmp_path) == identify(str(tmp_path / "config.json"))
    (tmp_path / "bad.json").write_text("{")
    for file in ("bad.json", "none.json"):
        with pytest.raises(InputError, match=file):
            identify(tmp_path / file)


def test_plot(tmp_path: Path) -> None:
    found = identify({"d_model": 16, "heads": 4})
    for name in ("a.svg", "b.svg", "c.png"):
        save_plot(found, str(tmp_path / name))
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "c.png").stat().st_size > 10_000
    save_plot(identify({"d_model": 4, "heads": 4, "tied_qk": True}), str(tmp_path / "tied.svg"))
    for wrong in ("a.pdf", "no/such/folder/a.svg"):
        with pytest.raises(InputError, match="expected"):
            save_plot(found, str(tmp_path / wrong))


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.0, "0%"),
        (1.0, "100%"),
        (0.5, "50%"),
        (0.0996, "10%"),
        (1 / 3, "33%"),
        (4e-9, "0.00000040%"),
    ],
)
def test_percent(share: float, expected: str) -> None:
    assert percent(share) == expected
