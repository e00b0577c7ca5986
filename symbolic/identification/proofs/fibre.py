"""C1: what does not change the scores to first order is exactly a commutant, for all sizes.

Heads h = 1..m of one key/value group, A(h) and B with d rows and n columns, M between them. Both
directions: (A X, -B X^T) changes nothing if X commutes with M; and if (D, E) changes nothing for
M = I, full column rank makes it (A X, -B X^T), and what changes nothing for M besides makes X
commute with M. Full column rank means inverses L and C from the left, which stand here by what they
do: they take A and B off.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Integer, Matrix, Rational, Sum

from ...derivation import Derivation
from ...instance import Choice
from ...proof import Proof
from ...rules.equality import NORMAL_FORM
from ...rules.logic import GENERALISATION, INSTANCE
from ...rules.order import COMBINATION
from ...rules.summation import TERMWISE
from ...setting import Setting, family, index, size
from ...statement import ForAll, eq

CLAIM = "identification.query-key"

d, n, m = size("d"), size("n"), size("m")
i, j, a, b, c, h, u = (index(name) for name in "ijabchu")
A, B, C, D, E, F, K, L, M, X, Y = (family(name) for name in "ABCDEFKLMXY")
RANGES = {i: (1, d), j: (1, d), a: (1, n), b: (1, n), c: (1, n), h: (1, m), u: (1, n)}
OVER = {letter: (letter, *limits) for letter, limits in RANGES.items()}
MEANING = {
    "d": "the width of the residual stream (and one for a bias)",
    "n": "the dimension of a head",
    "m": "the number of query heads of the group",
    "A": "A(h, i, a): the query projections",
    "B": "B(j, a): the key projection they share",
    "M": "M(a, b): what stands between queries and keys at some distance",
    "X": "X(a, b): what is moved from one factor to the other",
    "Y": "Y(a, b): minus what is moved",
    "D": "D(h, i, a): a change of the query projections",
    "E": "E(j, a): a change of the key projection",
    "F": "F(j, a): what is left when the query projections are off",
    "K": "K(a, b): the commutator of X and M",
    "L": "L(a, h, i): a left inverse of the stacked query projections",
    "C": "C(j, a): a left inverse of the key projection, transposed",
}


def _setting(*families: Any) -> Setting:
    names = {family.__name__ for family in families} | {"d", "n", "m"}
    meaning = {name: text for name, text in MEANING.items() if name in names}
    return Setting((d, n, m), RANGES, families=families, meaning=meaning)


def invisible() -> Derivation:
    """For all d, n, m, every A, B and M, and X with X M = M X: (A X, -B X^T) changes no score.

    Conclusion: ``invisible``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = _setting(A, B, M, X)
    proof = Proof(CLAIM, "What commutes can be moved", setting, choose=_commuting)
    left = Sum(X(a, c) * M(c, b), OVER[c])
    right = Sum(M(a, c) * X(c, b), OVER[c])
    commute = proof.suppose(_all(eq(left, right), b, a), why="X commutes with M.")
    entry = _at(proof, commute, eq(left, right), a, b)
    weight = A(h, i, a) * B(j, b)
    summed = _summed(proof, entry, weight, eq(left, right), b, a)
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
    setting = _setting(A, B, C, D, E, F, L, Y)
    proof = Proof(CLAIM, "Nothing else can be moved", setting, choose=_unseen)
    unseen = proof.suppose(_all(eq(score, 0), j, i, h), why="No score of any head changes.")
    key_inverse = proof.suppose(
        _all(eq(off_key, D(h, i, a)), a, i, h), why="B has full column rank: C takes it off."
    )
    query_inverse = proof.suppose(
        _all(eq(off_query, F(j, a)), a, j), why="So have the stacked A(h): L takes them off."
    )
    is_y = proof.suppose(_all(eq(Y(c, a), overlap), a, c), why="Y = E^T C.")
    is_f = proof.suppose(_all(eq(F(j, c), rest), c, j), why="F = E - B Y^T.")

    at_score = _at(proof, unseen, eq(score, 0), h, i, j)
    summed = _summed(proof, at_score, C(j, a), eq(score, 0), j)
    y_entry = _at(proof, is_y, eq(Y(c, a), overlap), c, a)
    moved = _summed(proof, y_entry, A(h, i, c), eq(Y(c, a), overlap), c)
    apart = proof.step(
        eq(Sum(C(j, a) * score, OVER[j]), off_key + Sum(A(h, i, c) * overlap, OVER[c])),
        NORMAL_FORM,
        why="The two terms apart.",
    )
    taken_off = _at(proof, key_inverse, eq(off_key, D(h, i, a)), h, i, a)

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
    products = _summed(proof, at_b, B(j, b), changed, b)
    f_entry = _at(proof, is_f, eq(F(j, c), rest), j, c)
    rests = _summed(proof, f_entry, A(h, i, c), eq(F(j, c), rest), c)
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
    nothing = _without_queries(proof, replaced, query_inverse, off_query)
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
    setting = _setting(A, B, C, F, K, L, M, X)
    proof = Proof(CLAIM, "What is moved commutes", setting, choose=_moved)
    unseen = proof.suppose(_all(eq(change, 0), j, i, h), why="A (X M - M X) B^T = 0.")
    query_inverse = proof.suppose(
        _all(eq(off_query, F(j, a)), a, j),
        why="The stacked A(h) have full column rank: L takes them off.",
    )
    key_inverse = proof.suppose(
        _all(eq(off_key, K(a, c)), c, a), why="B has full column rank: C takes it off."
    )
    is_k = proof.suppose(_all(eq(K(a, c), turned), c, a), why="K = X M - M X.")
    is_f = proof.suppose(_all(eq(F(j, c), after), c, j), why="F = B K^T.")
    at_score = _at(proof, unseen, eq(change, 0), h, i, j)
    last = _without_queries(proof, at_score, query_inverse, off_query)
    row = proof.step(ForAll(eq(F(j, c), after), OVER[c]), INSTANCE, is_f, parameters=(j,), why="F.")
    product = Sum(K(a, b) * B(j, b), OVER[b])
    known = proof.step(eq(F(j, a), product), INSTANCE, row, parameters=(a,), why="At a.")
    half = proof.step(
        eq(product, 0), COMBINATION, last, known, parameters=(1, -1), why="A is off: K B^T = 0."
    )
    total = _summed(proof, half, C(j, c), eq(product, 0), j)
    again = proof.step(
        eq(Sum(C(j, c) * product, OVER[j]), off_key), NORMAL_FORM, why="The sum over b last."
    )
    key = _at(proof, key_inverse, eq(off_key, K(a, c)), a, c)
    name = _at(proof, is_k, eq(K(a, c), turned), a, c)
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


