"""tropical.routing-limit in floats: weights within their bound, and the law that they tend to."""

from fractions import Fraction

import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headproof.numeric.tropical.routing_limit import (
    deviation_bound,
    limit,
    total_variation,
    weights,
    weights_error,
    weights_mp,
)

values = st.floats(-100, 100) | st.sampled_from([0.0, 1.0, -2.0, 700.0])
rows = st.lists(values, min_size=1, max_size=6)
temperatures = st.floats(0.1, 50) | st.sampled_from([1.0, 0.5])


@given(rows, temperatures)
@example([0.0, -745.0], 1.0)
@example([0.0, 0.0, -1.0, -1.0], 0.5)
@settings(max_examples=120, deadline=None)
def test_weights_and_bounds_against_mpmath(s: list[float], tau: float) -> None:
    tensor = torch.tensor(s, dtype=torch.float64)
    exact = weights_mp(s, tau, 40)
    found, error = weights(tensor, tau), weights_error(tensor, tau)
    for j, p in enumerate(exact):
        assert abs(Fraction(found[j].item()) - p) <= Fraction(error[j].item()) + p / 10**40
    assert abs(sum(exact, Fraction(0)) - 1) < Fraction(1, 10**38)
    outside = sum((p for p, value in zip(exact, s, strict=True) if value < max(s)), Fraction(0))
    bound = Fraction(deviation_bound(tensor, tau).item())
    assert outside <= bound * (1 + Fraction(1, 10**38))
    others = {value for value in s if value < max(s)}
    if len(others) == 1 and outside > Fraction(1, 10**200):  # attained: the bound is sharp then
        assert bound <= outside * (1 + Fraction(1, 500))


def test_the_weights_tend_to_the_limit_law_and_not_to_a_member() -> None:
    s = torch.tensor([[0.0, 2.0, 2.0, -1.0], [3.0, 1.0, 1.0, 1.0]], dtype=torch.float64)
    law = limit(s)
    assert law.tolist() == [[0.0, 0.5, 0.5, 0.0], [1.0, 0.0, 0.0, 0.0]]
    for tau in (1.0, 0.1, 0.05):
        away = (weights(s, tau) - law).abs().sum(-1) / 2
        assert bool((away <= deviation_bound(s, tau) + weights_error(s, tau).sum(-1)).all())
    member = torch.tensor([0.0, 1.0, 0.0, 0.0], dtype=torch.float64)
    away = (weights(s[0], 0.05) - member).abs().sum() / 2
    assert away > 100 * deviation_bound(s[0], 0.05)


def test_total_variation_is_the_distance_to_the_limit() -> None:
    s = torch.tensor([1.0, 0.5, 1.0, -2.0], dtype=torch.float64)
    away = (weights(s, 0.8) - limit(s)).abs().sum() / 2
    assert abs(total_variation(s, 0.8) - away) <= 2 * weights_error(s, 0.8).sum()
    assert total_variation(torch.ones(3), 0.8).item() == deviation_bound(torch.ones(3), 0.8).item()


def test_a_bound_with_a_wrong_constant_is_violated() -> None:
    """Without the factor (N - m)/m the bound fails as soon as several keys tie below."""
    s = torch.tensor([0.0, -1.0, -1.0, -1.0], dtype=torch.float64)
    rho = torch.exp(torch.tensor(-1.0, dtype=torch.float64))
    assert total_variation(s, 1.0) > rho / (1 + rho) + weights_error(s, 1.0).sum()


def test_error_bound_rejects_float32() -> None:
    s = torch.tensor([0.3, 0.1, 0.7])
    rounded = torch.softmax(s, -1).double()
    assert not bool(((rounded - weights(s, 1.0)).abs() <= 2 * weights_error(s, 1.0)).all())


@pytest.mark.parametrize("tau", [0.0, -1.0, float("nan")])
def test_bad_temperature(tau: float) -> None:
    with pytest.raises(ValueError, match="temperature"):
        weights(torch.ones(2), tau)


@pytest.mark.parametrize(("scores", "tau", "digits"), [([], 1, 9), ([1], 0, 9), ([1], 1, 0)])
def test_bad_input_of_the_twin(scores: list[int], tau: int, digits: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        weights_mp(scores, tau, digits)


def test_what_lies_too_deep_counts_as_nothing() -> None:
    assert list(weights_mp([0, -(10**7)], 1, 9)) == [1, 0]
