"""What is read off a trajectory, on trajectories made by hand."""

import numpy as np
import pytest

from headproof.numeric.order.measure import (
    competition,
    effective_rank,
    flattest,
    order_taken,
    stage_times,
    taken,
)

TIMES = np.array([0.0, 1, 2, 3, 4, 5, 6])
LOSSES = np.array([4.0, 2.2, 2.05, 2.0, 1.2, 1.05, 1.0])


def test_stages_and_plateaus() -> None:
    assert stage_times(TIMES, LOSSES, [4.0, 2.0, 1.0, 0.0]) == [1.0, 4.0, None]
    assert flattest(TIMES, LOSSES, 1.0, 4.0) == 2.025
    assert flattest(TIMES, LOSSES, 4.0, None) == 1.025
    assert flattest(TIMES, LOSSES, None, None) == float("inf")
    assert flattest(TIMES, LOSSES, 3.0, 3.1) == float("inf")


def test_effective_rank_is_between_1_and_the_rank() -> None:
    assert effective_rank(np.diag([1.0, 1.0, 0.0])) == pytest.approx(2)
    assert 1 < effective_rank(np.diag([1.0, 0.1])) < 2


def attention(*rows: list[list[float]]) -> np.ndarray:
    return np.array(rows)


def test_competition_counts_the_time_before_stage_two() -> None:
    path = attention(
        [[0.5, 0.5], [0.5, 0.5]], [[0.9, 0.1], [0.7, 0.3]], [[0.99, 0.01], [0.98, 0.02]]
    )
    times = np.array([0.0, 1.0, 2.0])
    assert competition(times, path, 1, 2.0) == 0.7
    assert competition(times, path, 1, None) == 0.98
    assert competition(times, path, 2, 0.0) == 0.0


def test_lags_are_taken_for_good() -> None:
    """Lag 2 is held at first and lost; lag 1 from the second time on, lag 2 from the third."""
    path = attention(
        [[0.2, 0.8], [0.4, 0.6]],
        [[0.9, 0.1], [0.8, 0.2]],
        [[0.9, 0.1], [0.1, 0.9]],
    )
    assert order_taken(path) == [1, 2]
    assert order_taken(path[:2]) == [1]
    assert taken(path[-1]) == [1, 2]
