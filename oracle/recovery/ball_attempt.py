"""One drawing of ball recovery at one precision: pairs, matching by overlap, linear systems."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb, arb_mat, fmpz_mat

from ...symbolic.errors import Degenerate, NotInClass, PrecisionExhausted
from ...symbolic.interpolation.ball import Poles, interpolate
from ...symbolic.interpolation.refutation import refuted
from ..ball import BallModel
from ..model import Head
from ..protocol import Query, Recorder, copies, shown
from .matching import match_overlapping
from .schedule import Integers, add

SCALE = 1 << 20
"""Query vectors are integers over this."""


class BallAttempt:
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
        try:
            poles = interpolate(answers[: 2 * self._heads], zero, bits=self._bits)
        except PrecisionExhausted:
            if self._known:
                self._refuse(answers, zero)
            raise
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
        self._refuse(answers, zero)
        raise PrecisionExhausted(f"no number of poles up to {self._most} explains the first pair")

    def _refuse(self, answers: Sequence[arb], zero: arb) -> None:
        """Raise NotInClass if the answers of a pair rule every model out."""
        if refuted(answers, zero, bits=self._bits):
            query, answer = self._ask.asked[-1]
            raise NotInClass(
                f"no model with at most {self._most} heads: the answers to 0..{len(answers)} "
                f"copies, the last to {shown(query)}, belong to no fraction with at most "
                f"{self._most} poles, all negative",
                query=query,
                answer=answer,
            )

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
