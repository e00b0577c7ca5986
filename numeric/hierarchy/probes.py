"""Linear probes: what can be read off a residual stream (claim F4).

Ridge regression by normal equations, in float64: the optimum itself, no training that could be
stopped too early. A class is read by regression on its indicators and the largest value; the share
right is then a lower bound of what a linear probe can reach. Probes are fitted on some sequences
and judged on others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_RIDGE = 1e-4
"""Of the mean square of a feature."""


@dataclass(frozen=True)
class Probe:
    """y = W (x - mean) + offset.

    Args:
        weights: ``(d, m)``.
        mean: ``(d,)``.
        offset: ``(m,)``.
    """

    weights: Array
    mean: Array
    offset: Array

    def __call__(self, x: Array) -> Array:
        """``(n, d)`` -> ``(n, m)``."""
        found: Array = (x - self.mean) @ self.weights + self.offset
        return found

    @property
    def directions(self) -> Array:
        """``(r, d)``: an orthonormal basis of what it reads."""
        return basis(self.weights.T)


def fit_probe(x: Array, y: Array) -> Probe:
    """The ridge regression of y ``(n, m)`` on x ``(n, d)``.

    Args:
        x: features.
        y: what is to be read off, n >= 1.

    Example:
        >>> x = np.random.default_rng(0).standard_normal((200, 3))
        >>> probe = fit_probe(x, x[:, :1] * 2)
        >>> round(float(probe.weights[0, 0]), 3)
        2.0
    """
    mean, offset = x.mean(axis=0), y.mean(axis=0)
    centred = x - mean
    gram = centred.T @ centred / len(x)
    d = gram.shape[0]
    gram += _RIDGE * max(np.trace(gram) / d, 1e-12) * np.eye(d)
    return Probe(np.linalg.solve(gram, centred.T @ (y - offset) / len(x)), mean, offset)


def determination(probe: Probe, x: Array, y: Array) -> float:
    """R^2 of a probe on data that it was not fitted on: 1 - residual/total sum of squares.

    Args:
        probe: of d features and m values.
        x: ``(n, d)``.
        y: ``(n, m)``.

    Returns:
        At most 1; 0 if y is constant.
    """
    total = ((y - y.mean(axis=0)) ** 2).sum()
    return float(1 - ((y - probe(x)) ** 2).sum() / total) if total > 0 else 0.0


def indicators(labels: NDArray[np.int64], classes: int) -> Array:
    """``(n,)`` -> ``(n, k)``."""
    return np.eye(classes)[labels]


def right(probe: Probe, x: Array, labels: NDArray[np.int64]) -> float:
    """The share of labels that have the largest value.

    Args:
        probe: of indicators of k classes.
        x: ``(n, d)``.
        labels: ``(n,)``, from 0.
    """
    return float((probe(x).argmax(axis=1) == labels).mean())


def basis(rows: Array, *, tolerance: float = 1e-9) -> Array:
    """``(r, d)``: orthonormal rows with the same span, but for directions below the tolerance.

    Args:
        rows: ``(m, d)``.
        tolerance: of a singular value, in units of the largest.
    """
    if rows.size == 0:
        return rows.reshape(0, rows.shape[-1])
    _, values, vectors = np.linalg.svd(rows, full_matrices=False)
    return vectors[values > tolerance * max(float(values[0]), 1e-300)]


def without(x: Array, directions: Array) -> Array:
    """The rows x less their component in the span of orthonormal rows.

    Args:
        x: ``(n, d)``.
        directions: ``(r, d)``.
    """
    found: Array = x - (x @ directions.T) @ directions
    return found


def iterated(x: Array, y: Array, rank: int) -> Array:
    """Directions removed one probe after another, each fitted on what the others left.

    Args:
        x: ``(n, d)``.
        y: ``(n, m)``.
        rank: how many directions; at most d.

    Returns:
        ``(r, d)``, orthonormal rows; r < rank if nothing more can be read off.

    Source: Ravfogel et al. 2020, iterative null-space projection.
    """
    found = np.zeros((0, x.shape[1]))
    while len(found) < min(rank, x.shape[1]):
        probe = fit_probe(without(x, found), y)
        more = basis(without(probe.directions, found))
        if not len(more):
            break
        found = np.concatenate([found, more[: rank - len(found)]])
    return found


def random_basis(rank: int, d: int, random: np.random.Generator) -> Array:
    """``(rank, d)``: a uniformly distributed subspace.

    Args:
        rank: at most d.
        d: of the space.
        random: the generator.
    """
    q, _ = np.linalg.qr(random.standard_normal((d, max(rank, 1))))
    found: Array = q.T[:rank]
    return found
