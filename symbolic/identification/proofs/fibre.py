"""C1: what does not change the scores to first order is exactly a commutant, for all sizes.

Both directions, for the heads of a `group`: (A X, -B X^T) changes nothing if X commutes with M; and
if (D, E) changes nothing for M = I, full column rank makes it (A X, -B X^T), and what changes
nothing for M besides makes X commute with M.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Matrix, Rational, Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.statement import ForAll, eq
from .group import (
    CLAIM,
    OVER,
    A,
    B,
    C,
    D,
    E,
    F,
    K,
    L,
    M,
    X,
    Y,
    a,
    at,
    b,
    c,
    d,
    drawn,
    for_all,
    full_rank,
    h,
    heads,
    i,
    j,
    n,
    setting_of,
    sum_over,
    table,
    u,
    without_queries,
)


def invisible() -> Derivation:
    """For all d, n, m, every A, B and M, and X with X M = M X: (A X, -B X^T) changes no score.

    Conclusion: ``invisible``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = setting_of(A, B, M, X)
    proof = Proof(CLAIM, "What commutes can be moved", setting, choose=_commuting)
    left = Sum(X(a, c) * M(c, b), OVER[c])
    right = Sum(M(a, c) * X(c, b), OVER[c])
    commute = proof.suppose(for_all(eq(left, right), b, a), why="X commutes with M.")
    entry = at(proof, commute, eq(left, right), a, b)
    weight = A(h, i, a) * B(j, b)
    summed = sum_over(proof, entry, weight, eq(left, right), b, a)
    query = Sum(A(h, i, c) * X(c, a), OVER[c])
    key = -Sum(B(j, c) * X(b, c), OVER[c])
    change = Sum(query * M(a, b) * B(j, b) + A(h, i, a) * M(a, b) * key, OVER[b], OVER[a])
    both = Sum(weight * left, OVER[b], OVER[a]) - Sum(weight * right, OVER[b], OVER[a])
    same = proof.step(
        eq(change, both), NORMAL_FORM, why="The change of the score, sorted by A(h, i, a) B(j, b)."
    )
    nothing = proof.step(
        eq(change, 0), COMBINATION, same, summed, parameters=(1, 1), why="Put together."
    )
    return proof.finish(invisible=nothing)


def exact() -> Derivation:
    """For all d, n, m with full column rank: what changes no score for M = I is (A X, -B X^T).

    X = -Y, Y = E^T C, is the same for all heads of the group: n^2 numbers. Conclusions:
    ``queries`` (D = A X), ``keys`` (E = -B X^T).

    Raises:
        DerivationFailed: a step is not decided.
    """
    score = Sum(D(h, i, b) * B(j, b) + A(h, i, b) * E(j, b), OVER[b])
    off_key = Sum(D(h, i, b) * Sum(B(j, b) * C(j, a), OVER[j]), OVER[b])
    off_query = Sum(Sum(L(a, h, i) * A(h, i, c), OVER[i], OVER[h]) * F(j, c), OVER[c])
    overlap = Sum(E(j, c) * C(j, a), OVER[j])
    rest = E(j, c) - Sum(B(j, b) * Y(c, b), OVER[b])
    setting = setting_of(A, B, C, D, E, F, L, Y)
    proof = Proof(CLAIM, "Nothing else can be moved", setting, choose=_unseen)
    unseen = proof.suppose(for_all(eq(score, 0), j, i, h), why="No score of any head changes.")
    key_inverse = proof.suppose(
        for_all(eq(off_key, D(h, i, a)), a, i, h), why="B has full column rank: C takes it off."
    )
    query_inverse = proof.suppose(
        for_all(eq(off_query, F(j, a)), a, j), why="So have the stacked A(h): L takes them off."
    )
    is_y = proof.suppose(for_all(eq(Y(c, a), overlap), a, c), why="Y = E^T C.")
    is_f = proof.suppose(for_all(eq(F(j, c), rest), c, j), why="F = E - B Y^T.")

    at_score = at(proof, unseen, eq(score, 0), h, i, j)
    summed = sum_over(proof, at_score, C(j, a), eq(score, 0), j)
    y_entry = at(proof, is_y, eq(Y(c, a), overlap), c, a)
    moved = sum_over(proof, y_entry, A(h, i, c), eq(Y(c, a), overlap), c)
    apart = proof.step(
        eq(Sum(C(j, a) * score, OVER[j]), off_key + Sum(A(h, i, c) * overlap, OVER[c])),
        NORMAL_FORM,
        why="The two terms apart.",
    )
    taken_off = at(proof, key_inverse, eq(off_key, D(h, i, a)), h, i, a)

    def query_change(column: Any) -> Any:
        return -Sum(A(h, i, c) * Y(c, column), OVER[c])

    queries = proof.step(
        eq(D(h, i, a), query_change(a)),
        COMBINATION,
        taken_off,
        apart,
        summed,
        moved,
        parameters=(-1, -1, 1, 1),
        why="D = A X with X = -Y.",
    )
    every = proof.step(
        ForAll(eq(D(h, i, a), query_change(a)), OVER[a]), GENERALISATION, queries, why="For all a."
    )
    changed = eq(D(h, i, b), query_change(b))
    at_b = proof.step(changed, INSTANCE, every, parameters=(b,), why="At b.")
    products = sum_over(proof, at_b, B(j, b), changed, b)
    f_entry = at(proof, is_f, eq(F(j, c), rest), j, c)
    rests = sum_over(proof, f_entry, A(h, i, c), eq(F(j, c), rest), c)
    left_over = Sum(A(h, i, c) * F(j, c), OVER[c])
    replaced = proof.step(
        eq(left_over, 0),
        COMBINATION,
        rests,
        at_score,
        products,
        parameters=(1, 1, -1),
        why="A X in place of D: A F^T = 0.",
    )
    nothing = without_queries(proof, replaced, query_inverse, off_query)
    row = proof.step(ForAll(eq(F(j, c), rest), OVER[c]), INSTANCE, is_f, parameters=(j,), why="F.")
    by_name = eq(F(j, a), E(j, a) - Sum(B(j, b) * Y(a, b), OVER[b]))
    known = proof.step(by_name, INSTANCE, row, parameters=(a,), why="At a.")
    keys = proof.step(
        eq(E(j, a), Sum(B(j, b) * Y(a, b), OVER[b])),
        COMBINATION,
        nothing,
        known,
        parameters=(1, -1),
        why="E = -B X^T with the same X.",
    )
    return proof.finish(queries=queries, keys=keys)


