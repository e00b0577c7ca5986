"""Reading folders: every head is the slice that the model itself would use."""

import json
from pathlib import Path

import pytest
import torch
from folders import (  # type: ignore[import-not-found]
    config,
    tensors,
    write_folder,
    write_shards,
    write_tensors,
)

from headproof.numeric.checkpoint import (
    ROLES,
    CheckpointError,
    Role,
    from_module,
    from_state_dict,
    open_checkpoint,
    open_weights,
)

DTYPES = (torch.float64, torch.float32, torch.float16, torch.bfloat16)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("prefix", ["", "model."])
def test_llama_rows_belong_to_their_heads(tmp_path: Path, dtype: torch.dtype, prefix: str) -> None:
    folder = write_folder(tmp_path, "llama", dtype=dtype, prefix=prefix)
    truth = tensors("llama", dtype=dtype, prefix=prefix)
    found = open_checkpoint(folder)
    assert found.model.head_map == (0, 0, 1, 1)
    assert [found.heads(role) for role in ROLES] == [4, 2, 2, 4]
    for layer in range(2):
        stem = f"{prefix}layers.{layer}.self_attn."
        roles: tuple[tuple[Role, str], ...] = (("query", "q"), ("key", "k"), ("value", "v"))
        for role, name in roles:
            W = truth[f"{stem}{name}_proj.weight"].double()
            assert torch.equal(found.factor(layer, role).flatten(0, 1), W)
            bias = found.bias(layer, role)
            assert bias is not None
            assert torch.equal(bias.flatten(), truth[f"{stem}{name}_proj.bias"].double())
        W_O = truth[f"{stem}o_proj.weight"].double()
        assert torch.equal(found.factor(layer, "output").flatten(0, 1), W_O.mT)
        assert found.bias(layer, "output") is None
        assert found.roundoff(layer, "key") == torch.finfo(dtype).eps / 2


def test_gpt2_columns_are_fused(tmp_path: Path) -> None:
    found = open_checkpoint(write_folder(tmp_path, "gpt2"))
    truth = tensors("gpt2")
    fused, bias = truth["h.1.attn.c_attn.weight"].double(), truth["h.1.attn.c_attn.bias"].double()
    x = torch.randn(12, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    q, k, v = (x @ fused + bias).split(12)
    roles: tuple[Role, ...] = ("query", "key", "value")
    for role, expected in zip(roles, (q, k, v), strict=True):
        b = found.bias(1, role)
        assert b is not None
        for h in range(4):
            own = found.head(1, role, h) @ x + b[h]
            assert torch.allclose(own, expected[3 * h : 3 * h + 3], rtol=0, atol=1e-13)
    W_O = truth["h.1.attn.c_proj.weight"].double()
    assert torch.equal(found.head(1, "output", 2), W_O[6:9])


def test_bert_file_and_state_dict_agree(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, "bert", dtype=torch.float16)
    read = open_checkpoint(folder)
    held = from_state_dict(tensors("bert", dtype=torch.float16), config("bert"))
    alone = open_weights(folder / "model.safetensors")
    for role in ROLES:
        assert torch.equal(read.factor(1, role), held.factor(1, role))
        assert torch.equal(read.factor(1, role), alone.factor(1, role))
    assert held.roundoff(0, "key") == read.roundoff(0, "key") == 2.0**-11


def test_shards(tmp_path: Path) -> None:
    found = open_checkpoint(write_shards(tmp_path))
    truth = tensors("llama")
    W = truth["layers.1.self_attn.v_proj.weight"].double()
    assert torch.equal(found.factor(1, "value").flatten(0, 1), W)


def test_multihead_attention() -> None:
    module = torch.nn.MultiheadAttention(12, 3)
    found = from_module(module)
    assert found.model.heads == 3
    assert torch.equal(found.head(0, "key", 1), module.in_proj_weight[16:20].double())
    assert torch.equal(found.head(0, "output", 2), module.out_proj.weight[:, 8:].double().mT)
    with pytest.raises(CheckpointError, match="found Linear"):
        from_module(torch.nn.Linear(2, 2))


def test_the_library_writes_what_we_read(tmp_path: Path) -> None:
    save = pytest.importorskip("safetensors.torch").save_file
    whole = tensors("llama", dtype=torch.bfloat16)
    save(whole, tmp_path / "model.safetensors", metadata={"format": "pt"})
    (tmp_path / "config.json").write_text(json.dumps(config("llama")))
    found = open_checkpoint(tmp_path)
    W = whole["layers.0.self_attn.q_proj.weight"].double()
    assert torch.equal(found.factor(0, "query").flatten(0, 1), W)


def test_norms_of_queries_are_seen(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, "llama")
    assert not open_checkpoint(folder).layout.qk_norm
    whole = tensors("llama")
    whole["layers.0.self_attn.q_norm.weight"] = torch.ones(2)
    write_tensors(folder / "model.safetensors", whole)
    assert open_checkpoint(folder).layout.qk_norm


def test_a_state_dict_of_integers_or_infinities() -> None:
    whole = tensors("bert")
    name = "encoder.layer.0.attention.self.key.weight"
    broken = from_state_dict(whole | {name: whole[name].to(torch.int32)}, config("bert"))
    with pytest.raises(CheckpointError, match=r"key\.weight: expected floating-point"):
        broken.factor(0, "key")
    broken = from_state_dict(whole | {name: whole[name] / 0}, config("bert"))
    with pytest.raises(CheckpointError, match=r"key\.weight: expected finite"):
        broken.factor(0, "key")
