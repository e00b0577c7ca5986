"""Skeletons: maps from a trajectory, and heads that cannot be told apart."""

import numpy as np
import pytest

from headproof.numeric.experiment import NoJournal
from headproof.numeric.order.chain import Array, Chain
from headproof.numeric.order.flow import FlowSettings, Trajectory
from headproof.numeric.order.skeleton import hardened, heads_of, skeleton

CHAIN = Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3))


def planted(attention: Array, maps: Array) -> Trajectory:
    W = np.einsum("hl,hab->lab", attention, maps)
    return Trajectory(np.zeros(1), W[None], attention[None])


def test_maps_are_recovered() -> None:
    random = np.random.default_rng(0)
    attention = np.array([[0.8, 0.1, 0.1], [0.1, 0.2, 0.7]])
    maps = random.standard_normal((2, 3, 3))
    heads = heads_of(planted(attention, maps))
    assert np.abs(heads.maps - maps).max() < 1e-12  # a 3 x 2 system of condition about 2
    hard = hardened(heads)
    assert np.abs(hard[0] - maps[0]).max() < 1e-12
    assert np.abs(hard[2] - maps[1]).max() < 1e-12
    assert (hard[1] == 0).all()


def test_equal_heads_are_refused() -> None:
    maps = np.ones((2, 3, 3))
    with pytest.raises(ValueError, match="independent rows"):
        heads_of(planted(np.full((2, 3), 1 / 3), maps))
    with pytest.raises(ValueError, match="independent rows"):
        heads_of(planted(np.full((4, 3), 1 / 3), np.ones((4, 3, 3))))


def test_mixed_heads_lose_more() -> None:
    settings = FlowSettings(samples=401)
    kept = skeleton(CHAIN, settings, 1, NoJournal())
    assert sorted(kept["lags"]) == kept["truth"] == [1, 2, 3]
    assert 0 <= kept["hard"] - kept["soft"] < 1e-3
    mixed = skeleton(CHAIN, FlowSettings(samples=401, decay=0.0), 1, NoJournal())
    assert mixed["hard"] - mixed["soft"] > 5e-3


def test_heads_that_cannot_be_told_apart_have_no_skeleton() -> None:
    settings = FlowSettings(heads=4, time=20.0, samples=11)
    found = skeleton(CHAIN, settings, 1, NoJournal())
    assert found["hard"] is None
    assert found["soft"] > 0
    assert len(found["lags"]) == 4