def commutant() -> Derivation:
    """For all d, n, m with full column rank: if (A X, -B X^T) is unseen for M, then X M = M X.

    Conclusions: ``unseen`` (what is supposed, at h, i and j), ``commutes``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    turned = Sum(X(a, u) * M(u, c) - M(a, u) * X(u, c), OVER[u])
    after = Sum(K(c, b) * B(j, b), OVER[b])
    change = Sum(A(h, i, c) * F(j, c), OVER[c])
    off_query = Sum(Sum(L(a, h, i) * A(h, i, c), OVER[i], OVER[h]) * F(j, c), OVER[c])
    off_key = Sum(K(a, b) * Sum(B(j, b) * C(j, c), OVER[j]), OVER[b])
    setting = setting_of(A, B, C, F, K, L, M, X)
    proof = Proof(CLAIM, "What is moved commutes", setting, choose=_moved)
    unseen = proof.suppose(for_all(eq(change, 0), j, i, h), why="A (X M - M X) B^T = 0.")
    query_inverse = proof.suppose(
        for_all(eq(off_query, F(j, a)), a, j),
        why="The stacked A(h) have full column rank: L takes them off.",
    )
    key_inverse = proof.suppose(
        for_all(eq(off_key, K(a, c)), c, a), why="B has full column rank: C takes it off."
    )
    is_k = proof.suppose(for_all(eq(K(a, c), turned), c, a), why="K = X M - M X.")
    is_f = proof.suppose(for_all(eq(F(j, c), after), c, j), why="F = B K^T.")
    at_score = at(proof, unseen, eq(change, 0), h, i, j)
    last = without_queries(proof, at_score, query_inverse, off_query)
    row = proof.step(ForAll(eq(F(j, c), after), OVER[c]), INSTANCE, is_f, parameters=(j,), why="F.")
    product = Sum(K(a, b) * B(j, b), OVER[b])
    known = proof.step(eq(F(j, a), product), INSTANCE, row, parameters=(a,), why="At a.")
    half = proof.step(
        eq(product, 0), COMBINATION, last, known, parameters=(1, -1), why="A is off: K B^T = 0."
    )
    total = sum_over(proof, half, C(j, c), eq(product, 0), j)
    again = proof.step(
        eq(Sum(C(j, c) * product, OVER[j]), off_key), NORMAL_FORM, why="The sum over b last."
    )
    key = at(proof, key_inverse, eq(off_key, K(a, c)), a, c)
    name = at(proof, is_k, eq(K(a, c), turned), a, c)
    commutes = proof.step(
        eq(Sum(X(a, u) * M(u, c), OVER[u]), Sum(M(a, u) * X(u, c), OVER[u])),
        COMBINATION,
        key,
        again,
        total,
        name,
        parameters=(-1, -1, 1, -1),
        why="B is off: X M = M X.",
    )
    return proof.finish(unseen=at_score, commutes=commutes)


def _polynomial(random: Random, between: Any) -> Any:
    """Something that commutes."""
    unit = Matrix.eye(between.rows)
    return random.randint(-2, 2) * between * between + Rational(random.randint(-3, 3), 2) * unit


def _commuting(random: Random) -> Choice:
    size_n = random.randint(1, 3)
    between = drawn(random, size_n, size_n)
    moved = _polynomial(random, between)
    return Choice({n: size_n}, {"M": table(between), "X": table(moved)})


def _unseen(random: Random) -> Choice:
    sizes, families, queries, key = full_rank(random)
    moved = drawn(random, sizes[n], sizes[n])
    families |= {"D": heads(queries * moved, sizes[d]), "E": table(-key * moved.T)}
    return Choice(sizes, families | {"Y": table(-moved)})


def _moved(random: Random) -> Choice:
    sizes, families, _, _ = full_rank(random)
    between = drawn(random, sizes[n], sizes[n])
    families |= {"M": table(between), "X": table(_polynomial(random, between))}
    return Choice(sizes, families | {"K": lambda _, __: Fraction(0)})
