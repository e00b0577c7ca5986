"""The projections of every attention head, one at a time and in float64.

Every projection is handed out with the residual stream last: (heads, d_k, d), so that the rows of
a head span the subspace that it reads from (queries, keys, values) or writes to (output). Only
what is asked for is read: a caller who goes head by head never holds more than a head.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, overload

import torch
from torch import Tensor, nn

from .architecture import Architecture, architecture
from .failure import CheckpointError
from .json_file import read_json_object
from .layout import ROLES, Layout, Place, Role, layout
from .source import Files, Memory, Source, open_files
from .tensor_file import open_tensor_file


@dataclass(frozen=True)
class Checkpoint:
    """A model's attention weights.

    Args:
        model: the architecture.
        source: where the tensors are.
        layout: where the projections stand among them.
    """

    model: Architecture
    source: Source = field(repr=False)
    layout: Layout = field(repr=False)

    def heads(self, role: Role) -> int:
        """H for queries and the output, G for keys and values."""
        shared = role in ("key", "value")
        return self.model.kv_heads if shared else self.model.heads

    def head(self, layer: int, role: Role, number: int) -> Tensor:
        """The projection of one head, (d_k, d), in float64.

        Args:
            layer: from 0.
            role: which projection; of the output its transpose.
            number: of the head; for keys and values of the key/value head.

        Raises:
            CheckpointError: an entry is not finite.
        """
        place, d_k = self.layout.layers[layer][role], self.model.head_dim
        part = slice(place.offset + number * d_k, place.offset + (number + 1) * d_k)
        if role == "output":  # the head's part is among the inputs
            part = slice(number * d_k, (number + 1) * d_k)
            if place.outputs_first:
                return self.source.read(place.weight, columns=part).mT.contiguous()
            return self.source.read(place.weight, rows=part)
        if place.outputs_first:
            return self.source.read(place.weight, rows=part)
        return self.source.read(place.weight, columns=part).mT.contiguous()

    def projections(self, layer: int, role: Role) -> Sequence[Tensor]:
        """The projections of the heads of a layer, each read when it is looked up.

        Args:
            layer: from 0.
            role: which projection.

        Returns:
            (d_k, d) each, as `head` returns them; looking up raises what it raises.
        """
        return _Heads(self, layer, role)

    def factor(self, layer: int, role: Role) -> Tensor:
        """The projections of all heads of a layer, (heads, d_k, d), in float64.

        Args:
            layer: from 0.
            role: which projection.

        Raises:
            CheckpointError: an entry is not finite.
        """
        count, d_k = self.heads(role), self.model.head_dim
        whole = torch.empty(count, d_k, self.model.d, dtype=torch.float64)
        for number in range(count):
            whole[number] = self.head(layer, role, number)
        return whole

    def roundoff(self, layer: int, role: Role) -> float:
        """The unit roundoff of the dtype in which the projection is stored.

        Args:
            layer: from 0.
            role: which projection.
        """
        return self.source.roundoff(self.layout.layers[layer][role].weight)

    def bias(self, layer: int, role: Role) -> Tensor | None:
        """The bias: (heads, d_k), of the output (d,); None if there is none.

        Args:
            layer: from 0.
            role: of which projection.

        Raises:
            CheckpointError: an entry is not finite.
        """
        place = self.layout.layers[layer][role]
        if not place.bias:
            return None
        part = slice(place.offset, place.offset + place.outputs)
        values = self.source.read(place.bias, rows=part)
        return values if role == "output" else values.reshape(-1, self.model.head_dim)

    def biased(self, role: Role) -> bool:
        """Whether the projection has a bias."""
        return bool(self.layout.layers[0][role].bias)


@dataclass(frozen=True)
class _Heads(Sequence[Tensor]):
    checkpoint: Checkpoint
    layer: int
    role: Role

    def __len__(self) -> int:
        return self.checkpoint.heads(self.role)

    @overload
    def __getitem__(self, number: int) -> Tensor: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Tensor]: ...

    def __getitem__(self, number: int | slice) -> Tensor | Sequence[Tensor]:
        numbers = range(len(self))[number]
        if isinstance(numbers, range):
            return [self[n] for n in numbers]
        return self.checkpoint.head(self.layer, self.role, numbers)


def open_checkpoint(folder: Path | str) -> Checkpoint:
    """Open a Hugging Face folder: config.json and safetensors, sharded or not.

    Names of BERT's, GPT-2's and Llama's kind are known. Headers are checked; weights are read when
    they are asked for.

    Args:
        folder: its path.

    Raises:
        CheckpointError: what is wrong, and where.
    """
    path = Path(folder)
    if not path.is_dir():
        found = "a file" if path.exists() else "no such folder"
        raise CheckpointError(path, "a folder with config.json and safetensors", found)
    if not (path / "config.json").is_file():
        raise CheckpointError(path, "a config.json", "none")
    config = read_json_object(path / "config.json")
    return _checkpoint(architecture(config, path / "config.json"), open_files(path))


def open_weights(file: Path | str) -> Checkpoint:
    """Open one safetensors file; its config.json stands beside it.

    Args:
        file: its path.

    Raises:
        CheckpointError: no such file, no config.json beside it, or see `open_checkpoint`.
    """
    path = Path(file)
    if not path.is_file():
        raise CheckpointError(path, "a safetensors file", "none")
    beside = path.parent / "config.json"
    if not beside.is_file():
        raise CheckpointError(path, "a config.json beside it: heads are not in the file", "none")
    opened = open_tensor_file(path)
    files = Files(str(path), dict.fromkeys(opened.entries, opened))
    return _checkpoint(architecture(read_json_object(beside), beside), files)


def from_state_dict(tensors: Mapping[str, Tensor], config: Mapping[str, Any]) -> Checkpoint:
    """Weights in memory, of any floating dtype.

    Args:
        tensors: names of the same kinds as in a folder.
        config: as in config.json: the number of heads is not in the tensors.

    Raises:
        CheckpointError: see `open_checkpoint`.
    """
    return _checkpoint(architecture(config, "configuration"), Memory(tensors))


def from_module(module: nn.Module) -> Checkpoint:
    """A module in memory: torch.nn.MultiheadAttention, or a model that carries its ``config``.

    Args:
        module: its weights are read when they are asked for.

    Raises:
        CheckpointError: it is neither, or see `open_checkpoint`.
    """
    if isinstance(module, nn.MultiheadAttention):
        return _from_attention(module)
    config = getattr(module, "config", None)
    as_dict = getattr(config, "to_dict", None)
    if not callable(as_dict):
        kind = type(module).__name__
        expected = "torch.nn.MultiheadAttention or a model with a Hugging Face config"
        raise CheckpointError("module", expected, kind)
    return from_state_dict(module.state_dict(), as_dict())


def _from_attention(module: nn.MultiheadAttention) -> Checkpoint:
    """One layer under the names of BERT."""
    if module.in_proj_weight is None or module.bias_k is not None:
        kinds = "queries, keys and values of one width and no extra key"
        raise CheckpointError("MultiheadAttention", kinds, "another")
    stem, tensors = "encoder.layer.0.attention.", {}
    names = ("self.query", "self.key", "self.value")
    for name, part in zip(names, module.in_proj_weight.chunk(3), strict=True):
        tensors[f"{stem}{name}.weight"] = part
    if module.in_proj_bias is not None:
        for name, part in zip(names, module.in_proj_bias.chunk(3), strict=True):
            tensors[f"{stem}{name}.bias"] = part
    tensors[f"{stem}output.dense.weight"] = module.out_proj.weight
    if module.out_proj.bias is not None:
        tensors[f"{stem}output.dense.bias"] = module.out_proj.bias
    config = {
        "model_type": "bert",
        "num_hidden_layers": 1,
        "hidden_size": module.embed_dim,
        "num_attention_heads": module.num_heads,
    }
    return from_state_dict(tensors, config)


def _checkpoint(model: Architecture, source: Source) -> Checkpoint:
    shapes = source.shapes()
    found = layout(shapes, model, source.label)
    for places in found.layers:
        for role in ROLES:
            _check_shapes(places[role], shapes, source.label)
    return Checkpoint(model, source, found)


def _check_shapes(place: Place, shapes: Mapping[str, tuple[int, ...]], label: str) -> None:
    outputs = place.shape[0] if place.outputs_first else place.shape[1]
    for name, wanted in ((place.weight, place.shape), (place.bias, (outputs,))):
        if name and shapes[name] != wanted:
            raise CheckpointError(
                f"{label}, tensor {name}",
                f"shape {list(wanted)} by the configuration",
                f"{list(shapes[name])}",
            )
