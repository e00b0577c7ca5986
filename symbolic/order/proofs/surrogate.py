"""G2, order.surrogate: the flow descends the loss and conserves a a^T - b b^T.

With a, b of shape (H, K) and R = T - a^T b the flow da/dt = b R^T, db/dt = a R is minus the
gradient of |R|_F^2 / 2. T is any matrix: the diagonal one of the claim is an instance. Time
derivatives enter by the product rule, written out.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Rational, Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq

CLAIM = "order.surrogate"

_H = size("H")
_K = size("K")
_h, _g, _i, _j, _k = (index(name) for name in "hgijk")
_a, _b, _R, _T, _u = (family(name) for name in "abRTu")
_MEANING = {
    "H": "the number of heads",
    "K": "the number of modes",
    "a": "a(h, j): how much head h looks at mode j",
    "b": "b(h, k): what head h writes of mode k",
    "R": "R(j, k): the residual, target minus a^T b",
    "T": "T(j, k): the target",
}


def _heads(letter: Any) -> tuple[Any, Any, Any]:
    return (letter, 1, _H)


def _modes(letter: Any) -> tuple[Any, Any, Any]:
    return (letter, 1, _K)


def _da(h: Any, j: Any) -> Any:
    """(b R^T)(h, j)."""
    return Sum(_b(h, _i) * _R(j, _i), _modes(_i))


def _db(h: Any, k: Any) -> Any:
    """(a R)(h, k)."""
    return Sum(_a(h, _i) * _R(_i, k), _modes(_i))


def conservation() -> Derivation:
    """For all H, K, a, b and residuals R: the time derivative of a a^T - b b^T is 0.

    Conclusion: ``conserved``: for heads h, g the product rule gives 0.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (_H, _K),
        {_h: (1, _H), _g: (1, _H), _i: (1, _K), _j: (1, _K)},
        families=(_a, _b, _R),
        meaning=_MEANING,
    )
    proof = Proof(CLAIM, "What the flow conserves", setting)
    gain = Sum(_da(_h, _j) * _a(_g, _j) + _a(_h, _j) * _da(_g, _j), _modes(_j))
    loss = Sum(_db(_h, _j) * _b(_g, _j) + _b(_h, _j) * _db(_g, _j), _modes(_j))
    same = proof.step(
        eq(gain - loss, 0),
        NORMAL_FORM,
        why="Both products are the sums of b(h,i) R(j,i) a(g,j) and a(h,j) R(j,i) b(g,i).",
    )
    row = proof.step(ForAll(eq(gain - loss, 0), _heads(_g)), GENERALISATION, same, why="Any g.")
    both = proof.step(
        ForAll(ForAll(eq(gain - loss, 0), _heads(_g)), _heads(_h)),
        GENERALISATION,
        row,
        why="Any h.",
    )
    return proof.finish(conserved=both)


def gradient() -> Derivation:
    """For all H, K, T, a, b and directions u: the flow is minus the gradient of the loss.

    With L = |T - a^T b|_F^2 / 2 and R = T - a^T b, along a + s u
    L(s) = L(0) - s <u, b R^T> + s^2 |u^T b|^2 / 2, and along b + s u
    L(s) = L(0) - s <u, a R> + s^2 |a^T u|^2 / 2. Conclusions: ``first``, ``second``, and the
    residuals after the move, ``first-residual``, ``second-residual``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    s = Symbol("s", real=True)
    setting = Setting(
        (_H, _K),
        {_h: (1, _H), _j: (1, _K), _k: (1, _K)},
        (s,),
        (_a, _b, _R, _T, _u),
        {**_MEANING, "u": "a direction in which a or b moves", "s": "how far"},
    )
    proof = Proof(CLAIM, "The flow descends the loss", setting, choose=_residual)
    over_h, over_j, over_k = _heads(_h), _modes(_j), _modes(_k)
    half, residual = Rational(1, 2), _R(_j, _k)
    meant = _T(_j, _k) - Sum(_a(_h, _j) * _b(_h, _k), over_h)
    known = proof.suppose(ForAll(ForAll(eq(residual, meant), over_k), over_j), why="What R is.")
    row = proof.step(
        ForAll(eq(residual, meant), over_k), INSTANCE, known, parameters=(_j,), why="At mode j."
    )
    entry = proof.step(eq(residual, meant), INSTANCE, row, parameters=(_k,), why="At mode k.")

    def total(term: Any) -> Any:
        return Sum(term, over_k, over_j)

    of_b = Sum(_u(_h, _j) * Sum(_b(_h, _k) * residual, over_k), over_j, over_h)
    of_a = Sum(_u(_h, _k) * Sum(_a(_h, _j) * residual, over_j), over_k, over_h)
    named = {}
    for name, moved, change, along in (
        ("first", (_a(_h, _j) + s * _u(_h, _j)) * _b(_h, _k), _u(_h, _j) * _b(_h, _k), of_b),
        ("second", _a(_h, _j) * (_b(_h, _k) + s * _u(_h, _k)), _a(_h, _j) * _u(_h, _k), of_a),
    ):
        slope = Sum(change, over_h)
        named[f"{name}_residual"] = proof.step(
            eq(_T(_j, _k) - Sum(moved, over_h), residual - s * slope),
            COMBINATION,
            entry,
            parameters=(-1,),
            why="The residual after the move.",
        )
        named[name] = proof.step(
            eq(
                half * total((residual - s * slope) ** 2),
                half * total(residual**2) - s * along + s**2 * half * total(slope**2),
            ),
            NORMAL_FORM,
            why="The square, expanded, and the sums over h, j and k exchanged.",
        )
    return proof.finish(**named)


def _residual(random: Random) -> Choice:
    """Small integer a, b and T, and the residual that they define."""
    H, K = random.randint(1, 3), random.randint(1, 3)
    a, b, T = (
        [[random.randint(-3, 3) for _ in range(K)] for _ in range(rows)] for rows in (H, H, K)
    )

    def residual(j: Any, k: Any) -> Fraction:
        j, k = int(j) - 1, int(k) - 1
        return Fraction(T[j][k] - sum(a[h][j] * b[h][k] for h in range(H)))

    def table(values: list[list[int]]) -> Any:
        return lambda i, j: Fraction(values[int(i) - 1][int(j) - 1])

    families = {"a": table(a), "b": table(b), "T": table(T), "R": residual}
    return Choice({_H: H, _K: K}, families)
