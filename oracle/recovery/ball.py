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

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

from flint import arb, arb_mat, fmpz_mat

from ...symbolic.ball import precision
from ...symbolic.errors import Degenerate, InputError, NotInClass, PrecisionExhausted
from ...symbolic.interpolation.ball import Poles, interpolate
from ..ball import BallModel
from ..model import Head
from ..protocol import Query, Recorder, copies, shown
from .matching import match_overlapping
from .recovery import Attempt, Recovery
from .schedule import Integers, add, detecting_formula, draw_fresh, draw_orthogonal, formula

SCALE = 1 << 20
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

    Raises:
        NotInClass: no such model; carries the query that shows it.
        PrecisionExhausted: the highest precision tried does not decide.
        LimitReached: the limit was reached first.
    """
    if not hasattr(oracle, "at"):
        raise InputError("an oracle with at(bits), the same one at another precision", repr(oracle))
    start = bits or starting_bits(most, target)
    random = Random(f"recovery {seed}")
    log: list[Attempt] = []
    total = Recorder(oracle, limit=limit, keep=False)
    failure: Exception | None = None
    for _ in range(DRAWINGS):
        d = oracle.dimension
        x, w = (draw_orthogonal(d, SCALE, random=random) for _ in range(2))
        fresh = draw_fresh(d, 2 * most + 1, random=random)
        for doubling in range(DOUBLINGS + 1):
            total.oracle = oracle.at(start << doubling)
            recorder = Recorder(total)
            attempt = _Attempt(recorder, x, w, start << doubling, most, known, detect)
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
        f"last one because {failure}; raise bits=, or the model has fewer or more than {most} heads"
    )


class _Attempt:
    """One drawing at one precision."""

    def __init__(
        self,
        recorder: Recorder,
        x: Sequence[Integers],
        w: Sequence[Integers],
        bits: int,
        most: int,
        known: bool,
        detect: bool,
    ) -> None:
        self._ask = recorder
        self._x, self._w = x, w
        self._bits = bits
        self._most, self._known, self._detect = most, known, detect
        self._heads = most if known else -1
        self._nodes = 2 * most
        self._tokens: dict[Integers, tuple[Fraction, ...]] = {}

    def run(self) -> tuple[tuple[Head, ...], Fraction]:
        """The heads at the midpoints, sorted, and a bound on the error of each entry."""
        x, w, d = self._x, self._w, len(self._x)
        zero = self._ask((_token(x[0]),))
        first = self._pair(x[0], w[0], zero)
        row, totals = [first], [first.total]
        for j in range(1, d):
            single = self._pair(x[0], w[j], zero)
            double = self._pair(x[0], add(w[0], w[j]), zero)
            row.append(self._matched(first, single, double))
            totals.append(single.total)
        X, Y = (arb_mat(fmpz_mat(list(rows))) / SCALE for rows in (x, w))
        Y_inverse, X_inverse = Y.inv(), X.inv()
        whole = Y_inverse * arb_mat([[t] for t in totals])
        if not (X * whole)[0, 0].overlaps(zero):
            raise NotInClass(
                f"the values of the heads sum to a functional with another value at "
                f"{shown((_token(x[0]),))} than the answer there: attention has no constant term",
                query=(_token(x[0]),),
                answer=zero,
            )
        scores = [[poles.scores for poles in row]]
        zeros = (X * whole).entries()
        for i in range(1, d):
            both = add(x[0], x[i])
            single = self._pair(x[i], w[0], zeros[i])
            double = self._pair(both, w[0], zeros[0] + zeros[i])
            start = self._matched(first, single, double, across=True)
            line = [start.scores]
            for j in range(1, d):
                single = self._pair(x[i], w[j], zeros[i])
                double = self._pair(x[i], add(w[0], w[j]), zeros[i])
                line.append(self._matched(start, single, double).scores)
            scores.append(line)
        return self._assembled(X_inverse, Y_inverse, scores, [poles.residues for poles in row])

    def _assembled(
        self,
        X_inverse: arb_mat,
        Y_inverse: arb_mat,
        scores: Sequence[Sequence[Sequence[arb]]],
        residues: Sequence[Sequence[arb]],
    ) -> tuple[tuple[Head, ...], Fraction]:
        forms, functionals, heads, radius = [], [], [], arb(0)
        for h in range(self._heads):
            L = arb_mat([[entry[h] for entry in line] for line in scores])
            forms.append(X_inverse * L * Y_inverse.transpose())
            functionals.append(Y_inverse * arb_mat([[c[h]] for c in residues]))
            for entry in (*forms[-1].entries(), *functionals[-1].entries()):
                radius = radius.max(entry.rad())
            W = [[_fraction(entry) for entry in line] for line in forms[-1].tolist()]
            v = [_fraction(entry) for entry in functionals[-1].entries()]
            heads.append(Head(tuple(map(tuple, W)), tuple(v)))
        self._model = BallModel(
            forms, [f.entries() for f in functionals], bits=self._bits, dimension=len(self._x)
        )
        return tuple(sorted(heads)), _fraction(radius.upper())

    def _pair(self, x: Integers, w: Integers, zero: arb) -> Poles:
        token = self._tokens.setdefault(x, _token(x))
        u = _token(add(x, w))
        answers = [self._ask(copies(u, m, token)) for m in range(1, self._nodes + 1)]
        if self._heads < 0:
            self._heads = self._rank(answers, zero)
            if self._detect:
                self._nodes = 2 * self._heads
        poles = interpolate(answers[: 2 * self._heads], zero, bits=self._bits)
        for m, answer in enumerate(answers, 1):
            if m > 2 * self._heads and not _predicted(poles, zero, m).overlaps(answer):
                raise Degenerate("a pair has more poles than the first one")
        return poles

    def _rank(self, answers: Sequence[arb], zero: arb) -> int:
        """The least number of poles that explains all the answers."""
        for rank in range(self._most + 1):
            try:
                poles = interpolate(answers[: 2 * rank], zero, bits=self._bits)
            except PrecisionExhausted:
                continue
            later = enumerate(answers[2 * rank :], 2 * rank + 1)
            if all(_predicted(poles, zero, m).overlaps(answer) for m, answer in later):
                return rank
        raise PrecisionExhausted(f"no number of poles up to {self._most} explains the first pair")

    def _matched(
        self, known: Poles, single: Poles, double: Poles, *, across: bool = False
    ) -> Poles:
        """The poles of a pair in the order of the heads."""
        order = match_overlapping(
            list(zip(known.scores, known.residues, strict=True)),
            list(zip(single.scores, single.residues, strict=True)),
            list(zip(double.scores, double.residues, strict=True)),
            across=across,
        )
        if order is None:
            query, answer = self._ask.asked[-1]
            raise NotInClass(
                f"the scores or values of the heads do not add up, after the query {shown(query)}",
                query=query,
                answer=answer,
            )
        return Poles(
            tuple(single.residues[a] for a in order),
            tuple(single.scores[a] for a in order),
            single.total,
        )

    def verify(self, fresh: Sequence[Query]) -> None:
        """Ask fresh queries, whose answers must meet what the model predicts.

        Raises:
            NotInClass: an answer lies outside.
            PrecisionExhausted: a prediction is too wide to test anything.
        """
        for query in fresh:
            answer, predicted = self._ask(query), self._model(query)
            if not predicted.overlaps(answer):
                raise NotInClass(
                    f"the model that fits the schedule predicts another answer to {shown(query)}",
                    query=query,
                    answer=answer,
                )
            if not predicted.rad() < 1:
                raise PrecisionExhausted("the model predicts a fresh answer too widely")


def _predicted(poles: Poles, zero: arb, m: int) -> arb:
    terms = zip(poles.residues, poles.scores, strict=True)
    return zero + m * sum((c / (m + (-L).exp()) for c, L in terms), arb(0))


def _token(integers: Integers) -> tuple[Fraction, ...]:
    return tuple(Fraction(entry, SCALE) for entry in integers)


def _fraction(ball: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in ball.mid().man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
