"""Dyck-(k, m) in the language of certificates, from its definition: brackets that match.

Nothing here follows the counting, the parser or the construction of `symbolic.hierarchy`: a closing
symbol is right if an opening one of its type stands before it at the same depth, with no return to
that depth between them.
"""

from __future__ import annotations

from ....symbolic.hierarchy.dyck import Dyck
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
    implies,
    length,
    number,
    sum_over,
    var,
)

WORD = "w"
"""The array of symbols."""


def depth(language: Dyck, end: Number, index: str) -> Expression:
    """d(i): opening minus closing symbols among the first i."""
    return 2 * count_over(index, end, at(WORD, var(index)) < language.types) - end


def viable(language: Dyck, end: Number) -> Condition:
    """The first ``end`` symbols begin a word of the language."""
    a, b, c = var("a"), var("b"), var("c")
    return every(
        forall("b", end, implies(at(WORD, b) < language.types, _shallow(language, b + 1))),
        forall(
            "b",
            end,
            implies(
                at(WORD, b) >= language.types,
                exists(
                    "a",
                    b,
                    every(
                        equal(at(WORD, b), at(WORD, a) + language.types),
                        equal(depth(language, b + 1, "x"), depth(language, a, "y")),
                        forall(
                            "c",
                            b - a,
                            depth(language, a + 1 + c, "x") > depth(language, a, "y"),
                        ),
                    ),
                ),
            ),
        ),
    )


def _shallow(language: Dyck, end: Number) -> Condition:
    return depth(language, end, "x") <= language.depth


def is_word(language: Dyck) -> Condition:
    """The array is a word of the language."""
    whole = length(WORD)
    return every(viable(language, whole), depth(language, whole, "x") <= 0)


def counted(language: Dyck, size: int) -> Expression:
    """How many words of a length there are, by looking at every sequence of symbols."""
    names = [f"a{i}" for i in range(size)]
    if not names:
        return number(1)
    k, alphabet = language.types, 2 * language.types

    def opens(i: int) -> Expression:
        """1 for an opening symbol, 0 for a closing one."""
        return count_over("z", 1, var(names[i]) < k)

    def level(end: int) -> Expression:
        total: Expression = number(-end)
        for i in range(end):
            total = total + 2 * opens(i)
        return total

    conditions: list[Condition] = []
    for b in range(size):
        closes = var(names[b]) >= k
        pairs = [
            every(
                equal(var(names[b]), var(names[a]) + k),
                equal(level(b + 1), level(a)),
                *(level(c) > level(a) for c in range(a + 1, b + 1)),
            )
            for a in range(b)
        ]
        matched = pairs[0] if pairs else number(0) > 0
        for pair in pairs[1:]:
            matched = matched | pair
        conditions += [level(b + 1) <= language.depth, implies(closes, matched)]
    conditions.append(level(size) <= 0)
    total = count_over(names[-1], alphabet, every(*conditions))
    for name in reversed(names[:-1]):
        total = sum_over(name, alphabet, total)
    return total
