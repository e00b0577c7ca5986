"""The whole decoder of a Hugging Face configuration, as far as its costs ask for it.

The attention comes from the reader of identification; here stand the feed-forward layer, the norms
and the embeddings. A model_type whose blocks hold more (experts, norms after the branches, latent
projections) is refused by name: a guess would be a wrong count. The defaults are those of the
transformers library, where a configuration leaves a key out.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from ...symbolic.attention_only.decoder import Decoder
from ...symbolic.errors import InputError
from ..identification.hugging_face import read_configuration

Config = Mapping[str, Any]

_RMS = ("llama", "mistral", "qwen2", "qwen3", "gemma", "phi3")
_TIED = MappingProxyType({"gpt2": True, "gemma": True})
KNOWN = ("gpt2", "gpt_neox", *_RMS)
"""Every model_type that is read."""


def read_decoder(config: Config, where: str = "config") -> tuple[Decoder, tuple[str, ...]]:
    """Read a configuration; also what the costs leave out.

    Args:
        config: the object in config.json.
        where: for messages.

    Raises:
        InputError: a model_type that is not read, or sizes that are missing or do not fit.

    Example:
        >>> made, _ = read_decoder(
        ...     {"model_type": "gpt2", "n_layer": 12, "n_head": 12, "n_embd": 768,
        ...      "vocab_size": 50257, "n_positions": 1024}
        ... )
        >>> from headproof.symbolic.attention_only.accounting import parameters
        >>> parameters(made)
        124439808
    """
    kind = config.get("model_type")
    if kind not in KNOWN:
        found = "none" if kind is None else repr(kind)
        raise InputError(f"a model_type among {', '.join(KNOWN)}", found, where=where)
    if kind == "gpt2" and _flag(config, where, "add_cross_attention", False):
        raise InputError("no cross-attention", "add_cross_attention", where=where)
    attention = read_configuration(config, where).architecture
    d = attention.d_model
    names = ("n_inner",) if kind == "gpt2" else ("intermediate_size",)
    hidden = _size(config, where, *names, default=4 * d if kind == "gpt2" else None)
    biases = list(attention.bias)
    if kind in ("gpt2", "gpt_neox") or (
        kind == "llama" and _flag(config, where, "mlp_bias", False)  # the others do not read it
    ):
        biases.append("ffn")
    made = Decoder(
        d_model=d,
        layers=attention.layers,
        heads=attention.heads,
        kv_heads=attention.kv_heads,
        head_dim=attention.head_dim,
        ffn=hidden,
        gated=kind in _RMS,
        vocabulary=_size(config, where, "vocab_size"),
        context=_size(config, where, "n_positions", "max_position_embeddings"),
        bias=tuple(biases),
        norm="rms" if kind in _RMS else "layer",
        qk_norm=attention.qk_norm,
        tied=_flag(config, where, "tie_word_embeddings", _TIED.get(kind, False)),
        positions="learned" if kind == "gpt2" else "rope",
    )
    return made, _notes(config, kind, made.context)


def _notes(config: Config, kind: str, context: int) -> tuple[str, ...]:
    window = config.get("sliding_window")
    used = config.get("use_sliding_window", kind not in ("qwen2", "qwen3"))
    notes = []
    if isinstance(window, int) and window < context and used:
        notes.append(
            f"Scores further back than the sliding window of {window:,} tokens are counted."
        )
    if kind == "gpt_neox" and config.get("use_parallel_residual", True):
        notes.append("Both branches of a block read the same input; the counts are the same.")
    return tuple(notes)


def _size(config: Config, where: str, *names: str, default: int | None = None) -> int:
    for name in names:
        value = config.get(name)
        if value is None:
            continue
        if type(value) is not int or value < 1:
            raise InputError("a positive integer", repr(value), where=f"{where}, {name}")
        return int(value)
    if default is None:
        raise InputError("a positive integer", "none", where=f"{where}, {names[0]}")
    return default


def _flag(config: Config, where: str, name: str, default: bool) -> bool:
    value = config.get(name)
    if value is None:
        return default
    if type(value) is not bool:
        raise InputError("true or false", repr(value), where=f"{where}, {name}")
    return bool(value)
