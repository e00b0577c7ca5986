"""C6, identification.gradient: what a gradient step does inside the fibre, for every size.

L is the stack of a group's query weights (m rows: d for each query head of the group), R the key
weights (d rows), both with n = d_k columns. Whatever the loss, it depends on them through L R^T,
and A is its gradient with respect to that product: dL = A R and dR = A^T L. A tangent vector of the
fibre is (L X, -R X^T). All the identities are one exchange of summations.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family
from ...derivations.statement import ForAll, eq
from .factors import (
    CLAIM,
    KEYS,
    ROWS,
    A,
    L,
    R,
    S,
    X,
    a,
    b,
    c,
    d,
    d_left,
    d_right,
    drawn,
    e,
    entry,
    f,
    imbalance,
    m,
    meaning,
    n,
    ranges,
)


def _setting(title: str) -> Proof:
    setting = Setting(
        (m, d, n),
        ranges(),
        families=(A, L, R, X, S),
        meaning=meaning("m d n A L R X") | {"s": "s(1): the size of the step"},
    )
    return Proof(CLAIM, title, setting)


def orthogonal() -> Derivation:
    """For every m, d, d_k and loss: the gradient is orthogonal to every tangent vector.

    Conclusion: ``orthogonal``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _setting("The gradient and the fibre")
    inner, columns = (e, 1, n), (c, 1, n)
    inside_left = Sum(L(a, e) * X(e, c), inner)
    inside_right = -Sum(R(b, e) * X(c, e), inner)
    product = Sum(d_left(a, c) * inside_left, columns, ROWS)
    product += Sum(d_right(b, c) * inside_right, columns, KEYS)
    zero = proof.step(
        eq(product, 0), NORMAL_FORM, why="Both are the sum of A R X^T L^T, entry by entry."
    )
    return proof.finish(orthogonal=zero)


def flow() -> Derivation:
    """For every m, d, d_k and loss: gradient flow conserves L^T L - R^T R.

    Conclusion: ``flow`` (its derivative along the gradient is 0).

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _setting("Gradient flow and the imbalance")
    along = (
        Sum(L(a, e) * d_left(a, c) + d_left(a, e) * L(a, c), ROWS)
        - Sum(R(b, e) * d_right(b, c) + d_right(b, e) * R(b, c), KEYS)
    )  # fmt: skip
    zero = proof.step(
        eq(along, 0), NORMAL_FORM, why="L^T A R stands in both, and its transpose too."
    )
    return proof.finish(flow=zero)


def step() -> Derivation:
    """For every m, d, d_k and loss: a gradient step changes L^T L - R^T R in second order only.

    Conclusion: ``step`` (a step of size s adds s^2 times the same expression of the gradients).

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _setting("A gradient step and the imbalance")
    t = S(1)

    def moved(name: Any, change: Any, row: Any, column: Any) -> Any:
        return name(row, column) - t * change(row, column)

    after = Sum(
        moved(L, d_left, a, e) * moved(L, d_left, a, c), ROWS
    ) - Sum(moved(R, d_right, b, e) * moved(R, d_right, b, c), KEYS)  # fmt: skip
    second = Sum(d_left(a, e) * d_left(a, c), ROWS)
    second -= Sum(d_right(b, e) * d_right(b, c), KEYS)
    added = proof.step(
        eq(after, imbalance(e, c) + t**2 * second),
        NORMAL_FORM,
        why="Multiply out: the terms with s are those of the flow.",
    )
    return proof.finish(step=added)


def rotated() -> Derivation:
    """With any matrix T between the factors and X commuting with it: no score changes.

    l and r are the rows of L and R of one query and one key, T what stands between them (a rotation
    by their distance, say). Conclusion: ``still`` (the derivative of l T r^T along (l X, -r X^T)).

    Raises:
        DerivationFailed: a step is not decided.
    """
    left, right, between = family("l"), family("r"), family("T")
    setting = Setting(
        (n,),
        {c: (1, n), e: (1, n), f: (1, n)},
        families=(left, right, between, X),
        meaning={
            "n": "the dimension of a head, d_k",
            "l": "l(c): a row of the query weights",
            "r": "r(e): a row of the key weights",
            "T": "T(c, e): what stands between the factors",
            "X": "X(e, c): the direction, commuting with T",
        },
    )
    proof = Proof(CLAIM, "Rotations and the fibre", setting, choose=_commuting)
    over_c, over_e, over_f = ((letter, 1, n) for letter in (c, e, f))
    first = Sum(X(f, c) * between(c, e), over_c)
    second = Sum(between(f, c) * X(c, e), over_c)
    given = proof.suppose(ForAll(ForAll(eq(first, second), over_e), over_f), why="X T = T X.")
    row = proof.step(
        ForAll(eq(first, second), over_e), INSTANCE, given, parameters=(f,), why="In the row f."
    )
    weight = left(f) * right(e)
    added = eq(Sum(weight * first, over_e), Sum(weight * second, over_e))
    each = proof.step(added, TERMWISE, row, parameters=(weight,), why="Times l(f) r(e).")
    every = proof.step(ForAll(added, over_f), GENERALISATION, each, why="All rows.")
    total = proof.step(
        eq(Sum(weight * first, over_e, over_f), Sum(weight * second, over_e, over_f)),
        TERMWISE,
        every,
        why="Add up.",
    )
    query = Sum(left(f) * X(f, c), over_f)
    key = Sum(right(f) * X(e, f), over_f)
    derivative = Sum(query * between(c, e) * right(e), over_c, over_e)
    derivative -= Sum(left(c) * between(c, e) * key, over_c, over_e)
    still = proof.step(
        eq(derivative, 0),
        COMBINATION,
        total,
        parameters=(1,),
        why="The derivative is l (X T - T X) r^T.",
    )
    return proof.finish(still=still)


def _commuting(random: Random) -> Choice:
    """A matrix and a polynomial in it."""
    size_n = random.randint(1, 3)
    matrix = drawn(random, size_n, size_n)
    first, second = rational(random), rational(random)
    power = [
        [
            sum((matrix[i][k] * matrix[k][j] for k in range(size_n)), Fraction(0))
            for j in range(size_n)
        ]
        for i in range(size_n)
    ]
    commuting = [
        [first * matrix[i][j] + second * power[i][j] + (i == j) for j in range(size_n)]
        for i in range(size_n)
    ]
    return Choice({n: size_n}, {"T": entry(matrix), "X": entry(commuting)})
