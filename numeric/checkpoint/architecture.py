"""The attention of a model as its configuration describes it.

Only what the theory needs: sizes, how query heads share key/value heads, and what stands between
the projections and the scores, for that decides which parameters the function cannot see. A
configuration of another family is refused by name: guessing would make a wrong table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from .failure import CheckpointError

Family = Literal["bert", "gpt2", "llama"]
Positions = Literal["absolute", "relative", "rotary"]

MODELS: Mapping[str, Family] = {
    "bert": "bert",
    "camembert": "bert",
    "electra": "bert",
    "roberta": "bert",
    "xlm-roberta": "bert",
    "gpt2": "gpt2",
    "gemma": "llama",
    "gemma2": "llama",
    "llama": "llama",
    "mistral": "llama",
    "mixtral": "llama",
    "qwen2": "llama",
    "qwen2_moe": "llama",
    "qwen3": "llama",
    "starcoder2": "llama",
}
"""model_type -> whose names the tensors have."""


@dataclass(frozen=True)
class Architecture:
    """The sizes of the attention layers.

    Args:
        model_type: as in the configuration.
        family: whose names the tensors have.
        layers: how many.
        d: width of the residual stream.
        heads: H query heads.
        kv_heads: G key/value heads, a divisor of H.
        head_dim: d_k.
        positions: what the scores know of positions: nothing (they are added to the input), a
            relative term, or rotations of queries and keys.
        rotary_dim: how many of the d_k coordinates are rotated.
        softcap: the scores pass through a bounded function before the softmax.
    """

    model_type: str
    family: Family
    layers: int
    d: int
    heads: int
    kv_heads: int
    head_dim: int
    positions: Positions
    rotary_dim: int = 0
    softcap: bool = False

    @property
    def head_map(self) -> tuple[int, ...]:
        """The key/value head of each query head.

        Example:
            >>> Architecture("qwen2", "llama", 1, 28, 4, 2, 7, "rotary").head_map
            (0, 0, 1, 1)
        """
        return tuple(h * self.kv_heads // self.heads for h in range(self.heads))


def architecture(config: Mapping[str, Any], where: Path | str = "config") -> Architecture:
    """Read a configuration of Hugging Face's kind.

    Args:
        config: the object in config.json.
        where: for messages.

    Raises:
        CheckpointError: another model_type, or sizes that are missing or do not fit together.

    Example:
        >>> config = {"model_type": "gpt2", "n_layer": 2, "n_head": 3, "n_embd": 12}
        >>> architecture(config).head_dim
        4
    """
    kind = config.get("model_type")
    if not isinstance(kind, str) or kind not in MODELS:
        found = "none" if kind is None else repr(kind)
        raise CheckpointError(where, f"a model_type among {', '.join(MODELS)}", found)
    family = MODELS[kind]
    if family == "gpt2":
        layers, d, heads = (_count(config, key, where) for key in ("n_layer", "n_embd", "n_head"))
        head_dim = _quotient(d, heads, "n_embd", "n_head", where)
        return Architecture(kind, family, layers, d, heads, heads, head_dim, "absolute")
    layers = _count(config, "num_hidden_layers", where)
    d = _count(config, "hidden_size", where)
    heads = _count(config, "num_attention_heads", where)
    if family == "bert":
        head_dim = _quotient(d, heads, "hidden_size", "num_attention_heads", where)
        embedded = config.get("position_embedding_type", "absolute")
        relative = ("relative_key", "relative_key_query")
        if embedded not in ("absolute", *relative):
            known = f"position_embedding_type absolute, {', '.join(relative)}"
            raise CheckpointError(where, known, repr(embedded))
        if config.get("is_decoder") and config.get("add_cross_attention"):
            raise CheckpointError(where, "self-attention only", "add_cross_attention")
        positions: Positions = "relative" if embedded in relative else "absolute"
        return Architecture(kind, family, layers, d, heads, heads, head_dim, positions)
    return _llama(config, kind, layers, d, heads, where)


def _llama(
    config: Mapping[str, Any], kind: str, layers: int, d: int, heads: int, where: Path | str
) -> Architecture:
    kv_heads = heads
    if config.get("num_key_value_heads") is not None:
        kv_heads = _count(config, "num_key_value_heads", where)
    if heads % kv_heads:
        found = f"{heads} and {kv_heads}"
        expected = "num_attention_heads divisible by num_key_value_heads"
        raise CheckpointError(where, expected, found)
    if config.get("head_dim") is not None:
        head_dim = _count(config, "head_dim", where)
    elif kind in ("gemma", "gemma2"):
        head_dim = 256  # the default of these two is no quotient
    elif kind == "qwen3":
        head_dim = 128
    else:
        head_dim = _quotient(d, heads, "hidden_size", "num_attention_heads", where)
    if head_dim % 2:
        raise CheckpointError(where, "an even head_dim for rotary positions", str(head_dim))
    share = config.get("partial_rotary_factor", 1.0)
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share <= 1:
        raise CheckpointError(where, "a partial_rotary_factor in (0, 1]", repr(share))
    softcap = config.get("attn_logit_softcapping", 50.0 if kind == "gemma2" else None)
    rotary = int(head_dim * share)
    if rotary % 2:
        raise CheckpointError(where, "an even number of rotated coordinates", str(rotary))
    return Architecture(
        kind,
        "llama",
        layers,
        d,
        heads,
        kv_heads,
        head_dim,
        "rotary",
        rotary_dim=rotary,
        softcap=bool(softcap),
    )


def _count(config: Mapping[str, Any], key: str, where: Path | str) -> int:
    value = config.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        found = "none" if key not in config else repr(value)
        raise CheckpointError(f"{where}, {key}", "a positive integer", found)
    return value


def _quotient(d: int, heads: int, width: str, count: str, where: Path | str) -> int:
    if d % heads:
        raise CheckpointError(where, f"{width} divisible by {count}", f"{d} and {heads}")
    return d // heads
