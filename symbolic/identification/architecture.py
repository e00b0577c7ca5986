"""The attention of a model, as far as it decides which parameters the function can see.

Everything happens in one order: projection, bias, norm, gain, rotation. Sizes and flags only: no
weights, and nothing about a family of models; who reads a foreign configuration translates it into
this. A document with an unknown key is refused: a key that is ignored would be a wrong count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from ..errors import InputError
from .fields import flag, keys, letters, size, word

Rope = Literal["none", "distinct", "equal"]
InputNorm = Literal["none", "rms", "layer"]


@dataclass(frozen=True, kw_only=True)
class Latent:
    """Multi-head latent attention (MLA): queries, keys and values come out of narrow vectors.

    A latent vector c = x W_D is shared by all heads, and a head's query, key or value is c W_U^h. A
    key has a further part of rope_dim coordinates, rotated, that all heads share and that comes
    from x directly; the query's rotated part comes from the query's latent vector, head by head.

    Args:
        q_rank: width of the queries' latent vector; 0: queries come from x directly.
        kv_rank: width of the latent vector that keys and values share.
        nope_dim: coordinates of a head's query and key that are not rotated.
        rope_dim: coordinates that are rotated, even; 0: none.
        value_dim: coordinates of a head's value.
        norm: whether the latent vectors pass through an RMS norm.
        norm_gain: whether this norm has gains.
    """

    kv_rank: int
    nope_dim: int
    value_dim: int
    q_rank: int = 0
    rope_dim: int = 0
    norm: bool = False
    norm_gain: bool = False

    def __post_init__(self) -> None:
        """Validate."""
        for name in ("kv_rank", "nope_dim", "value_dim"):
            size(getattr(self, name), f"mla.{name}", 1)
        for name in ("q_rank", "rope_dim"):
            size(getattr(self, name), f"mla.{name}", 0)
        for name in ("norm", "norm_gain"):
            flag(getattr(self, name), f"mla.{name}")
        if self.rope_dim % 2:
            raise InputError("an even number", str(self.rope_dim), where="mla.rope_dim")
        if self.norm_gain and not self.norm:
            raise InputError("false where norm is false", "true", where="mla.norm_gain")


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """One attention layer, and how many of them make the model.

    Args:
        d_model: d, width of the residual stream.
        heads: H query heads.
        kv_heads: G key/value heads, a divisor of H; 0: as many as heads.
        head_dim: d_k, which need not be d/H and may exceed d; 0: d/H.
        rope: how queries and keys are rotated: not at all, each plane with a frequency of its own
            (nonzero, distinct up to sign modulo 2 pi), or all planes alike.
        rotary_dim: how many of the d_k coordinates are rotated, even; 0: all with rope, else none.
        bias: which of the projections have a bias, among q, k, v, o.
        qk_norm: whether every head's query and key is divided by its root mean square.
        qk_norm_gain: whether gains follow (one of d_k entries for the queries of all heads, one
            for the keys of all).
        alibi: whether the scores get a term that depends on the distance alone.
        sink: whether the softmax has a further logit that queries and keys do not enter.
        tied_qk: whether W_Q = W_K (and b_Q = b_K, where there is one).
        mla: latent ranks and dimensions; None: ordinary projections. head_dim, kv_heads and
            rotary_dim then follow from it.
        input_norm: what x passes through before the projections.
        input_norm_gain: whether this norm has gains.
        input_norm_bias: whether it has biases (LayerNorm only).
        positions: rows of a table of learned absolute positions that is added to the tokens; 0: no
            table. Counted with a decoder, not with a layer.
        layers: how many layers the model has.

    Raises:
        InputError: sizes that do not fit, or a combination that means nothing.

    Example:
        >>> a = Architecture(d_model=12, heads=6, kv_heads=3, rope="distinct")
        >>> a.head_dim, a.rotary_dim, a.group
        (2, 2, 2)
    """

    d_model: int
    heads: int
    kv_heads: int = 0
    head_dim: int = 0
    rope: Rope = "none"
    rotary_dim: int = 0
    bias: tuple[str, ...] = ()
    qk_norm: bool = False
    qk_norm_gain: bool = False
    alibi: bool = False
    sink: bool = False
    tied_qk: bool = False
    mla: Latent | None = None
    input_norm: InputNorm = "none"
    input_norm_gain: bool = False
    input_norm_bias: bool = False
    positions: int = 0
    layers: int = 1

    def __post_init__(self) -> None:
        """Validate, and fill in what was left at 0."""
        for name in ("d_model", "heads", "layers"):
            size(getattr(self, name), name, 1)
        for name in ("kv_heads", "head_dim", "rotary_dim", "positions"):
            size(getattr(self, name), name, 0)
        for name in FLAGS:
            flag(getattr(self, name), name)
        word(self.rope, get_args(Rope), "rope")
        word(self.input_norm, get_args(InputNorm), "input_norm")
        self._set(bias=letters(self.bias))
        if self.mla is not None:
            self._complete_latent(self.mla)
        else:
            self._complete()
        if self.qk_norm_gain and not self.qk_norm:
            raise InputError("false where qk_norm is false", "true", where="qk_norm_gain")
        if self.input_norm_gain and self.input_norm == "none":
            raise InputError("false where input_norm is none", "true", where="input_norm_gain")
        if self.input_norm_bias and self.input_norm != "layer":
            raise InputError("false unless input_norm is layer", "true", where="input_norm_bias")
        if self.tied_qk and ("q" in self.bias) != ("k" in self.bias):
            raise InputError("both of q and k or neither (tied_qk)", repr(self.bias), where="bias")

    def _complete(self) -> None:
        self._set(kv_heads=self.kv_heads or self.heads)
        if self.heads % self.kv_heads:
            raise InputError(f"a divisor of {self.heads}", str(self.kv_heads), where="kv_heads")
        if not self.head_dim:
            if self.d_model % self.heads:
                found = f"d_model = {self.d_model}, heads = {self.heads}"
                raise InputError("head_dim, or heads that divide d_model", found, where="head_dim")
            self._set(head_dim=self.d_model // self.heads)
        if self.rope == "none" and self.rotary_dim:
            raise InputError("0 where rope is none", str(self.rotary_dim), where="rotary_dim")
        if self.rope != "none":
            self._set(rotary_dim=self.rotary_dim or self.head_dim)
            if self.rotary_dim % 2 or self.rotary_dim > self.head_dim:
                raise InputError(
                    f"an even number up to {self.head_dim}",
                    str(self.rotary_dim),
                    where="rotary_dim",
                )
        if self.tied_qk and self.kv_heads != self.heads:
            raise InputError(f"{self.heads} (tied_qk)", str(self.kv_heads), where="kv_heads")

    def _complete_latent(self, mla: Latent) -> None:
        width = mla.nope_dim + mla.rope_dim
        for name, value in (
            ("kv_heads", self.heads),
            ("head_dim", width),
            ("rotary_dim", mla.rope_dim),
        ):
            if getattr(self, name) not in (0, value):
                found = str(getattr(self, name))
                raise InputError(f"{value}, which follows from mla", found, where=name)
            self._set(**{name: value})
        if (self.rope == "none") != (mla.rope_dim == 0):
            raise InputError("none exactly if mla.rope_dim is 0", repr(self.rope), where="rope")
        for name in ("qk_norm", "tied_qk"):
            if getattr(self, name):
                raise InputError("false with mla", "true", where=name)

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def group(self) -> int:
        """Query heads per key/value head, H/G."""
        return self.heads // self.kv_heads

    @property
    def reads(self) -> int:
        """Dimensions of what the projections read: LayerNorm leaves one out."""
        return self.d_model - (self.input_norm == "layer")

    @property
    def read_biases(self) -> frozenset[str]:
        """The projections that add a constant, be it through the bias of the norm before them."""
        return frozenset(self.bias) | frozenset("qkv" if self.input_norm_bias else "")

    @property
    def document(self) -> dict[str, Any]:
        """The keys that differ from their defaults, as JSON values; `parse` reads it back."""
        given: dict[str, Any] = {"d_model": self.d_model, "heads": self.heads}
        if self.mla is None:
            given |= {"kv_heads": self.kv_heads, "head_dim": self.head_dim}
        if self.rope != "none":
            given["rope"] = self.rope
            if self.mla is None:
                given["rotary_dim"] = self.rotary_dim
        if self.bias:
            given["bias"] = list(self.bias)
        for name in _PLAIN:
            if getattr(self, name) != getattr(type(self), name):
                given[name] = getattr(self, name)
        if self.mla is not None:
            given["mla"] = {
                name: getattr(self.mla, name)
                for name in _LATENT
                if name in _LATENT_REQUIRED or getattr(self.mla, name)
            }
        return given


FLAGS = (
    "qk_norm",
    "qk_norm_gain",
    "alibi",
    "sink",
    "tied_qk",
    "input_norm_gain",
    "input_norm_bias",
)
_PLAIN = (*FLAGS, "input_norm", "positions", "layers")
_LATENT_REQUIRED = ("kv_rank", "nope_dim", "value_dim")
_LATENT = (*_LATENT_REQUIRED, "q_rank", "rope_dim", "norm", "norm_gain")
_POSITIVE = ("kv_heads", "head_dim")


def parse(document: object) -> Architecture:
    """Read an architecture from a JSON document (the format of ``headproof identify``).

    Args:
        document: an object with d_model and heads, and any of the further fields of
            ``Architecture``; "mla" is an object with the fields of ``Latent``.

    Raises:
        InputError: a key is missing or unknown, or a value is not what its key asks for.

    Example:
        >>> parse({"d_model": 4096, "heads": 32, "kv_heads": 8, "rope": "distinct"}).head_dim
        128
    """
    fields = keys(
        document,
        "",
        ("d_model", "heads"),
        ("kv_heads", "head_dim", "rope", "rotary_dim", "bias", *_PLAIN, "mla"),
    )
    values = dict(fields)
    for name in _POSITIVE:
        if name in values:
            size(values[name], name, 1)
    if "rotary_dim" in values and values.get("rope", "none") != "none":
        size(values["rotary_dim"], "rotary_dim", 1)
    if "bias" in values:
        if not isinstance(values["bias"], (list, tuple)):
            raise InputError("a list of letters", repr(values["bias"]), where="bias")
        values["bias"] = tuple(values["bias"])
    if values.get("mla") is not None:
        latent = keys(values["mla"], "mla", _LATENT_REQUIRED, _LATENT[len(_LATENT_REQUIRED) :])
        values["mla"] = Latent(**latent)
    return Architecture(**values)
