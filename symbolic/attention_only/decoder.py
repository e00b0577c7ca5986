"""A decoder's configuration, with integers or with symbols for sizes (claims D1, D2).

One description serves both: what the accounting returns for symbols is a polynomial, what it
returns for integers is a number, and neither is typed in twice. Options are not symbols, because
they decide which terms there are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeAlias

from sympy import Expr

from ..derivations.setting import size
from ..errors import InputError

Size: TypeAlias = Any
"""A positive integer, or a sympy expression that stands for one."""

BIASES = ("q", "k", "v", "o", "ffn", "output")
NORMS = ("rms", "layer")
POSITIONS = ("rope", "learned", "none")
LARGEST = 10**100
"""No size is larger, so that costs, products of a few sizes, can be written out."""
_SIZES = ("d_model", "layers", "heads", "kv_heads", "head_dim", "vocabulary", "context")
_FLAGS = ("gated", "qk_norm", "residual_gates", "tied", "final_norm")


@dataclass(frozen=True, kw_only=True)
class Decoder:
    """The sizes and options of a pre-norm decoder.

    A block is x + attention(norm(x)), then x + ffn(norm(x)) unless ``ffn`` is 0: an attention-only
    decoder has neither the feed-forward layer nor its norm and gate.

    Args:
        d_model: width d of the residual stream.
        layers: L blocks.
        heads: H query heads.
        kv_heads: G key/value heads, a divisor of H; H by default.
        head_dim: d_k; d/H by default.
        ffn: width f of the hidden layer; 0 for none.
        gated: three matrices in the feed-forward layer instead of two.
        vocabulary: V symbols.
        context: the longest sequence n.
        bias: which linear maps have one: among "q", "k", "v", "o", "ffn", "output".
        norm: "rms" with a gain, or "layer" with gain and bias.
        qk_norm: RMS norms of queries and keys, each with one gain of d_k.
        residual_gates: one number for each residual branch.
        tied: the output projection is the embedding.
        final_norm: a norm stands before the output projection.
        positions: "rope" and "none" have no parameters, "learned" has a table.

    Raises:
        InputError: sizes or options that do not fit.

    Example:
        >>> Decoder(d_model=64, layers=4, heads=4, ffn=256, vocabulary=96, context=128).d_k
        16
    """

    d_model: Size
    layers: Size
    heads: Size
    kv_heads: Size | None = None
    head_dim: Size | None = None
    ffn: Size = 0
    gated: bool = False
    vocabulary: Size
    context: Size
    bias: tuple[str, ...] = ()
    norm: Literal["rms", "layer"] = "rms"
    qk_norm: bool = False
    residual_gates: bool = False
    tied: bool = True
    final_norm: bool = True
    positions: Literal["rope", "learned", "none"] = "rope"

    def __post_init__(self) -> None:
        """Refuse what does not fit; symbols are taken on trust."""
        for name in _SIZES:
            value = getattr(self, name)
            if not (value is None and name in ("kv_heads", "head_dim")):
                _require_size(value, name, 1)
        _require_size(self.ffn, "ffn", 0)
        for name in _FLAGS:
            if type(getattr(self, name)) is not bool:
                raise InputError("true or false", repr(getattr(self, name)), where=name)
        for name, known in (("norm", NORMS), ("positions", POSITIONS)):
            if getattr(self, name) not in known:
                raise InputError(" or ".join(known), repr(getattr(self, name)), where=name)
        if unknown := sorted(set(map(str, self.bias)) - set(BIASES)):
            raise InputError(f"names among {', '.join(BIASES)}", ", ".join(unknown), where="bias")
        if len(set(self.bias)) < len(self.bias):
            raise InputError("every name once", ", ".join(self.bias), where="bias")
        if self.gated and _is_zero(self.ffn):
            raise InputError("a feed-forward layer to be gated", "ffn = 0", where="gated")
        _require_divisor(self.heads, self.groups, "kv_heads", "the heads")
        if self.head_dim is None:
            remedy = "name head_dim"
            _require_divisor(self.d_model, self.heads, "heads", "d_model", remedy)

    @property
    def groups(self) -> Size:
        """G, the number of key/value heads."""
        return self.heads if self.kv_heads is None else self.kv_heads

    @property
    def d_k(self) -> Size:
        """The dimension of a head."""
        if self.head_dim is not None:
            return self.head_dim
        whole = isinstance(self.d_model, int) and isinstance(self.heads, int)
        return self.d_model // self.heads if whole else self.d_model / self.heads

    @property
    def attention_only(self) -> bool:
        """Whether there is no feed-forward layer."""
        return _is_zero(self.ffn)

    def without_ffn(self, *, layers: Size | None = None) -> Decoder:
        """The attention-only decoder of the same width, heads and options.

        Args:
            layers: its depth; the same by default.

        Example:
            >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
            >>> made.without_ffn(layers=6).layers, made.without_ffn().ffn
            (6, 0)
        """
        kept = tuple(name for name in self.bias if name != "ffn")
        depth = self.layers if layers is None else layers
        return replace(self, ffn=0, gated=False, bias=kept, layers=depth)

    def symbolic(self) -> Decoder:
        """The same options with a symbol for every size: d, L, H, G, d_k, f, V, n.

        Example:
            >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
            >>> made.symbolic().d_k
            d_k
        """
        d, L, H, G, k, f, V, n = (size(s) for s in ("d", "L", "H", "G", "d_k", "f", "V", "n"))
        return replace(
            self,
            d_model=d,
            layers=L,
            heads=H,
            kv_heads=G,
            head_dim=k,
            ffn=0 if self.attention_only else f,
            vocabulary=V,
            context=n,
        )

    def values(self) -> dict[Expr, int]:
        """Symbol of `symbolic` -> the size that it stands for here."""
        mine, letters = self._sizes(), self.symbolic()._sizes()
        return {letter: mine[k] for k, letter in enumerate(letters) if isinstance(letter, Expr)}

    def _sizes(self) -> tuple[Size, ...]:
        return (
            self.d_model,
            self.layers,
            self.heads,
            self.groups,
            self.d_k,
            self.ffn,
            self.vocabulary,
            self.context,
        )


def parse(document: Mapping[str, Any], where: str = "decoder") -> Decoder:
    """Read a decoder from a JSON object with the names of `Decoder` as keys.

    Raises:
        InputError: an unknown key, one that is missing, or sizes that do not fit.

    Example:
        >>> parse({"d_model": 8, "layers": 2, "heads": 2, "vocabulary": 5, "context": 4}).ffn
        0
    """
    names = {f.name for f in fields(Decoder)}
    if unknown := sorted(set(document) - names):
        raise InputError(
            f"keys among {', '.join(sorted(names))}", ", ".join(map(repr, unknown)), where=where
        )
    for name in ("d_model", "layers", "heads", "vocabulary", "context"):
        if name not in document:
            raise InputError(f"the key {name!r}", "none", where=where)
    given = dict(document)
    bias = given.get("bias", [])
    if not (isinstance(bias, list | tuple) and all(isinstance(b, str) for b in bias)):
        raise InputError("a list of names", repr(bias), where=f"{where}, bias")
    for name in ("kv_heads", "head_dim"):
        if given.get(name, 1) is None:
            del given[name]
    return Decoder(**{**given, "bias": tuple(bias)})


def _is_zero(value: Size) -> bool:
    return isinstance(value, int) and value == 0


def _require_size(value: Size, where: str, least: int) -> None:
    if isinstance(value, Expr):
        return
    if type(value) is not int or value < least:
        raise InputError(f"an integer of at least {least}", repr(value), where=where)
    if value > LARGEST:
        raise InputError("an integer of at most 10^100", "a larger one", where=where)


def _require_divisor(whole: Size, part: Size, where: str, of: str, remedy: str = "") -> None:
    if isinstance(whole, int) and isinstance(part, int) and whole % part:
        raise InputError(f"a divisor of {of}, {whole}", str(part), where=where, remedy=remedy)