def _without_queries(proof: Proof, step: int, inverse: int, off_query: Any) -> int:
    """F(j, a) = 0 from sum_c A(h, i, c) F(j, c) = 0."""
    product = Sum(A(h, i, c) * F(j, c), OVER[c])
    added = _summed(proof, step, L(a, h, i), eq(product, 0), i, h)
    again = proof.step(
        eq(Sum(L(a, h, i) * product, OVER[i], OVER[h]), off_query),
        NORMAL_FORM,
        why="The sum over c last.",
    )
    last = _at(proof, inverse, eq(off_query, F(j, a)), j, a)
    return proof.step(
        eq(F(j, a), 0), COMBINATION, last, again, added, parameters=(-1, -1, 1), why="A is off."
    )


def _all(body: Any, *letters: Any) -> Any:
    """The first letter innermost."""
    for letter in letters:
        body = ForAll(body, OVER[letter])
    return body


def _at(proof: Proof, every: int, body: Any, *letters: Any) -> int:
    """Open the quantifiers, the outermost first."""
    for place, letter in enumerate(letters):
        statement = _all(body, *reversed(letters[place + 1 :]))
        every = proof.step(statement, INSTANCE, every, parameters=(letter,), why=f"At {letter}.")
    return every


def _summed(proof: Proof, step: int, weight: Any, equation: Any, *letters: Any) -> int:
    """Multiply an equation and add it up over one index after the other."""
    left, right = weight * equation.lhs, weight * equation.rhs
    step = proof.step(
        eq(left, right), COMBINATION, step, parameters=(weight,), why=f"Times {weight}."
    )
    for letter in letters:
        every = proof.step(
            ForAll(eq(left, right), OVER[letter]), GENERALISATION, step, why=f"For all {letter}."
        )
        left = Sum(left, OVER[letter])
        right = Sum(right, OVER[letter]) if right != 0 else right
        step = proof.step(eq(left, right), TERMWISE, every, why=f"Add up over {letter}.")
    return step


def _table(matrix: Any) -> Any:
    return lambda r, s: Fraction(str(matrix[int(r) - 1, int(s) - 1]))


def _heads(matrix: Any, rows: int) -> Any:
    """Of the stacked matrix: (h, i, a) -> entry."""
    return lambda k, r, s: Fraction(str(matrix[(int(k) - 1) * rows + int(r) - 1, int(s) - 1]))


def _drawn(random: Random, rows: int, columns: int) -> Any:
    return Matrix(rows, columns, lambda *_: Integer(random.randint(-3, 3)))


def _polynomial(random: Random, between: Any) -> Any:
    """Something that commutes."""
    unit = Matrix.eye(between.rows)
    return random.randint(-2, 2) * between * between + Rational(random.randint(-3, 3), 2) * unit


def _commuting(random: Random) -> Choice:
    size_n = random.randint(1, 3)
    between = _drawn(random, size_n, size_n)
    moved = _polynomial(random, between)
    return Choice({n: size_n}, {"M": _table(between), "X": _table(moved)})


def _full(random: Random) -> tuple[dict[Any, Any], dict[str, Any], Any, Any]:
    """Sizes, families with their inverses, and the factors, of full column rank."""
    while True:
        size_d, size_m = random.randint(1, 3), random.randint(1, 2)
        size_n = random.randint(1, size_d)
        queries = _drawn(random, size_m * size_d, size_n)
        key = _drawn(random, size_d, size_n)
        if queries.rank() == key.rank() == size_n:
            break
    left = _inverse(queries)
    families = {
        "A": _heads(queries, size_d),
        "B": _table(key),
        "C": _table(_inverse(key).T),
        "L": lambda s, k, r: Fraction(str(left[int(s) - 1, (int(k) - 1) * size_d + int(r) - 1])),
        "F": lambda _, __: Fraction(0),
    }
    return {d: size_d, n: size_n, m: size_m}, families, queries, key


def _inverse(matrix: Any) -> Any:
    return (matrix.T * matrix).inv() * matrix.T


def _unseen(random: Random) -> Choice:
    sizes, families, queries, key = _full(random)
    moved = _drawn(random, sizes[n], sizes[n])
    families |= {"D": _heads(queries * moved, sizes[d]), "E": _table(-key * moved.T)}
    return Choice(sizes, families | {"Y": _table(-moved)})


def _moved(random: Random) -> Choice:
    sizes, families, _, _ = _full(random)
    between = _drawn(random, sizes[n], sizes[n])
    families |= {"M": _table(between), "X": _table(_polynomial(random, between))}
    return Choice(sizes, families | {"K": lambda _, __: Fraction(0)})
