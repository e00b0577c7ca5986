"""The attention of a Hugging Face configuration, as far as identification asks for it.

One reader for each way of writing a configuration; a model_type that is not listed is refused by
name, since a guess would be a wrong count. Where the model has something that the counts do not
cover, a note says so. No weights and no library are needed: the keys of config.json are enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ...symbolic.errors import InputError
from ...symbolic.identification.architecture import Architecture, Latent

Config = Mapping[str, Any]

LAYER_NORM: Mapping[str, Any] = {
    "input_norm": "layer",
    "input_norm_gain": True,
    "input_norm_bias": True,
}
POST_NORM = (
    "The norms stand after the residual sum, which reads their gains and biases too: these are not "
    "counted."
)
OUTPUT_NORM = (
    "The norm behind W_O is not part of the layer here: it hides the length of W_O, one number "
    "more in each layer."
)
SHARED = (
    "The feed-forward network reads the same norm: its first matrix and bias have to absorb the "
    "gains and biases of the norm too."
)


@dataclass(frozen=True)
class Reading:
    """What a configuration says.

    Args:
        name: the model_type.
        architecture: of every attention layer.
        notes: what the counts leave out.
    """

    name: str
    architecture: Architecture
    notes: tuple[str, ...] = ()


def read_configuration(config: Config, where: str = "config") -> Reading:
    """Read a configuration.

    Args:
        config: the object in config.json.
        where: for messages.

    Raises:
        InputError: a model_type that is not known, or sizes that are missing or do not fit.

    Example:
        >>> read_configuration(
        ...     {"model_type": "gpt2", "n_layer": 12, "n_head": 12, "n_embd": 768}
        ... ).architecture.head_dim
        64
    """
    kind = config.get("model_type")
    text = config.get("text_config")
    if isinstance(text, Mapping) and {"model_type", "num_attention_heads"} & text.keys():
        # Text beside images.
        return read_configuration({"model_type": kind, **text}, f"{where}, text_config")
    if not isinstance(kind, str) or kind not in READERS:
        found = "none" if kind is None else repr(kind)
        raise InputError(f"a model_type among {', '.join(READERS)}", found, where=where)
    try:
        architecture, notes = READERS[kind](_Keys(config, where), kind)
    except InputError as error:
        if where in str(error):
            raise
        raise InputError("sizes that fit together", str(error), where=where) from None
    return Reading(kind, architecture, notes)


Read = tuple[Architecture, tuple[str, ...]]


@dataclass(frozen=True)
class _Keys:
    """The keys of a configuration, each checked when it is asked for."""

    config: Config
    where: str

    def size(self, *names: str, default: int | None = None) -> int:
        """A positive integer, under the first of these names that is there."""
        for name in names:
            value = self.config.get(name)
            if value is None:
                continue
            if type(value) is not int or value < 1:
                self._refuse(name, "a positive integer", repr(value))
            return int(value)
        if default is None:
            self._refuse(names[0], "a positive integer", "none")
        assert default is not None
        return default

    def flag(self, *names: str, default: bool) -> bool:
        for name in names:
            value = self.config.get(name)
            if value is None:
                continue
            if type(value) is not bool:
                self._refuse(name, "true or false", repr(value))
            return bool(value)
        return default

    def share(self, *names: str, default: float) -> float:
        """The share of a head that is rotated."""
        parameters = self.config.get("rope_parameters")
        nested = parameters if isinstance(parameters, Mapping) else {}
        for name in names:
            value = self.config.get(name, nested.get(name))
            if value is None:
                continue
            if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 1:
                self._refuse(name, "a number between 0 and 1", repr(value))
            return float(value)
        return default

    def _refuse(self, name: str, expected: str, found: str) -> None:
        raise InputError(expected, found, where=f"{self.where}, {name}")


def _gpt2(keys: _Keys, kind: str) -> Read:
    made = Architecture(
        d_model=keys.size("n_embd"),
        heads=keys.size("n_head"),
        bias=("q", "k", "v", "o"),
        layers=keys.size("n_layer"),
        **LAYER_NORM,
    )
    return made, ()


def _bert(keys: _Keys, kind: str) -> Read:
    embedded = keys.config.get("position_embedding_type", "absolute")
    if embedded not in ("absolute", None):
        raise InputError("position_embedding_type absolute", repr(embedded), where=keys.where)
    made = Architecture(
        d_model=keys.size("hidden_size"),
        heads=keys.size("num_attention_heads"),
        bias=("q", "k", "v", "o"),
        input_norm="layer",
        layers=keys.size("num_hidden_layers"),
    )
    return made, (POST_NORM,)


def _bloom(keys: _Keys, kind: str) -> Read:
    made = Architecture(
        d_model=keys.size("hidden_size", "n_embed"),
        heads=keys.size("n_head", "num_attention_heads"),
        alibi=True,
        bias=("q", "k", "v", "o"),
        layers=keys.size("n_layer", "num_hidden_layers"),
        **LAYER_NORM,
    )
    return made, ()


_HEAD_DIM = {"gemma": 256, "gemma2": 256, "gemma3": 256, "gemma3_text": 256, "qwen3": 128}
"""Defaults that are no quotient."""
_NORMED = ("gemma3", "gemma3_text", "qwen3", "qwen3_moe")
_ALL, _INNER = ("q", "k", "v", "o"), ("q", "k", "v")
_FIXED: Mapping[str, tuple[str, ...]] = {"mistral": (), "mixtral": (), "phi3": (), "qwen2": _INNER}
"""Biases that are built whatever the configuration says."""
_SWITCHED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "qwen2_moe": ("qkv_bias", _INNER),
    "gpt_oss": ("attention_bias", _ALL),
}
"""Biases that are built unless this key says no."""
_GROUPS = {
    "gemma": 16, "gemma2": 4, "gemma3": 4, "gemma3_text": 4, "gpt_oss": 8, "mistral": 8,
    "mixtral": 8, "qwen2": 32, "qwen2_moe": 16, "qwen3": 32, "qwen3_moe": 4,
}  # fmt: skip
"""Key/value heads where the key is left out; where it is null there are as many as heads."""


def _llama(keys: _Keys, kind: str) -> Read:
    # Configurations of text beside images leave out what is the default.
    of_gemma3 = {"heads": 8} if kind == "gemma3_text" else {}
    d = keys.size("hidden_size")
    heads = keys.size("num_attention_heads", default=of_gemma3.get("heads"))
    quotient = d // heads if d % heads == 0 else None
    head_dim = keys.size("head_dim", default=_HEAD_DIM.get(kind, quotient))
    rotated = int(head_dim * keys.share("partial_rotary_factor", default=1.0))
    bias = _FIXED.get(kind, ())
    if kind in _SWITCHED:
        switch, built = _SWITCHED[kind]
        bias = built if keys.flag(switch, default=True) else ()
    elif kind not in _FIXED and keys.flag("attention_bias", "use_bias", default=False):
        bias = _ALL
    capped = keys.config.get("attn_logit_softcapping", 50.0 if kind == "gemma2" else None)
    if capped and "k" in bias:
        raise InputError("no key bias where the scores are capped", "one", where=keys.where)
    left_out = "num_key_value_heads" not in keys.config
    groups = _GROUPS.get(kind, heads) if left_out else heads
    normed = kind in _NORMED
    made = Architecture(
        d_model=d,
        heads=heads,
        kv_heads=keys.size("num_key_value_heads", default=groups),
        head_dim=head_dim,
        bias=bias,
        qk_norm=normed,
        qk_norm_gain=normed,
        sink=kind == "gpt_oss",
        input_norm="rms",
        input_norm_gain=True,
        layers=keys.size("num_hidden_layers"),
        **_rotation(rotated),
    )
    notes = {
        "gpt_oss": "The sinks, one learned logit for each head, are seen and not counted here.",
        **dict.fromkeys(("gemma2", "gemma3", "gemma3_text"), OUTPUT_NORM),
    }
    return made, (notes[kind],) if kind in notes else ()


def _parallel(keys: _Keys, kind: str) -> Read:
    """Phi, GPT-NeoX, StableLM: LayerNorm, rotations of a part of each head."""
    d, heads = keys.size("hidden_size"), keys.size("num_attention_heads")
    if keys.flag("qk_layernorm", default=False):
        raise InputError("no qk_layernorm: LayerNorm of queries and keys is not covered", "true")
    default = {"gpt_neox": 0.25, "phi": 0.5, "stablelm": 0.25}[kind]
    rotated = int(d // heads * keys.share("partial_rotary_factor", "rotary_pct", default=default))
    bias: tuple[str, ...] = ("q", "k", "v", "o")
    if kind == "gpt_neox" and not keys.flag("attention_bias", default=True):
        bias = ()
    if kind == "stablelm":
        bias = ("q", "k", "v") if keys.flag("use_qkv_bias", default=False) else ()
    made = Architecture(
        d_model=d,
        heads=heads,
        kv_heads=keys.size("num_key_value_heads", default=heads),
        bias=bias,
        layers=keys.size("num_hidden_layers"),
        **LAYER_NORM,
        **_rotation(rotated),
    )
    shared = kind == "phi" or (
        kind == "stablelm" and keys.flag("use_parallel_residual", default=False)
    )
    return made, (SHARED,) if shared else ()


def _deepseek(keys: _Keys, kind: str) -> Read:
    if keys.flag("attention_bias", default=False):
        raise InputError("no attention_bias beside latent projections", "true", where=keys.where)
    queries = keys.config.get("q_lora_rank")
    latent = Latent(
        kv_rank=keys.size("kv_lora_rank"),
        q_rank=0 if queries is None else keys.size("q_lora_rank"),
        nope_dim=keys.size("qk_nope_head_dim"),
        rope_dim=keys.size("qk_rope_head_dim"),
        value_dim=keys.size("v_head_dim"),
        norm=True,
        norm_gain=True,
    )
    made = Architecture(
        d_model=keys.size("hidden_size"),
        heads=keys.size("num_attention_heads"),
        rope="distinct",
        mla=latent,
        input_norm="rms",
        input_norm_gain=True,
        layers=keys.size("num_hidden_layers"),
    )
    return made, ()


def _rotation(rotated: int) -> dict[str, Any]:
    return {"rope": "distinct", "rotary_dim": rotated} if rotated else {}


READERS: Mapping[str, Callable[[_Keys, str], Read]] = MappingProxyType(
    {
        **dict.fromkeys(("bert", "camembert", "electra", "roberta", "xlm-roberta"), _bert),
        **dict.fromkeys(("gpt2",), _gpt2),
        **dict.fromkeys(("bloom",), _bloom),
        **dict.fromkeys(
            (
                "gemma", "gemma2", "gemma3", "gemma3_text", "gpt_oss", "llama", "mistral",
                "mixtral", "phi3", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe",
            ),
            _llama,
        ),
        **dict.fromkeys(("gpt_neox", "phi", "stablelm"), _parallel),
        **dict.fromkeys(("deepseek_v2", "deepseek_v3"), _deepseek),
    }
)  # fmt: skip
"""model_type -> how its configuration is read."""
