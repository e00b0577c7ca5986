"""What a change of the architecture would buy: the same layer with one thing different."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...symbolic.errors import InputError
from ...symbolic.identification.architecture import Architecture, parse
from ...symbolic.identification.counts import Counts, identify_architecture


@dataclass(frozen=True)
class Variant:
    """A layer with one thing different.

    Args:
        name: the change, a few words; "as it is" for none.
        architecture: the layer.
        counts: its counts.
    """

    name: str
    architecture: Architecture
    counts: Counts


def variants(a: Architecture) -> tuple[Variant, ...]:
    """The layer as it is, and with each change that it has room for.

    Args:
        a: the layer.

    Example:
        >>> [v.name for v in variants(Architecture(d_model=8, heads=2))][:3]
        ['as it is', 'half the heads', 'twice the heads']
    """
    found = [Variant("as it is", a, identify_architecture(a))]
    for name, change in _changes(a):
        try:
            changed = parse(a.document | change)
        except InputError:
            continue  # no room for it: an odd head cannot be rotated
        if changed != a:
            found.append(Variant(name, changed, identify_architecture(changed)))
    return tuple(found)


def _changes(a: Architecture) -> list[tuple[str, dict[str, Any]]]:
    return _heads(a) if a.mla is not None else [*_heads(a), *_groups(a), *_scores(a)]


def _heads(a: Architecture) -> list[tuple[str, dict[str, Any]]]:
    """Other numbers of heads; at the same width if d = H d_k, else at the same d_k."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name, up, down in (("half the heads", 1, 2), ("twice the heads", 2, 1)):
        heads, groups = a.heads * up, a.kv_heads * up
        change: dict[str, Any] = {"heads": heads // down}
        if heads % down:
            continue
        if a.mla is None:
            if groups % down:
                continue
            change["kv_heads"] = groups // down
            if a.heads * a.head_dim == a.d_model:
                if a.head_dim * down % up:
                    continue
                change["head_dim"] = a.head_dim * down // up
                if a.rope != "none":
                    change["rotary_dim"] = a.rotary_dim * down // up
        found.append((name, change))
    return found


def _groups(a: Architecture) -> list[tuple[str, dict[str, Any]]]:
    if a.tied_qk:
        return []
    changes: list[tuple[str, dict[str, Any]]] = [
        (f"{groups} key/value heads" if groups > 1 else "one key/value head", {"kv_heads": groups})
        for groups in sorted({a.heads, *(a.heads // n for n in (4, 8) if a.heads % n == 0)})[::-1]
        if groups not in (a.kv_heads, 1)
    ]
    return [*changes, ("one key/value head", {"kv_heads": 1})]


def _scores(a: Architecture) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    if a.rope == "none":
        found.append(("rotary positions", {"rope": "distinct", "rotary_dim": a.head_dim}))
        if a.head_dim % 4 == 0:
            found.append(
                ("half of each head rotated", {"rope": "distinct", "rotary_dim": a.head_dim // 2})
            )
    else:
        found.append(("no rotations", {"rope": "none", "rotary_dim": 0}))
        if a.rotary_dim == a.head_dim and a.head_dim % 4 == 0:
            found.append(("half of each head rotated", {"rotary_dim": a.head_dim // 2}))
    if not a.qk_norm:
        found.append(("QK-norm with gains", {"qk_norm": True, "qk_norm_gain": True}))
    else:
        found.append(("no QK-norm", {"qk_norm": False, "qk_norm_gain": False}))
    if "k" in a.bias:
        found.append(("no biases", {"bias": []}))
    return found
