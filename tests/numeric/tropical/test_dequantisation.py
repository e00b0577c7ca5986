"""tropical.dequantisation in floats: within the derived bound of mpmath's value."""

from fractions import Fraction

import mpmath
import pytest
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headproof.numeric.tropical.dequantisation import (
    gap,
    gap_error,
    gap_limit,
    gap_mp,
)
from headproof.numeric.tropical.high_precision import mpf_fraction

floats = st.floats(-1e4, 1e4) | st.floats(-1, 1) | st.sampled_from([0.0, 1.0, -3e5, 2.0**-30])
rows = st.lists(floats, min_size=1, max_size=7)
temperatures = st.floats(0.05, 1e3) | st.sampled_from([1.0, 0.25, 2.0**-4])


@given(rows, temperatures)
@example([0.0] * 7, 1.0)
@example([0.0, -744.9], 1.0)
@example([1e4, -1e4], 0.05)
@settings(max_examples=150, deadline=None)
def test_error_bound_covers_the_distance_to_mpmath(s: list[float], tau: float) -> None:
    tensor = torch.tensor(s, dtype=torch.float64)
    found = Fraction(gap(tensor, tau).item())
    exact = gap_mp(s, tau, 40)
    assert abs(found - exact) <= Fraction(gap_error(tensor, tau).item()) + exact / 10**40


@pytest.mark.parametrize(
    "wrong",
    [
        lambda s, tau: tau * torch.logsumexp(s / tau, -1) - s.max(-1).values,  # cancels
        lambda s, tau: gap(s, tau) * (1 + 1e-13),
        lambda s, tau: gap(s.float().double(), tau),
    ],
    ids=["cancelling formula", "relative 1e-13", "float32 scores"],
)
def test_error_bound_is_sharp_enough_to_reject(wrong) -> None:  # type: ignore[no-untyped-def]
    s = torch.tensor([1000.1, 990.7, 999.3], dtype=torch.float64)
    off = abs(Fraction(wrong(s, 0.7).item()) - gap_mp(s.tolist(), 0.7, 40))
    assert off > Fraction(gap_error(s, 0.7).item())


def test_the_bound_stays_useful() -> None:
    s = torch.linspace(-5, 5, 100, dtype=torch.float64)
    assert gap_error(s, 1.0).item() < 1e-13 * gap(s, 1.0).item()


def test_batches_over_heads_and_temperatures() -> None:
    s = torch.randn(3, 4, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    tau = torch.tensor([0.5, 1.0, 2.0, 4.0], dtype=torch.float64)
    whole = gap(s, tau)
    assert whole.shape == gap_error(s, tau).shape == (3, 4)
    for h in range(3):
        for i in range(4):
            one = gap(s[h, i], tau[i])
            assert abs(one - whole[h, i]) <= gap_error(s[h, i], tau[i]) + gap_error(s, tau)[h, i]


def test_ends_of_the_interval() -> None:
    assert gap(torch.tensor([3.5]), 2.0).item() == 0.0
    assert gap_mp([Fraction(7, 3)], Fraction(1, 9), 50) == 0
    equal = torch.full((5,), 1.25, dtype=torch.float64)
    assert abs(gap(equal, 0.3) - gap_limit(5, 0.3)) <= gap_error(equal, 0.3) + 1e-15
    assert gap_limit(1, 0.3).item() == 0.0


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=6), st.integers(1, 8))
@settings(max_examples=60, deadline=None)
def test_mpmath_twin_against_the_formula_as_written(s: list[int], tau: int) -> None:
    with mpmath.workdps(120):
        total = mpmath.fsum(mpmath.exp(mpmath.mpf(value) / tau) for value in s)
        naive = mpf_fraction(tau * mpmath.log(total) - max(s))
    assert abs(gap_mp(s, tau, 60) - naive) <= naive / 10**59 + Fraction(1, 10**100)


def test_mpmath_twin_leaves_the_global_precision_alone() -> None:
    before = mpmath.mp.prec
    gap_mp([1, 2, Fraction(5, 2)], Fraction(1, 3), 200)
    assert mpmath.mp.prec == before


@pytest.mark.parametrize(
    ("scores", "tau", "message"),
    [
        ([], 1.0, "N >= 1"),
        ([1.0, float("nan")], 1.0, "finite"),
        ([1.0, float("inf")], 1.0, "finite"),
        ([1.0], 0.0, "> 0"),
        ([1.0], -2.0, "> 0"),
        ([2**53 + 1], 1.0, "integers"),
    ],
)
def test_bad_input(scores: list[float], tau: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        gap(torch.tensor(scores), tau)


@pytest.mark.parametrize(("scores", "tau", "digits"), [([], 1, 9), ([1], 0, 9), ([1], 1, 0)])
def test_bad_input_of_the_twin(scores: list[int], tau: int, digits: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        gap_mp(scores, tau, digits)


def test_what_lies_too_deep_counts_as_nothing() -> None:
    assert gap_mp([0, -(10**7)], 1, 9) == 0
    assert gap_mp([0, -(10**7), -1], 1, 30) == gap_mp([0, -1], 1, 30)
