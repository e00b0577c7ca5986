"""Where tensors come from: the files of a folder, or a state dict in memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from .failure import CheckpointError
from .json_file import read_json_object
from .tensor_file import ROUNDOFF, TensorFile, open_tensor_file

SINGLE, INDEX = "model.safetensors", "model.safetensors.index.json"


class Source(Protocol):
    """Tensors by name, read in parts."""

    @property
    def label(self) -> str:
        """For messages."""

    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of every tensor."""

    def roundoff(self, name: str) -> float:
        """The unit roundoff of the dtype in which a tensor is stored."""

    def read(self, name: str, rows: slice | None = None, columns: slice | None = None) -> Tensor:
        """A tensor or part of it, finite, in float64.

        Args:
            name: of the tensor.
            rows: of the first axis; all by default.
            columns: of the second axis; all by default.

        Raises:
            CheckpointError: it holds no floats, or an entry is not finite.
        """


@dataclass(frozen=True)
class Files:
    """The safetensors files of a folder.

    Args:
        label: the folder.
        owner: tensor -> the file that holds it.
    """

    label: str
    owner: Mapping[str, TensorFile]

    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of every tensor."""
        return {name: file.entries[name].shape for name, file in self.owner.items()}

    def roundoff(self, name: str) -> float:
        """2^-p for a dtype of p bits of precision."""
        return ROUNDOFF.get(self.owner[name].entries[name].dtype, 0.0)

    def read(self, name: str, rows: slice | None = None, columns: slice | None = None) -> Tensor:
        """See `TensorFile.read`."""
        return self.owner[name].read(name, rows, columns)


@dataclass(frozen=True)
class Memory:
    """A state dict.

    Args:
        tensors: by name.
        label: for messages.
    """

    tensors: Mapping[str, Tensor]
    label: str = "state dict"

    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """The shape of every tensor."""
        return {name: tuple(tensor.shape) for name, tensor in self.tensors.items()}

    def roundoff(self, name: str) -> float:
        """2^-p for a dtype of p bits of precision."""
        dtype = self.tensors[name].dtype
        return torch.finfo(dtype).eps / 2 if dtype.is_floating_point else 0.0

    def read(self, name: str, rows: slice | None = None, columns: slice | None = None) -> Tensor:
        """The part asked for, upcast before anything else is done with it.

        Args:
            name: of the tensor.
            rows: of the first axis; all by default.
            columns: of the second axis; all by default.

        Returns:
            In float64.

        Raises:
            CheckpointError: it holds no floats, or an entry is not finite.
        """
        tensor = self.tensors[name].detach()
        where = f"{self.label}, tensor {name}"
        if not tensor.is_floating_point():
            raise CheckpointError(where, "floating-point weights", str(tensor.dtype))
        part = tensor if rows is None else tensor[rows]
        part = part if columns is None else part[:, columns]
        values = part.to(device="cpu", dtype=torch.float64)
        if not bool(torch.isfinite(values).all()):
            raise CheckpointError(where, "finite numbers", "an infinity or a nan")
        return values


def open_files(folder: Path) -> Files:
    """Open the weights of a folder: model.safetensors, or the shards that its index lists.

    Args:
        folder: its path.

    Raises:
        CheckpointError: there are none, a shard is missing, or index and shards do not agree.
    """
    if (folder / SINGLE).is_file():
        file = open_tensor_file(folder / SINGLE)
        return Files(str(folder), dict.fromkeys(file.entries, file))
    if not (folder / INDEX).is_file():
        raise CheckpointError(folder, f"{SINGLE} or {INDEX}", _what_else(folder))
    where = folder / INDEX
    index = read_json_object(where).get("weight_map")
    if not isinstance(index, dict) or not index:
        found = "none" if index is None else f"an empty one or {type(index).__name__}"
        raise CheckpointError(where, "a weight_map from tensors to files", found)
    for name, shard in index.items():
        if not isinstance(shard, str) or not re.fullmatch(r"[\w.-]+\.safetensors", shard):
            raise CheckpointError(f"{where}, {name}", "a file of the same folder", repr(shard))
    shards: dict[str, TensorFile] = {}
    for shard in sorted(set(index.values())):
        if not (folder / shard).is_file():
            raise CheckpointError(where, f"the shard {shard} beside it", "none")
        shards[shard] = open_tensor_file(folder / shard)
    _require_agreement(where, index, shards)
    return Files(str(folder), {name: shards[shard] for name, shard in index.items()})


def _require_agreement(
    where: Path, index: Mapping[str, str], shards: Mapping[str, TensorFile]
) -> None:
    for name, shard in index.items():
        if name not in shards[shard].entries:
            raise CheckpointError(where, f"the tensor {name} in {shard}", "none")
    for shard, file in shards.items():
        for name in file.entries:
            if index.get(name) != shard:
                place = index.get(name, "nowhere")
                found = f"it in {shard}" if place == "nowhere" else f"it in {shard} as well"
                raise CheckpointError(where, f"the tensor {name} in {place} only", found)


def _what_else(folder: Path) -> str:
    if not folder.is_dir():
        return "no such folder" if not folder.exists() else "a file"
    names = sorted(path.name for path in folder.iterdir())
    for name in names:
        if name.endswith((".bin", ".pt", ".pth")):
            return f"{name}: convert it to safetensors first"
        if name.startswith("adapter_model"):
            return f"{name}: an adapter, merge it into its model first"
        if name.endswith((".gguf", ".h5", ".msgpack", ".onnx")):
            return f"{name}, a format that is not read"
    return "neither"
