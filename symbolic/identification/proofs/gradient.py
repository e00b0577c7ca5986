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

from ...derivation import Derivation
from ...instance import Choice, rational
from ...proof import Proof
from ...rules.equality import NORMAL_FORM
from ...rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...rules.order import COMBINATION, SIGN
from ...rules.summation import TERMWISE, VANISHING_SUM
from ...setting import Setting, family, index, size
from ...statement import Equivalence, ForAll, eq, le

CLAIM = "identification.gradient"

_M, _D, _N = size("m"), size("d"), size("n")
_a, _b, _c, _e, _f = (index(name) for name in ("a", "b", "c", "e", "f"))
_A, _L, _R, _X, _S, _OFF = (family(name) for name in ("A", "L", "R", "X", "s", "D"))
_ROWS, _KEYS = (_a, 1, _M), (_b, 1, _D)
_MEANING = {
    "m": "the rows of L: d for each query head of the group",
    "d": "the width of the residual stream",
    "n": "the dimension of a head, d_k",
    "A": "A(a, b): the gradient of the loss with respect to L R^T",
    "L": "L(a, c): the query weights of the group, one head below the other",
    "R": "R(b, c): the key weights",
    "X": "X(e, c): the direction inside the fibre",
    "D": "D(e, c): the imbalance, L^T L - R^T R",
}


def _ranges() -> dict[Any, Any]:
    return {_a: (1, _M), _b: (1, _D), _c: (1, _N), _e: (1, _N)}


def _meaning(names: str) -> dict[str, str]:
    return {name: _MEANING[name] for name in names.split()}


def _d_left(a: Any, c: Any) -> Any:
    return Sum(_A(a, _b) * _R(_b, c), _KEYS)


def _d_right(b: Any, c: Any) -> Any:
    return Sum(_A(_a, b) * _L(_a, c), _ROWS)


def _imbalance(e: Any, c: Any) -> Any:
    return Sum(_L(_a, e) * _L(_a, c), _ROWS) - Sum(_R(_b, e) * _R(_b, c), _KEYS)


def _setting(title: str) -> Proof:
    setting = Setting(
        (_M, _D, _N),
        _ranges(),
        families=(_A, _L, _R, _X, _S),
        meaning=_meaning("m d n A L R X") | {"s": "s(1): the size of the step"},
    )
    return Proof(CLAIM, title, setting)


