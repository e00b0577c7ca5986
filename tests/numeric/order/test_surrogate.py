"""The surrogate: a solution by hand, conserved quantities, and what the float integrators do."""

import math

import numpy as np
import pytest

from headproof.numeric.order.surrogate import integrate, integrate_mp, start


def test_one_balanced_mode_is_logistic() -> None:
    """a = b: u = ab solves u' = 2 u (alpha - u)."""
    alpha, u = 0.5, 1e-4
    begun = (np.array([[math.sqrt(u)]]), np.array([[math.sqrt(u)]]))
    path = integrate((alpha,), begun, 20.0, tolerance=1e-12, samples=41)
    exact = alpha / (1 + (alpha / u - 1) * np.exp(-2 * alpha * path.times))
    assert np.abs(path.product[:, 0, 0] - exact).max() < 1e-8
    (half,) = path.stage_times()
    assert half == pytest.approx(math.log(alpha / u - 1) / (2 * alpha), abs=0.05)
    series = integrate_mp((alpha,), begun, 10.0, steps=20, digits=30)
    product = float(series[0][0][0] * series[1][0][0])
    # The start is a float: u is off by 10^-16 of itself, and the series by less.
    assert product == pytest.approx(exact[20], rel=1e-13)


def test_the_two_integrators_agree_and_conserve() -> None:
    begun = start(4, 3, 1e-3, 5)
    one = integrate((0.6, 0.3, 0.2), begun, 60.0, samples=61)
    two = integrate((0.6, 0.3, 0.2), begun, 60.0, samples=61, method="Radau")
    assert np.abs(one.product - two.product).max() < 1e-6
    assert np.abs(one.conserved - one.conserved[0]).max() < 1e-8
    assert one.losses[-1] < 1e-6


def test_fewer_heads_stop_at_the_plateau() -> None:
    path = integrate((0.6, 0.4, 0.2), start(2, 3, 1e-6, 1), 150.0)
    assert path.stage_times()[2] is None
    assert path.losses[-1] == pytest.approx(0.5 * 0.2**2, abs=1e-9)


def test_nothing_comes_of_nothing() -> None:
    zero = np.zeros((2, 2))
    path = integrate((0.6, 0.4), (zero, zero), 10.0, samples=3)
    assert path.stage_times() == [None, None]


@pytest.mark.parametrize(
    ("alpha", "shape"), [((), (1, 0)), ((0.5, -0.1), (2, 2)), ((0.5,), (2, 2))]
)
def test_bad_input_is_refused(alpha: tuple[float, ...], shape: tuple[int, int]) -> None:
    begun = (np.ones(shape), np.ones(shape))
    with pytest.raises(ValueError, match="expected"):
        integrate(alpha, begun, 1.0)
    with pytest.raises(ValueError, match="expected"):
        integrate_mp(alpha, begun, 1.0, steps=1)
