"""Rows about a point: both integer paths, and what is meant, give the same floats."""

import random
from fractions import Fraction

import numpy as np
import pytest

from headproof.symbolic.regions.recentred import recentred


@pytest.mark.parametrize("size", [3, 10**6, 2**40, 10**30])
def test_rows_are_those_of_the_moved_system(size: int) -> None:
    rng = random.Random(1)
    rows = [[rng.randint(-size, size) for _ in range(3)] for _ in range(40)]
    points = [[rng.randint(-size, size), rng.randint(-size, size), 8] for _ in range(40)]
    members = np.arange(40).reshape(10, 4)
    systems = recentred(rows, points, members)
    assert systems.rows.shape == (10, 5, 3)
    assert (systems.counts == 5).all()
    for k in range(10):
        assert systems.rows[k, 4].tolist() == [0.0, 0.0, 1.0]
        for j in range(4):
            (a, b, c), (p, q, w) = rows[4 * k + j], points[4 * k + j]
            scale = Fraction(float(systems.scales[k]))
            exact = [a * scale, b * scale, Fraction(a * p + b * q + c * w, w)]
            largest = max(map(abs, exact))
            for value, expected in zip(systems.rows[k, j], exact, strict=True):
                # Two roundings, relative to the row's largest entry.
                assert abs(Fraction(float(value)) - expected / largest) <= Fraction(1, 2**51)


def test_a_row_does_not_depend_on_the_others() -> None:
    """One huge row in the batch does not change how the small ones are rounded."""
    rows = [[7, -3, 11], [2, 5, -1], [10**40, 1, 1]]
    points = [[123456789, 987, 64]] * 3
    with_huge = recentred(rows, points, np.array([[0, 1], [1, 2]]))
    without = recentred(rows[:2], points[:2], np.array([[0, 1]]))
    assert (with_huge.rows[0] == without.rows[0]).all()
    assert with_huge.scales[0] == without.scales[0]


def test_padding_is_zero() -> None:
    systems = recentred([[1, 2], [3, 4]], [[0, 1]] * 2, np.array([[0, 1], [1, -1]]))
    assert systems.counts.tolist() == [3, 2]
    assert systems.rows[1, 1].tolist() == [0.0, 1.0]
    assert systems.rows[1, 2].tolist() == [0.0, 0.0]
