"""Ties decided by heights: what takes the place of a perturbation of the points.

Give every point a height. The points of a facet, lifted by the heights, have a lower hull; its
cells are the regular fine mixed subdivision of the facet. To the first order this is what a
perturbation of the points would do, with three advantages: no point moves, so that every normal
and every support inequality stays that of the given sum; no cell collapses in the limit; and one
and the same symbolic rule serves ties, parallel edges, flat summands and coordinates of any size.

The heights are those of a concave function plus noise: points that are no vertices of the facet
then lie above the lower hull and are not used. Heights are integers below 2^40, so that
`exact_wrap` follows the same subdivision without floats.

The starts walk: take the best points in a random direction, then k - 1 times turn the direction as
far as the points found so far stay best, and take in the next one. Floats throughout: what comes
out are proposals, which are evaluated exactly and dropped if wrong.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .summands import Configuration

Floats: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.intp]

_STEPS = 2.0**40
_NOISE = 2.0**-6
_TOLERANCE = 1e-9


def heights(conf: Configuration, seed: int) -> Floats:
    """Integers (as floats, exact) in [0, 2^40): concave in the position, plus noise."""
    generator = np.random.default_rng(seed)
    count = len(conf.owner)
    middle = np.zeros((conf.count, conf.dimension))
    sizes = np.bincount(conf.owner, minlength=conf.count)
    np.add.at(middle, conf.owner, conf.floats)
    offsets = conf.floats - (middle / sizes[:, None])[conf.owner]
    squares = (offsets * offsets).sum(axis=1)
    top = squares.max(initial=1e-300)
    noise = generator.random(count)
    return np.asarray(np.floor(((1 - squares / top) * (1 - _NOISE) + noise * _NOISE) * _STEPS))


def random_starts(
    conf: Configuration, columns: Floats, generator: np.random.Generator, size: int
) -> Indices:
    """Rows of cells met from random directions; (K', k - 1 + H) with K' <= 2 size."""
    k = conf.dimension
    fixed = np.zeros((size, k, k))
    if conf.upper:
        # A direction (x, 1): scores <key, x> + bias; start where the scores are comparable.
        fixed[:, 0, k - 1] = 1.0
        direction = generator.standard_normal((size, k)) * 2.0 ** generator.integers(
            -3, 4, (size, 1)
        )
        direction[:, k - 1] = 1.0
        scores = direction @ columns
    else:
        direction = generator.standard_normal((size, k))
        scores = direction @ columns
    return _walk(conf, columns, generator, scores, fixed, 1 if conf.upper else 0, None)


def facet_starts(
    conf: Configuration,
    columns: Floats,
    scaled: Floats,
    tight: NDArray[np.bool_],
    lift: Floats,
    generator: np.random.Generator,
) -> Indices:
    """Two cells of the subdivision of each facet with the given scaled normals (k, F)."""
    k = conf.dimension
    size = len(tight)
    fixed = np.zeros((size, k, k))
    if conf.upper:
        fixed[:, 0, k - 1] = 1.0
    else:
        fixed[:, 0] = (scaled / np.sqrt((scaled * scaled).sum(axis=0))).T
    slope = generator.standard_normal((size, k)) * 0.1
    scores = slope @ columns - lift / _STEPS
    return _walk(conf, columns, generator, scores, fixed, 1, tight)


def _walk(
    conf: Configuration,
    columns: Floats,
    generator: np.random.Generator,
    scores: Floats,
    fixed: Floats,
    known: int,
    allowed: NDArray[np.bool_] | None,
) -> Indices:
    """Turn affine scores until k - 1 + H points are best in their summands.

    Args:
        conf: the configuration.
        columns: (k, n) its scaled points.
        generator: draws the directions.
        scores: (K, n) affine functions of the points, plus heights of any kind.
        fixed: (K, k, k) room for orthonormal vectors; the first ``known`` may not be turned.
        known: how many are given.
        allowed: (K, n) the points that take part, None for all.
    """
    k, (size, n) = conf.dimension, scores.shape
    bounds = np.searchsorted(conf.owner, np.arange(conf.count + 1)).tolist()
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    line = np.arange(size)
    best = np.empty((size, conf.count), dtype=np.intp)
    for h, (start, stop) in enumerate(pairwise(bounds)):
        best[:, h] = scores[:, start:stop].argmax(axis=1) + start
    flat = best + (line * n)[:, None]
    slack = scores.ravel()[flat].take(conf.owner, axis=1) - scores
    rows = np.empty((size, k - 1 + conf.count), dtype=np.intp)
    rows[:, : conf.count] = best
    last, met = best[:, 0], np.zeros(0, dtype=bool)
    alive = np.ones(size, dtype=bool)
    directions = generator.standard_normal((k - 1, size, k))
    for step, direction in enumerate(directions):
        basis = fixed[:, : known + step]
        if known + step:
            direction -= ((basis @ direction[:, :, None]) * basis).sum(axis=1)
        values = direction @ columns
        rate = values - values.ravel()[flat].take(conf.owner, axis=1)
        # Points tied already come in as soon as the direction moves towards them.
        np.maximum(slack, 1e-13, out=slack)
        ratio = rate / slack
        chosen = ratio.argmax(axis=1)
        if step == k - 2:
            # The last turn goes either way: two cells for one walk.
            other = ratio.argmin(axis=1)
            met = np.concatenate(
                (ratio[line, chosen] > _TOLERANCE, ratio[line, other] < -_TOLERANCE)
            )
            last = np.concatenate((chosen, other))
            break
        reached = ratio[line, chosen]
        if (away := reached < _TOLERANCE).any():
            # Nothing comes nearer: turn the other way.
            chosen[away] = ratio[away].argmin(axis=1)
            reached = ratio[line, chosen]
            alive &= np.abs(reached) >= _TOLERANCE
            reached[~alive] = 1.0
        slack -= rate / reached[:, None]
        rows[:, conf.count + step] = chosen
        edge = (columns[:, chosen] - columns[:, best[line, conf.owner[chosen]]]).T
        if known + step:
            edge -= ((basis @ edge[:, :, None]) * basis).sum(axis=1)
        length = np.sqrt((edge * edge).sum(axis=1))
        alive &= length > 1e-12
        fixed[:, known + step] = edge / np.maximum(length, 1e-300)[:, None]
    rows = np.concatenate((rows, rows))
    rows[:, -1] = last
    rows.sort(axis=1)
    met &= np.concatenate((alive, alive))
    return np.asarray(rows[met & (rows[:, 1:] != rows[:, :-1]).all(axis=1)])
