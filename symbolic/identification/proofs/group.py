"""The heads of one key/value group: the letters of C1, and the steps that its derivations share.

Heads h = 1..m of one group, A(h) and B with d rows and n columns, M between them. Full column rank
means inverses L and C from the left, which stand here by what they do: they take A and B off.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Integer, Matrix, Sum

from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq

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


def setting_of(*families: Any) -> Setting:
    """The setting of a derivation on some families, with what they mean."""
    names = {family.__name__ for family in families} | {"d", "n", "m"}
    meaning = {name: text for name, text in MEANING.items() if name in names}
    return Setting((d, n, m), RANGES, families=families, meaning=meaning)


def without_queries(proof: Proof, step: int, inverse: int, off_query: Any) -> int:
    """F(j, a) = 0 from sum_c A(h, i, c) F(j, c) = 0."""
    product = Sum(A(h, i, c) * F(j, c), OVER[c])
    added = sum_over(proof, step, L(a, h, i), eq(product, 0), i, h)
    again = proof.step(
        eq(Sum(L(a, h, i) * product, OVER[i], OVER[h]), off_query),
        NORMAL_FORM,
        why="The sum over c last.",
    )
    last = at(proof, inverse, eq(off_query, F(j, a)), j, a)
    return proof.step(
        eq(F(j, a), 0), COMBINATION, last, again, added, parameters=(-1, -1, 1), why="A is off."
    )


def for_all(body: Any, *letters: Any) -> Any:
    """A statement for all values of some letters, the first one quantified innermost."""
    for letter in letters:
        body = ForAll(body, OVER[letter])
    return body


def at(proof: Proof, every: int, body: Any, *letters: Any) -> int:
    """Open the quantifiers, the outermost first."""
    for place, letter in enumerate(letters):
        statement = for_all(body, *reversed(letters[place + 1 :]))
        every = proof.step(statement, INSTANCE, every, parameters=(letter,), why=f"At {letter}.")
    return every


def sum_over(proof: Proof, step: int, weight: Any, equation: Any, *letters: Any) -> int:
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


def table(matrix: Any) -> Any:
    """A matrix as a family: (r, s), counted from 1, to its entry."""
    return lambda r, s: Fraction(str(matrix[int(r) - 1, int(s) - 1]))


def heads(matrix: Any, rows: int) -> Any:
    """Of the stacked matrix: (h, i, a) -> entry."""
    return lambda k, r, s: Fraction(str(matrix[(int(k) - 1) * rows + int(r) - 1, int(s) - 1]))


def drawn(random: Random, rows: int, columns: int) -> Any:
    """Small integers."""
    return Matrix(rows, columns, lambda *_: Integer(random.randint(-3, 3)))


def full_rank(random: Random) -> tuple[dict[Any, Any], dict[str, Any], Any, Any]:
    """Sizes, families with their inverses, and the factors, of full column rank."""
    while True:
        size_d, size_m = random.randint(1, 3), random.randint(1, 2)
        size_n = random.randint(1, size_d)
        queries = drawn(random, size_m * size_d, size_n)
        key = drawn(random, size_d, size_n)
        if queries.rank() == key.rank() == size_n:
            break
    left = _inverse(queries)
    families = {
        "A": heads(queries, size_d),
        "B": table(key),
        "C": table(_inverse(key).T),
        "L": lambda s, k, r: Fraction(str(left[int(s) - 1, (int(k) - 1) * size_d + int(r) - 1])),
        "F": lambda _, __: Fraction(0),
    }
    return {d: size_d, n: size_n, m: size_m}, families, queries, key


def _inverse(matrix: Any) -> Any:
    return (matrix.T * matrix).inv() * matrix.T
