"""Claim C1, identification.query-key: derivations, rank certificates, and a search for misses."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ....symbolic.errors import InputError
from ....symbolic.identification.architecture import Architecture, parse
from ....symbolic.identification.counts import identify_architecture
from ....symbolic.identification.jacobian import unidentified
from ....symbolic.identification.proofs import fibre, ratios
from ...certificates.rank import certificate
from ...claim import Context, Profile
from ...claims.identification.query_key import ID
from ...evidence import Outcome
from ...outcomes import derived, searched
from ...search import search
from .layers import Row, certified, layer, product, refuted

TABLE: dict[str, Row] = {
    "one-head": ("qk", layer(4, 1), 16, 32),
    "mha": ("qk", layer(12, 3), 48, 288),
    "mha-rope": ("qk", layer(12, 3, rope="distinct"), 12, 288),
    "mha-rope-equal": ("qk", layer(12, 3, rope="equal"), 24, 288),
    "gqa": ("qk", layer(12, 6, 3), 12, 216),
    "mqa": ("qk", layer(12, 6, 1), 4, 168),
    "gqa-rope": ("qk", layer(12, 6, 3, rope="distinct"), 6, 216),
    "mha-biases": ("qk", layer(12, 3, bias=["q", "k"]), 60, 312),
    "mha-rope-biases": ("qk", layer(12, 3, rope="distinct", bias=["q", "k"]), 12, 312),
    "norm": ("qk", layer(12, 3, qk_norm=True), 24, 288),
    "norm-rope": ("qk", layer(12, 3, qk_norm=True, rope="distinct"), 12, 288),
    "norm-groups": ("qk", layer(12, 6, 3, head_dim=4, qk_norm=True), 27, 432),
    "norm-groups-rope": (
        "qk",
        layer(12, 6, 3, head_dim=4, qk_norm=True, rope="distinct"),
        15,
        432,
    ),
    "norm-gains": ("qk", layer(12, 3, qk_norm=True, qk_norm_gain=True), 10, 296),
    "partial-rope": ("qk", layer(12, 3, rope="distinct", rotary_dim=2), 18, 288),
    "partial-rope-biases": (
        "qk",
        layer(12, 3, rope="distinct", rotary_dim=2, bias=["q", "k"]),
        24,
        312,
    ),
    "wide": ("qk", layer(6, 2, head_dim=8), 120, 192),
    "wide-biases": ("qk", layer(6, 2, head_dim=8, bias=["q", "k"]), 140, 224),
    "wide-rope": ("qk", layer(6, 2, head_dim=8, rope="distinct"), 16, 192),
}
"""The numbers that the table's formulas give, and where they end: wide heads with rotations, gains,
the part of the key bias that is not rotated."""


def kernel_derivation(_: Context) -> Outcome:
    """Nothing else can be moved, for every d, d_k and size of the group."""
    return derived(fibre.exact(), "queries", "keys")


def invisible_derivation(_: Context) -> Outcome:
    """What commutes can be moved."""
    return derived(fibre.invisible(), "invisible")


def commutant_derivation(_: Context) -> Outcome:
    """What is moved commutes."""
    return derived(fibre.commutant(), "unseen", "commutes")


def heads_derivation(_: Context) -> Outcome:
    """1/(2H)."""
    return derived(ratios.heads(), "plain")


def one_head_derivation(_: Context) -> Outcome:
    """1/2."""
    return derived(ratios.one_head(), "half")


def rotated_derivation(_: Context) -> Outcome:
    """1/(2d) and 1/(4H)."""
    return derived(ratios.rotated(), "distinct", "equal")


def groups_derivation(_: Context) -> Outcome:
    """G/(H(H+G))."""
    return derived(ratios.groups(), "plain")


def single_group_derivation(_: Context) -> Outcome:
    """1/(H(H+1))."""
    return derived(ratios.single_group(), "single")


def rotated_groups_derivation(_: Context) -> Outcome:
    """G/(d(H+G))."""
    return derived(ratios.rotated_groups(), "rotated")


def plain_grid(context: Context) -> Outcome:
    """All divisors H of several d."""
    sizes = _sizes(context)
    rows = product("qk", [(d, h, h) for d in sizes for h in _divisors(d)])
    return certified(ID, rows, f"all H that divide d, d in {sizes}")


def grouped_grid(context: Context) -> Outcome:
    """All divisors H of several d, all divisors G of H."""
    sizes = _sizes(context)
    rows = product("qk", [(d, h, g) for d in sizes for h in _divisors(d) for g in _divisors(h)])
    return certified(ID, rows, f"all G that divide H that divides d, d in {sizes}")


def rotated_grid(context: Context) -> Outcome:
    """Even d_k, distinct and equal frequencies, groups."""
    sizes = _sizes(context)
    rows: dict[str, Row] = {}
    for d in sizes:
        for h in _divisors(d):
            n = d // h
            for g in _divisors(h) if n % 2 == 0 else ():
                total = d * n * (h + g)
                document = layer(d, h, g, rope="distinct")
                rows[f"d{d}-H{h}-G{g}"] = ("qk", document, g * n, total)
                document = layer(d, h, g, rope="equal")
                rows[f"d{d}-H{h}-G{g}-equal"] = ("qk", document, g * n * n // 2, total)
    return certified(ID, rows, f"all G | H | d with even d/H, d in {sizes}")


def table(_: Context) -> Outcome:
    """Row by row."""
    return certified(ID, TABLE, "the rows of the table, d <= 12")


def real_layers(context: Context) -> Outcome:
    """By structure: no matrix of the whole layer is formed."""
    llama = layer(4096, 32, 8, rope="distinct")
    rows: dict[str, Row] = {
        "gpt2": ("qk", layer(768, 12, bias=["q", "k"]), 49152 + 768, 1181184),
        "llama": ("qk", llama, 1024, 20971520),
    }
    scope = "768/12; 4096/32/8 with RoPE"
    if context.profile is not Profile.QUICK:
        gains = {"qk_norm": True, "qk_norm_gain": True}
        rows["llama-norm-gains"] = ("qk", llama | gains, 32 + 8 + 64, 20971520 + 256)
        scope += ", plain and normalised with gains"
    return certified(ID, rows, scope)


def rope_control(_: Context) -> Outcome:
    """12 of 288."""
    return refuted(ID, "qk", layer(12, 3, rope="distinct"), 48)


def wide_control(_: Context) -> Outcome:
    """120 of 192: the product is any matrix."""
    return refuted(ID, "qk", layer(6, 2, head_dim=8), 128)


def partial_control(_: Context) -> Outcome:
    """24 of 312: the two coordinates of b_K that are not rotated stay inert, head by head."""
    document = layer(12, 3, rope="distinct", rotary_dim=2, bias=["q", "k"])
    return refuted(ID, "qk", document, 18)


def search_counts(context: Context) -> Outcome:
    """Look for a layer whose Jacobian has another rank than the count by structure says."""
    examples = 40 if context.profile is Profile.QUICK else 600
    result = search(_documents(), _agrees, examples=examples, seed=context.seed)
    return searched(
        result,
        "layers of at most 80 query and key parameters: rank of the Jacobian at a random point "
        "modulo a prime against the count by structure",
        lambda document: {"layer": certificate(ID, parse(document), "qk")},
    )


def _documents() -> st.SearchStrategy[dict[str, Any]]:
    def document(h: int, drawn: dict[str, Any]) -> dict[str, Any]:
        more = dict(drawn)
        n = more["head_dim"]
        rotary = 2 * min(more.pop("planes"), n // 2)
        most = more.pop("most_groups")
        groups = max(g for g in _divisors(h) if g <= most)
        if more["rope"] == "none" or not rotary:
            more["rope"] = "none"
        else:
            more["rotary_dim"] = rotary
        more["qk_norm_gain"] = more["qk_norm"] and more["qk_norm_gain"]
        return layer(more.pop("d"), h, groups, **more)

    fields = {
        "d": st.integers(1, 4),
        "head_dim": st.integers(1, 4),
        "planes": st.integers(1, 2),
        "most_groups": st.integers(1, 3),
        "rope": st.sampled_from(["none", "distinct", "equal"]),
        "bias": st.lists(st.sampled_from(["q", "k"]), unique=True),
        "qk_norm": st.booleans(),
        "qk_norm_gain": st.booleans(),
        "sink": st.booleans(),
    }
    return st.builds(document, st.integers(1, 3), st.fixed_dictionaries(fields))


def _agrees(document: dict[str, Any]) -> bool:
    try:
        architecture: Architecture = parse(document)
    except InputError:
        return True
    count = identify_architecture(architecture).qk.count
    if count is None or count.total > 80:
        return True
    return unidentified(architecture, "qk") == count.unidentified


def _divisors(number: int) -> list[int]:
    return [k for k in range(1, number + 1) if number % k == 0]


def _sizes(context: Context) -> list[int]:
    return [1, 2, 4, 6] if context.profile is Profile.QUICK else [1, 2, 3, 4, 6, 8, 12, 16, 24]
