"""An attention layer as a certificate states it, and what its units do not hold (kind rank)."""

from __future__ import annotations

from dataclasses import dataclass

from .errors import Rejected, Unreadable, show
from .fields import Json, flag, integer, items, members

LARGEST = 2**20
"""No size of an architecture is larger."""

PARTS = ("qk", "vo", "block")
_SIZES = ("d_model", "heads", "kv_heads", "head_dim")
_FLAGS = (
    "qk_norm",
    "qk_norm_gain",
    "alibi",
    "sink",
    "tied_qk",
    "input_norm_gain",
    "input_norm_bias",
)
_NORMS = ("none", "rms", "layer")


@dataclass(frozen=True)
class Layer:
    """An architecture as the certificate states it."""

    d: int
    heads: int
    groups: int
    width: int
    rope: str
    rotated: int
    bias: frozenset[str]
    flags: frozenset[str]
    norm: str

    @property
    def reads(self) -> int:
        """Dimensions of what the projections read."""
        return self.d - (self.norm == "layer")

    @property
    def constants(self) -> frozenset[str]:
        """The projections that add a constant, by their own bias or by that of the norm."""
        return self.bias | frozenset("qkv" if "input_norm_bias" in self.flags else "")

    @property
    def heads_per_group(self) -> int:
        """Query heads that share a key factor."""
        return self.heads // self.groups


def layer(value: Json) -> Layer:
    """Read an architecture.

    Raises:
        Unreadable: it is malformed.
        Rejected: the sizes do not fit.
    """
    where = "architecture"
    parts = members(value, where, (*_SIZES, "rope", "rotary_dim"), ("bias", "input_norm", *_FLAGS))
    d, heads, groups, width = (integer(parts[n], f"{where}.{n}", 1, LARGEST) for n in _SIZES)
    rotated = integer(parts["rotary_dim"], f"{where}.rotary_dim", 0, LARGEST)
    rope = parts["rope"]
    if type(rope) is not str or rope not in ("none", "distinct", "equal"):
        raise Unreadable(f"{where}.rope: expected none, distinct or equal, found {show(rope)}")
    norm = parts.get("input_norm", "none")
    if type(norm) is not str or norm not in _NORMS:
        raise Unreadable(f"{where}.input_norm: expected {', '.join(_NORMS)}, found {show(norm)}")
    letters = items(parts.get("bias", []), f"{where}.bias")
    if any(type(one) is not str or one not in "qkvo" or len(one) != 1 for one in letters):
        raise Unreadable(f"{where}.bias: expected letters among q, k, v, o")
    flags = frozenset(n for n in _FLAGS if flag(parts.get(n, False), f"{where}.{n}"))
    bias = frozenset(letters)
    fits = (
        len(bias) == len(letters)
        and heads % groups == 0
        and rotated % 2 == 0
        and rotated <= width
        and (rotated > 0) == (rope != "none")
        and ("tied_qk" not in flags or (heads == groups and ("q" in bias) == ("k" in bias)))
        and ("qk_norm_gain" not in flags or "qk_norm" in flags)
        and ("input_norm_gain" not in flags or norm != "none")
        and ("input_norm_bias" not in flags or norm == "layer")
    )
    if not fits:
        raise Rejected(f"{where}: these sizes and flags do not fit together")
    found = Layer(d, heads, groups, width, rope, rotated, bias, flags, norm)
    if norm != "none" and found.reads < 2:
        raise Rejected(f"{where}: the norm before the projections leaves less than 2 dimensions")
    return found


def inert(found: Layer, part: str) -> int:
    """Parameters that no unit has and the function does not see."""
    total = 0
    if part != "vo" and "k" in found.constants and shifts(found):
        total += found.groups * (found.width - found.rotated)
    if part != "qk" and "v" in found.constants and "sink" not in found.flags:
        shared = found.groups * found.width
        total += shared if "o" in found.bias else max(0, shared - found.d)
    if part == "block":
        total += found.d * len(found.flags & {"input_norm_gain", "input_norm_bias"})
    if found.norm == "layer":
        # One row less than the projections have, and one more for a constant without a bias.
        for name, count in _projections(found, part).items():
            constant = (name in found.constants) - (name in found.bias)
            total += count * found.width * (1 - constant)
    return total


def parameters(found: Layer, part: str) -> int:
    """How many parameters a part has."""
    total = sum(
        count * found.width * (found.d + (name in found.bias))
        for name, count in _projections(found, part).items()
    )
    if part != "vo" and "qk_norm_gain" in found.flags:
        total += 2 * found.width
    if part != "qk":
        total += found.heads * found.width * found.d + ("o" in found.bias) * found.d
    if part == "block":
        total += found.d * len(found.flags & {"input_norm_gain", "input_norm_bias"})
    return total


def _projections(found: Layer, part: str) -> dict[str, int]:
    """The projections that read, and how many heads each has."""
    counts: dict[str, int] = {}
    if part != "vo":
        counts["k"] = found.groups
        if "tied_qk" not in found.flags:
            counts["q"] = found.heads
    if part != "qk":
        counts["v"] = found.groups
    return counts


def shifts(found: Layer) -> bool:
    """Whether scores are seen only up to a term of the query alone."""
    return not found.flags & {"qk_norm", "sink", "tied_qk"}