def orthogonal() -> Derivation:
    """For every m, d, d_k and loss: the gradient is orthogonal to every tangent vector.

    Conclusion: ``orthogonal``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _setting("The gradient and the fibre")
    inner, columns = (_e, 1, _N), (_c, 1, _N)
    inside_left = Sum(_L(_a, _e) * _X(_e, _c), inner)
    inside_right = -Sum(_R(_b, _e) * _X(_c, _e), inner)
    product = Sum(_d_left(_a, _c) * inside_left, columns, _ROWS)
    product += Sum(_d_right(_b, _c) * inside_right, columns, _KEYS)
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
        Sum(_L(_a, _e) * _d_left(_a, _c) + _d_left(_a, _e) * _L(_a, _c), _ROWS)
        - Sum(_R(_b, _e) * _d_right(_b, _c) + _d_right(_b, _e) * _R(_b, _c), _KEYS)
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
    t = _S(1)

    def moved(name: Any, change: Any, row: Any, column: Any) -> Any:
        return name(row, column) - t * change(row, column)

    after = Sum(
        moved(_L, _d_left, _a, _e) * moved(_L, _d_left, _a, _c), _ROWS
    ) - Sum(moved(_R, _d_right, _b, _e) * moved(_R, _d_right, _b, _c), _KEYS)  # fmt: skip
    second = Sum(_d_left(_a, _e) * _d_left(_a, _c), _ROWS)
    second -= Sum(_d_right(_b, _e) * _d_right(_b, _c), _KEYS)
    added = proof.step(
        eq(after, _imbalance(_e, _c) + t**2 * second),
        NORMAL_FORM,
        why="Multiply out: the terms with s are those of the flow.",
    )
    return proof.finish(step=added)


def decay() -> Derivation:
    """For every m, d and d_k: weight decay moves along the fibre unless the factors are balanced.

    Conclusions: ``product`` (the inner product of (L, R) with a tangent vector is that of X with
    the imbalance), ``balanced`` (for X the imbalance itself it vanishes iff the factors are
    balanced, so that some tangent vector shows it if they are not).

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (_M, _D, _N),
        _ranges(),
        families=(_L, _R, _X, _OFF),
        meaning=_meaning("m d n L R X D"),
    )
    proof = Proof(CLAIM, "Weight decay and the fibre", setting, choose=_balance)
    columns, inner = (_c, 1, _N), (_e, 1, _N)
    given = proof.suppose(
        ForAll(ForAll(eq(_OFF(_e, _c), _imbalance(_e, _c)), columns), inner),
        why="D is the imbalance.",
    )
    inside_left = Sum(_L(_a, _e) * _X(_e, _c), inner)
    inside_right = -Sum(_R(_b, _e) * _X(_c, _e), inner)
    decayed = Sum(_L(_a, _c) * inside_left, columns, _ROWS)
    decayed += Sum(_R(_b, _c) * inside_right, columns, _KEYS)
    opened = proof.step(
        eq(decayed, Sum(_X(_e, _c) * _imbalance(_e, _c), columns, inner)),
        NORMAL_FORM,
        why="Exchange the summations.",
    )

    def summed(weight: Any) -> int:
        """Sum weight D = sum weight (L^T L - R^T R)."""
        row = proof.step(
            ForAll(eq(_OFF(_e, _c), _imbalance(_e, _c)), columns),
            INSTANCE,
            given,
            parameters=(_e,),
            why="In the row e.",
        )
        each = proof.step(
            eq(
                Sum(weight * _OFF(_e, _c), columns),
                Sum(weight * _imbalance(_e, _c), columns),
            ),
            TERMWISE,
            row,
            parameters=(weight,),
            why="Add up the row.",
        )
        every = proof.step(
            ForAll(
                eq(
                    Sum(weight * _OFF(_e, _c), columns),
                    Sum(weight * _imbalance(_e, _c), columns),
                ),
                inner,
            ),
            GENERALISATION,
            each,
            why="All rows.",
        )
        return proof.step(
            eq(
                Sum(weight * _OFF(_e, _c), columns, inner),
                Sum(weight * _imbalance(_e, _c), columns, inner),
            ),
            TERMWISE,
            every,
            why="Add up the rows.",
        )

    product = proof.step(
        eq(decayed, Sum(_X(_e, _c) * _OFF(_e, _c), columns, inner)),
        COMBINATION,
        opened,
        summed(_X(_e, _c)),
        parameters=(1, -1),
        why="The imbalance is D.",
    )
    square = Sum(_OFF(_e, _c) ** 2, columns)
    sign = proof.step(le(0, square), SIGN, why="A sum of squares.")
    signs = proof.step(ForAll(le(0, square), inner), GENERALISATION, sign, why="All rows.")
    rows = proof.step(
        Equivalence(eq(Sum(square, inner), 0), ForAll(eq(square, 0), inner)),
        VANISHING_SUM,
        signs,
        why="Nonnegative terms.",
    )
    term = proof.step(le(0, _OFF(_e, _c) ** 2), SIGN, why="A square.")
    terms = proof.step(
        ForAll(le(0, _OFF(_e, _c) ** 2), columns), GENERALISATION, term, why="All c."
    )
    row = proof.step(
        Equivalence(eq(square, 0), ForAll(eq(_OFF(_e, _c) ** 2, 0), columns)),
        VANISHING_SUM,
        terms,
        why="Nonnegative terms.",
    )
    each_row = proof.step(
        Equivalence(
            ForAll(eq(square, 0), inner),
            ForAll(ForAll(eq(_OFF(_e, _c) ** 2, 0), columns), inner),
        ),
        GENERALISATION,
        row,
        why="All rows.",
    )
    balanced = proof.step(
        Equivalence(
            eq(Sum(square, inner), 0),
            ForAll(ForAll(eq(_OFF(_e, _c) ** 2, 0), columns), inner),
        ),
        CONSEQUENCE,
        rows,
        each_row,
        why="Put together: the inner product with X = D is the sum of the squares of D.",
    )
    return proof.finish(product=product, balanced=balanced)


