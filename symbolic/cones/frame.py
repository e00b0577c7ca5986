"""A float frame for integer points: where proposals for a hull are made.

Points are centred exactly, rounded to doubles column by column and whitened, so that neither
coordinates of very different size nor nearly flat clouds spoil the proposals; a functional found
there is carried back and rounded to integers. For an upper hull the last coordinate stays an axis
of its own, because "up" must keep its meaning. Everything here is a proposal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from .proposal import Floats

_BITS = 24
"""Length of the integers that functionals are rounded to."""

_FLAT = 1e-10
"""Relative size below which a principal axis is taken for rounding noise."""

_ENTRIES = 1 << 22
"""How many doubles a batch may fill (32 MB)."""


class Frame:
    """Whitened float coordinates of distinct integer points.

    Args:
        rows: (N, n) integers, N >= 2.
        upper: keep the last coordinate as an axis of its own.
    """

    def __init__(self, rows: Sequence[Sequence[int]], *, upper: bool) -> None:
        N = len(rows)
        self.upper = upper
        middle = [sum(column) // N for column in zip(*rows, strict=True)]
        self.centred = [[a - c for a, c in zip(row, middle, strict=True)] for row in rows]
        self._sizes = [
            max(abs(entry) for entry in column).bit_length()
            for column in zip(*self.centred, strict=True)
        ]
        columns = [
            [entry / (1 << size) for entry in column]
            for column, size in zip(zip(*self.centred, strict=True), self._sizes, strict=True)
        ]
        floats = np.array(columns).T  # (N, n), entries in [-1, 1]
        split = floats.shape[1] - upper
        self._axes = np.zeros((floats.shape[1], 0))
        parts = [slice(0, split), slice(split, floats.shape[1])]
        for part in parts:
            whitening = _whitening(floats[:, part])
            if upper and part.start == split and not whitening.size:
                whitening = np.ones((1, 1))
            block = np.zeros((floats.shape[1], whitening.shape[1]))
            block[part] = whitening
            self._axes = np.hstack([self._axes, block])
        self.white = floats @ self._axes  # (N, k)

    def directions(self) -> Iterator[Floats]:
        """Functionals whose winners are likely vertices, the best one for each winner."""
        N, k = self.white.shape
        if not k:
            return
        draw = np.random.default_rng(0)
        batch = max(1, _ENTRIES // N)
        spread = draw.standard_normal((min(2 * N + 50, batch), k))
        axes = np.vstack([np.eye(k), -np.eye(k)])
        for candidates in (np.vstack([axes, spread]), self.white[:batch]):
            if self.upper:
                candidates = candidates.copy()
                candidates[:, -1] = np.abs(candidates[:, -1]) + 1e-3
            yield self._best(candidates)

    def _best(self, candidates: Floats) -> Floats:
        """For each winner the candidate under which it is furthest ahead."""
        scores = candidates @ self.white.T  # (K, N)
        everyone = np.arange(len(scores))
        winners = scores.argmax(axis=1)
        top = scores[everyone, winners]
        scores[everyone, winners] = -np.inf
        lead = (top - scores.max(axis=1)) / (np.linalg.norm(candidates, axis=1) + 1e-300)
        order = np.lexsort((-lead, winners))
        _, first = np.unique(winners[order], return_index=True)
        best: Floats = candidates[order[first]]
        return best

    def functionals(self, directions: Floats) -> list[tuple[int, ...]]:
        """Round functionals of the frame to integer functionals on the points."""
        raw = directions @ self._axes.T  # (K, n), on the rounded columns
        largest = np.abs(raw).max(axis=1, initial=0.0)
        scale = np.divide(2.0**_BITS, largest, out=np.zeros_like(largest), where=largest > 0)
        whole = np.rint(raw * scale[:, None])
        whole[~np.isfinite(whole)] = 0.0
        if self.upper:
            whole[:, -1] = np.maximum(whole[:, -1], 1.0)
        top = max(self._sizes)
        shifts = [top - size for size in self._sizes]
        if not any(shifts):
            return [tuple(int(entry) for entry in row) for row in whole]
        return [
            tuple(int(entry) << shift for entry, shift in zip(row, shifts, strict=True))
            for row in whole
        ]

    def chunks(self, points: Sequence[int], known: Sequence[int]) -> Iterator[list[int]]:
        """Cut a list of points so that each batch of systems stays within memory."""
        size = (len(known) + 1) * max(1, self.white.shape[1])
        batch = max(1, _ENTRIES // size)
        for start in range(0, len(points), batch):
            yield list(points[start : start + batch])

    def systems(self, points: Sequence[int], known: Sequence[int]) -> Floats:
        """For each point the rows p - v over the known vertices, and "up" for an upper hull."""
        steps = self.white[points][:, None, :] - self.white[known][None, :, :]  # (B, V, k)
        length = np.linalg.norm(steps, axis=2, keepdims=True)
        rows: Floats = np.divide(steps, length, out=np.zeros_like(steps), where=length > 0)
        if not self.upper:
            return rows
        up = np.zeros((len(points), 1, rows.shape[2]))
        up[:, :, -1] = 1.0
        both: Floats = np.concatenate([rows, up], axis=1)
        return both


def _whitening(floats: Floats) -> Floats:
    """Columns that carry centred coordinates to uncorrelated ones of unit size."""
    if not floats.size or not floats.any():
        return np.zeros((floats.shape[1], 0))
    centred = floats - floats.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    kept = sizes > _FLAT * sizes[0]
    carrying: Floats = (axes[kept] / sizes[kept, None]).T * np.sqrt(len(floats))
    return carrying
