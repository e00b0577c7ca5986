"""C6, identification.gradient: weight decay moves along the fibre unless the factors are balanced.

Decay pulls (L, R) towards 0. Its inner product with a tangent vector (L X, -R X^T) of the fibre is
that of X with the imbalance L^T L - R^T R, by an exchange of summations.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE, VANISHING_SUM
from ...derivations.setting import Setting
from ...derivations.statement import Equivalence, ForAll, eq, le
from .factors import (
    CLAIM,
    KEYS,
    OFF,
    ROWS,
    L,
    R,
    X,
    a,
    b,
    c,
    d,
    drawn,
    e,
    entry,
    imbalance,
    m,
    meaning,
    n,
    ranges,
)


def decay() -> Derivation:
    """For every m, d and d_k: weight decay moves along the fibre unless the factors are balanced.

    Conclusions: ``product`` (the inner product of (L, R) with a tangent vector is that of X with
    the imbalance), ``balanced`` (for X the imbalance itself it vanishes iff the factors are
    balanced, so that some tangent vector shows it if they are not).

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (m, d, n),
        ranges(),
        families=(L, R, X, OFF),
        meaning=meaning("m d n L R X D"),
    )
    proof = Proof(CLAIM, "Weight decay and the fibre", setting, choose=_balance)
    columns, inner = (c, 1, n), (e, 1, n)
    given = proof.suppose(
        ForAll(ForAll(eq(OFF(e, c), imbalance(e, c)), columns), inner),
        why="D is the imbalance.",
    )
    inside_left = Sum(L(a, e) * X(e, c), inner)
    inside_right = -Sum(R(b, e) * X(c, e), inner)
    decayed = Sum(L(a, c) * inside_left, columns, ROWS)
    decayed += Sum(R(b, c) * inside_right, columns, KEYS)
    opened = proof.step(
        eq(decayed, Sum(X(e, c) * imbalance(e, c), columns, inner)),
        NORMAL_FORM,
        why="Exchange the summations.",
    )

    def summed(weight: Any) -> int:
        """Sum weight D = sum weight (L^T L - R^T R)."""
        row = proof.step(
            ForAll(eq(OFF(e, c), imbalance(e, c)), columns),
            INSTANCE,
            given,
            parameters=(e,),
            why="In the row e.",
        )
        each = proof.step(
            eq(
                Sum(weight * OFF(e, c), columns),
                Sum(weight * imbalance(e, c), columns),
            ),
            TERMWISE,
            row,
            parameters=(weight,),
            why="Add up the row.",
        )
        every = proof.step(
            ForAll(
                eq(
                    Sum(weight * OFF(e, c), columns),
                    Sum(weight * imbalance(e, c), columns),
                ),
                inner,
            ),
            GENERALISATION,
            each,
            why="All rows.",
        )
        return proof.step(
            eq(
                Sum(weight * OFF(e, c), columns, inner),
                Sum(weight * imbalance(e, c), columns, inner),
            ),
            TERMWISE,
            every,
            why="Add up the rows.",
        )

    product = proof.step(
        eq(decayed, Sum(X(e, c) * OFF(e, c), columns, inner)),
        COMBINATION,
        opened,
        summed(X(e, c)),
        parameters=(1, -1),
        why="The imbalance is D.",
    )
    square = Sum(OFF(e, c) ** 2, columns)
    sign = proof.step(le(0, square), SIGN, why="A sum of squares.")
    signs = proof.step(ForAll(le(0, square), inner), GENERALISATION, sign, why="All rows.")
    rows = proof.step(
        Equivalence(eq(Sum(square, inner), 0), ForAll(eq(square, 0), inner)),
        VANISHING_SUM,
        signs,
        why="Nonnegative terms.",
    )
    term = proof.step(le(0, OFF(e, c) ** 2), SIGN, why="A square.")
    terms = proof.step(ForAll(le(0, OFF(e, c) ** 2), columns), GENERALISATION, term, why="All c.")
    row = proof.step(
        Equivalence(eq(square, 0), ForAll(eq(OFF(e, c) ** 2, 0), columns)),
        VANISHING_SUM,
        terms,
        why="Nonnegative terms.",
    )
    each_row = proof.step(
        Equivalence(
            ForAll(eq(square, 0), inner),
            ForAll(ForAll(eq(OFF(e, c) ** 2, 0), columns), inner),
        ),
        GENERALISATION,
        row,
        why="All rows.",
    )
    balanced = proof.step(
        Equivalence(
            eq(Sum(square, inner), 0),
            ForAll(ForAll(eq(OFF(e, c) ** 2, 0), columns), inner),
        ),
        CONSEQUENCE,
        rows,
        each_row,
        why="Put together: the inner product with X = D is the sum of the squares of D.",
    )
    return proof.finish(product=product, balanced=balanced)


def _balance(random: Random) -> Choice:
    rows, width, columns = (random.randint(1, 3) for _ in range(3))
    left, right = drawn(random, rows, columns), drawn(random, width, columns)
    balanced = [
        [
            sum((row[e] * row[c] for row in left), Fraction(0))
            - sum((row[e] * row[c] for row in right), Fraction(0))
            for c in range(columns)
        ]
        for e in range(columns)
    ]
    return Choice(
        {m: rows, d: width, n: columns}, {"L": entry(left), "R": entry(right), "D": entry(balanced)}
    )
