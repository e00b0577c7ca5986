"""Exact affine inequalities as floats about a point nearby, for a batch of systems.

Cells of a deep network lie far from the origin and are small, so the inequalities that bound them
cancel to nothing in floats. Here the constant of each row is replaced, exactly, by its value at a
known point, and only then rounded; the unit of length becomes the distance from that point to
a typical wall. Both changes are exact or by powers of two: what is lost is the rounding of each
entry, relative to the largest of its row.

Rows whose entries and values stay below 2^53 are moved in int64; the others as Python
integers, with the same result, since integers below 2^53 are floats and a quotient of integers
is correctly rounded in both. A row's floats therefore depend on that row alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

import numpy as np

from .gordan import Floats, Integers

_FLOATS_HOLD = 2.0**53


@dataclass(frozen=True)
class Systems:
    """K systems of homogeneous rows f . (z, t) > 0 with x = point + scale z / t.

    Args:
        rows: (K, M, d + 1), each scaled to largest entry 1 in absolute value; the last row of each
            system says t > 0.
        counts: (K,) the number of rows; what follows is padding with zeros.
        scales: (K,) powers of two.
    """

    rows: Floats
    counts: Integers
    scales: Floats


def recentred(
    rows: Sequence[Sequence[int]], points: Sequence[Sequence[int]], members: Integers
) -> Systems:
    """The floats of K systems that share rows.

    Args:
        rows: the distinct integer rows (a, b), for <a, x> + b > 0.
        points: for each row the homogeneous integers (p, q), q > 0, of the point to move to.
        members: (K, M) the rows of each system, then -1.
    """
    moved = np.concatenate([_moved(rows, points), np.zeros((1, len(rows[0])))])
    systems = np.concatenate([moved[members], np.zeros((len(members), 1, moved.shape[1]))], axis=1)
    counts = (members >= 0).sum(axis=1) + 1
    slopes, offsets = np.abs(systems[:, :, :-1]).max(axis=2), np.abs(systems[:, :, -1])
    usable = (slopes > 0) & (offsets > 0)
    distances = np.where(usable, offsets / np.where(usable, slopes, 1.0), np.inf)
    middle = np.maximum(usable.sum(axis=1) - 1, 0) // 2
    each = np.arange(len(members))
    median = np.sort(distances, axis=1)[each, middle]
    exponents = np.frexp(np.where(np.isfinite(median), median, 1.0))[1]
    scales = np.ldexp(1.0, np.clip(exponents, -1000, 1000))
    systems[:, :, :-1] *= scales[:, None, None]
    sizes = np.abs(systems).max(axis=2)
    systems /= np.where(sizes > 0, sizes, 1.0)[:, :, None]
    systems[each, counts - 1, -1] = 1.0
    return Systems(systems, counts, scales)


def _moved(rows: Sequence[Sequence[int]], points: Sequence[Sequence[int]]) -> Floats:
    """(a, value at the point) for each row, scaled to largest entry 1."""
    try:
        exact = np.array(rows, dtype=np.int64)
        at = np.array(points, dtype=np.int64)
    except OverflowError:
        return np.array([_moved_exactly(*pair) for pair in zip(rows, points, strict=True)])
    largest = np.abs(exact.astype(np.float64)).max(axis=1)
    bound = largest * np.abs(at.astype(np.float64)).max(axis=1) * exact.shape[1]
    # Where the bound fails the products may wrap around; those rows are done again below.
    whole = exact * at[:, -1:]
    whole[:, -1] = (exact * at).sum(axis=1)
    moved: Floats = whole.astype(np.float64)
    sizes = np.abs(moved).max(axis=1)
    moved /= np.where(sizes > 0, sizes, 1.0)[:, None]
    for k in np.flatnonzero(bound >= _FLOATS_HOLD).tolist():
        moved[k] = _moved_exactly(rows[k], points[k])
    return moved


def _moved_exactly(row: Sequence[int], point: Sequence[int]) -> list[float]:
    exact = [entry * point[-1] for entry in row[:-1]]
    exact.append(sum(map(mul, row, point)))
    size = max(map(abs, exact)) or 1
    return [entry / size for entry in exact]
