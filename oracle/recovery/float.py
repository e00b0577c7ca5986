"""Recovery from a model in double precision: rough poles of every pair, then a global polish.

The pairs are those of the exact schedule, asked at ratio nodes. Poles that nearly coincide appear
as one; heads are named by the pole that fits their sums best, so both get the same score, which is
near enough. The polish on random short queries then brings all parameters to rounding level, with
an estimate of what is left. If it does not reach rounding level, the vectors are drawn again, at
another scale: scores must spread over some units to be told apart.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ...symbolic.errors import Degenerate, NotInClass
from ..floats import Array
from ..model import Head
from ..protocol import Query, Recorder, shown
from .polish import Polished, evaluate, polish
from .ratios import Pencil, pencil, ratio_nodes
from .recovery import Attempt, Recovery

SCALES = (3.0, 1.0, 9.0, 3.0, 0.3, 30.0, 2.0, 6.0)
"""Tried in this order: the product of the lengths of x and w."""

FIRST_PAIRS = 12
PER_PARAMETER = 6
ROUNDING = 1e-12
"""Relative residual below which a model counts as found."""

UNDETERMINED = 1e-6
"""Estimated error from which parameters count as undetermined: two equal heads, or v = 0."""

FRESH = 6


def recover_float(oracle: Any, *, most: int, known: bool, seed: int, limit: int | None) -> Recovery:
    """Recover every head from answers in double precision.

    Args:
        oracle: answers with floats.
        most: H, or the bound H0.
        known: whether `most` is H; else it is the rank that the clearest pair shows.
        seed: of the drawings.
        limit: the largest number of value queries in all.

    Raises:
        NotInClass: a model fits every answer of the fit and fails on a fresh query.
        Degenerate: no drawing led to a model that fits; the oracle may be no such model.
        LimitReached: the limit was reached first.
    """
    random = np.random.default_rng(abs(seed))
    total = Recorder(oracle, limit=limit, keep=False)
    log: list[Attempt] = []
    best = np.inf
    for scale in SCALES:
        recorder = Recorder(total, keep=False)
        attempt = _Attempt(recorder, random, scale, most, known)
        try:
            found = attempt.run()
        except Degenerate as reason:
            log.append(Attempt(recorder.queries, str(reason)))
            continue
        best = min(best, found.residual)
        if found.residual > ROUNDING:
            reason_text = f"the polish stopped at a residual of {found.residual:.1e}"
            log.append(Attempt(recorder.queries, reason_text))
            continue
        if found.error > UNDETERMINED:
            log.append(Attempt(recorder.queries, "the answers do not determine the parameters"))
            continue
        schedule, longest = recorder.queries, recorder.longest
        fresh = attempt.verify(found)
        heads = [
            Head(
                tuple(tuple(Fraction(float(e)) for e in row) for row in W),
                tuple(Fraction(float(e)) for e in v),
            )
            for W, v in zip(found.W, found.v, strict=True)
        ]
        return Recovery(
            heads=tuple(sorted(heads)),
            queries=schedule,
            longest=longest,
            formula=schedule,
            attempts=(*log, Attempt(recorder.queries, "")),
            fresh_queries=len(fresh),
            fresh_longest=max(map(len, fresh)),
            verified=True,
            arithmetic="float",
            base="e",
            dimension=total.dimension,
            most=most,
            radius=Fraction(found.error),
        )
    raise Degenerate(
        f"{len(log)} drawings and {total.queries:,} value queries gave no model with {most} heads "
        f"that reproduces the answers (the best residual is {best:.1e}): the oracle is no such "
        "model, has another number of heads, or needs another seed"
    )


class _Attempt:
    """One drawing."""

    def __init__(
        self, recorder: Recorder, random: np.random.Generator, scale: float, most: int, known: bool
    ) -> None:
        self._ask = recorder
        self._random = random
        self._length = float(np.sqrt(scale))
        self._most, self._known = most, known
        self._nodes = ratio_nodes()
        self._t = np.array([m / n for m, n in self._nodes])

    def run(self) -> Polished:
        """Rough poles of all pairs, assembled and polished."""
        d = self._ask.dimension
        x, w, first = self._start()
        H = len(first.scores)
        row, residues = [first.scores], [first.residues]
        for j in range(1, d):
            single, double = self._pair(x[0], w[j]), self._pair(x[0], w[0] + w[j])
            place = _place(first.scores, single, double)
            row.append(single.scores[place])
            residues.append(single.residues[place] / np.bincount(place, minlength=H)[place])
        scores = [row]
        for i in range(1, d):
            single, double = self._pair(x[i], w[0]), self._pair(x[0] + x[i], w[0])
            start = single.scores[_place(first.scores, single, double)]
            line = [start]
            for j in range(1, d):
                single, double = self._pair(x[i], w[j]), self._pair(x[i], w[0] + w[j])
                line.append(single.scores[_place(start, single, double)])
            scores.append(line)
        L = np.array(scores).transpose(2, 0, 1)  # (H, d, d)
        W = np.asarray(np.linalg.inv(x) @ L @ np.linalg.inv(w).T, dtype=np.float64)
        v = np.asarray(np.linalg.solve(w, np.array(residues)).T, dtype=np.float64)
        queries = self._queries(PER_PARAMETER * H * d * (d + 1) + 8, 3)
        answers = np.array([self._value(query) for query in queries])
        return polish(W, v, queries, answers)

    def _start(self) -> tuple[Array, Array, Pencil]:
        """Orthogonal x and w whose first pair shows its poles best."""
        best: tuple[Array, Array, Pencil] | None = None
        for _ in range(FIRST_PAIRS):
            x, w = self._length * self._orthogonal(), self._length * self._orthogonal()
            found = self._pair(x[0], w[0])
            if self._known and len(found.scores) < self._most:
                continue
            clearer = best is None or (len(found.scores), found.gap) > (
                len(best[2].scores),
                best[2].gap,
            )
            if clearer and len(found.scores):
                best = (x, w, found)
        if best is None:
            raise Degenerate(f"no pair of vectors shows {self._most} poles")
        return best

    def _orthogonal(self) -> Array:
        d = self._ask.dimension
        q, r = np.linalg.qr(self._random.normal(size=(d, d)))
        return np.asarray(q * np.sign(np.diag(r)))

    def _pair(self, x: Array, w: Array) -> Pencil:
        last, u = _token(x), _token(x + w)
        zero = self._ask((last,))
        F = np.array([self._ask((u,) * m + (last,) * n) for m, n in self._nodes])
        found = pencil(self._t, F, zero, self._most, known=self._known)
        if not len(found.scores):
            raise Degenerate("a pair shows no pole")
        return found

    def _queries(self, count: int, length: int) -> Array:
        """Random queries, half of them at twice the scale."""
        d = self._ask.dimension
        tokens: Array = self._random.normal(size=(count, length, d)) * (self._length / np.sqrt(d))
        tokens[count // 2 :] *= 2
        return tokens

    def _value(self, query: Array) -> float:
        return float(self._ask(tuple(map(_token, query))))

    def verify(self, found: Polished) -> list[Query]:
        """Compare with fresh queries of four to nine tokens.

        Raises:
            NotInClass: an answer differs by more than rounding.
        """
        asked: list[Query] = []
        for length in range(4, 4 + FRESH):
            (X,) = self._queries(1, length)
            value, predicted = self._value(X), evaluate(found.W, found.v, X[None])[0][0]
            query: Query = tuple(map(_token, X))
            asked.append(query)
            size = max(1.0, abs(value), float(np.abs(found.v).sum() * np.abs(X).max()))
            if abs(value - predicted) > 1e4 * ROUNDING * size:
                raise NotInClass(
                    f"the model that fits all queries of three tokens predicts {predicted:.15g} "
                    f"for {shown(query)}, the oracle says {value:.15g}",
                    query=query,
                    answer=value,
                )
        return asked


def _place(known: Array, single: Pencil, double: Pencil) -> Any:
    """For each head the pole of `single` whose sum with its known score is nearest to `double`."""
    sums = known[:, None] + single.scores[None, :]
    distance = np.abs(sums[:, :, None] - double.scores[None, None, :]).min(axis=2)
    return distance.argmin(axis=1)


def _token(x: Array) -> tuple[Any, ...]:
    return tuple(float(e) for e in x)
