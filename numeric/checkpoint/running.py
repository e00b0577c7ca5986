"""A model run on a text in float64, as it is or with some of its biases set to zero.

transformers builds and runs the model; what its attention layers are given and make of it is caught
as it goes by. float64 keeps rounding far below whatever a bias does, so that "no change" and "a
change" are ten orders of magnitude apart. Nothing is fetched, and the model's own code alone runs
(no code that comes with a checkpoint).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from .checkpoint import Checkpoint
from .failure import CheckpointError
from .layout import Role
from .offline import offline, one_thread, quiet


@dataclass(frozen=True)
class LayerInput:
    """What the scores of one layer are made of; heads of keys and values repeated to H.

    Args:
        queries: (H, n, d_k), W_Q h_i without the bias.
        query_bias: (H, d_k), b_Q; zeros if there is none.
        keys: (H, n, d_k), W_K h_j without the bias.
        key_bias: (H, d_k), b_K; zeros if there is none.
        values: (H, n, d_k), with their bias.
    """

    queries: Tensor
    query_bias: Tensor
    keys: Tensor
    key_bias: Tensor
    values: Tensor


class RunningModel:
    """A model in memory, in float64, for one text.

    Args:
        folder: the checkpoint's folder, with tokenizer.json.
        checkpoint: the same, opened.
        text: what the model reads; special tokens are added, nothing is cut off.

    Raises:
        CheckpointError: no tokenizer, or a text of fewer than two tokens or more than positions.
        ImportError: transformers or tokenizers is missing (extra ``checkpoint``).
    """

    def __init__(self, folder: Path | str, checkpoint: Checkpoint, text: str) -> None:
        """Load the model and split the text into tokens."""
        self.checkpoint = checkpoint
        with offline(), one_thread():
            self._ids, self.tokens = _tokens(Path(folder), text)
            self._model = _model(Path(folder))
        limit = getattr(self._model.config, "max_position_embeddings", None)
        if checkpoint.model.model_type in ("roberta", "xlm-roberta", "camembert"):
            limit = limit - 2 if limit else None  # two positions are kept for padding
        if len(self.tokens) < 2 or (limit and len(self.tokens) > limit):
            found = f"{len(self.tokens)}"
            raise CheckpointError("text", f"from 2 to {limit} tokens", found)
        self.causal = checkpoint.model.family != "bert"

    def output(self, without: Sequence[Role] = ()) -> Tensor:
        """The last hidden states, (n, d), with the biases of some projections set to zero.

        Args:
            without: the projections that lose their biases.
        """
        with offline(), one_thread(), torch.inference_mode(), self._without(without):
            result: Tensor = self._model(input_ids=self._ids).last_hidden_state[0]
            return result.clone()

    def layers(self) -> list[LayerInput]:
        """What every layer's scores are made of.

        Raises:
            ValueError: the positions enter between projections and scores (rotary, relative).
        """
        model = self.checkpoint.model
        if model.positions != "absolute":
            raise ValueError(f"expected absolute positions, found {model.positions}")
        caught: dict[tuple[int, Role], Tensor] = {}
        roles: tuple[Role, ...] = ("query", "key", "value")
        hooks = []
        for layer in range(model.layers):
            for role in roles:
                place = self.checkpoint.layout.layers[layer][role]
                module = self._model.get_submodule(place.module)

                def catch(
                    _: Any,
                    __: Any,
                    output: Tensor,
                    key: tuple[int, Role] = (layer, role),
                    part: slice = slice(place.offset, place.offset + place.outputs),
                ) -> None:
                    caught[key] = output[0, :, part].clone()

                hooks.append(module.register_forward_hook(catch))
        try:
            self.output()
        finally:
            for hook in hooks:
                hook.remove()
        return [self._layer(layer, caught) for layer in range(model.layers)]

    def _layer(self, layer: int, caught: dict[tuple[int, Role], Tensor]) -> LayerInput:
        model = self.checkpoint.model
        owners = torch.tensor(model.head_map)

        def split(role: Role) -> tuple[Tensor, Tensor]:
            """The projection without its bias, and the bias."""
            whole = caught[layer, role].reshape(len(self.tokens), -1, model.head_dim)
            whole = whole.transpose(0, 1)
            bias = self.checkpoint.bias(layer, role)
            if bias is None:
                bias = torch.zeros(len(whole), model.head_dim, dtype=torch.float64)
            if role != "query":
                whole, bias = whole[owners], bias[owners]
            return whole - bias.unsqueeze(1), bias

        (queries, b_Q), (keys, b_K), (values, b_V) = split("query"), split("key"), split("value")
        return LayerInput(queries, b_Q, keys, b_K, values + b_V.unsqueeze(1))

    @contextmanager
    def _without(self, roles: Sequence[Role]) -> Iterator[None]:
        """Zero the biases of these projections, and put them back."""
        kept: list[tuple[Tensor, Tensor]] = []
        for places in self.checkpoint.layout.layers:
            for role in roles:
                place = places[role]
                if not place.bias:
                    continue
                bias = self._model.get_parameter(f"{place.module}.bias").data
                part = bias[place.offset : place.offset + place.outputs]
                kept.append((part, part.clone()))
                part.zero_()
        try:
            yield
        finally:
            for part, before in kept:
                part.copy_(before)


def runnable(folder: Path | str) -> str:
    """Why the model of a folder cannot be run; empty if it can.

    Args:
        folder: its path.
    """
    missing = [name for name in ("transformers", "tokenizers") if find_spec(name) is None]
    if missing:
        return f"{' and '.join(missing)} not installed: pip install 'headproof[checkpoint]'"
    if not (Path(folder) / "tokenizer.json").is_file():
        return "no tokenizer.json in the folder"
    return ""


def _tokens(folder: Path, text: str) -> tuple[Tensor, tuple[str, ...]]:
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise CheckpointError(folder, "a tokenizer.json", "none")
    try:  # its errors are bare Exceptions
        tokenizer = import_module("tokenizers").Tokenizer.from_file(str(path))
    except ImportError:
        raise
    except Exception as error:
        raise CheckpointError(path, "a tokenizer", str(error)) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    encoded = tokenizer.encode(text)
    return torch.tensor([encoded.ids]), tuple(encoded.tokens)


def _model(folder: Path) -> nn.Module:
    transformers: Any = import_module("transformers")
    with quiet(transformers.utils.logging):
        model = transformers.AutoModel.from_pretrained(
            str(folder),
            local_files_only=True,
            trust_remote_code=False,
            use_safetensors=True,
            attn_implementation="eager",
        )
    ready: nn.Module = model.to(torch.float64).eval()
    return ready
