"""Cross-entropy: its misspecified minima by hand and by random search."""

import numpy as np
import pytest

from headproof.numeric.order.chain import Chain
from headproof.numeric.order.cross_entropy import cross_entropy, least_cross_entropy

CHAIN = Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3))


def test_one_lag_comes_near_the_conditional_entropy() -> None:
    """Maps of centred one-hots leave one logit a symbol fixed: a little above the entropy."""
    joint = (CHAIN.next_law * CHAIN.law).sum(axis=(2, 3))  # (next, x_{t-1})
    given = joint / joint.sum(axis=0)
    entropy = -(joint * np.log(given)).sum()
    assert entropy < least_cross_entropy(CHAIN, (1,)) < entropy + 0.005


def test_the_minimum_is_one() -> None:
    least = least_cross_entropy(CHAIN, (1, 2))
    random = np.random.default_rng(0)
    for _ in range(20):
        maps = np.zeros((3, 5, 5))
        maps[:2] = 3 * random.standard_normal((2, 5, 5))
        assert cross_entropy(CHAIN, maps) > least
    assert least_cross_entropy(CHAIN, (1, 2, 3)) < least < least_cross_entropy(CHAIN, (1,))
    assert least_cross_entropy(CHAIN, ()) == pytest.approx(np.log(5))