def rotated() -> Derivation:
    """With any matrix T between the factors and X commuting with it: no score changes.

    l and r are the rows of L and R of one query and one key, T what stands between them (a rotation
    by their distance, say). Conclusion: ``still`` (the derivative of l T r^T along (l X, -r X^T)).

    Raises:
        DerivationFailed: a step is not decided.
    """
    left, right, between = family("l"), family("r"), family("T")
    setting = Setting(
        (_N,),
        {_c: (1, _N), _e: (1, _N), _f: (1, _N)},
        families=(left, right, between, _X),
        meaning={
            "n": "the dimension of a head, d_k",
            "l": "l(c): a row of the query weights",
            "r": "r(e): a row of the key weights",
            "T": "T(c, e): what stands between the factors",
            "X": "X(e, c): the direction, commuting with T",
        },
    )
    proof = Proof(CLAIM, "Rotations and the fibre", setting, choose=_commuting)
    c, e, f = ((letter, 1, _N) for letter in (_c, _e, _f))
    first = Sum(_X(_f, _c) * between(_c, _e), c)
    second = Sum(between(_f, _c) * _X(_c, _e), c)
    given = proof.suppose(ForAll(ForAll(eq(first, second), e), f), why="X T = T X.")
    row = proof.step(
        ForAll(eq(first, second), e), INSTANCE, given, parameters=(_f,), why="In the row f."
    )
    weight = left(_f) * right(_e)
    added = eq(Sum(weight * first, e), Sum(weight * second, e))
    each = proof.step(added, TERMWISE, row, parameters=(weight,), why="Times l(f) r(e).")
    every = proof.step(ForAll(added, f), GENERALISATION, each, why="All rows.")
    total = proof.step(
        eq(Sum(weight * first, e, f), Sum(weight * second, e, f)), TERMWISE, every, why="Add up."
    )
    query = Sum(left(_f) * _X(_f, _c), f)
    key = Sum(right(_f) * _X(_e, _f), f)
    derivative = Sum(query * between(_c, _e) * right(_e), c, e)
    derivative -= Sum(left(_c) * between(_c, _e) * key, c, e)
    still = proof.step(
        eq(derivative, 0),
        COMBINATION,
        total,
        parameters=(1,),
        why="The derivative is l (X T - T X) r^T.",
    )
    return proof.finish(still=still)


def _matrix(random: Random, rows: int, columns: int) -> list[list[Fraction]]:
    return [[rational(random) for _ in range(columns)] for _ in range(rows)]


def _entry(matrix: list[list[Fraction]]) -> Any:
    return lambda i, j: matrix[int(i) - 1][int(j) - 1]


def _balance(random: Random) -> Choice:
    m, d, n = (random.randint(1, 3) for _ in range(3))
    left, right = _matrix(random, m, n), _matrix(random, d, n)
    balanced = [
        [
            sum((row[e] * row[c] for row in left), Fraction(0))
            - sum((row[e] * row[c] for row in right), Fraction(0))
            for c in range(n)
        ]
        for e in range(n)
    ]
    return Choice(
        {_M: m, _D: d, _N: n}, {"L": _entry(left), "R": _entry(right), "D": _entry(balanced)}
    )


def _commuting(random: Random) -> Choice:
    """A matrix and a polynomial in it."""
    n = random.randint(1, 3)
    matrix = _matrix(random, n, n)
    first, second = rational(random), rational(random)
    power = [
        [sum((matrix[i][k] * matrix[k][j] for k in range(n)), Fraction(0)) for j in range(n)]
        for i in range(n)
    ]
    commuting = [
        [first * matrix[i][j] + second * power[i][j] + (i == j) for j in range(n)] for i in range(n)
    ]
    return Choice({_N: n}, {"T": _entry(matrix), "X": _entry(commuting)})
