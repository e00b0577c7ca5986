"""Partial sums of the binomial expansion of (n + 1)^H, as lemmas for A7 and A8.

S(h, k) = sum_{j=0}^{k} C(h, j) n^j is the number R(k, h, n + 1) of cells that h heads with n + 1
keys can have in R^k. The binomial coefficients enter by Pascal's rule and the powers by their
recurrence; everything else follows by induction, for symbolic h, k and n.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

from sympy import Sum

from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.induction import INDUCTION
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq, lt

n, d, e = size("n"), size("d"), size("e")
h, j, k = index("h"), index("j"), index("k")
C, m, p = family("C"), family("m"), family("p")
MEANING = {
    "n": "N - 1, one less than the keys of a head",
    "d": "a degree, at which the sum is cut off",
    "e": "how many more heads there are",
    "C": "binomial coefficients C(h, j)",
    "m": "powers m(j) = n^j = (N - 1)^j",
    "p": "powers p(h) = (n + 1)^h = N^h",
}


def partial(h: Any, k: Any) -> Any:
    """S(h, k), the expansion of (n + 1)^h up to degree k."""
    return Sum(C(h, j) * m(j), (j, 0, k))


def setting(H: Any, least: Any, *, also: dict[str, Any] | None = None) -> Setting:
    """The letters for H heads; j runs from ``least`` to H, ``also`` are abbreviations."""
    return Setting(
        (n, d, e),
        {h: (0, H), k: (0, H), j: (least, H)},
        (),
        (C, m, p),
        MEANING,
        also or {},
    )


def true_powers(random: Random) -> Choice:
    """The binomial coefficients and powers themselves, at small sizes."""
    number, first, second = random.randint(1, 4), random.randint(1, 3), random.randint(1, 3)
    return Choice(
        {n: number, d: first, e: second},
        {
            "C": lambda h, j: Fraction(comb(h, j) if 0 <= j <= h else 0),
            "m": lambda j: Fraction(number) ** j,
            "p": lambda h: Fraction(number + 1) ** h,
        },
    )


@dataclass(frozen=True)
class Facts:
    """The steps at which the facts stand.

    Attributes:
        pascal: C(h + 1, j + 1) = C(h, j) + C(h, j + 1).
        first: C(h, 0) = 1.
        vanish: C(h, h + 1) = 0.
        positive: C(h, j) > 0 for 0 <= j <= h.
        powers: m(j + 1) = n m(j).
        unit: m(0) = 1.
        binomial: S(h, h) = p(h), the binomial theorem.
        recurrence: S(h + 1, k + 1) = S(h, k + 1) + n S(h, k).
        powers_positive: m(j) > 0.
    """

    pascal: int
    first: int
    vanish: int
    positive: int
    powers: int
    unit: int
    binomial: int
    recurrence: int
    powers_positive: int


def facts(proof: Proof, H: Any) -> Facts:
    """Suppose what binomial coefficients and powers are; derive the recurrence and the theorem."""
    pascal = proof.suppose(
        ForAll(
            ForAll(eq(C(h + 1, k + 1), C(h, k) + C(h, k + 1)), (k, 0, H + 1)),
            (h, 0, H),
        ),
        why="Pascal's rule.",
    )
    first = proof.suppose(ForAll(eq(C(h, 0), 1), (h, 0, H + 1)), why="One way to choose nothing.")
    vanish = proof.suppose(
        ForAll(eq(C(h, h + 1), 0), (h, 0, H + 1)), why="No way to choose more than there are."
    )
    positive = proof.suppose(
        ForAll(ForAll(lt(0, C(h, k)), (k, 0, h)), (h, 0, H + 1)),
        why="At least one way to choose at most as many as there are.",
    )
    unit = proof.suppose(eq(m(0), 1), why="m(j) = n^j.")
    powers = proof.suppose(ForAll(eq(m(k + 1), n * m(k)), (k, 0, H + 1)), why="m(j) = n^j.")
    one = proof.suppose(eq(p(0), 1), why="p(h) = (n + 1)^h.")
    larger = proof.suppose(ForAll(eq(p(h + 1), (n + 1) * p(h)), (h, 0, H)), why="p(h) = (n + 1)^h.")

    def at(every: int, statement: Any, term: Any, why: str) -> int:
        return proof.step(statement, INSTANCE, every, parameters=(term,), why=why)

    row = at(
        pascal,
        ForAll(eq(C(h + 1, k + 1), C(h, k) + C(h, k + 1)), (k, 0, H + 1)),
        h,
        "Pascal's rule for the row h.",
    )

    def rule(k: Any) -> Any:
        return eq(partial(h + 1, k + 1), partial(h, k + 1) + n * partial(h, k))

    def pascal_at(k: Any) -> Any:
        return eq(C(h + 1, k + 1), C(h, k) + C(h, k + 1))

    start = proof.step(
        eq(
            C(h + 1, 0) * m(0) + C(h + 1, 1) * m(1),
            C(h, 0) * m(0) + C(h, 1) * m(1) + n * C(h, 0) * m(0),
        ),
        COMBINATION,
        at(row, pascal_at(0), 0, "At j = 0."),
        at(powers, eq(m(1), n * m(0)), 0, "At j = 0."),
        at(first, eq(C(h, 0), 1), h, "In the row h."),
        at(first, eq(C(h + 1, 0), 1), h + 1, "In the row h + 1."),
        parameters=(m(1), C(h, 0), -m(0), m(0)),
        why="Two terms on the left, two and one on the right.",
    )
    before = proof.assume(rule(k), why="Suppose that it holds up to degree k.")
    after = proof.step(
        rule(k + 1),
        COMBINATION,
        before,
        at(row, pascal_at(k + 1), k + 1, "At the next degree."),
        at(powers, eq(m(k + 2), n * m(k + 1)), k + 1, "At the next degree."),
        parameters=(1, m(k + 2), C(h, k + 1)),
        why="One more term on either side.",
    )
    following = proof.discharge(before, after, why="From k to k + 1.")
    every = proof.step(
        ForAll(rule(k), (k, 0, H + 1)), INDUCTION, start, following, why="Induction on the degree."
    )
    recurrence = proof.step(
        ForAll(ForAll(rule(k), (k, 0, H + 1)), (h, 0, H)),
        GENERALISATION,
        every,
        why="h was arbitrary: R(k+1, h+1, N) = R(k+1, h, N) + (N-1) R(k, h, N).",
    )

    diagonal = at(every, rule(h), h, "At k = h.")
    theorem = proof.assume(eq(partial(h, h), p(h)), why="Suppose the binomial theorem for h.")
    grown = proof.step(
        eq(partial(h + 1, h + 1), p(h + 1)),
        COMBINATION,
        diagonal,
        at(vanish, eq(C(h, h + 1), 0), h, "In the row h."),
        theorem,
        at(larger, eq(p(h + 1), (n + 1) * p(h)), h, "At h."),
        parameters=(1, m(h + 1), n + 1, -1),
        why="S(h, h + 1) has no more terms than S(h, h).",
    )
    empty = proof.step(
        eq(C(0, 0) * m(0), p(0)),
        COMBINATION,
        at(first, eq(C(0, 0), 1), 0, "In the row 0."),
        unit,
        one,
        parameters=(m(0), 1, -1),
        why="Both are 1.",
    )
    binomial = proof.step(
        ForAll(eq(partial(h, h), p(h)), (h, 0, H + 1)),
        INDUCTION,
        empty,
        proof.discharge(theorem, grown, why="From h to h + 1."),
        why="Induction on the number of heads: the binomial theorem.",
    )
    some = proof.step(lt(0, 1), SIGN, why="One is positive.")
    start = proof.step(
        lt(0, m(0)), COMBINATION, some, unit, parameters=(1, -1), why="n^0 = 1 is positive."
    )
    before = proof.assume(lt(0, m(k)), why="Suppose that n^k is positive.")
    after = proof.step(
        lt(0, m(k + 1)),
        COMBINATION,
        before,
        at(powers, eq(m(k + 1), n * m(k)), k, "At k."),
        parameters=(n, -1),
        why="Then so is n^(k + 1).",
    )
    signs = proof.step(
        ForAll(lt(0, m(k)), (k, 0, H + 1)),
        INDUCTION,
        start,
        proof.discharge(before, after, why="From k to k + 1."),
        why="Induction: powers of n are positive.",
    )
    return Facts(pascal, first, vanish, positive, powers, unit, binomial, recurrence, signs)
