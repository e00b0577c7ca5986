"""The entry to recovery: which arithmetic, and what is known of the number of heads."""

from __future__ import annotations

from concurrent.futures import Executor
from typing import Any

from ...symbolic.errors import InputError
from ..protocol import Oracle
from ..workers import Workers
from .exact import recover_exact
from .recovery import Recovery
from .task import Task

MOST = 1000
"""The largest number of heads, or bound, that is accepted: a pair has 2H nodes."""


def recover(
    oracle: Oracle,
    *,
    heads: int | None = None,
    bound: int | None = None,
    detect: bool = False,
    seed: int = 0,
    limit: int | None = None,
    bits: int | None = None,
    target: int = 64,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Recovery:
    """Recover every head of multi-head attention from value queries.

    The model is f(x_1..x_n) = sum_h sum_j softmax_j(x_n^T W_h x_j) v_h^T x_j. With H heads known
    the schedule has exactly 4 H d^2 - 2H + 1 queries of length at most 2H + 1; with a bound H0,
    4 H0 d^2 - 2 H0 + 1 of length at most 2 H0 + 1. A few fresh queries test the result and are
    counted apart.

    Args:
        oracle: the black box; its attributes `dimension`, `base` (2 if it has none) and
            `arithmetic` ("exact" if it has none) say what it is.
        heads: H, the number of heads after merging equal W and dropping zero v.
        bound: H0 >= H, if H is not known; give one of the two.
        detect: with a bound, read H off the first pair and ask the others for H heads only:
            2 H0 + 1 + 2H (2 d^2 - 2) queries.
        seed: of the drawings.
        limit: the largest number of value queries in all.
        bits: for balls, the precision to begin with; chosen if None.
        target: for balls, how many bits after the point must be certified.
        jobs: processes, for exact answers and balls; the result does not depend on it. An oracle
            with a true attribute `replicable` is asked in all of them, any other one here only.
        executor: where the processes are, instead of processes of its own; it is not shut down.

    Returns:
        The heads in canonical form, with the account of all queries.

    Raises:
        NotInClass: no such model; carries the query that shows it.
        Degenerate: every drawing was degenerate.
        LimitReached: the limit was reached first.
        InputError: arguments that do not fit.

    Source:
        Claim E3; builds on the single-head algorithm of arXiv 2601.16873.

    Example:
        >>> from headproof.oracle.exact import ExactOracle
        >>> from headproof.oracle.model import Head
        >>> oracle = ExactOracle([Head(((1, 2), (0, 1)), (3, 4)), Head(((0, 1), (1, 0)), (1, 1))])
        >>> found = recover(oracle, heads=2)
        >>> found.heads
        (Head(W=((0, 1), (1, 0)), v=(1, 1)), Head(W=((1, 2), (0, 1)), v=(3, 4)))
        >>> found.queries, found.longest, found.verified
        (29, 5, True)
    """
    most = _count(heads, bound, detect)
    base: Any = getattr(oracle, "base", 2)
    arithmetic = getattr(oracle, "arithmetic", "exact")
    if arithmetic == "float":
        from .float import recover_float

        return recover_float(oracle, most=most, known=heads is not None, seed=seed, limit=limit)
    with Workers(jobs, executor) as workers:
        if arithmetic == "ball":
            from .ball import recover_ball

            return recover_ball(
                oracle,
                most=most,
                known=heads is not None,
                detect=detect,
                seed=seed,
                limit=limit,
                bits=bits,
                target=target,
                workers=workers,
            )
        if arithmetic != "exact":
            raise InputError('an oracle with arithmetic "exact"', repr(arithmetic), where="oracle")
        if type(base) is not int or base < 2:
            raise InputError("an integer base b >= 2", repr(base), where="oracle.base")
        task = Task(base, most, heads is not None, detect)
        return recover_exact(oracle, task, seed=seed, limit=limit, workers=workers)


def _count(heads: int | None, bound: int | None, detect: bool) -> int:
    given = [value for value in (heads, bound) if value is not None]
    if len(given) != 1:
        raise InputError("either heads or bound", "both" if given else "neither")
    least = 0 if bound is None else 1
    if type(given[0]) is not int or not least <= given[0] <= MOST:
        raise InputError(
            f"a number of heads from {least} to {MOST:,}",
            repr(given[0]),
            where="heads" if bound is None else "bound",
        )
    if detect and heads is not None:
        raise InputError("detect together with a bound", "a known number of heads")
    return given[0]
