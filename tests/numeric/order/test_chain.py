"""The chain in floats: Yule-Walker moments against the exact law, samples against both."""

from fractions import Fraction

import numpy as np
import pytest

from headproof.numeric.order.chain import (
    Chain,
    empirical_moments,
    least_loss,
    windows_of,
)
from headproof.symbolic.order.chain import Chain as ExactChain
from headproof.symbolic.order.chain import permutation_kernel
from headproof.symbolic.order.losses import additive

CHAINS = [
    Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3)),
    Chain(3, (0.75, 0.25), (3, 1), (1, 2)),
    Chain(3, (0.5, 0.5), (1, 2), (1, 1)),
    Chain(2, (1.0,), (1,), (1,)),
]
ROUNDING = 1e-12
"""Of systems of at most 75 unknowns that are well conditioned: thousands of units of rounding."""


@pytest.mark.parametrize("chain", CHAINS[:3], ids=str)
def test_two_ways_to_the_moments(chain: Chain) -> None:
    """Through the law of the windows, found by iteration, and through Yule-Walker equations."""
    V, L = chain.symbols, chain.window
    centred = np.eye(V) - 1 / V
    joint = (chain.next_law * chain.law).reshape(V, -1)
    digits = np.stack(np.unravel_index(np.arange(V**L), (V,) * L), axis=1)  # (V^L, L)
    z = centred[digits]  # (V^L, L, V)
    target = np.einsum("as,ab,slc->lbc", joint, centred, z)
    inner = np.einsum("s,smb,snc->mnbc", chain.law.reshape(-1), z, z)
    assert np.abs(target - chain.moments.target).max() < ROUNDING
    assert np.abs(inner - chain.moments.inner).max() < ROUNDING


@pytest.mark.parametrize("chain", CHAINS[:3], ids=str)
def test_against_the_exact_losses(chain: Chain) -> None:
    alpha = [round(1e6 * a) for a in chain.importance]
    exact = ExactChain(
        [Fraction(a, sum(alpha)) for a in alpha],
        chain.lags,
        [permutation_kernel(chain.symbols, m) for m in chain.multipliers],
    )
    for k in range(len(chain.lags) + 1):
        lags = chain.lags[:k]
        assert abs(least_loss(chain.moments, lags) - additive(exact, lags).loss) < ROUNDING


def test_a_wrong_moment_is_seen() -> None:
    """The comparison above can fail: another chain has other losses."""
    moments = CHAINS[0].moments
    other = Chain(5, (0.56, 0.29, 0.15), (1, 2, 3), (1, 2, 3)).moments
    assert abs(least_loss(moments, (1,)) - least_loss(other, (1,))) > 1e-3


def test_samples_follow_the_law() -> None:
    """100,000 windows: every cell's share within five standard deviations."""
    chain = CHAINS[0]
    windows = windows_of(chain.sample(500, 200, np.random.default_rng(0)), 3)
    assert windows.shape == (500 * 200, 4)
    codes = windows[:, 1] * 25 + windows[:, 2] * 5 + windows[:, 3]
    share = np.bincount(codes, minlength=125) / len(codes)
    law = chain.law.reshape(-1)
    # Windows of one chain overlap: three times the deviation of independent draws.
    assert (np.abs(share - law) < 15 * np.sqrt(law / len(codes))).all()
    found = empirical_moments(windows, 5)
    assert np.abs(found.target - chain.moments.target).max() < 0.01
    allowed = chain.next_law[windows[:, 0], windows[:, 1], windows[:, 2], windows[:, 3]]
    assert allowed.min() > 0  # no step that the chain cannot make


def test_the_gradient_is_that_of_the_loss() -> None:
    moments, random = CHAINS[0].moments, np.random.default_rng(1)
    maps, toward = random.standard_normal((2, 3, 5, 5))
    step = 1e-4
    slope = (moments.loss(maps + step * toward) - moments.loss(maps - step * toward)) / (2 * step)
    # The loss is quadratic: central differences are exact but for rounding, 10^-16 / 10^-4.
    assert abs(slope + (moments.residual(maps) * toward).sum()) < 1e-9


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, (), (), ()), "at least one"),
        ((5, (0.5, 0.6), (1, 2), (1, 2)), "sum 1"),
        ((5, (1.0,), (0,), (1,)), "lags from 1"),
        ((5, (0.5, 0.5), (1, 1), (1, 2)), "distinct lags"),
        ((4, (1.0,), (1,), (1,)), "prime"),
        ((5, (1.0,), (1,), (5,)), "not 0 modulo 5"),
    ],
)
def test_bad_numbers_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Chain(*arguments)  # type: ignore[arg-type]


def test_several_classes_are_refused() -> None:
    with pytest.raises(ValueError, match="several recurrent classes"):
        Chain(2, (1.0,), (2,), (1,)).moments  # noqa: B018
