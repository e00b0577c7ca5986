"""Recovery from a model in double precision: rough poles of every pair, then a global polish.

The pairs are those of the exact schedule, asked at ratio nodes. Poles that nearly coincide appear
as one; heads are named by the pole that fits their sums best, so both get the same score, which is
near enough. The polish on random short queries then brings all parameters to rounding level, with
an estimate of what is left. If it does not reach rounding level, the vectors are drawn again, at
another scale: scores must spread over some units to be told apart.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from ...symbolic.errors import Degenerate, NotInClass
from ..floats import Array
from ..model import Head
from ..protocol import Query, Recorder, shown
from .polish import Polished, evaluate, polish
from .ratios import Pencil, on_copies, pencil, ratio_nodes
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

GROSS = 1e-4
"""Relative deviation that is no rounding, of single precision neither."""


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
    allowed, best = most, np.inf
    ahead = list(reversed(SCALES))
    while ahead:
        scale = ahead.pop()
        recorder = Recorder(total, keep=False)
        attempt = _Attempt(recorder, random, scale, most, known)
        try:
            with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
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
            if not known and len(found.v) > 1:
                # Noise may have passed for a pole: the same scale again, for fewer heads.
                most = len(found.v) - 1
                ahead.append(scale)
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
            formula=count(total.dimension, len(heads)),
            attempts=(*log, Attempt(recorder.queries, "")),
            fresh_queries=len(fresh),
            fresh_longest=max(map(len, fresh)),
            verified=True,
            arithmetic="float",
            base="e",
            dimension=total.dimension,
            most=allowed,
            radius=Fraction(found.error * max(1.0, attempt.unit)),
        )
    check_single_tokens(total, random)
    number = f"{allowed} heads" if known else f"at most {allowed} heads"
    raise Degenerate(
        f"{len(log)} drawings and {total.queries:,} value queries gave no model with {number} "
        f"that reproduces the answers (the best residual is {best:.1e}): the oracle is no such "
        "model, has another number of heads, or needs another seed"
    )


def count(dimension: int, heads: int) -> int:
    """The number of queries of a drawing with H heads: 2 d^2 + 10 pairs, and those of the polish.

    Example:
        >>> count(2, 2)
        836
    """
    d = dimension
    pairs = FIRST_PAIRS + (2 * d * d - 2 if heads else 0)
    polishing = PER_PARAMETER * heads * d * (d + 1) + 8 if heads else PER_PARAMETER * d
    return (len(ratio_nodes()) + 1) * pairs + polishing


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
        self._pairs: list[tuple[Array, Array, Array]] = []
        self.unit = 1.0

    def run(self) -> Polished:
        """Rough poles of all pairs, assembled and polished; errors are in the answers' unit."""
        d = self._ask.dimension
        start = self._start()
        if start is None:
            return self._empty()
        x, w, first = start
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
        self.unit = float(np.abs(answers).max()) or 1.0
        found = polish(W, v / self.unit, queries, answers / self.unit)
        return replace(found, v=found.v * self.unit)

    def _empty(self) -> Polished:
        """The model without heads, if every answer is 0."""
        d = self._ask.dimension
        if any(self._value(query) for query in self._queries(PER_PARAMETER * d, 3)):
            raise Degenerate("no pair of vectors shows a pole")
        return Polished(np.zeros((0, d, d)), np.zeros((0, d)), 0.0, 0.0)

    def _start(self) -> tuple[Array, Array, Pencil] | None:
        """Orthogonal x and w whose first pair shows its poles best; None if none has to."""
        best: tuple[Array, Array, Pencil] | None = None
        for _ in range(FIRST_PAIRS):
            x, w = self._length * self._orthogonal(), self._length * self._orthogonal()
            found = self._pair(x[0], w[0], least=0)
            if self._known and len(found.scores) < self._most:
                continue
            clearer = best is None or (len(found.scores), found.gap) > (
                len(best[2].scores),
                best[2].gap,
            )
            if clearer and len(found.scores):
                best = (x, w, found)
        if best is None and self._known and self._most:
            raise Degenerate(f"no pair of vectors shows {self._most} poles")
        return best

    def _orthogonal(self) -> Array:
        d = self._ask.dimension
        q, r = np.linalg.qr(self._random.normal(size=(d, d)))
        return np.asarray(q * np.sign(np.diag(r)))

    def _pair(self, x: Array, w: Array, *, least: int = 1) -> Pencil:
        last, u = _token(x), _token(x + w)
        zero = self._ask((last,))
        F = np.array([self._ask((u,) * m + (last,) * n) for m, n in self._nodes])
        self._pairs.append((x, x + w, F))
        found = pencil(self._t, F, zero, self._most, known=self._known)
        if len(found.scores) < least:
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
        """Compare with every answer of the pairs, and with fresh queries of four to nine tokens.

        Raises:
            NotInClass: an answer differs by more than rounding and what the error allows.
        """
        for x, u, F in self._pairs:
            predicted, spread = on_copies(found.W, found.v, x, u, self._t)
            room = self._room(found, np.stack([x, u])) + found.error * spread
            k = int(np.abs(F - predicted).argmax())
            if abs(F[k] - predicted[k]) > room:
                m, n = self._nodes[k]
                query = (_token(u),) * m + (_token(x),) * n
                self._differ(query, float(F[k]), float(predicted[k]))
        asked: list[Query] = []
        for length in range(4, 4 + FRESH):
            (X,) = self._queries(1, length)
            value, (predicted, J) = self._value(X), evaluate(found.W, found.v, X[None])
            asked.append(tuple(map(_token, X)))
            size = len(found.W) * X.shape[1] ** 2
            spread = float(np.abs(J[0, :size]).sum() + self.unit * np.abs(J[0, size:]).sum())
            if abs(value - predicted[0]) > self._room(found, X) + found.error * spread:
                self._differ(asked[-1], value, float(predicted[0]))
        return asked

    def _room(self, found: Polished, X: Array) -> float:
        """Rounding of an answer: relative to the values, which may cancel, and to the scores."""
        values = float(np.abs(found.v @ X.T).sum(axis=0).max()) if len(found.v) else 0.0
        scores = float(np.abs(X[-1] @ found.W @ X.T).max()) if len(found.v) else 0.0
        return ROUNDING * values * (10.0 + scores)

    def _differ(self, query: Query, value: float, predicted: float) -> NoReturn:
        raise NotInClass(
            f"the model that fits all queries of three tokens predicts {predicted:.15g} for "
            f"{shown(query)}, the oracle says {value:.15g}",
            query=query,
            answer=value,
        )


