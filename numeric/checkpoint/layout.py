"""Where the projections of a layer stand: names, and which rows or columns of a tensor.

The families differ in three ways. BERT and Llama keep one tensor per projection, with a row for
every output (torch.nn.Linear); GPT-2 keeps queries, keys and values fused in one tensor with a
column for every output (its Conv1D). And the names before the layer's number depend on what the
model was wrapped in ("bert.", "transformer.", "model."): that part is found, not assumed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from .architecture import Architecture, Family
from .failure import CheckpointError

Role = Literal["query", "key", "value", "output"]
ROLES: tuple[Role, ...] = ("query", "key", "value", "output")


@dataclass(frozen=True)
class Place:
    """Where one projection of one layer stands.

    Args:
        module: name of the module that holds them, without what the model is wrapped in.
        weight: name of the tensor.
        bias: name of the tensor of its bias; empty if there is none.
        outputs_first: whether the first axis of the weight is the output (a Linear).
        offset: where its outputs begin among those of the tensor.
        outputs: how many outputs it has.
        inputs: how many inputs.
        shape: of the whole tensor.
    """

    module: str
    weight: str
    bias: str
    outputs_first: bool
    offset: int
    outputs: int
    inputs: int
    shape: tuple[int, int]


_LAYER: Mapping[Family, str] = {
    "bert": "encoder.layer.{}.",
    "gpt2": "h.{}.",
    "llama": "layers.{}.",
}
_NAMES: Mapping[Family, Mapping[Role, str]] = {
    "bert": {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "output": "attention.output.dense",
    },
    "gpt2": {
        "query": "attn.c_attn",
        "key": "attn.c_attn",
        "value": "attn.c_attn",
        "output": "attn.c_proj",
    },
    "llama": {
        "query": "self_attn.q_proj",
        "key": "self_attn.k_proj",
        "value": "self_attn.v_proj",
        "output": "self_attn.o_proj",
    },
}
_NORMS = ("self_attn.q_norm.weight", "self_attn.k_norm.weight")


@dataclass(frozen=True)
class Layout:
    """Where every projection stands.

    Args:
        layers: for each layer, the place of each role.
        qk_norm: whether queries and keys are normalised before the scores.
    """

    layers: tuple[Mapping[Role, Place], ...]
    qk_norm: bool


def layout(names: Collection[str], model: Architecture, where: Path | str) -> Layout:
    """Find the projections among the names of the tensors.

    Args:
        names: of all tensors.
        model: what the configuration says.
        where: for messages.

    Raises:
        CheckpointError: a tensor is missing, there are more layers than the configuration says,
            biases in some layers only, or none of the names is of the family.
    """
    known = set(names)
    prefix = _prefix(known, model, where)
    layers = tuple(_places(known, prefix, n, model, where) for n in range(model.layers))
    for role in ROLES:
        biased = [n for n, places in enumerate(layers) if places[role].bias]
        if 0 < len(biased) < model.layers:
            bare = sorted(set(range(model.layers)) - set(biased))
            raise CheckpointError(
                where, f"a {role} bias in every layer or in none", f"none in layer {bare[0]}"
            )
    normed = {name for name in known if name.endswith(_NORMS)}
    return Layout(layers, bool(normed))


def _prefix(known: set[str], model: Architecture, where: Path | str) -> str:
    """What stands before the layers' names; the layers found are those of the configuration."""
    stem = re.escape(_LAYER[model.family]).replace(r"\{\}", r"(\d+)")
    pattern = re.compile(rf"((?:\w+\.)*?){stem}{re.escape(_NAMES[model.family]['query'])}\.weight")
    found: dict[str, set[int]] = {}
    for name in known:
        if match := pattern.fullmatch(name):
            found.setdefault(match[1], set()).add(int(match[2]))
    wanted = f"tensors such as {_name('', 0, model, 'query')}.weight for {model.model_type}"
    if not found:
        raise CheckpointError(where, wanted, _sample(known))
    if len(found) > 1:
        several = ", ".join(repr(prefix) for prefix in sorted(found))
        raise CheckpointError(where, f"{wanted} once", f"them after each of {several}")
    ((prefix, numbers),) = found.items()
    if more := sorted(n for n in numbers if n >= model.layers):
        raise CheckpointError(
            where, f"{model.layers} layers as in the configuration", f"layer {more[0]} as well"
        )
    return prefix


def _places(
    known: set[str], prefix: str, number: int, model: Architecture, where: Path | str
) -> Mapping[Role, Place]:
    inner, shared = model.heads * model.head_dim, model.kv_heads * model.head_dim
    sizes: dict[Role, tuple[int, int]] = {
        "query": (inner, model.d),
        "key": (shared, model.d),
        "value": (shared, model.d),
        "output": (model.d, inner),
    }
    fused = model.family == "gpt2"
    found: dict[Role, Place] = {}
    for position, role in enumerate(ROLES):
        name = _name(prefix, number, model, role)
        if f"{name}.weight" not in known:
            raise CheckpointError(where, f"the tensor {name}.weight", "none")
        outputs, inputs = sizes[role]
        in_fused = fused and role != "output"
        shape = (inputs, 3 * outputs if in_fused else outputs) if fused else (outputs, inputs)
        found[role] = Place(
            name.removeprefix(prefix),
            f"{name}.weight",
            f"{name}.bias" if f"{name}.bias" in known else "",
            not fused,
            position * outputs if in_fused else 0,
            outputs,
            inputs,
            shape,
        )
    return found


def _name(prefix: str, number: int, model: Architecture, role: Role) -> str:
    return prefix + _LAYER[model.family].format(number) + _NAMES[model.family][role]


def _sample(known: set[str]) -> str:
    if not known:
        return "no tensor at all"
    attention = sorted(name for name in known if re.search("attn|attention", name))
    shown = (attention or sorted(known))[:2]
    return f"{len(known):,} others such as {', '.join(shown)}"
