"""One round of gift-wrapping: evaluate the new cells and turn around their open ridges.

Rounds know nothing of each other, so a large one is split over processes: a task is a block of
cells with the places of their open ridges and the configuration, as bytes that a process reads
once: any executor will do, on this machine or others, and a process that begins late or again needs
no preparation. Which cells come out does
not depend on the split, and they are told apart and matched in one place
(`mixed_cells.Exploration`); hence the result is the same for every number of processes. Small
rounds stay in this process.

Blocks also bound the memory: no temporary array has more than 2^22 entries, about ten of which
live at a time; what is kept grows with the number of cells only (k + H + 2 k + 6 words a cell and
the pairs of ridges).
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from multiprocessing import get_context
from types import TracebackType
from typing import TypeAlias

import numpy as np

from .cells import Batch, Flags, Inconsistent, Indices, first_of_each
from .pivots import Pivots
from .summands import Array

_ENTRIES = 1 << 22
# Below so many open ridges a round is faster than sending it.
_WORTH_SENDING = 20_000
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")

Task: TypeAlias = tuple[Indices, Indices]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a round found out.

    Attributes:
        normals: (k, F) exact normals of the cells that were evaluated.
        plain: (F,) whether their facets hold no other points.
        rows: (F', L) the cells across their open ridges, each once.
        border: places of the ridges that lie on the vertical boundary.
    """

    normals: Array
    plain: Flags
    rows: Indices
    border: Indices


def evaluated(pivots: Pivots, rows: Indices) -> Batch:
    """The batch of cells that must all support the sum.

    Raises:
        Tie: if one shows that the input is not in general position, and no care was taken.
        Inconsistent: if one does not support the sum.
    """
    batch = pivots.evaluate(rows)
    if not pivots.careful:
        pivots.check_simple(batch)
    if len(batch.frame.rows) < len(rows) or batch.bad is not None:
        raise Inconsistent("a cell that does not support the sum")
    return batch


def turned(pivots: Pivots, batch: Batch, places: Indices) -> Outcome:
    """Turn around the given ridges of a batch."""
    count = len(batch.frame.rows)
    extra = batch.extra
    plain = np.ones(count, dtype=bool) if extra is None else np.asarray(~extra.any(axis=1))
    if not len(places):
        return Outcome(batch.normals, plain, batch.frame.rows[:0], places)
    proposals = pivots.functionals(batch)
    step = max(1, _ENTRIES // batch.slack.shape[1])
    parts = [
        pivots.turn(batch, places[i : i + step], proposals) for i in range(0, len(places), step)
    ]
    return merged(
        pivots, [Outcome(batch.normals, plain, rows, border) for rows, border in parts], 1
    )


def merged(pivots: Pivots, parts: list[Outcome], blocks: int) -> Outcome:
    """One outcome of several: of one block of cells, or of as many blocks as parts."""
    if len(parts) == 1:
        return parts[0]
    rows = np.concatenate([part.rows for part in parts])
    rows = rows[first_of_each(pivots.hashes(rows))]
    border = np.concatenate([part.border for part in parts])
    if blocks == 1:
        return Outcome(parts[0].normals, parts[0].plain, rows, border)
    return Outcome(
        np.concatenate([part.normals for part in parts], axis=1),
        np.concatenate([part.plain for part in parts]),
        rows,
        border,
    )


class Rounds:
    """Runs rounds here or in processes; a context manager."""

    def __init__(self, pivots: Pivots, jobs: int, executor: Executor | None = None) -> None:
        """Start no process yet; with an executor, never start any."""
        self.pivots = pivots
        self.jobs = jobs
        self._executor = executor
        self._pool: ProcessPoolExecutor | None = None
        self._shared = b""

    def __enter__(self) -> Rounds:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def serial(self, batch: Batch, places: Indices) -> Outcome:
        """A round of cells that are evaluated already."""
        return turned(self.pivots, batch, places)

    def run(self, rows: Indices, places: Indices) -> Outcome:
        """A round of new cells and the places of their open ridges."""
        size = len(rows)
        limit = max(1, _ENTRIES // len(self.pivots.conf.owner))
        several = self.jobs > 1 or self._executor is not None
        parallel = several and len(places) >= _WORTH_SENDING
        blocks = max(-(-size // limit), 4 * self.jobs if parallel else 1)
        if blocks == 1:
            return turned(self.pivots, evaluated(self.pivots, rows), places)
        tasks, starts = [], []
        length = self.pivots.length
        ordered = np.sort(places)
        for start, stop in self._ranges(size, blocks):
            low, high = np.searchsorted(ordered, (start * length, stop * length))
            tasks.append((rows[start:stop], ordered[low:high] - start * length))
            starts.append(start * length)
        if parallel:
            parts = self._map(tasks)
        else:
            parts = [turned(self.pivots, evaluated(self.pivots, r), p) for r, p in tasks]
        shifted = [
            Outcome(part.normals, part.plain, part.rows, part.border + start)
            for part, start in zip(parts, starts, strict=True)
        ]
        return merged(self.pivots, shifted, len(shifted))

    @staticmethod
    def _ranges(size: int, blocks: int) -> Iterator[tuple[int, int]]:
        step = -(-size // blocks)
        for start in range(0, size, step):
            yield start, min(size, start + step)

    def _map(self, tasks: list[Task]) -> list[Outcome]:
        if not self._shared:
            pivots = self.pivots
            self._shared = pickle.dumps((pivots.conf, pivots.seed, pivots.careful))
        if self._executor is None and self._pool is None:
            self._pool = ProcessPoolExecutor(self.jobs, mp_context=get_context("spawn"))
        executor = self._executor or self._pool
        assert executor is not None
        try:
            with _one_thread():
                return list(executor.map(partial(_block, self._shared), tasks))
        except BrokenExecutor:
            if self._executor is not None:
                raise
            # No processes here (a script without a main guard, too little memory): go on alone.
            self.jobs = 1
            return [turned(self.pivots, evaluated(self.pivots, r), p) for r, p in tasks]


@contextmanager
def _one_thread() -> Iterator[None]:
    """Processes started meanwhile use one BLAS thread each."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@lru_cache(maxsize=1)
def _pivots(shared: bytes) -> Pivots:
    """The pivots, which are the same in all processes, made once in each."""
    conf, seed, careful = pickle.loads(shared)
    return Pivots(conf, seed, careful=careful)


def _block(shared: bytes, task: Task) -> Outcome:
    rows, places = task
    with np.errstate(all="ignore"):
        pivots = _pivots(shared)
        return turned(pivots, evaluated(pivots, rows), places)
