"""C7, identification.rebalancing: the projected step and the moved factors, for every size.

L (m rows) and R (d rows) are factors with n = d_k columns, as in `gradient`. The projection of a
step (S, T) on the fibre's tangent is the (L X, -R X^T) whose X solves the normal equation
L^T L X + X R^T R = L^T S - T^T R; what is left is orthogonal to every tangent vector. And factors
P = L g, Q with R = Q g^T have the product of L and R.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq
from .factors import drawn, entry

CLAIM = "identification.rebalancing"

_M, _D, _N = size("m"), size("d"), size("n")
_a, _b, _c, _e, _f = (index(name) for name in ("a", "b", "c", "e", "f"))
_L, _R, _X, _Y, _S, _T, _G, _LEFT, _RIGHT = (
    family(name) for name in ("L", "R", "X", "Y", "S", "T", "g", "P", "Q")
)
_ROWS, _KEYS = (_a, 1, _M), (_b, 1, _D)


def projection() -> Derivation:
    """For every m, d and d_k: a step less its projection has no part inside the fibre.

    Conclusion: ``orthogonal``, to the tangent vector of every Y.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (_M, _D, _N),
        {_a: (1, _M), _b: (1, _D), _c: (1, _N), _e: (1, _N), _f: (1, _N)},
        families=(_L, _R, _X, _Y, _S, _T),
        meaning={
            "m": "the rows of L",
            "d": "the rows of R",
            "n": "the dimension of a head, d_k",
            "L": "the query weights of the group",
            "R": "the key weights",
            "S": "the step of L",
            "T": "the step of R",
            "X": "the direction of the projection",
            "Y": "any direction",
        },
    )
    proof = Proof(CLAIM, "The projected step", setting, choose=_projected)
    columns, rows, inner = (_c, 1, _N), (_e, 1, _N), (_f, 1, _N)
    applied = Sum(Sum(_L(_a, _e) * _L(_a, _f), _ROWS) * _X(_f, _c), inner)
    applied += Sum(_X(_e, _f) * Sum(_R(_b, _f) * _R(_b, _c), _KEYS), inner)
    wanted = Sum(_L(_a, _e) * _S(_a, _c), _ROWS) - Sum(_T(_b, _e) * _R(_b, _c), _KEYS)
    given = proof.suppose(
        ForAll(ForAll(eq(applied, wanted), columns), rows), why="The normal equation."
    )
    row = proof.step(
        ForAll(eq(applied, wanted), columns), INSTANCE, given, parameters=(_e,), why="The row e."
    )
    weight = _Y(_e, _c)
    added = eq(Sum(weight * applied, columns), Sum(weight * wanted, columns))
    each = proof.step(added, TERMWISE, row, parameters=(weight,), why="Times Y(e, c), added up.")
    every = proof.step(ForAll(added, rows), GENERALISATION, each, why="All rows.")
    total = proof.step(
        eq(Sum(weight * applied, columns, rows), Sum(weight * wanted, columns, rows)),
        TERMWISE,
        every,
        why="Add up the rows.",
    )
    left = _S(_a, _c) - Sum(_L(_a, _f) * _X(_f, _c), inner)
    right = _T(_b, _c) + Sum(_R(_b, _f) * _X(_c, _f), inner)
    product = Sum(left * Sum(_L(_a, _e) * _Y(_e, _c), rows), columns, _ROWS)
    product -= Sum(right * Sum(_R(_b, _e) * _Y(_c, _e), rows), columns, _KEYS)
    orthogonal = proof.step(
        eq(product, 0),
        COMBINATION,
        total,
        parameters=(-1,),
        why="The inner product is that of Y with what the normal equation says is 0.",
    )
    return proof.finish(orthogonal=orthogonal)


