"""Ball recovery: the true softmax, answers in Arb balls, heads with certified error bounds.

The same schedule as in exact arithmetic; a pair is solved and certified by
`symbolic.interpolation.ball`, and everything after it (matching by overlap, the two linear systems)
is ball arithmetic, so that the bounds hold for every model of the class that gives such answers.
Query vectors are nearly orthonormal (products of reflections, rounded to multiples of 2^-20): the
linear systems then lose no bits. Where the precision does not decide, the same queries are asked
again at twice the precision. Under a bound the number of heads is the smallest that explains the
first pair; that it is not larger is not certified, since a residue may be tiny.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from ...symbolic.enclosures.ball import precision
from ...symbolic.errors import Degenerate, InputError, NotInClass, PrecisionExhausted
from ..protocol import Recorder
from ..workers import Workers
from .ball_attempt import SCALE, BallAttempt
from .recovery import Attempt, Recovery
from .schedule import Integers, detecting_formula, draw_fresh, draw_orthogonal, formula

DRAWINGS = 3
DOUBLINGS = 3


def starting_bits(heads: int, target: int) -> int:
    """The precision to begin with: about 20 bits a head are lost, and the proof needs 3 times that.

    Example:
        >>> starting_bits(8, 64), starting_bits(16, 64)
        (520, 1000)
    """
    return max(target + 20 * heads + 40, 60 * heads + 40)


def drawing(dimension: int, seed: int) -> tuple[tuple[Integers, ...], tuple[Integers, ...]]:
    """The x_i and w_j, times 2^20, of the first drawing for a seed.

    Example:
        >>> x, w = drawing(2, 0)
        >>> len(x), len(w)
        (2, 2)
    """
    random = Random(f"recovery {seed}")
    x, w = (draw_orthogonal(dimension, SCALE, random=random) for _ in range(2))
    return x, w


def recover_ball(
    oracle: Any,
    *,
    most: int,
    known: bool,
    detect: bool,
    seed: int,
    limit: int | None,
    bits: int | None,
    target: int,
    workers: Workers,
) -> Recovery:
    """Recover every head with certified bounds from answers in balls.

    Args:
        oracle: with `at(bits)`, the same oracle at another precision.
        most: H, or the bound H0.
        known: whether `most` is H.
        detect: whether H is read off the first pair and used from then on.
        seed: of the drawings.
        limit: the largest number of value queries over all attempts.
        bits: the precision to begin with.
        target: bits that the result must have after the point.
        workers: processes for the queries and the interpolation of a row.

    Raises:
        NotInClass: no such model; carries the query that shows it.
        PrecisionExhausted: the highest precision tried does not decide.
        LimitReached: the limit was reached first.
        InputError: an answer that is no finite ball.
    """
    if not hasattr(oracle, "at"):
        raise InputError("an oracle with at(bits), the same one at another precision", repr(oracle))
    start = bits or starting_bits(most, target)
    random = Random(f"recovery {seed}")
    log: list[Attempt] = []
    total = Recorder(oracle, limit=limit, keep=False, workers=workers)
    failure: Exception | None = None
    doubted = False
    for _ in range(DRAWINGS):
        d = oracle.dimension
        x, w = (draw_orthogonal(d, SCALE, random=random) for _ in range(2))
        fresh = draw_fresh(d, 2 * most + 1, random=random)
        for doubling in range(DOUBLINGS + 1):
            total.oracle = oracle.at(start << doubling)
            recorder = Recorder(total)
            attempt = BallAttempt(
                recorder, x, w, start << doubling, most, known, detect, target, workers
            )
            try:
                with precision(start << doubling):
                    heads, radius = attempt.run()
                    if radius > Fraction(1, 1 << target):
                        raise PrecisionExhausted(f"fewer than {target} bits are certified")
                    schedule = recorder.queries
                    attempt.verify(fresh)
            except PrecisionExhausted as reason:
                log.append(Attempt(recorder.queries, f"at {start << doubling} bits: {reason}"))
                failure = reason
                continue
            except Degenerate as reason:
                log.append(Attempt(recorder.queries, str(reason)))
                failure = reason
                break
            except NotInClass as reason:
                # The number of heads that was read off may be wrong: once is not enough.
                if known or doubted:
                    raise
                doubted = True
                log.append(Attempt(recorder.queries, str(reason)))
                failure = reason
                break
            asked, fresh_asked = recorder.asked[:schedule], recorder.asked[schedule:]
            count = detecting_formula(d, most, len(heads)) if detect else formula(d, most)
            return Recovery(
                heads=heads,
                queries=schedule,
                longest=max(len(query) for query, _ in asked),
                formula=count,
                attempts=(*log, Attempt(recorder.queries, "")),
                fresh_queries=len(fresh_asked),
                fresh_longest=max(len(query) for query, _ in fresh_asked),
                verified=True,
                arithmetic="ball",
                base="e",
                dimension=d,
                most=most,
                detected=detect,
                radius=radius,
                bits=start << doubling,
                asked=tuple(asked),
                fresh=tuple(fresh_asked),
            )
    raise PrecisionExhausted(
        f"{len(log)} attempts with up to {start << DOUBLINGS} bits gave no certified model, the "
        f"last one because {failure}; raise bits=, or the oracle has fewer or more than {most} "
        "heads or is none of attention"
    )
