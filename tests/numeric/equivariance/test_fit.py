"""The fit of a witness: the floor is one, and the right type goes far below it."""

import pytest
import torch

from headproof.numeric.equivariance.fit import (
    FIXED,
    FREE,
    Configuration,
    _pairs,
    fit,
    floor,
    mirror,
)
from headproof.numeric.equivariance.layer import EquivariantAttention

SMALL = Configuration(pairs=8, starts=1, steps=60)


def test_the_right_type_fits_and_the_wrong_one_does_not() -> None:
    found = fit(SMALL, 3)
    assert 0 < found.floor <= found.wrong < found.scale
    assert found.right < 1e-6 * found.floor
    assert fit(SMALL, 3) == found


@pytest.mark.parametrize("seed", range(20))
def test_no_layer_of_fixed_heads_is_below_the_floor(seed: int) -> None:
    """For any targets: two queries of a pair have the same first output."""
    queries = _pairs(SMALL, seed)
    layer = EquivariantAttention(mirror(), FIXED * 2, seed=seed)
    draws = torch.Generator().manual_seed(seed)
    targets = torch.randn(len(queries), 2, generator=draws, dtype=torch.float64)
    with torch.no_grad():
        outputs = layer(queries)
        first = outputs[:, 0].reshape(-1, 2)
        assert (first[:, 0] - first[:, 1]).abs().max() < 1e-12
        assert float((outputs - targets).square().mean()) >= floor(targets)
        free = EquivariantAttention(mirror(), FREE, seed=seed)(queries)[:, 0].reshape(-1, 2)
    assert (free[:, 0] - free[:, 1]).abs().max() > 1e-6  # the floor is no floor for a free orbit


@pytest.mark.parametrize("change", [{"pairs": 0}, {"length": 1}, {"starts": 0}, {"steps": 0}])
def test_nothing_to_fit_is_refused(change: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="at least one pair"):
        fit(Configuration(**change), 0)
