"""Damaged files: each kind of damage has its own message, and no number comes out."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from folders import (  # type: ignore[import-not-found]
    config,
    header_of,
    tensors,
    write_folder,
    write_raw,
    write_shards,
    write_tensors,
)

from headproof.numeric.checkpoint import ROLES, CheckpointError, open_checkpoint

Q = "layers.0.self_attn.q_proj.weight"
K = "layers.1.self_attn.k_proj.weight"
FILE, INDEX = "model.safetensors", "model.safetensors.index.json"
SHARD = "model-00001-of-00002.safetensors"

Damage = Callable[[Path], None]
DAMAGE: dict[str, tuple[Damage, str]] = {}


def read_all(folder: Path) -> None:
    """What the table needs: all projections and biases."""
    found = open_checkpoint(folder)
    for layer in range(found.model.layers):
        for role in ROLES:
            found.factor(layer, role)
            found.bias(layer, role)


def damage(name: str, message: str) -> Callable[[Damage], Damage]:
    def remember(spoil: Damage) -> Damage:
        assert name not in DAMAGE
        DAMAGE[name] = (spoil, message)
        return spoil

    return remember


def with_bytes(name: str, message: str, spoil: Callable[[bytes], bytes]) -> None:
    """Damage to the file's bytes."""

    @damage(name, message)
    def _(folder: Path) -> None:
        path = folder / FILE
        path.write_bytes(spoil(path.read_bytes()))


def with_header(name: str, message: str, spoil: Callable[[dict[str, Any]], Any]) -> None:
    """Damage to the header as an object, or as the text that `spoil` returns."""

    @damage(name, message)
    def _(folder: Path) -> None:
        header, data = header_of(tensors("llama"))
        changed = spoil(header)
        text = changed if isinstance(changed, bytes) else json.dumps(header).encode()
        write_raw(folder / FILE, text, data)


def with_config(name: str, message: str, **changes: Any) -> None:
    """Damage to the configuration; None removes a key."""

    @damage(name, message)
    def _(folder: Path) -> None:
        changed = {k: v for k, v in (config("llama") | changes).items() if v is not None}
        (folder / "config.json").write_text(json.dumps(changed))


def with_tensors(name: str, message: str, spoil: Callable[[dict[str, Any]], Any]) -> None:
    """A sound file of the wrong tensors."""

    @damage(name, message)
    def _(folder: Path) -> None:
        whole = tensors("llama")
        spoil(whole)
        write_tensors(folder / FILE, whole)


def with_index(name: str, message: str, spoil: Callable[[Path], Any]) -> None:
    """Damage to a sharded folder."""

    @damage(name, message)
    def _(folder: Path) -> None:
        (folder / FILE).unlink()
        write_shards(folder)
        spoil(folder)


def length(n: int) -> bytes:
    return struct.pack("<Q", n)


