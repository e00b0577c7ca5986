"""Small checkpoint folders, written by a writer of our own, and their damage."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

NAMES = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16"}
WIDTHS = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8}


def raw(tensor: Tensor) -> bytes:
    """The bytes of a tensor, row-major."""
    return bytes(tensor.contiguous().flatten().view(torch.uint8).tolist())


def header_of(tensors: Mapping[str, Tensor]) -> tuple[dict[str, Any], bytes]:
    header: dict[str, Any] = {}
    data = b""
    for name, tensor in tensors.items():
        part = raw(tensor)
        header[name] = {
            "dtype": NAMES.get(tensor.dtype, "I64"),
            "shape": list(tensor.shape),
            "data_offsets": [len(data), len(data) + len(part)],
        }
        data += part
    return header, data


def write_raw(path: Path, header: bytes, data: bytes) -> None:
    path.write_bytes(struct.pack("<Q", len(header)) + header + data)


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    header, data = header_of(tensors)
    write_raw(path, json.dumps(header).encode(), data)


def config(family: str, *, layers: int = 2, d: int = 12, heads: int = 4, kv: int = 2) -> Any:
    if family == "gpt2":
        return {"model_type": "gpt2", "n_layer": layers, "n_head": heads, "n_embd": d}
    sizes = {"num_hidden_layers": layers, "hidden_size": d, "num_attention_heads": heads}
    if family == "bert":
        return {"model_type": "bert", **sizes}
    return {"model_type": "qwen2", **sizes, "num_key_value_heads": kv, "head_dim": 2 * (d // 8)}


def tensors(
    family: str,
    *,
    layers: int = 2,
    d: int = 12,
    heads: int = 4,
    kv: int = 2,
    dtype: torch.dtype = torch.float32,
    seed: int = 0,
    prefix: str = "",
) -> dict[str, Tensor]:
    """Random weights under the names of a family."""
    g = torch.Generator().manual_seed(seed)

    def draw(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=g).to(dtype)

    found: dict[str, Tensor] = {f"{prefix}embeddings.weight": draw(5, d)}
    for n in range(layers):
        if family == "gpt2":
            stem = f"{prefix}h.{n}.attn."
            found[f"{stem}c_attn.weight"] = draw(d, 3 * d)
            found[f"{stem}c_attn.bias"] = draw(3 * d)
            found[f"{stem}c_proj.weight"] = draw(d, d)
            found[f"{stem}c_proj.bias"] = draw(d)
        elif family == "bert":
            stem = f"{prefix}encoder.layer.{n}.attention."
            for name in ("self.query", "self.key", "self.value", "output.dense"):
                found[f"{stem}{name}.weight"] = draw(d, d)
                found[f"{stem}{name}.bias"] = draw(d)
        else:
            stem, d_k = f"{prefix}layers.{n}.self_attn.", 2 * (d // 8)
            for name, count in (("q", heads), ("k", kv), ("v", kv)):
                found[f"{stem}{name}_proj.weight"] = draw(count * d_k, d)
                found[f"{stem}{name}_proj.bias"] = draw(count * d_k)
            found[f"{stem}o_proj.weight"] = draw(d, heads * d_k)
    return found


def write_folder(path: Path, family: str = "llama", **options: Any) -> Path:
    """config.json and model.safetensors."""
    path.mkdir(parents=True, exist_ok=True)
    sizes = {k: v for k, v in options.items() if k in ("layers", "d", "heads", "kv")}
    (path / "config.json").write_text(json.dumps(config(family, **sizes)))
    write_tensors(path / "model.safetensors", tensors(family, **options))
    return path


def write_shards(path: Path, **options: Any) -> Path:
    """config.json, two shards and their index."""
    path.mkdir(parents=True, exist_ok=True)
    (path / "config.json").write_text(json.dumps(config("llama")))
    whole = tensors("llama", **options)
    names = sorted(whole)
    index: dict[str, str] = {}
    for n, part in enumerate((names[::2], names[1::2]), 1):
        shard = f"model-0000{n}-of-00002.safetensors"
        write_tensors(path / shard, {name: whole[name] for name in part})
        index |= dict.fromkeys(part, shard)
    document = {"metadata": {"total_size": 0}, "weight_map": index}
    (path / "model.safetensors.index.json").write_text(json.dumps(document))
    return path
