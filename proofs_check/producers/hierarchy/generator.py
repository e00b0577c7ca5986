"""Claim F2, hierarchy.generator."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from ....symbolic.errors import HeadproofError
from ....symbolic.hierarchy.dyck import Dyck
from ....symbolic.hierarchy.generator import Generator
from ....symbolic.hierarchy.parse import parse
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    Condition,
    Expression,
    Number,
    at,
    count_over,
    equal,
    every,
    exists,
    forall,
    iff,
    implies,
    max_over,
    maximum,
    some,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.hierarchy.generator import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import searched
from ...search import search
from .words import WORD, depth, viable

FAMILIES = {
    Profile.QUICK: ((1, 2, 6), (2, 2, 4), (3, 1, 3)),
    Profile.FULL: ((1, 3, 8), (2, 2, 5), (2, 3, 5), (3, 2, 4)),
}
"""(k, m, n): every sequence of up to n symbols."""


def certified(context: Context) -> Outcome:
    """Every sequence of symbols up to a length, one certificate for each length."""
    chosen = FAMILIES.get(context.profile, FAMILIES[Profile.FULL])
    certificates: dict[str, Certificate] = {}
    sequences = 0
    for k, m, longest in chosen:
        language = Dyck(k, m)
        for n in range(1, longest + 1):
            family = Grid({WORD: Entries((n,), range(2 * k))})
            formula = generates(language, n, longest)
            certificates[f"{k}-{m}-{n}"] = exhaustive.certificate(ID, family, formula)
            sequences += family.count
    families = "; ".join(f"Dyck-({k},{m}) up to {n} symbols" for k, m, n in chosen)
    return Outcome(
        Finding.HOLDS,
        scope=families,
        certificates=certificates,
        numbers={"sequences": sequences},
    )


def generates(language: Dyck, n: int, longest: int) -> Condition:
    """After n - 1 symbols that begin a word the n-th is allowed iff all n begin one.

    The end is allowed after n symbols that begin a word iff they are one, and likewise after none.
    """
    last = at(WORD, n - 1)
    head = _Formula(language, longest)
    opening = every(last < language.types, head.opens_after(n - 1))
    closing = every(last >= language.types, head.closes_after(n - 1, last - language.types))
    step = implies(viable(language, n - 1), iff(some(opening, closing), viable(language, n)))
    ends = [n] if n > 1 else [0, n]
    whole = [
        implies(viable(language, e), iff(head.ends_after(e), equal(depth(language, e, "x"), 0)))
        for e in ends
    ]
    return every(step, *whole)


class _Formula:
    """The construction as its docstring has it (`symbolic.hierarchy.generator`)."""

    def __init__(self, language: Dyck, longest: int) -> None:
        self._k, self._m, self._N = language.types, language.depth, longest + 1

    def _step(self, j: Number, r: Number) -> Expression:
        """[d_j >= r], by two neurons on the average of layer 1."""
        opened = count_over("u", j, at(WORD, var("u")) < self._k)
        z = (2 * opened - j - r) / (j + Fraction(1))
        return maximum(self._N * z + 1, 0) - maximum(self._N * z, 0)

    def _depth(self, j: Number) -> Expression:
        return sum_over("r", self._m, self._step(j, var("r") + 1))

    def _square(self, j: Number) -> Expression:
        r = var("r")
        return sum_over("r", self._m, (2 * r + 1) * self._step(j, r + 1))

    def _opening(self, j: Expression) -> Expression:
        """[symbol j opens]; 0 at the beginning."""
        return count_over("u", 1, every(j >= 1, at(WORD, j - 1) < self._k))

    def _score(self, i: Number, j: Expression) -> Expression:
        inner = 2 * self._depth(i) * self._depth(j) - self._square(j) + self._opening(j)
        return self._N * inner + j

    def opens_after(self, i: int) -> Condition:
        """An opening symbol may follow i symbols."""
        return self._depth(i) < self._m - Fraction(1, 2)

    def closes_after(self, i: int, kind: Expression) -> Condition:
        """A closing symbol of a type may follow i symbols."""
        j, v = var("j"), var("v")
        best = max_over("v", i + 1, self._score(i, v))
        wins = equal(self._score(i, j), best)
        typed = every(j >= 1, equal(at(WORD, j - 1), kind), wins)
        share = count_over("j", i + 1, typed) / count_over("j", i + 1, wins)
        return share + self._step(i, 1) > Fraction(3, 2)

    def ends_after(self, i: int) -> Condition:
        """The word may end after i symbols."""
        return self._depth(i) < Fraction(1, 2)


def search_longer(context: Context) -> Outcome:
    """Beginnings of long words: what may follow, and where the second head looks."""

    def holds(case: tuple[Dyck, Sequence[int]]) -> bool:
        language, word = case
        return agrees(Generator(language, len(word) + 1), word)

    found = search(
        beginnings(),
        holds,
        examples=40 if context.profile is Profile.QUICK else 1000,
        seed=context.seed,
    )

    def refutation(case: tuple[Dyck, Sequence[int]]) -> dict[str, Certificate]:
        raise HeadproofError(f"the construction errs on {case}: an error of ours")

    return searched(found, "beginnings of up to 60 symbols, k <= 5, m <= 8", refutation)


def search_without_recency(context: Context) -> Outcome:
    """Without the term j the head averages brackets that were opened at the same depth."""

    def holds(case: tuple[Dyck, Sequence[int]]) -> bool:
        language, word = case
        return agrees(Generator(language, len(word) + 1, recency=False), word)

    found = search(beginnings(), holds, examples=400, seed=context.seed)

    def refutation(case: tuple[Dyck, Sequence[int]]) -> dict[str, Certificate]:
        return {"word": _not_alone(*case)}

    return searched(found, "beginnings of up to 60 symbols, k <= 5, m <= 8", refutation)


def last_opening(_: Context) -> Outcome:
    """After ( [ ] the last opening symbol is [, and what may close is (."""
    language, word = Dyck(2, 2), [0, 1, 3]
    b, c, n = var("b"), var("c"), len(word)
    # The last opening symbol: no later one opens.
    last = every(
        at(WORD, b) < 2,
        forall("c", n, implies(c > b, at(WORD, c) >= 2)),
    )
    closable = every(
        equal(depth(language, b + 1, "x"), depth(language, n, "y")),
        forall("c", n - 1 - b, depth(language, b + 2 + c, "x") >= depth(language, n, "y")),
    )
    statement = implies(
        every(viable(language, n), depth(language, n, "x") > 0),
        exists("b", n, every(last, closable)),
    )
    return Outcome(
        Finding.VIOLATED,
        scope="one word of Dyck-(2,2)",
        certificates={"word": counterexample.certificate(ID, statement, {WORD: word})},
        detail="( [ ] : the bracket to close is the first, the last opening symbol the second",
    )


def _not_alone(language: Dyck, word: Sequence[int]) -> Certificate:
    """Two opening symbols lie at the depth of the last one, and are of different types."""
    a, b, n = var("a"), var("b"), len(word)

    def level(i: Expression, index: str) -> Condition:
        return every(
            at(WORD, i) < language.types,
            equal(depth(language, i + 1, "x"), depth(language, n, "y")),
        )

    statement = implies(
        viable(language, n),
        forall(
            "a",
            n,
            forall(
                "b",
                n,
                implies(every(level(a, "x"), level(b, "x")), equal(at(WORD, a), at(WORD, b))),
            ),
        ),
    )
    return counterexample.certificate(ID, statement, {WORD: list(word)})


def agrees(generator: Generator, word: Sequence[int]) -> bool:
    """Whether the construction allows what the parser allows, and looks at the top of the stack."""
    language, k = generator.language, generator.language.types
    found, parsed = generator.after(word), parse(language, word)
    depth_now = parsed.depth[-1] if word else 0
    top = parsed.top[-1] if word else None
    allowed = {*(range(k) if depth_now < language.depth else ())}
    if top is not None:
        allowed.add(k + word[top])
    looks = top is None or found.looks_at == top + 1
    return set(found.allowed) == allowed and (found.end > 0) == (depth_now == 0) and looks


def beginnings() -> st.SearchStrategy[tuple[Dyck, tuple[int, ...]]]:
    """Languages with the beginnings of their words."""

    def build(seed: int) -> tuple[Dyck, tuple[int, ...]]:
        random = Random(seed)
        language = Dyck(random.randint(1, 5), random.randint(1, 8))
        word = language.sample(2 * random.randint(1, 30), random)
        return language, word[: random.randint(0, len(word))]

    return st.integers(min_value=0, max_value=2**32).map(build)
