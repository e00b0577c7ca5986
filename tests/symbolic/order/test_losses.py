"""Misspecified losses: by hand, nested, and against another parametrisation."""

from fractions import Fraction
from itertools import combinations

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.order.chain import Chain, permutation_kernel
from headproof.symbolic.order.losses import additive, all_subsets, bayes, plateaus

CHAIN = Chain(
    (Fraction(11, 20), Fraction(3, 10), Fraction(3, 20)),
    (1, 2, 3),
    [permutation_kernel(5, multiplier) for multiplier in (1, 2, 3)],
)


def test_the_chain_of_the_claims() -> None:
    known = {(): 0.4, (1,): 0.27296309, (1, 2): 0.24705463, (1, 2, 3): 0.24151844}
    for lags, value in known.items():
        assert abs(additive(CHAIN, lags).loss - Fraction(value)) < Fraction(1, 10**8)
    assert abs(bayes(CHAIN, (1, 2)).loss - Fraction(0.24650996)) < Fraction(1, 10**8)
    assert plateaus(CHAIN) == tuple(additive(CHAIN, lags).loss for lags in known)


def test_a_deterministic_chain_leaves_nothing() -> None:
    chain = Chain((1,), (1,), [permutation_kernel(4, 1)])
    assert additive(chain, (1,)).loss == bayes(chain, (1,)).loss == 0
    assert additive(chain, ()).loss == Fraction(3, 8)


def test_more_lags_and_more_functions_never_lose() -> None:
    losses = all_subsets(CHAIN)
    for lags, (sums, best) in losses.items():
        assert best <= sums
        for more in losses:
            if set(more) > set(lags):
                assert losses[more][0] <= sums
                assert losses[more][1] <= best
    assert losses[(1, 2)][1] < losses[(1, 2)][0]  # the two classes differ


def test_all_lags_are_enough() -> None:
    """The chain's own conditional mean is additive over its lags."""
    assert additive(CHAIN, (1, 2, 3)).loss == bayes(CHAIN, (1, 2, 3)).loss
    variance = sum(
        p * sum(q * (1 - q) for q in CHAIN.next_law(window)) for window, p in CHAIN.law.items()
    )
    assert additive(CHAIN, (1, 2, 3)).loss == variance / 2


@pytest.mark.parametrize("lags", [*combinations((1, 2, 3), 2), (1,), ()])
def test_residuals_are_orthogonal_and_give_the_loss(lags: tuple[int, ...]) -> None:
    """The maps that are returned are the best: any other predictor of the class errs more."""
    fit = additive(CHAIN, lags)
    loss = Fraction(0)
    features = [(lag, u) for lag in lags for u in range(5)]
    inner = {(feature, v): Fraction(0) for feature in features for v in range(5)}
    for window, p in CHAIN.law.items():
        law = CHAIN.next_law(window)
        for v in range(5):
            values = [window[lag - 1] for lag in lags] or [0]
            guess = sum((maps[v][u] for maps, u in zip(fit.maps, values, strict=True)), Fraction(0))
            loss += p * (law[v] - 2 * law[v] * guess + guess**2) / 2
            for lag, u in zip(lags, values, strict=bool(lags)):
                inner[(lag, u), v] += p * (law[v] - guess)
    assert loss == fit.loss
    assert not any(inner.values())


@pytest.mark.parametrize("lags", [(0,), (4,), (1, 1)])
def test_lags_that_are_none_are_refused(lags: tuple[int, ...]) -> None:
    for fit in (additive, bayes):
        with pytest.raises(InputError, match="distinct lags from 1 to 3"):
            fit(CHAIN, lags)
