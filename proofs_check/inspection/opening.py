"""A model from wherever it is: a folder, a file, a module, a state dict."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeAlias

from torch import nn

from ...numeric.checkpoint import (
    Checkpoint,
    CheckpointError,
    from_module,
    from_state_dict,
    open_checkpoint,
    open_weights,
)
from ...symbolic.errors import InputError
from ..runner.threads import single_threaded

Source: TypeAlias = str | os.PathLike[str] | nn.Module | Mapping[str, Any]

_SMALL = 4_000_000
"""Projections of fewer entries are handled on one thread: more only wait for each other."""


@contextmanager
def told() -> Iterator[None]:
    """Turn what is wrong with a checkpoint into the suite's own error."""
    try:
        yield
    except CheckpointError as error:
        raise InputError(error.expected, error.found, where=error.where) from None


def opened(source: Source, config: Mapping[str, Any] | None = None) -> tuple[str, Checkpoint]:
    """The model, and what to call it.

    Args:
        source: a folder, a safetensors file, a module, or a state dict.
        config: of a state dict: as in config.json.

    Raises:
        InputError: it is none of these, or damaged.
    """
    with told():
        if isinstance(source, nn.Module):
            return type(source).__name__, from_module(source)
        if isinstance(source, Mapping):
            if config is None:
                raise InputError("the configuration of the state dict", "none", where="config")
            return "state dict", from_state_dict(source, config)
        path = Path(source)
        return str(path), open_weights(path) if path.is_file() else open_checkpoint(path)


def chosen(checkpoint: Checkpoint, layers: Sequence[int] | None) -> tuple[int, ...]:
    """The layers asked for.

    Raises:
        InputError: one of them is not there.
    """
    count = checkpoint.model.layers
    for layer in layers or ():
        if not 0 <= layer < count:
            raise InputError(f"layers from 0 to {count - 1}", str(layer), where="layers")
    return tuple(range(count)) if layers is None else tuple(dict.fromkeys(layers))


def threads(checkpoint: Checkpoint) -> Any:
    """One thread for small models, what torch likes for large ones."""
    model = checkpoint.model
    small = model.heads * model.head_dim * model.d < _SMALL
    return single_threaded() if small else nullcontext()


def described(label: str, checkpoint: Checkpoint) -> dict[str, Any]:
    """The model as the documents have it."""
    model = checkpoint.model
    return {
        "path": label,
        "model": {
            "model_type": model.model_type,
            "layers": model.layers,
            "d_model": model.d,
            "heads": model.heads,
            "kv_heads": model.kv_heads,
            "head_dim": model.head_dim,
            "positions": model.positions,
            "rotary_dim": model.rotary_dim,
            "qk_norm": checkpoint.layout.qk_norm,
            "bias": [r for r in ("query", "key", "value", "output") if checkpoint.biased(r)],
            "head_map": list(model.head_map),
        },
    }
