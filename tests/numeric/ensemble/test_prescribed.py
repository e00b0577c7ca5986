"""Frames with given angles, Monte Carlo with standard errors, and the simulated budget."""

import pytest
import torch

from headproof.numeric.ensemble.budget_regression import Regression, measure
from headproof.numeric.ensemble.monte_carlo import (
    Estimate,
    estimate,
    kernel_products,
    squared_errors,
)
from headproof.numeric.ensemble.overlap import principal_cosines
from headproof.numeric.ensemble.prescribed import frames_with_angles


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize(
    ("cosines", "d", "heads"),
    [
        ([0.5], 2, 2),
        ([1.0], 1, 2),
        ([0.0, 0.0], 4, 2),
        ([1.0, 0.3, 0.0], 5, 2),
        ([0.25], 4, 3),
        ([0.0], 5, 5),
        ([0.9, 0.2], 14, 6),
        ([1.0, 0.0], 6, 4),
    ],
)
def test_any_two_heads_have_the_given_angles(cosines: list[float], d: int, heads: int) -> None:
    made = frames_with_angles(cosines, d, heads=heads, generator=generator())
    eye = torch.eye(len(cosines), dtype=torch.float64)
    wanted = torch.tensor(sorted(cosines, reverse=True), dtype=torch.float64)
    assert made.shape == (heads, d, len(cosines))
    for h in range(heads):
        assert float((made[h].mT @ made[h] - eye).abs().max()) < 1e-13
        for g in range(h):
            assert float((principal_cosines(made[h], made[g]) - wanted).abs().max()) < 1e-7


@pytest.mark.parametrize(
    ("cosines", "d", "heads"),
    [([0.5], 1, 2), ([0.5], 3, 3), ([], 3, 2), ([1.5], 3, 2), ([-0.1], 3, 2), ([0.5], 3, 0)],
)
def test_what_is_refused(cosines: list[float], d: int, heads: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        frames_with_angles(cosines, d, heads=heads, generator=generator())


def test_estimates() -> None:
    assert Estimate(1.0, 0.0, 2).deviations(1.0) == 0.0
    assert Estimate(1.0, 0.0, 2).deviations(2.0) == float("inf")
    with pytest.raises(ValueError, match="two draws"):
        estimate(torch.zeros(1))


def test_a_wrong_value_is_many_standard_errors_away() -> None:
    frames = frames_with_angles([0.8], 3, generator=generator())
    both, one = kernel_products(frames, 2.0, draws=20000, generator=generator(1))
    exact = (9 - 4 * 0.64) ** -0.5
    assert estimate(both).deviations(exact) < 5
    assert estimate(one).deviations(3**-0.5) < 5
    assert estimate(both).deviations(1 / 3) > 5  # that of orthogonal heads


def test_simulated_noise() -> None:
    weights = torch.tensor([[0.5, 0.5], [1.0, 0.0]], dtype=torch.float64)
    values = torch.tensor([1.0, 3.0], dtype=torch.float64)
    errors = squared_errors(
        weights, values, target=1.0, deviation=2.0, draws=20000, generator=generator()
    )
    exact = 0.5**2 + 4 * (0.75**2 + 0.25**2)
    assert estimate(errors).deviations(exact) < 5
    assert estimate(errors).deviations(0.5**2 + 4 * 0.75 / 2) > 5  # variance divided by H


def test_the_budget_is_measured() -> None:
    model = Regression(n=512, D=12, m=12)
    for d_k in (2, 4):
        found = measure(model, d_k, draws=400, seed=3)
        assert found.deviations(model.law(d_k)) < 5
        assert found.deviations(model.law(d_k) / 2) > 5
    assert measure(model, 3, draws=5, seed=1) == measure(model, 3, draws=5, seed=1)


def test_the_law_is_leading_order() -> None:
    model = Regression()
    assert [d for d in model.dimensions if model.leading(d)] == [1, 2, 3, 4, 6, 8]
    assert min(model.dimensions, key=model.law) == 4
    assert model.growth == pytest.approx(1.58, abs=0.001)


def test_the_parameters_of_a_regression() -> None:
    for wrong in ({"D": 25}, {"D": 0}, {"s": 1.0}, {"tau": 0.0}, {"variance": 0.0}, {"n": 0}):
        with pytest.raises(ValueError, match="expected"):
            Regression(**wrong)
    with pytest.raises(ValueError, match="divisor"):
        measure(Regression(), 5, draws=2, seed=0)