def check_single_tokens(ask: Recorder, random: np.random.Generator) -> None:
    """Check what holds for every model of the class: f(a + b) = f(a) + f(b) and f(a, a) = f(a).

    Raises:
        NotInClass: it does not hold, by far more than rounding.
    """
    a, b = random.normal(size=(2, ask.dimension))
    one, two = float(ask((_token(a),))), float(ask((_token(b),)))
    for query, wanted in (((_token(a + b),), one + two), ((_token(a), _token(a)), one)):
        value = float(ask(query))
        if abs(value - wanted) > GROSS * max(abs(one), abs(two), abs(value)):
            raise NotInClass(
                f"the answer to {shown(query)} is {value:.6g}; with those to {shown((_token(a),))} "
                f"and {shown((_token(b),))}, {one:.6g} and {two:.6g}, attention gives {wanted:.6g}",
                query=query,
                answer=value,
            )


def _place(known: Array, single: Pencil, double: Pencil) -> Any:
    """For each head the pole of `single` whose sum with its known score is nearest to `double`."""
    sums = known[:, None] + single.scores[None, :]
    distance = np.abs(sums[:, :, None] - double.scores[None, None, :]).min(axis=2)
    return distance.argmin(axis=1)


def _token(x: Array) -> tuple[Any, ...]:
    return tuple(float(e) for e in x)
