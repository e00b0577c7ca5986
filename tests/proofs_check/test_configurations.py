"""What the searches draw: valid, degenerate often enough, and reproducible."""

import pytest
from hypothesis import find, given

from headproof.proofs_check.configurations import Heads, networks, several_heads, sizes_of
from headproof.symbolic.regions.network import Network


@given(several_heads(max_dimension=2, max_heads=3, max_count=3))
def test_heads_share_a_dimension(heads: Heads) -> None:
    assert 1 <= heads.dimension <= 2
    assert 1 <= len(heads.keys) == len(heads.biases) <= 3
    for keys, biases in zip(heads.keys, heads.biases, strict=True):
        assert 1 <= len(keys) == len(biases) <= 3
        assert {len(key) for key in keys} == {heads.dimension}
    assert heads.document()[0]["keys"] == [list(key) for key in heads.keys[0]]


@given(several_heads(biased=False))
def test_no_biases(heads: Heads) -> None:
    assert not any(any(biases) for biases in heads.biases)


@pytest.mark.parametrize(
    "wanted",
    [
        lambda heads: len(set(heads.keys[0])) < len(heads.keys[0]),  # repeated keys
        lambda heads: len(heads.keys) > 2 and heads.keys[0] == heads.keys[-1],
        lambda heads: len(heads.keys) == 4,
    ],
)
def test_hard_cases_are_drawn(wanted: object) -> None:
    find(several_heads(), wanted)  # type: ignore[arg-type]


@given(networks())
def test_networks(network: Network) -> None:
    sizes = sizes_of(network)
    assert (sizes.d, sizes.L) == (network.dimension, len(network.layers))
    assert sizes.H in (1, 2)
    assert sizes.N in (1, 2, 3)
    assert 0 <= sizes.m <= 2
    assert network.output_dimension == network.dimension
