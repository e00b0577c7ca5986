"""One drawing of ball recovery at one precision: pairs, matching by overlap, linear systems."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, NoReturn

from flint import arb, arb_mat, fmpz_mat

from ...symbolic.errors import Degenerate, InputError, NotInClass, PrecisionExhausted
from ...symbolic.interpolation.ball import Poles, interpolate
from ...symbolic.interpolation.refutation import refuted
from ..ball import BallModel
from ..model import Head
from ..protocol import Query, Recorder, copies, shown
from ..workers import Packed, Workers, pack, unpack
from .matching import match_overlapping
from .schedule import Integers, add

SCALE = 1 << 20
"""Query vectors are integers over this."""

PAIRS = 8
"""Pairs that are worth sending to other processes."""


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
        target: int,
        workers: Workers,
    ) -> None:
        self._ask = recorder
        self._workers = workers
        self._widest = arb(2) ** -target
        self._x, self._w = x, w
        self._bits = bits
        self._most, self._known, self._detect = most, known, detect
        self._heads = most if known else -1
        self._nodes = 2 * most
        self._tokens: dict[Integers, tuple[Fraction, ...]] = {}

    def run(self) -> tuple[tuple[Head, ...], Fraction]:
        """The heads at the midpoints, sorted, and a bound on the error of each entry."""
        x, w, d = self._x, self._w, len(self._x)
        zero = self._finite(self._ask((_token(x[0]),)))
        (first,) = self._pairs([(x[0], w[0], zero)])
        row, totals = [first], [first.total]
        later = self._pairs([(x[0], u, zero) for j in range(1, d) for u in (w[j], add(w[0], w[j]))])
        for single, double in zip(later[::2], later[1::2], strict=True):
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
            start = [(x[i], w[0], zeros[i]), (add(x[0], x[i]), w[0], zeros[0] + zeros[i])]
            ahead = [(x[i], u, zeros[i]) for j in range(1, d) for u in (w[j], add(w[0], w[j]))]
            single, double, *later = self._pairs(start + ahead)
            known = self._matched(first, single, double, across=True)
            line = [known.scores]
            for j, (single, double) in enumerate(zip(later[::2], later[1::2], strict=True), 1):
                found = self._matched(known, single, double)
                if not all(map(arb.overlaps, found.residues, row[j].residues)):
                    self._disagree("the values of a head at two attending tokens differ")
                line.append(found.scores)
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

    def _pairs(self, pairs: Sequence[tuple[Integers, Integers, arb]]) -> list[Poles]:
        """The poles of every pair (x, w), whose F(0) is given."""
        n = self._nodes
        batch = []
        for x, w, _ in pairs:
            token = self._tokens.setdefault(x, _token(x))
            u = _token(add(x, w))
            batch += [copies(u, m, token) for m in range(1, n + 1)]
        values = list(map(self._finite, self._ask.ask(batch)))
        answers = [values[i * n : (i + 1) * n] for i in range(len(pairs))]
        if self._heads < 0:
            self._heads = self._rank(answers[0], pairs[0][2], batch[-1])
            if self._detect:
                self._nodes = 2 * self._heads
        data = [
            (row[: 2 * self._heads], zero) for row, (_, _, zero) in zip(answers, pairs, strict=True)
        ]
        found = self._solved(data)
        for k, (poles, row) in enumerate(zip(found, answers, strict=True)):
            zero = pairs[k][2]
            if isinstance(poles, str):
                if self._known:
                    self._refuse(row, zero, batch[(k + 1) * n - 1])
                raise PrecisionExhausted(poles)
            for m, answer in enumerate(row, 1):
                if m > 2 * self._heads and not _predicted(poles, zero, m).overlaps(answer):
                    raise Degenerate("a pair has more poles than the first one")
        return [poles for poles in found if isinstance(poles, Poles)]

    def _solved(self, data: list[tuple[list[arb], arb]]) -> list[Poles | str]:
        """The poles of every pair, or why there are none."""
        if not self._workers.pays(len(data), least=PAIRS):
            return _interpolated(self._bits, data)
        packed = [([pack(a) for a in row], pack(zero)) for row, zero in data]
        function = partial(_interpolated_elsewhere, self._bits)
        return [
            found
            if isinstance(found, str)
            else Poles(_unpacked(found[0]), _unpacked(found[1]), unpack(found[2]))
            for found in self._workers.map(function, packed, least=PAIRS)
        ]

    def _rank(self, answers: Sequence[arb], zero: arb, last: Query) -> int:
        """The least number of poles that explains all the answers."""
        if not all(answer.rad() <= self._widest for answer in answers):
            raise PrecisionExhausted("the answers are too wide to show the number of heads")
        for rank in range(self._most + 1):
            try:
                poles = interpolate(answers[: 2 * rank], zero, bits=self._bits)
            except PrecisionExhausted:
                continue
            later = enumerate(answers[2 * rank :], 2 * rank + 1)
            if all(_predicted(poles, zero, m).overlaps(answer) for m, answer in later):
                return rank
        self._refuse(answers, zero, last)
        raise PrecisionExhausted(f"no number of poles up to {self._most} explains the first pair")

    def _refuse(self, answers: Sequence[arb], zero: arb, last: Query) -> None:
        """Raise NotInClass if the answers of a pair rule every model out."""
        if refuted(answers, zero, bits=self._bits):
            raise NotInClass(
                f"no model with at most {self._most} heads: the answers to 0..{len(answers)} "
                f"copies, the last to {shown(last)}, belong to no fraction with at most "
                f"{self._most} poles, all negative",
                query=last,
                answer=answers[-1],
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
            self._disagree("the scores or values of the heads do not add up")
        return Poles(
            tuple(single.residues[a] for a in order),
            tuple(single.scores[a] for a in order),
            single.total,
        )

    def _disagree(self, reason: str) -> NoReturn:
        query, answer = self._ask.asked[-1]
        raise NotInClass(f"{reason}, after the query {shown(query)}", query=query, answer=answer)

    def _finite(self, answer: object) -> arb:
        if isinstance(answer, arb) and answer.is_finite():
            return answer
        raise InputError(
            "a finite ball (flint.arb)",
            f"{answer!r} of type {type(answer).__name__}",
            where="answer",
        )

    def verify(self, fresh: Sequence[Query]) -> None:
        """Ask fresh queries, whose answers must meet what the model predicts.

        Raises:
            NotInClass: an answer lies outside.
            PrecisionExhausted: an answer or a prediction is too wide to test anything.
        """
        for query in fresh:
            answer, predicted = self._finite(self._ask(query)), self._model(query)
            if not predicted.overlaps(answer):
                raise NotInClass(
                    f"the model that fits the schedule predicts another answer to {shown(query)}",
                    query=query,
                    answer=answer,
                )
            if not (predicted.rad() < 1 and answer.rad() <= self._widest):
                raise PrecisionExhausted("a fresh answer, or what the model says, is too wide")


def _interpolated(bits: int, data: Sequence[tuple[list[arb], arb]]) -> list[Poles | str]:
    found: list[Poles | str] = []
    for values, zero in data:
        try:
            found.append(interpolate(values, zero, bits=bits))
        except PrecisionExhausted as reason:
            found.append(str(reason))
    return found


def _interpolated_elsewhere(bits: int, data: list[tuple[list[Packed], Packed]]) -> list[Any]:
    """The same in another process, where balls arrive and leave packed."""
    unpacked = [([unpack(a) for a in row], unpack(zero)) for row, zero in data]
    return [
        found
        if isinstance(found, str)
        else ([*map(pack, found.residues)], [*map(pack, found.scores)], pack(found.total))
        for found in _interpolated(bits, unpacked)
    ]


def _unpacked(packed: Sequence[Packed]) -> tuple[arb, ...]:
    return tuple(map(unpack, packed))


def _predicted(poles: Poles, zero: arb, m: int) -> arb:
    terms = zip(poles.residues, poles.scores, strict=True)
    return zero + m * sum((c / (m + (-L).exp()) for c, L in terms), arb(0))


def _token(integers: Integers) -> tuple[Fraction, ...]:
    return tuple(Fraction(entry, SCALE) for entry in integers)


def _fraction(ball: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in ball.mid().man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