def moved() -> Derivation:
    """For every m, d and d_k: factors moved by g have the same product.

    Conclusion: ``same``: the sum of P(a, c) Q(b, c) is that of L(a, c) R(b, c), for P = L g and
    R = Q g^T.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (_M, _D, _N),
        {_a: (1, _M), _b: (1, _D), _c: (1, _N), _e: (1, _N)},
        families=(_L, _R, _G, _LEFT, _RIGHT),
        meaning={
            "m": "the rows of L",
            "d": "the rows of R",
            "n": "the dimension of a head, d_k",
            "L": "the query weights of the group",
            "R": "the key weights",
            "g": "what is moved",
            "P": "the new query weights",
            "Q": "the new key weights",
        },
    )
    proof = Proof(CLAIM, "Moved factors", setting, choose=_moved)
    columns, inner = (_c, 1, _N), (_e, 1, _N)
    new_left = Sum(_L(_a, _e) * _G(_e, _c), inner)
    old_right = Sum(_RIGHT(_b, _c) * _G(_e, _c), columns)
    lefts = proof.suppose(
        ForAll(ForAll(eq(_LEFT(_a, _c), new_left), columns), _ROWS), why="P = L g."
    )
    rights = proof.suppose(
        ForAll(ForAll(eq(_R(_b, _e), old_right), inner), _KEYS), why="R = Q g^T."
    )
    left = proof.step(
        ForAll(eq(_LEFT(_a, _c), new_left), columns),
        INSTANCE,
        lefts,
        parameters=(_a,),
        why="At the row a.",
    )
    right = proof.step(
        ForAll(eq(_R(_b, _e), old_right), inner),
        INSTANCE,
        rights,
        parameters=(_b,),
        why="At the row b.",
    )
    weight = _RIGHT(_b, _c)
    opened = proof.step(
        eq(Sum(_LEFT(_a, _c) * weight, columns), Sum(new_left * weight, columns)),
        TERMWISE,
        left,
        parameters=(weight,),
        why="Insert P.",
    )
    closed = proof.step(
        eq(Sum(_L(_a, _e) * _R(_b, _e), inner), Sum(_L(_a, _e) * old_right, inner)),
        TERMWISE,
        right,
        parameters=(_L(_a, _e),),
        why="Insert R.",
    )
    same = proof.step(
        eq(Sum(_LEFT(_a, _c) * _RIGHT(_b, _c), columns), Sum(_L(_a, _c) * _R(_b, _c), columns)),
        COMBINATION,
        opened,
        closed,
        parameters=(1, -1),
        why="Both are L g Q^T.",
    )
    return proof.finish(same=same)


def _projected(random: Random) -> Choice:
    """L = R = I: the normal equation is 2 X = S - T^T."""
    n = random.randint(1, 2)
    step, other = drawn(random, n, n), drawn(random, n, n)
    scale = rational(random)
    eye = [[scale * (i == j) for j in range(n)] for i in range(n)]
    half = [[step[i][j] - other[j][i] for j in range(n)] for i in range(n)]
    x = [[z / (2 * scale) if scale else z for z in row] for row in half]
    return Choice(
        {_M: n, _D: n, _N: n},
        {
            "L": entry(eye),
            "R": entry(eye),
            "S": entry(step),
            "T": entry(other),
            "X": entry(x),
        },
    )


def _moved(random: Random) -> Choice:
    m, d, n = (random.randint(1, 3) for _ in range(3))
    left, right, g = drawn(random, m, n), drawn(random, d, n), drawn(random, n, n)
    new = [
        [sum((row[e] * g[e][c] for e in range(n)), Fraction(0)) for c in range(n)] for row in left
    ]
    old = [
        [sum((row[c] * g[e][c] for c in range(n)), Fraction(0)) for e in range(n)] for row in right
    ]
    return Choice(
        {_M: m, _D: d, _N: n},
        {
            "L": entry(left),
            "R": entry(old),
            "g": entry(g),
            "P": entry(new),
            "Q": entry(right),
        },
    )
