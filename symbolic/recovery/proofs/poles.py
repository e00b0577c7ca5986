"""Rows of simple poles: the letters of E2, recovery.uniqueness, and the steps that its parts share.

Row n is sum_h C(n, h)/(t + r_h) over n poles. That it is zero, and that it vanishes at n nodes, is
said by a sum of squares: one equation instead of n.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum

from ...derivations.proof import Proof
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE, ZERO_PRODUCT
from ...derivations.rules.order import COMBINATION, RESCALING, SIGN
from ...derivations.rules.summation import TERMWISE, VANISHING_SUM
from ...derivations.setting import family, index
from ...derivations.statement import Disjunction, Equivalence, ForAll, eq, le

CLAIM = "recovery.uniqueness"

i, h = index("i"), index("h")
C = family("C")
r, t = family("r", positive=True), family("t", nonnegative=True)


def row(n: Any, i: Any) -> Any:
    """The sum of the poles of row n at node i."""
    return Sum(C(n, h) / (t(i) + r(h)), (h, 1, n))


def squares(n: Any) -> Any:
    """The statement that row n is zero."""
    return eq(Sum(C(n, h) ** 2, (h, 1, n)), 0)


def vanishing(n: Any) -> Any:
    """The statement that row n vanishes at its first n nodes."""
    return eq(Sum(row(n, i) ** 2, (i, 1, n)), 0)


def divided(proof: Proof, scaled: int, value: Any, factor: Any, apart: int) -> int:
    """From factor * value = 0 that value = 0, the factor being positive by the step `apart`."""
    both = proof.step(
        Equivalence(eq(factor * value, 0), eq(value, 0)),
        RESCALING,
        apart,
        parameters=(1 / factor,),
        why="The factor is positive.",
    )
    return proof.step(eq(value, 0), CONSEQUENCE, scaled, both, why="Divide.")


def terms(proof: Proof, total: int, term: Any, limits: tuple[Any, Any, Any]) -> int:
    """From "the squares sum to 0" that every term is 0."""
    signs = proof.step(
        ForAll(le(0, term**2), limits),
        GENERALISATION,
        proof.step(le(0, term**2), SIGN, why="A square."),
        why="The index was arbitrary.",
    )
    each = ForAll(eq(term**2, 0), limits)
    split = proof.step(
        Equivalence(eq(Sum(term**2, limits), 0), each),
        VANISHING_SUM,
        signs,
        why="Nonnegative terms.",
    )
    squared = proof.step(each, CONSEQUENCE, split, total, why="So every square is zero.")
    one = proof.step(
        eq(term**2, 0), INSTANCE, squared, parameters=(limits[0],), why="At this index."
    )
    either = proof.step(
        Disjunction(eq(term, 0), eq(term, 0)), ZERO_PRODUCT, one, why="A product of two."
    )
    zero = proof.step(eq(term, 0), CONSEQUENCE, either, why="Either way.")
    return proof.step(
        ForAll(eq(term, 0), limits), GENERALISATION, zero, why="The index was arbitrary."
    )


def squared(proof: Proof, zero: int, term: Any, limits: tuple[Any, Any, Any]) -> int:
    """From a term that is 0 at an arbitrary index that the squares sum to 0."""
    square = proof.step(eq(term**2, 0), COMBINATION, zero, parameters=(term,), why="Square.")
    every = proof.step(
        ForAll(eq(term**2, 0), limits), GENERALISATION, square, why="The index was arbitrary."
    )
    return proof.step(eq(Sum(term**2, limits), 0), TERMWISE, every, why="Sum the squares.")


def model(random: Random, count: int) -> dict[str, Any]:
    """Ascending poles and nodes, residues that are all zero or arbitrary, and the rows of C."""
    poles = _ascending(random, count, Fraction(1, 3))
    nodes = _ascending(random, count + 1, Fraction(0))
    zero = random.randint(0, 1)
    residues = [Fraction(0) if zero else Fraction(random.randint(-3, 3)) for _ in poles]

    def entry(n: int, h: int) -> Fraction:
        value = residues[h - 1] / (nodes[count] + poles[h - 1])
        for upper in range(count, n, -1):
            value *= (poles[upper - 1] - poles[h - 1]) / (nodes[upper - 1] + poles[h - 1])
        return value

    def listed(values: list[Fraction]) -> Any:
        return lambda place: values[place - 1]

    return {"C": entry, "a": listed(residues), "r": listed(poles), "t": listed(nodes)}


def _ascending(random: Random, count: int, first: Fraction) -> list[Fraction]:
    values = [first + Fraction(random.randint(0, 2), 2)]
    while len(values) < count:
        values.append(values[-1] + Fraction(random.randint(1, 4), 3))
    return values
