"""Exact recovery from an oracle with base-b softmax: heads in Q, every answer reproduced over Q.

Everything up to the heads is done modulo a 61-bit prime, where a pair costs H short polynomial
divisions and one root finding, whatever the length of its answers; scores are small integers, and
only the v_h are reconstructed as fractions. What makes the result exact is the end: the model is
replayed over Q on every query that was asked and on fresh ones, and a single difference refuses it.

The heads are named by the pairs of x_1; from there on all residues are known, so every later pair
is a check of the model class as well as a measurement.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from random import Random

from flint import fmpq, fmpz

from ...symbolic.errors import Degenerate, NotInClass
from ...symbolic.interpolation.modular import primes
from ...symbolic.rational import Vector
from ..exact import ExactOracle, Quotient, exact, short
from ..model import Head, canonical
from ..protocol import Answer, Oracle, Query, Recorder, copies, shown
from ..workers import Workers
from .assembly import assemble_forms
from .matching import Contradiction, Shifted, match_first, may_cancel
from .poles import Foreign, PoleFinder, another_prime, is_foreign
from .recovery import Doubtful, Recovery, redraw
from .schedule import Design, Integers, add, draw, draw_fresh
from .task import Task
from .values import lift_values

Pair = tuple[Integers, Integers]

SMALL_DRAWINGS = 4
"""Drawings of vectors so small that heads whose residues cancel may share their scores."""


def recover_exact(
    oracle: Oracle, task: Task, *, seed: int, limit: int | None, workers: Workers
) -> Recovery:
    """Recover every head from exact answers.

    Args:
        oracle: answers with exact rationals.
        task: the base and what is known of the number of heads.
        seed: of the drawings.
        limit: the largest number of value queries over all attempts.
        workers: processes for the replay.

    Raises:
        NotInClass: no such model; carries the query that shows it.
        Degenerate: every drawing was degenerate.
        LimitReached: the limit was reached first.
        InputError: an answer that is no exact rational.
    """
    total = Recorder(oracle, limit=limit, keep=False, workers=workers)
    random = Random(f"recovery {seed}")

    drawn: list[Recorder] = []

    def another() -> Recorder:
        drawn.append(Recorder(total))
        return drawn[-1]

    def run(number: int, recorder: Recorder) -> tuple[tuple[Head, ...], Recorder, int]:
        design = draw(total.dimension, task.most, attempt=number, random=random)
        attempt = _Attempt(recorder, task, design, number, workers)
        heads = attempt.run()
        schedule = recorder.queries
        fresh = draw_fresh(total.dimension, recorder.longest, random=random)
        # What was answered in drawings that were given up must fit as well.
        attempt.verify(heads, fresh, [pair for each in drawn[:-1] for pair in each.asked])
        return heads, recorder, schedule

    (heads, recorder, queries), attempts = redraw(run, another)
    asked, fresh = recorder.asked[:queries], recorder.asked[queries:]
    return Recovery(
        heads=heads,
        queries=queries,
        longest=max(len(query) for query, _ in asked),
        formula=task.count(total.dimension, len(heads)),
        attempts=attempts,
        fresh_queries=len(fresh),
        fresh_longest=max(len(query) for query, _ in fresh),
        verified=True,
        arithmetic="exact",
        base=task.base,
        dimension=total.dimension,
        most=task.most,
        detected=task.detect,
        asked=tuple(asked),
        fresh=tuple(fresh),
    )


class _Attempt:
    """One drawing: the pairs of x_1, then those of x_2..x_d, then the linear systems."""

    def __init__(
        self, recorder: Recorder, task: Task, design: Design, number: int, workers: Workers
    ) -> None:
        self._ask = recorder
        self._workers = workers
        self._task = task
        self._number = number
        self._x, self._w = design.x, design.w
        self._prime = another_prime(number)
        self._finder = PoleFinder(task.base, 2 * task.most, self._prime)
        self._first: list[list[fmpq]] = []
        self._residues: list[list[int]] = []

    def run(self) -> tuple[Head, ...]:
        """The heads, in canonical form.

        Raises:
            Degenerate: draw again.
            Doubtful: no model of the class answers so, if the number of heads is right.
            NotInClass: no model of the class answers so.
        """
        x1, d = self._x[0], len(self._x)
        zero = exact(self._ask((x1,)))
        row = self._first_row(zero)
        try:
            values = lift_values(self._w, row, zero, self._first, self._finder)
        except Contradiction as reason:
            raise self._doubt(str(reason)) from None
        whole = tuple(sum(column) for column in zip(*values, strict=True)) or (0,) * d
        if _value(whole, x1) != zero:
            error = NotInClass(
                f"the values of the heads sum to a functional with the value "
                f"{short(_value(whole, x1))} at {shown((x1,))}, but the answer there is "
                f"{short(zero)}: attention has no constant term",
                query=(x1,),
                answer=zero,
            )
            raise Doubtful(error) if self._task.detect else error
        residues = [[c for _, c in heads] for heads in row]
        self._residues = residues
        scores = [[[score for score, _ in heads] for heads in row]]
        for i in range(1, d):
            scores.append(self._later_row(i, scores[0], residues, whole))
        forms = assemble_forms(self._x, self._w, scores)
        if any(entry.denominator != 1 for W in forms for line in W for entry in line):
            raise self._doubt("the scores belong to no integer W")
        return canonical(Head(W, v) for W, v in zip(forms, values, strict=True))

    def _first_row(self, zero: fmpq) -> list[list[tuple[int, int]]]:
        """Score and residue of every head at (x_1, w_j), j = 1..d."""
        x1, w = self._x[0], self._w
        (start,), answers = self._observe([(x1, w[0])], [zero])
        self._first.append(answers[0])
        heads = sorted(start.items())
        if self._task.known and len(heads) < self._task.most:
            raise Degenerate(f"a pair shows {len(heads)} poles for {self._task.most} heads")
        if self._task.detect:
            self._finder = PoleFinder(self._task.base, 2 * len(heads), self._prime)
            self._first = [answers[0][: self._finder.count]]
        row = [heads]
        for j in range(1, len(w)):
            found, answers = self._observe([(x1, w[j]), (x1, add(w[0], w[j]))], [zero, zero])
            self._first.append(answers[0])
            if max(map(len, found)) > len(heads):
                raise Degenerate("the first pair shows fewer poles than a later one")
            try:
                row.append(match_first(heads, found[0], found[1], self._prime))
            except Contradiction as reason:
                raise self._doubt(str(reason)) from None
        return row

    def _later_row(
        self,
        i: int,
        first: Sequence[Sequence[int]],
        residues: Sequence[Sequence[int]],
        whole: Vector,
    ) -> list[list[int]]:
        """The score of every head at (x_i, w_j), j = 1..d."""
        x, w, P = self._x[i], self._w, self._prime
        both = add(self._x[0], x)
        zero, moved = _value(whole, x), _value(whole, both)
        (single, double), _ = self._observe([(x, w[0]), (both, w[0])], [zero, moved])
        start = self._assign(single, double, first[0], residues[0], residues[0])
        clash = len(set(start)) < len(start)
        pairs: list[Pair] = []
        zeros: list[fmpq] = []
        across = [False]
        for j in range(1, len(w)):
            # Heads that (x_i, w_1) does not tell apart are told apart by x_1.
            across.append(clash and _indistinct(start, residues[j]))
            pairs += [(x, w[j]), (both, w[j]) if across[j] else (x, add(w[0], w[j]))]
            zeros += [zero, moved if across[j] else zero]
        found, _ = self._observe(pairs, zeros)
        row = [start]
        for j in range(1, len(w)):
            single, double = found[2 * j - 2 : 2 * j]
            c = residues[j]
            if across[j]:
                row.append(self._assign(single, double, first[j], c, c))
            else:
                later = [(a + b) % P for a, b in zip(c, residues[0], strict=True)]
                row.append(self._assign(single, double, start, c, later))
        return row

    def _assign(
        self,
        single: dict[int, int],
        double: dict[int, int],
        shifts: Sequence[int],
        residues: Sequence[int],
        moved: Sequence[int],
    ) -> list[int]:
        try:
            return Shifted(single, double, shifts, residues, moved, self._prime).assign()
        except Contradiction as reason:
            raise self._doubt(str(reason)) from None

    def _observe(
        self, pairs: Sequence[Pair], zeros: Sequence[fmpq]
    ) -> tuple[list[dict[int, int]], list[list[fmpq]]]:
        """Ask the pairs; their poles, and their answers to 1..n copies."""
        n = self._finder.count
        batch = [copies(u, m, x) for x, w in pairs for u in (add(x, w),) for m in range(1, n + 1)]
        values = list(map(exact, self._ask.ask(batch)))
        answers = [values[i * n : (i + 1) * n] for i in range(len(pairs))]
        try:
            return self._finder.find(zeros, answers), answers
        except Foreign as foreign:
            k = foreign.pair
        other = next(primes(self._prime))
        if not is_foreign(self._task.base, zeros[k], answers[k], prime=other):
            raise Degenerate("the prime is unlucky for a pair: draw again")
        x, u = pairs[k][0], add(*pairs[k])
        error = NotInClass(
            f"no model with at most {n // 2} heads and base-{self._task.base} softmax: the "
            f"answers to 0..{n} copies of {shown((u,))} before {shown((x,))} belong to no "
            f"fraction with at most {n // 2} poles at powers of the base; the one to {n} copies "
            f"is {short(answers[k][-1])}",
            query=copies(u, n, x),
            answer=answers[k][-1],
        )
        raise Doubtful(error) if self._task.detect and self._first else error

    def verify(
        self,
        heads: tuple[Head, ...],
        fresh: Sequence[Query],
        earlier: Sequence[tuple[Query, Answer]],
    ) -> None:
        """Ask fresh queries, then replay every answer over Q, those of earlier drawings too.

        Raises:
            NotInClass: the model gives another answer to a query.
            Doubtful: it does, and the number of heads was read off.
            Degenerate: it does, and the drawing may have hidden heads.
        """
        model = ExactOracle(heads, base=self._task.base, dimension=len(self._x))
        for query in fresh:
            self._ask(query)
        asked = [(query, exact(answer)) for query, answer in (*self._ask.asked, *earlier)]
        if self._workers.pays(len(asked)):
            parts = [(query, int(value.p), int(value.q)) for query, value in asked]
            agreed = self._workers.map(partial(_agree, model), parts)
        else:
            agreed = [model.agrees(query, value) for query, value in asked]
        for (query, value), right in zip(asked, agreed, strict=True):
            if not right:
                raise self._no_model(
                    f"the only model with {len(heads)} heads that fits the schedule gives "
                    f"{short(model(query))} to {shown(query)}, the oracle {short(value)}",
                    query,
                    value,
                )

    def _doubt(self, reason: str) -> Exception:
        query, answer = self._ask.asked[-1]
        return self._no_model(
            f"no model of the class gives the answers so far: {reason}; the last query was "
            f"{shown(query)}, its answer {short(exact(answer))}",
            query,
            exact(answer),
        )

    def _no_model(self, message: str, query: Query, answer: fmpq) -> Exception:
        """No model of the class answers so, unless heads were overlooked."""
        if self._number < SMALL_DRAWINGS and self._may_hide():
            return Degenerate("heads with one score may have hidden each other")
        error = NotInClass(message, query=query, answer=answer)
        return error if self._task.known else Doubtful(error)

    def _may_hide(self) -> bool:
        """Whether at some w the residues of heads with one score could cancel."""
        first = self._residues[:1]
        both = [[a + b for a, b in zip(first[0], c, strict=True)] for c in self._residues[1:]]
        return any(may_cancel(each, self._prime) for each in (*self._residues, *both))


def _agree(model: ExactOracle, asked: list[tuple[Query, int, int]]) -> list[bool]:
    """For every query and answer p/q, whether the model gives it, in another process."""
    return [model.agrees(query, Quotient(fmpz(p), fmpz(q))) for query, p, q in asked]


def _value(functional: Vector, x: Integers) -> fmpq:
    return exact(sum(Fraction(a) * b for a, b in zip(functional, x, strict=True)))


def _indistinct(scores: Sequence[int], residues: Sequence[int]) -> bool:
    """Whether two heads with one score have one residue too, all of them visible."""
    named = set(zip(scores, residues, strict=True))
    return len(named) < len(scores) and all(residues)
