"""Probes against least squares, planted directions, and noise that no probe may read."""

import numpy as np

from headproof.numeric.hierarchy.probes import (
    Array,
    basis,
    determination,
    fit_probe,
    indicators,
    iterated,
    random_basis,
    right,
    without,
)

ROUNDING = 1e-9
"""Of well conditioned systems of at most ten unknowns in float64."""


def test_a_planted_direction_is_read_and_removed() -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((600, 8))
    direction = random.standard_normal(8)
    y = (x @ direction)[:, None] + 3
    probe = fit_probe(x[:300], y[:300])
    assert determination(probe, x[300:], y[300:]) > 0.9999
    along = probe.directions[0] @ direction / np.linalg.norm(direction)
    assert abs(along) > 0.9999
    left = without(x, probe.directions)
    assert np.abs(left @ probe.directions.T).max() < ROUNDING
    assert determination(fit_probe(left[:300], y[:300]), left[300:], y[300:]) < 0.05


def test_noise_is_not_read() -> None:
    random = np.random.default_rng(1)
    x, y = random.standard_normal((2000, 8)), random.standard_normal((2000, 1))
    assert determination(fit_probe(x[:1000], y[:1000]), x[1000:], y[1000:]) < 0.02
    labels = random.integers(4, size=2000)
    probe = fit_probe(x[:1000], indicators(labels[:1000], 4))
    assert right(probe, x[1000:], labels[1000:]) < 0.32


def test_a_copy_in_other_coordinates_survives_one_removal() -> None:
    """The signal lies twice in x, once faintly: the first probe takes the strong copy."""
    random = np.random.default_rng(2)
    y = random.standard_normal((1000, 1))
    noise = random.standard_normal((1000, 6))
    x = noise.copy()
    x[:, :1] = 5 * y + noise[:, :1]
    x[:, 1:2] = y + 0.1 * noise[:, 1:2]
    one, four = iterated(x, y, 1), iterated(x, y, 4)
    assert one.shape == (1, 6)
    assert np.abs(four @ four.T - np.eye(4)).max() < ROUNDING

    def left(directions: Array) -> float:
        kept = without(x - x.mean(axis=0), directions)
        return determination(fit_probe(kept[:500], y[:500]), kept[500:], y[500:])

    assert left(one) > left(four)


def test_bases() -> None:
    random = np.random.default_rng(3)
    rows = np.array([[1.0, 0, 0], [2.0, 0, 0], [0, 3.0, 0]])
    assert basis(rows).shape == (2, 3)
    assert basis(np.zeros((0, 3))).shape == (0, 3)
    for rank in (0, 1, 3):
        found = random_basis(rank, 3, random)
        assert found.shape == (rank, 3)
        assert np.abs(found @ found.T - np.eye(rank)).max(initial=0) < ROUNDING
