"""The third route to the counts: ranks of torch's Jacobians, against the exact counts.

The table of claims C1 to C5 row by row, and what goes beyond it: gains, sinks, norms of the input,
latent projections, layers on a residual stream. Each row is counted in float64 at random weights
(`numeric.identification.jacobian`, which knows nothing of commutants) and has to be the number that
`symbolic.identification` counts by structure. A row whose singular values leave no gap raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....numeric.identification.jacobian import BAND, Part, unidentified
from ....symbolic.identification.architecture import Architecture, parse
from ....symbolic.identification.counts import identify_architecture
from ...claim import Context, Profile
from ...evidence import Finding, Outcome

Row = tuple[Part, Mapping[str, Any]]

TABLE: Mapping[str, Row] = {
    "one head": ("qk", {"d_model": 4, "heads": 1}),
    "MHA": ("qk", {"d_model": 12, "heads": 3}),
    "MHA + RoPE": ("qk", {"d_model": 12, "heads": 3, "rope": "distinct"}),
    "MHA + RoPE, equal frequencies": ("qk", {"d_model": 12, "heads": 3, "rope": "equal"}),
    "GQA": ("qk", {"d_model": 12, "heads": 6, "kv_heads": 3}),
    "MQA": ("qk", {"d_model": 12, "heads": 6, "kv_heads": 1}),
    "GQA + RoPE": ("qk", {"d_model": 12, "heads": 6, "kv_heads": 3, "rope": "distinct"}),
    "MHA + b_Q + b_K": ("qk", {"d_model": 8, "heads": 2, "bias": ["q", "k"]}),
    "MHA + RoPE + b_Q + b_K": (
        "qk",
        {"d_model": 8, "heads": 2, "bias": ["q", "k"], "rope": "distinct"},
    ),
    "QK-norm": ("qk", {"d_model": 12, "heads": 3, "qk_norm": True}),
    "QK-norm + RoPE": ("qk", {"d_model": 8, "heads": 2, "qk_norm": True, "rope": "distinct"}),
    "QK-norm, GQA": ("qk", {"d_model": 8, "heads": 4, "kv_heads": 2, "qk_norm": True}),
    "two of four rotated": (
        "qk",
        {"d_model": 12, "heads": 3, "rope": "distinct", "rotary_dim": 2},
    ),
    "head_dim 8, d = 6": ("qk", {"d_model": 6, "heads": 2, "head_dim": 8}),
    "H = d": ("qk", {"d_model": 6, "heads": 6}),
    "V and O": ("vo", {"d_model": 8, "heads": 2}),
    "block": ("block", {"d_model": 6, "heads": 2}),
    "block + RoPE": ("block", {"d_model": 8, "heads": 2, "rope": "distinct"}),
}
"""The table, at small sizes."""

BEYOND: Mapping[str, Row] = {
    "ALiBi": ("qk", {"d_model": 6, "heads": 2, "alibi": True}),
    "tied": ("qk", {"d_model": 6, "heads": 3, "tied_qk": True}),
    "tied, d_k = 1": ("qk", {"d_model": 4, "heads": 4, "tied_qk": True}),
    "gains": ("qk", {"d_model": 8, "heads": 2, "qk_norm": True, "qk_norm_gain": True}),
    "gains + RoPE": (
        "qk",
        {"d_model": 8, "heads": 2, "rope": "distinct", "qk_norm": True, "qk_norm_gain": True},
    ),
    "sink": ("qk", {"d_model": 6, "heads": 2, "bias": ["q", "k"], "sink": True}),
    "biases": ("block", {"d_model": 6, "heads": 2, "bias": ["q", "k", "v", "o"]}),
    "b_V without b_O": ("vo", {"d_model": 6, "heads": 3, "bias": ["v"]}),
    "gain of the input": (
        "block",
        {"d_model": 6, "heads": 2, "input_norm": "rms", "input_norm_gain": True},
    ),
    "LayerNorm": ("block", {"d_model": 6, "heads": 2, "input_norm": "layer"}),
    "LayerNorm, gains and biases": (
        "block",
        {"d_model": 6, "heads": 2, "bias": ["q", "k", "v", "o"]}
        | {"input_norm": "layer", "input_norm_gain": True, "input_norm_bias": True},
    ),
    "LayerNorm + RoPE, its bias alone": (
        "block",
        {"d_model": 6, "heads": 2, "head_dim": 2, "rope": "distinct"}
        | {"input_norm": "layer", "input_norm_bias": True},
    ),
    "latent projections": (
        "block",
        {"d_model": 8, "heads": 2, "rope": "distinct"}
        | {"mla": {"kv_rank": 4, "nope_dim": 2, "rope_dim": 2, "value_dim": 3}},
    ),
    "latent projections, norms": (
        "block",
        {"d_model": 8, "heads": 2, "rope": "distinct"}
        | {
            "mla": {"kv_rank": 4, "q_rank": 5, "nope_dim": 2, "rope_dim": 2, "value_dim": 3}
            | {"norm": True, "norm_gain": True}
        },
    ),
}
"""What goes beyond the paper."""


def ranks(context: Context) -> Outcome:
    """The rows of the table; under full and paper at three points each."""
    return _compared(context, TABLE)


def beyond(context: Context) -> Outcome:
    """The rows beyond the table; under full and paper at three points each."""
    return _compared(context, BEYOND)


def _compared(context: Context, rows: Mapping[str, Row]) -> Outcome:
    points = 1 if context.profile is Profile.QUICK else 3
    wrong, smallest, largest = [], 1.0, 0.0
    for name, (part, document) in rows.items():
        a = parse(document)
        expected = getattr(identify_architecture(a), part).count
        for point in range(points):
            seed = (context.seed + point) % 2**63
            found = unidentified(a.d_model, a.heads, part=part, seed=seed, **options(a))
            smallest = min(smallest, found.rank.smallest)
            largest = max(largest, found.rank.largest)
            pair = (found.unidentified, found.total)
            if expected is None or pair != (expected.unidentified, expected.total):
                wrong.append(f"{name}: {pair} by torch, {expected} by structure")
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope=f"{len(rows)} layers, d <= 12: ranks of torch's Jacobians against the exact counts",
        numbers={
            "layers": len(rows),
            "points of each": points,
            "seed": context.seed,
            "criterion": f"no singular value in a band of width {BAND:.0e} above rounding",
            "least singular value taken as nonzero": f"{smallest:.1e} of the largest",
            "largest taken as zero": f"{largest:.1e} of the largest",
        },
        detail="; ".join(wrong),
    )


def options(a: Architecture) -> dict[str, Any]:
    """The keyword arguments of the torch module with this architecture."""
    found: dict[str, Any] = {}
    if a.mla is not None:
        latent = a.mla
        if a.bias or a.input_norm != "none" or a.sink or a.positions:
            raise ValueError("the torch module with latent projections has nothing besides them")
        return {
            "kv_rank": latent.kv_rank,
            "q_rank": latent.q_rank or None,
            "nope_dim": latent.nope_dim,
            "rope_dim": latent.rope_dim,
            "value_dim": latent.value_dim,
            "norm": latent.norm,
            "norm_gain": latent.norm_gain,
        }
    if a.rope != "none":
        found |= {"rotary_dim": a.rotary_dim, "frequencies": a.rope}
    return found | {
        "kv_heads": a.kv_heads,
        "head_dim": a.head_dim,
        "alibi": a.alibi,
        "bias": a.bias,
        "qk_norm": a.qk_norm,
        "qk_norm_gain": a.qk_norm_gain,
        "input_norm": a.input_norm,
        "input_norm_gain": a.input_norm_gain,
        "input_norm_bias": a.input_norm_bias,
        "positions": a.positions,
        "sink": a.sink,
        "tied": a.tied_qk,
    }
