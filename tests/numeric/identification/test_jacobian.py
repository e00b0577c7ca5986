"""Counts by the rank of a Jacobian: the table by hand, and a rank that refuses to guess."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from headproof.numeric.identification.attention import Attention
from headproof.numeric.identification.jacobian import RankUndecided, numeric_rank, unidentified

QUERY_KEY: dict[str, tuple[tuple[int, int], dict[str, Any], int, int]] = {
    "one head": ((4, 1), {}, 16, 32),
    "one coordinate": ((1, 1), {}, 1, 2),
    "three heads": ((12, 3), {}, 48, 288),
    "distinct frequencies": ((12, 3), {"rotary_dim": 4}, 12, 288),
    "equal frequencies": ((12, 3), {"rotary_dim": 4, "frequencies": "equal"}, 24, 288),
    "two of four rotated": ((12, 3), {"rotary_dim": 2}, 18, 288),
    "grouped": ((12, 6), {"kv_heads": 3}, 12, 216),
    "grouped, rotated": ((12, 6), {"kv_heads": 3, "rotary_dim": 2}, 6, 216),
    "multi-query": ((12, 6), {"kv_heads": 1}, 4, 168),
    "biases": ((12, 3), {"bias": "qk"}, 60, 312),
    "biases, rotated": ((12, 3), {"bias": "qk", "rotary_dim": 4}, 12, 312),
    "norm": ((12, 3), {"qk_norm": True}, 24, 288),
    "norm, rotated": ((12, 3), {"qk_norm": True, "rotary_dim": 4}, 12, 288),
    "gains": ((12, 3), {"qk_norm": True, "qk_norm_gain": True}, 10, 296),
    "gains, rotated": ((12, 3), {"qk_norm": True, "qk_norm_gain": True, "rotary_dim": 4}, 8, 296),
    "wide heads": ((6, 2), {"head_dim": 8}, 120, 192),
    "as many heads as coordinates": ((6, 6), {}, 6, 72),
    "tied": ((6, 3), {"tied": True}, 3, 36),
    "tied, a sign only": ((6, 6), {"tied": True}, 0, 36),
    "linear biases": ((12, 3), {"alibi": True}, 48, 288),
}
BLOCK: dict[str, tuple[tuple[int, int], dict[str, Any], int, int]] = {
    "plain": ((8, 2), {}, 64, 256),
    "rotated": ((8, 2), {"rotary_dim": 4}, 40, 256),
    "gain of the input": ((8, 2), {"input_norm": "rms", "input_norm_gain": True}, 72, 264),
    "causal": ((4, 2), {"causal": True}, 16, 64),
    # The means are subtracted: each row of W_Q, W_K, W_V has a direction that is not read.
    "mean removed": ((6, 2), {"input_norm": "layer"}, 36 + 18, 144),
    "mean removed, gain": (
        (6, 2),
        {"input_norm": "layer", "input_norm_gain": True},
        36 + 18 + 6,
        150,
    ),
    "table of positions": ((6, 2), {"positions": 5}, 36, 174),
    "biases": ((6, 2), {"bias": "qkvo"}, 36 + 6 + 6, 168),
    # A further logit: keys and values see their biases.
    "biases, sink": ((6, 2), {"bias": "qkvo", "sink": True}, 36, 168),
    # GL of the latent, of each head's plain keys and values, one complex number of the rotated key
    "latent": (
        (8, 2),
        {"kv_rank": 4, "nope_dim": 2, "rope_dim": 2, "value_dim": 3},
        16 + 2 * 4 + 2 + 2 * 9,
        200,
    ),
    # With norms: orthogonal group, a scale and the gain of each latent.
    "latent with norms": (
        (8, 2),
        {"kv_rank": 4, "q_rank": 5, "nope_dim": 2, "rope_dim": 2, "value_dim": 3}
        | {"norm": True, "norm_gain": True},
        (6 + 1 + 4) + (10 + 1 + 5) + 2 * 4 + 2 + 2 * 9,
        225,
    ),
}


@pytest.mark.parametrize("row", QUERY_KEY)
def test_queries_and_keys(row: str) -> None:
    sizes, options, expected, total = QUERY_KEY[row]
    count = unidentified(*sizes, **options)
    assert (count.unidentified, count.total) == (expected, total)


@pytest.mark.parametrize("row", BLOCK)
def test_block(row: str) -> None:
    sizes, options, expected, total = BLOCK[row]
    count = unidentified(*sizes, part="block", **options)
    assert (count.unidentified, count.total) == (expected, total)


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, 2 * 16), ({"rotary_dim": 2}, 2 * 12), ({"input_norm": "rms"}, 2 * 16)],
)
def test_two_layers_with_residual(options: dict[str, Any], expected: int) -> None:
    """The residual stream ties the layers together: nothing new can be moved between them."""
    assert unidentified(4, 2, part="model", layers=2, **options).unidentified == expected


@pytest.mark.parametrize(("bias", "expected"), [("", 48), ("vo", 60), ("v", 48)])
def test_values(bias: str, expected: int) -> None:
    assert unidentified(12, 3, part="vo", bias=bias).unidentified == expected


def test_another_point_gives_the_same() -> None:
    counts = {unidentified(6, 2, rotary_dim=2, seed=seed).unidentified for seed in range(3)}
    assert counts == {2 * (2 + 1)}


def test_a_parameter_point_that_is_not_generic_gives_another_count() -> None:
    """The count is about generic points: two equal columns of W_K lose rank."""
    layer = Attention(4, 1)
    with torch.no_grad():
        layer.k_proj.weight[1] = layer.k_proj.weight[0]
    product = layer.q_proj.weight.T @ layer.k_proj.weight
    assert numeric_rank(product.detach()).rank == 3


def test_no_gap_is_no_rank() -> None:
    with pytest.raises(RankUndecided, match="no singular value between"):
        numeric_rank(torch.diag(torch.tensor([1.0, 1e-12, 0.0], dtype=torch.float64)))


def test_degenerate_matrices() -> None:
    assert numeric_rank(torch.zeros(3, 2, dtype=torch.float64)).rank == 0
    assert numeric_rank(torch.zeros(0, 2, dtype=torch.float64)).rank == 0
    with pytest.raises(ValueError, match="finite"):
        numeric_rank(torch.full((2, 2), torch.nan, dtype=torch.float64))


@pytest.mark.parametrize(
    "wrong",
    [
        {"heads": 3, "kv_heads": 2},
        {"heads": 3},
        {"heads": 2, "rotary_dim": 3},
        {"heads": 2, "rotary_dim": 8},
        {"heads": 2, "bias": "x"},
        {"heads": 2, "qk_norm_gain": True},
        {"heads": 2, "kv_heads": 1, "tied": True},
        {"heads": 0},
        {"heads": 2, "part": "everything"},
        {"heads": 2, "part": "block", "layers": 2},
        {"heads": 2, "input_norm_gain": True},
        {"heads": 2, "input_norm": "batch"},
        {"heads": 2, "positions": -1},
        {"heads": 2, "part": "vo", "kv_rank": 2, "nope_dim": 2, "rope_dim": 2, "value_dim": 2},
    ],
)
def test_what_does_not_fit(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        unidentified(4, **wrong)