with_bytes("empty", "found an empty file", lambda b: b"")
with_bytes("three bytes", "8 bytes that give the header's length, found 3", lambda b: b[:3])
with_bytes("cut in the header", "truncated within the header", lambda b: b[:100])
with_bytes(
    "cut in the data", r"found a file with [\d,]+ bytes of data: truncated", lambda b: b[:-1]
)
with_bytes("half", "bytes of data: truncated", lambda b: b[: len(b) // 2])
with_bytes("a byte more", "found 1 bytes more", lambda b: b + b"\0")
with_bytes("huge length", "a length of 18,446,744", lambda b: length(2**64 - 1) + b[8:])
with_bytes("length too large", "truncated within", lambda b: length(10**7) + b[8:])
with_bytes("length zero", "at least 2 bytes, found a length of 0", lambda b: length(0) + b[8:])
with_bytes(
    "length one less",
    "header: expected JSON, found",
    lambda b: length(int.from_bytes(b[:8], "little") - 1) + b[8:],
)
with_bytes(
    "length one more",
    "expected JSON",
    lambda b: length(int.from_bytes(b[:8], "little") + 1) + b[8:],
)
with_bytes("big endian", "a length of [0-9,]+; is it", lambda b: b[:8][::-1] + b[8:])
with_bytes(
    "LFS pointer", "a Git LFS pointer", lambda b: b"version https://git-lfs.github.com/spec/v1\n"
)
with_bytes("zipped pickle", "a pickle of PyTorch", lambda b: b"PK\x03\x04" + b)
with_bytes("bare pickle", "a pickle of PyTorch", lambda b: b"\x80\x02" + b)
with_bytes("web page", "looks like a web page", lambda b: b"<!DOCTYPE html><html></html>")
with_bytes("no brace", r"begins with '\{', found b. .$", lambda b: b[:8] + b" " + b[9:])
with_bytes(
    "byte flipped in the header",
    "JSON in UTF-8, found other bytes at 2",
    lambda b: b[:10] + b"\xff" + b[11:],
)
with_bytes(
    "nan in the data",
    r"finite numbers, found nan at \[",
    lambda b: b[:-4] + struct.pack("<f", float("nan")),
)
with_header("header is a list", r"found b.\[.$", lambda h: b"[1, 2]")
with_header("header ends early", "expected JSON, found", lambda h: json.dumps(h).encode()[:-5])
with_header("a name twice", "found the key 'a' twice", lambda h: b'{"a": 1, "a": 2}')
with_header("not a number", "found NaN, which is no number", lambda h: b'{"a": NaN}')
with_header("endless nesting", "found endless nesting", lambda h: b'{"a":' + b"[" * 200000)
with_header(
    "metadata of numbers",
    "__metadata__: expected strings",
    lambda h: h.update(__metadata__={"a": 1}),
)
with_header("entry is a string", "data_offsets, found str", lambda h: h.update({Q: "F32"}))
with_header("no dtype", "found data_offsets, shape$", lambda h: h[Q].pop("dtype"))
with_header("no shape", "found data_offsets, dtype$", lambda h: h[Q].pop("shape"))
with_header("no offsets", "found dtype, shape$", lambda h: h[Q].pop("data_offsets"))
with_header("another key", "found data_offsets, dtype, more, shape", lambda h: h[Q].update(more=1))
with_header("unknown dtype", "a dtype among .*found 'F31'", lambda h: h[Q].update(dtype="F31"))
with_header("dtype is a number", "a dtype among .*found 32", lambda h: h[Q].update(dtype=32))
with_header("wider dtype", "bytes for shape .* of F64, found", lambda h: h[Q].update(dtype="F64"))
with_header(
    "other dtype of that width",
    "F16, BF16, found I32; quantised",
    lambda h: h[Q].update(dtype="I32"),
)
with_header(
    "shape of floats", r"integers >= 0, found \[8.0, 12\]", lambda h: h[Q].update(shape=[8.0, 12])
)
with_header("negative shape", r"found \[-8, -12\]", lambda h: h[Q].update(shape=[-8, -12]))
with_header("shape of booleans", r"found \[True, 96\]", lambda h: h[Q].update(shape=[True, 96]))
with_header("shape too large", "bytes for shape", lambda h: h[Q].update(shape=[8, 13]))
with_header(
    "shape transposed",
    r"shape \[8, 12\] by the configuration, found \[12, 8\]",
    lambda h: h[Q].update(shape=[12, 8]),
)
with_header(
    "shape flattened", r"by the configuration, found \[96\]", lambda h: h[Q].update(shape=[96])
)
with_header(
    "one offset", r"two data_offsets, .*found \[0\]", lambda h: h[Q].update(data_offsets=[0])
)
with_header(
    "offsets of strings",
    "two data_offsets, .*'0'",
    lambda h: h[Q].update(data_offsets=["0", "384"]),
)
with_header(
    "negative offset",
    r"two data_offsets.*\[-4, 380\]",
    lambda h: h[Q].update(data_offsets=[-4, 380]),
)
with_header("offsets swapped", "data_offsets in order", lambda h: h[Q]["data_offsets"].reverse())
with_header(
    "offsets too short", "found data_offsets of 380", lambda h: h[Q].update(data_offsets=[240, 620])
)
with_header(
    "overlap",
    "overlap: it begins 4 bytes before the end",
    lambda h: h[Q].update(data_offsets=[236, 620]),
)
with_header("gap", "data without gaps, found a gap of", lambda h: h.pop("embeddings.weight"))
with_header(
    "two names for one stretch",
    "overlap",
    lambda h: h[K].update(data_offsets=h["layers.0.self_attn.k_proj.weight"]["data_offsets"]),
)


def replace(whole: dict[str, Any], others: dict[str, Any]) -> None:
    whole.clear()
    whole.update(others)


with_tensors("no tensor", "found no tensor at all", lambda t: replace(t, {}))
with_tensors(
    "names of another kind",
    "tensors such as layers.0.self_attn.q_proj.weight for qwen2, found",
    lambda t: replace(t, tensors("gpt2")),
)
with_tensors("a tensor missing", f"the tensor {K}, found none", lambda t: t.pop(K))
with_tensors(
    "a layer missing",
    "the tensor layers.1.self_attn.q_proj.weight",
    lambda t: [t.pop(n) for n in list(t) if n.startswith("layers.1.")],
)
with_tensors(
    "a bias in one layer only",
    "key bias in every layer or in none, found none in layer 0",
    lambda t: t.pop("layers.0.self_attn.k_proj.bias"),
)
with_tensors(
    "bias of another length",
    r"k_proj.bias: expected shape \[4\]",
    lambda t: t.update({"layers.0.self_attn.k_proj.bias": torch.ones(5)}),
)
with_tensors(
    "key of full width",
    r"k_proj.weight: expected shape \[4, 12\].*found \[8, 12\]",
    lambda t: t.update({K: torch.ones(8, 12)}),
)
with_tensors(
    "infinity in a weight",
    rf"{K}: expected finite numbers, found inf at \[3, 7\]",
    lambda t: t[K].__setitem__((3, 7), float("inf")),
)
with_tensors(
    "nan in a bias",
    "q_proj.bias: expected finite numbers",
    lambda t: t["layers.1.self_attn.q_proj.bias"].fill_(float("nan")),
)
with_tensors(
    "two models in one",
    "once, found them after each of '', 'draft.'",
    lambda t: t.update(tensors("llama", prefix="draft.")),
)
with_config("no model_type", "a model_type among .*found none", model_type=None)
with_config("another model_type", "a model_type among .*found 'mamba'", model_type="mamba")
with_config("no width", "hidden_size: expected a positive integer, found none", hidden_size=None)
with_config(
    "width of a string", "hidden_size: expected a positive integer, found '12'", hidden_size="12"
)
with_config(
    "no heads", "num_attention_heads: expected a positive integer, found 0", num_attention_heads=0
)
with_config(
    "heads that do not divide",
    "hidden_size divisible by num_attention_heads, found 12 and 5",
    num_attention_heads=5,
    num_key_value_heads=5,
    head_dim=None,
)
with_config(
    "groups that do not divide",
    "divisible by num_key_value_heads, found 4 and 3",
    num_key_value_heads=3,
)
with_config("other width than the file", r"shape \[8, 16\] by the configuration", hidden_size=16)
with_config(
    "other heads than the file",
    r"shape \[4, 12\] by the configuration, found \[8, 12\]",
    num_attention_heads=2,
)
with_config(
    "fewer layers than the file",
    "1 layers as in the configuration, found layer 1",
    num_hidden_layers=1,
)
with_config("more layers than the file", "the tensor layers.2", num_hidden_layers=3)
with_config("odd rotations", "an even head_dim", head_dim=3)
with_config("share of rotations", "partial_rotary_factor in", partial_rotary_factor=1.5)


@damage("no config", "expected a config.json, found none")
def _(folder: Path) -> None:
    (folder / "config.json").unlink()


@damage("config cut", "config.json: expected JSON, found")
def _(folder: Path) -> None:
    (folder / "config.json").write_text(json.dumps(config("llama"))[:-9])


@damage("config is a list", "expected a JSON object, found list")
def _(folder: Path) -> None:
    (folder / "config.json").write_text("[]")


@damage("config says a key twice", "the key 'model_type' twice")
def _(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "llama", "model_type": "gpt2"}')


@damage("no weights", f"{FILE} or {INDEX}, found neither")
def _(folder: Path) -> None:
    (folder / FILE).unlink()


@damage("a pickle beside", "pytorch_model.bin: convert it")
def _(folder: Path) -> None:
    (folder / FILE).rename(folder / "pytorch_model.bin")


@damage("an adapter", "an adapter, merge it")
def _(folder: Path) -> None:
    (folder / FILE).rename(folder / "adapter_model.safetensors")


@damage("weights are a folder", f"{FILE} or {INDEX}")
def _(folder: Path) -> None:
    (folder / FILE).unlink()
    (folder / FILE).mkdir()


def edit(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    document = json.loads((folder / INDEX).read_text())
    change(document)
    (folder / INDEX).write_text(json.dumps(document))


def shift(folder: Path) -> None:
    header, data = header_of({"stray": torch.ones(2)})
    write_raw(folder / SHARD, json.dumps(header).encode(), data)


def repeat(folder: Path) -> None:
    write_tensors(folder / SHARD, tensors("llama"))


with_index(
    "a shard missing", f"the shard {SHARD} beside it, found none", lambda f: (f / SHARD).unlink()
)
with_index(
    "a shard cut",
    f"{SHARD}, tensor .*truncated",
    lambda f: (f / SHARD).write_bytes((f / SHARD).read_bytes()[:-9]),
)
with_index("a shard of another model", f"the tensor .* in {SHARD}, found none", shift)
with_index("a tensor in two shards", "only, found it in .* as well", repeat)
with_index("index cut", "index.json: expected JSON", lambda f: (f / INDEX).write_text("{"))
with_index(
    "index without a map",
    "a weight_map from tensors to files, found none",
    lambda f: edit(f, lambda d: d.pop("weight_map")),
)
with_index(
    "index with an empty map",
    "found an empty one",
    lambda f: edit(f, lambda d: d.update(weight_map={})),
)
with_index(
    "a shard elsewhere",
    "a file of the same folder, found '../",
    lambda f: edit(f, lambda d: d["weight_map"].update({Q: "../model.safetensors"})),
)
with_index(
    "a shard by number",
    "a file of the same folder, found 3",
    lambda f: edit(f, lambda d: d["weight_map"].update({Q: 3})),
)
with_index(
    "a tensor the index forgot",
    "in nowhere only",
    lambda f: edit(f, lambda d: d["weight_map"].pop(K)),
)
with_index(
    "a tensor that is nowhere",
    "the tensor ghost in",
    lambda f: edit(f, lambda d: d["weight_map"].update(ghost=SHARD)),
)


@pytest.mark.parametrize("name", DAMAGE)
def test_damage_is_named(name: str, tmp_path: Path) -> None:
    spoil, message = DAMAGE[name]
    folder = write_folder(tmp_path / "model", "llama")
    read_all(folder)  # sound before
    spoil(folder)
    with pytest.raises(CheckpointError, match=message) as failure:
        read_all(folder)
    assert str(tmp_path) in str(failure.value)
    assert "\n" not in str(failure.value)


def test_there_are_fifty_kinds() -> None:
    assert len(DAMAGE) >= 50


def test_a_file_that_shrinks_after_it_was_opened(tmp_path: Path) -> None:
    found = open_checkpoint(write_folder(tmp_path, "llama"))
    path = tmp_path / FILE
    path.write_bytes(path.read_bytes()[:2000])
    with pytest.raises(CheckpointError, match="the file as it was when it was opened"):
        found.factor(1, "output")
