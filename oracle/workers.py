"""Batches of work in several processes, with the same results as in one.

A batch is a function from a list to a list of the same length, item by item; it is cut into
contiguous parts, one for each process, and the results come back in order. What travels is pickled.
Balls have no pickled form of their own, so here is one that is exact: midpoint and radius as
integers times powers of two.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import lru_cache, partial
from typing import Any, TypeAlias, TypeVar

from flint import arb

from ..symbolic.errors import InputError

LEAST = 64
"""Items of a batch that is worth sending."""

RADIUS_BITS = 30

S = TypeVar("S")
T = TypeVar("T")

Packed: TypeAlias = tuple[int, int, int, int] | str
"""Midpoint and radius, each as mantissa and exponent; or "nan" or another infinite ball."""


class Workers:
    """Processes, started when the first batch pays; with one job everything happens here.

    Args:
        jobs: how many.
        executor: where they are, instead of processes of its own; it is not shut down.

    Raises:
        InputError: not a positive integer.

    Example:
        >>> with Workers(1) as workers:
        ...     workers.map(sorted, [3, 1, 2])
        [1, 2, 3]
    """

    def __init__(self, jobs: int, executor: Executor | None = None) -> None:
        if type(jobs) is not int or jobs < 1:
            raise InputError("a number of processes, at least 1", repr(jobs), where="jobs")
        self.jobs = jobs
        self._executor = executor
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        """Nothing is started yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def pays(self, count: int, *, least: int = LEAST) -> bool:
        """Whether a batch of so many items goes to the processes."""
        return (self.jobs > 1 or self._executor is not None) and count >= least

    def map(
        self, function: Callable[[list[S]], list[T]], items: Sequence[S], *, least: int = LEAST
    ) -> list[T]:
        """The results of a batch, in order.

        Args:
            function: picklable, as its results are.
            items: the batch.
            least: how many items are worth sending.
        """
        if not self.pays(len(items), least=least):
            return function(list(items))
        if self._executor is None and self._pool is None:
            # A fresh interpreter: a forked one would inherit the threads of torch and BLAS.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.jobs, mp_context=context)
        executor = self._executor or self._pool
        assert executor is not None
        size = -(-len(items) // self.jobs)
        parts = [list(items[i : i + size]) for i in range(0, len(items), size)]
        return [result for part in executor.map(function, parts) for result in part]

    def answers(self, oracle: Any, queries: Sequence[Any]) -> list[Any]:
        """The oracle's answers; asked here unless it says that its copies answer alike.

        Args:
            oracle: with a true attribute `replicable` if copies of it in other processes may
                answer instead of it.
            queries: in order.
        """
        if not (getattr(oracle, "replicable", False) and self.pays(len(queries))):
            return [oracle(query) for query in queries]
        packed = self.map(partial(_answers, pickle.dumps(oracle)), queries)
        return [unpack(answer) if isinstance(answer, (tuple, str)) else answer for answer in packed]


def pack(ball: arb) -> Packed:
    """A ball in a form that can be pickled.

    Example:
        >>> pack(arb(3))
        (3, 0, 0, 0)
    """
    if not ball.is_finite():
        return str(ball)
    return tuple(int(part) for a in (ball.mid(), ball.rad()) for part in a.man_exp())  # type: ignore[return-value]


def unpack(packed: Packed) -> arb:
    """The ball again, bit by bit.

    Example:
        >>> third = arb(1) / 3
        >>> pack(unpack(pack(third))) == pack(third)
        True
    """
    if isinstance(packed, str):
        return arb(packed)
    a, b, c, d = packed
    if not c:
        return arb((a, b))
    # A radius has 30 bits; flint takes the next one above the first 30 bits of what it is given.
    shift = RADIUS_BITS - c.bit_length()
    return arb(mid=(a, b), rad=(2 * (c << shift) - 1, d - shift - 1))


def _answers(oracle: bytes, queries: list[Any]) -> list[Any]:
    black_box = _loaded(oracle)
    found = [black_box(query) for query in queries]
    return [pack(answer) if isinstance(answer, arb) else answer for answer in found]


@lru_cache(maxsize=2)
def _loaded(oracle: bytes) -> Any:
    return pickle.loads(oracle)
