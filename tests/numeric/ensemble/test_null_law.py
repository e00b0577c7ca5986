"""The law of random subspaces: exact moments against samples made in two ways."""

from math import sqrt

import numpy as np
import pytest
import torch

from headproof.numeric.ensemble.null_law import index_sample, null_law, overlap_sample

SIZES = [(3, 1, 2), (8, 2, 3), (7, 4, 3), (12, 6, 2), (5, 5, 3)]


@pytest.mark.parametrize(("d", "d_k", "heads"), SIZES)
def test_moments(d: int, d_k: int, heads: int) -> None:
    """Mean within 5 standard errors; deviation within 10 % of 4000 draws."""
    law = null_law(d, d_k, heads)
    random = np.random.default_rng(1)
    n = 4000
    for sample, mean, deviation in (
        (overlap_sample(d, d_k, n, random), law.overlap_mean, law.overlap_deviation),
        (index_sample(d, d_k, heads, n, random), law.index_mean, law.index_deviation),
    ):
        slack = 1e-9 if d == d_k else 0.0  # a point law: only rounding
        assert abs(float(sample.mean()) - mean) <= 5 * deviation / sqrt(n) + slack
        assert abs(float(sample.std()) - deviation) <= 0.1 * deviation + slack
        shifted = float((sample + 0.2).mean())
        assert abs(shifted - mean) > 5 * deviation / sqrt(n) + slack


def test_overlaps_of_drawn_frames_follow_the_same_law() -> None:
    """Two samplers, one law: the largest distance of their distribution functions (n = 2000)."""
    random = np.random.default_rng(2)
    fast = overlap_sample(9, 2, 2000, random).sort().values
    slow = (1 - index_sample(9, 2, 2, 2000, random)).sort().values
    both = torch.cat([fast, slow])
    distance = (
        torch.searchsorted(fast, both, right=True) - torch.searchsorted(slow, both, right=True)
    ).abs()
    assert float(distance.max()) / 2000 <= 1.95 * sqrt(2 / 2000)  # Kolmogorov-Smirnov, .1 %
    moved = (fast + 0.05).sort().values
    apart = torch.searchsorted(moved, both) - torch.searchsorted(slow, both)
    assert float(apart.abs().max()) / 2000 > 1.95 * sqrt(2 / 2000)


def test_the_seed_decides() -> None:
    assert null_law(8, 2, 3, draws=200) == null_law(8, 2, 3, draws=200)
    assert null_law(8, 2, 3, draws=200) != null_law(8, 2, 3, draws=200, seed=1)


def test_a_large_model_is_not_sampled_jointly() -> None:
    law = null_law(4096, 64, 64, draws=100)
    assert law.index_draws == 0
    assert law.index_quantiles == {}
    assert law.index_mean == 1 - 64 / 4096
    assert law.deviations(law.index_mean) == 0


@pytest.mark.parametrize("sizes", [(3, 4, 2), (3, 0, 2), (3, 1, 1)])
def test_what_is_refused(sizes: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="expected 1 <= d_k <= d"):
        null_law(*sizes)
