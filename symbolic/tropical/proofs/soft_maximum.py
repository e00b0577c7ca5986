"""A1 as a lemma inside a longer derivation: a soft maximum against the maximum, for any scores.

Derivations do not cite each other, so that each can be replayed from its hypotheses alone; what two
soft maxima in one derivation need is therefore derived once for each, by the functions here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sympy import Lambda, Sum, Symbol, exp, log

from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import EMPTY_SUM, TERMWISE, VANISHING_TERMS
from ...derivations.statement import Conjunction, Equivalence, ForAll, eq, le

TAU = Symbol("tau", positive=True)
_X, _Y = Symbol("x", real=True), Symbol("y", positive=True)
LOG = Lambda(_Y, log(_Y))


@dataclass(frozen=True)
class SoftMaximum:
    """tau log sum exp(score/tau) - max, over the first `count` keys.

    Args:
        score: the scores, as a function of an index.
        letter: the index that runs over them.
        count: how many there are.
        top: an index of the maximum.
    """

    score: Any
    letter: Any
    count: Any
    top: Any

    @property
    def every(self) -> Any:
        """The index and its range."""
        return self.letter, 1, self.count

    @property
    def sum(self) -> Any:
        """Sum exp(score/tau)."""
        return Sum(exp(self.score(self.letter) / TAU), self.every)

    @property
    def gap(self) -> Any:
        """The soft maximum minus the maximum."""
        return TAU * log(self.sum) - self.score(self.top)

    @property
    def term(self) -> Any:
        """A term after the largest is divided out: at most 1."""
        return exp((self.score(self.letter) - self.score(self.top)) / TAU)

    @property
    def maximal(self) -> Any:
        """The hypothesis that `top` is an index of the maximum."""
        return ForAll(le(self.score(self.letter), self.score(self.top)), self.every)

    @property
    def around(self) -> tuple[Any, Any, Any]:
        """The sum of all terms, of those before the largest, of those after it."""
        parts = (1, self.count), (1, self.top - 1), (self.top + 1, self.count)
        total, below, above = (Sum(self.term, (self.letter, *part)) for part in parts)
        return total, below, above


def bounds(proof: Proof, soft: SoftMaximum, top: int) -> tuple[int, int]:
    """A1 for these scores: 0 <= gap and gap <= tau log count."""
    (total, below, above), best, letter = soft.around, soft.top, soft.letter
    shift = proof.step(
        eq(soft.gap, TAU * log(total)),
        NORMAL_FORM,
        why="The largest term is pulled out of the sum.",
    )
    split = proof.step(
        eq(total, 1 + below + above), NORMAL_FORM, why="The sum is split at its largest term, 1."
    )
    low = proof.step(le(0, below), SIGN, why="Every term is positive.")
    high = proof.step(le(0, above), SIGN, why="Every term is positive.")
    one = proof.step(le(1, total), COMBINATION, split, low, high, parameters=(-1, 1, 1), why="Add.")
    log_one = proof.step(le(0, log(total)), MONOTONE, one, parameters=(LOG,), why="log increases.")
    left = proof.step(
        le(0, soft.gap), COMBINATION, log_one, shift, parameters=(TAU, -1), why="Multiply by tau."
    )
    each = proof.step(
        le(soft.score(letter), soft.score(best)),
        INSTANCE,
        top,
        parameters=(letter,),
        why="At one key.",
    )
    small = proof.step(
        le(soft.term, 1),
        MONOTONE,
        each,
        parameters=(Lambda(_X, exp((_X - soft.score(best)) / TAU)),),
        why="exp increases; exp 0 = 1.",
    )
    all_small = proof.step(
        ForAll(le(soft.term, 1), soft.every), GENERALISATION, small, why="The key was arbitrary."
    )
    count = proof.step(le(total, soft.count), TERMWISE, all_small, why="Each term is at most 1.")
    log_count = proof.step(
        le(log(total), log(soft.count)), MONOTONE, count, parameters=(LOG,), why="log increases."
    )
    right = proof.step(
        le(soft.gap, TAU * log(soft.count)),
        COMBINATION,
        log_count,
        shift,
        parameters=(TAU, 1),
        why="Multiply by tau.",
    )
    return left, right


def alone(proof: Proof, soft: SoftMaximum) -> int:
    """A1 for these scores: the gap vanishes iff there is a single one."""
    (total, below, above), best, count = soft.around, soft.top, soft.count
    one = proof.step(
        Equivalence(eq(soft.gap, 0), eq(total, 1)),
        MONOTONE,
        parameters=(Lambda(_Y, TAU * log(_Y)),),
        why="tau log is injective; log 1 = 0.",
    )
    rest = proof.step(
        Equivalence(eq(below + above, 0), Conjunction(eq(below, 0), eq(above, 0))),
        VANISHING_TERMS,
        why="The sum without its largest term is a sum of two nonnegative ones.",
    )
    ends = [
        proof.step(
            Equivalence(eq(terms, 0), eq(length, 0)),
            EMPTY_SUM,
            why="A sum of positive terms vanishes only when it has none.",
        )
        for terms, length in ((below, best - 1), (above, count - best))
    ]
    single = proof.step(
        Equivalence(eq(count - 1, 0), Conjunction(eq(best - 1, 0), eq(count - best, 0))),
        VANISHING_TERMS,
        why="Both are nonnegative.",
    )
    return proof.step(
        Equivalence(eq(soft.gap, 0), eq(count, 1)),
        CONSEQUENCE,
        one,
        rest,
        *ends,
        single,
        why="Chain the equivalences.",
    )
