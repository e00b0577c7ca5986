import pytest
import torch
from torch import Tensor

from headproof.numeric.attention_only.model import Block, Decoder, DecoderConfig
from headproof.numeric.attention_only.spectra import (
    distance,
    effective_rank,
    settling,
    singular_values,
    stable_rank,
    summary,
    weights,
)

GROUPED = DecoderConfig(5, 8, 8, 1, 4, kv_heads=2, qk_norm=True)


def products(model: Decoder) -> list[Tensor]:
    """The QK product of each head of the first layer, written out."""
    block = model.blocks[0]
    assert isinstance(block, Block)
    attention, d_k = block.attention, GROUPED.d_k
    W = attention.into.weight.detach().double()
    assert attention.query_norm is not None
    assert attention.key_norm is not None
    gains = (attention.query_norm.gain.double() * attention.key_norm.gain.double()).detach()
    gain = torch.diag(gains)
    found = []
    for head in range(4):
        key = 4 + head // 2
        Q, K = W[head * d_k : (head + 1) * d_k], W[key * d_k : (key + 1) * d_k]
        found.append(Q.T @ gain @ K)
    return found


def test_they_are_the_singular_values_of_the_products() -> None:
    model = Decoder(GROUPED, generator=torch.Generator().manual_seed(0))
    begun, first = weights(model), products(model)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(1)))
    second = products(model)
    values, added = singular_values(model)["qk"][0], singular_values(model, begun)["qk"][0]
    for head in range(4):
        expected = torch.linalg.svdvals(second[head])
        assert float((values[head] - expected[:2]).abs().max()) < 1e-12
        expected = torch.linalg.svdvals(second[head] - first[head])
        assert float((added[head] - expected[:4]).abs().max()) < 1e-12


def test_nothing_was_added_before_training() -> None:
    model = Decoder(GROUPED, generator=torch.Generator().manual_seed(0))
    found = summary(singular_values(model, weights(model)))
    assert found["value"] == {"stable_rank": 0.0, "effective_rank": 0.0, "spectral_norm": 0.0}
    assert found["qk"]["spectral_norm"] < 1e-12


@pytest.mark.parametrize("rank", [1, 3, 6])
def test_ranks_of_equal_values_are_the_rank(rank: int) -> None:
    values = torch.tensor([2.0] * rank + [0.0] * (6 - rank), dtype=torch.float64)
    assert abs(float(stable_rank(values)) - rank) < 1e-12
    assert abs(float(effective_rank(values)) - rank) < 1e-12


def test_distance_is_relative_to_the_end() -> None:
    end = torch.tensor([[[3.0, 4.0]]])
    assert distance(end, end) == 0.0
    assert distance(2 * end, end) == 1.0


@pytest.mark.parametrize(
    ("distances", "expected"),
    [
        ([1.0, 0.0, 0.0], 0.375),  # the level .25 is passed three quarters of the way to step 10
        ([1.0, 0.1, 0.0], 5 / 12),
        ([1.0, 0.1, 1.0, 0.0], 11 / 12),  # it came near, went away, and came back
        ([0.0, 0.0], 0.0),
    ],
)
def test_a_spectrum_settles_once_and_for_all(distances: list[float], expected: float) -> None:
    steps = [10 * n for n in range(len(distances))]
    assert abs(settling(steps, distances, 0.25) - expected) < 1e-12
