"""The witnesses: their floors are floors, and the own type goes far below them."""

import pytest
import torch
from torch import Tensor

from headproof.numeric.equivariance.experiment import EquivarianceConfig, run
from headproof.numeric.equivariance.fit import (
    COVERING,
    FIXED,
    FREE,
    fitted,
    fixed_floor,
    free_floor,
    mirror,
    task,
)
from headproof.numeric.equivariance.layer import EquivariantAttention
from headproof.numeric.experiment import NoJournal


def answers(orbits: object, queries: Tensor, seed: int) -> Tensor:
    layer = EquivariantAttention(mirror(), orbits, seed=seed)  # type: ignore[arg-type]
    with torch.no_grad():
        return layer(queries)  # type: ignore[no-any-return]


@pytest.mark.parametrize("seed", range(20))
def test_no_layer_of_fixed_heads_is_below_the_floor(seed: int) -> None:
    """For any targets: two queries of a pair have the same first output."""
    queries = task("free", pairs=8, length=3, seed=seed).queries
    draws = torch.Generator().manual_seed(seed)
    targets = torch.randn(len(queries), 2, generator=draws, dtype=torch.float64)
    outputs = answers(FIXED * 2, queries, seed)
    first = outputs[:, 0].reshape(-1, 2)
    assert (first[:, 0] - first[:, 1]).abs().max() < 1e-12
    assert float((outputs - targets).square().mean()) >= free_floor(targets)
    free = answers(FREE, queries, seed)[:, 0].reshape(-1, 2)
    assert (free[:, 0] - free[:, 1]).abs().max() > 1e-6  # no floor for a free orbit


@pytest.mark.parametrize("seed", range(20))
def test_no_free_orbit_is_below_the_floor(seed: int) -> None:
    """For any targets that are 0 at the first of each pair, and the bound is about tight."""
    queries = task("fixed", pairs=8, length=3, seed=seed).queries
    draws = torch.Generator().manual_seed(seed)
    targets = torch.randn(len(queries), 2, generator=draws, dtype=torch.float64)
    targets[::2, 0] = 0
    floor = fixed_floor(queries, targets)
    assert float((answers(FREE, queries, seed) - targets).square().mean()) >= floor > 0
    # One pair, the best c by least squares at a weight near a corner: nearly the floor.
    pair = queries[:2].clone()
    place = int(pair[1, :-1, 0].abs().argmax())
    pair[1, -1, 0] = pair[1, place, 0] * 0.9
    m, k = float(pair[0, :, 0].mean()), float(pair[1, place, 0])
    layer = EquivariantAttention(mirror(), FREE)
    goal = torch.tensor([[0.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    with torch.no_grad():
        layer.W.copy_(torch.tensor([[[1e4, 0.0], [0.0, 0.0]]]))
        layer.V.copy_(torch.tensor([[[k / (m * m + k * k) / 2, 0.0], [0.0, 0.0]]]))
        lowest = fixed_floor(pair, goal)
        reached = float((layer(pair)[:, 0] - goal[:, 0]).square().sum()) / 4
    assert lowest <= reached <= lowest * (1 + 1e-9) + 1e-15


@pytest.mark.parametrize("kind", ["free", "fixed"])
def test_the_witness_is_what_it_should_be(kind: str) -> None:
    given = task(kind, pairs=16, length=3, seed=5)
    assert 0 < given.floor < given.scale
    again = task(kind, pairs=16, length=3, seed=5)
    assert torch.equal(again.queries, given.queries)
    turned = task(kind, pairs=16, length=3, seed=6)
    assert not torch.equal(turned.queries, given.queries)


def test_the_own_type_fits_and_the_other_does_not() -> None:
    given = task("free", pairs=6, length=3, seed=3)
    own = fitted(FREE, given, steps=60, seed=3)
    assert own < 1e-6 * given.floor
    assert fitted(FREE, given, steps=60, seed=3) == own
    assert given.floor <= fitted(FIXED, given, steps=20, seed=3) < given.scale
    assert fitted(COVERING, given, steps=20, seed=3) < given.scale


def test_a_run_has_every_fit_and_is_deterministic() -> None:
    config = EquivarianceConfig(pairs=2, length=2, starts=2, steps=2)
    found = run(config, 0, NoJournal())
    assert {kind: set(each["losses"]) for kind, each in found.items()} == {
        "free": {"own", "other", "covering", "many"},
        "fixed": {"own", "other", "covering"},
    }
    assert all(len(losses) == 2 for each in found.values() for losses in each["losses"].values())
    assert run(config, 0, NoJournal()) == found


@pytest.mark.parametrize(
    ("kind", "pairs", "length"), [("free", 0, 3), ("fixed", 4, 1), ("both", 4, 3)]
)
def test_nothing_to_fit_is_refused(kind: str, pairs: int, length: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        task(kind, pairs=pairs, length=length, seed=0)


def test_no_steps_and_a_target_that_is_not_zero_are_refused() -> None:
    given = task("fixed", pairs=2, length=2, seed=0)
    with pytest.raises(ValueError, match="at least one step"):
        fitted(FREE, given, steps=0, seed=0)
    with pytest.raises(ValueError, match="targets 0"):
        fixed_floor(given.queries, given.targets + 1)
