"""B4, ensemble.principal-angles: the projection kernel is a squared Frobenius norm.

With frames P, P', (d, d_k), both sides are sums of the same products of four coordinates: over two
coordinates of the residual stream and two columns, in either order.
"""

from __future__ import annotations

from typing import Any

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import eq, le

CLAIM = "ensemble.principal-angles"


def derivation() -> Derivation:
    """For all d, d_k and frames: tr(Pi Pi') = |P^T P'|_F^2 >= 0, with Pi = P P^T.

    Conclusions: ``kernel``, ``nonnegative``. Orthonormality is not used.

    Raises:
        DerivationFailed: a step is not decided.
    """
    d, k = size("d"), size("k")
    i, j, a, b = (index(name) for name in "ijab")
    P, Q = family("P"), family("Q")

    def projector(frame: Any) -> Any:
        return Sum(frame(i, a) * frame(j, a), (a, 1, k))

    trace = Sum(projector(P) * projector(Q), (j, 1, d), (i, 1, d))
    norm = Sum(Sum(P(i, a) * Q(i, b), (i, 1, d)) ** 2, (b, 1, k), (a, 1, k))
    setting = Setting(
        (d, k),
        {i: (1, d), j: (1, d), a: (1, k), b: (1, k)},
        families=(P, Q),
        meaning={
            "d": "the width of the residual stream",
            "k": "the dimension of a head",
            "P": "the columns of one frame",
            "Q": "the columns of the other",
        },
        abbreviations={"tr": trace, "F": norm},
    )
    proof = Proof(CLAIM, "The projection kernel", setting)
    kernel = proof.step(
        eq(trace, norm), NORMAL_FORM, why="Both are sums of P(i,a) P(j,a) Q(i,b) Q(j,b)."
    )
    square = proof.step(le(0, norm), SIGN, why="A sum of squares.")
    nonnegative = proof.step(
        le(0, trace), COMBINATION, square, kernel, parameters=(1, -1), why="The two are equal."
    )
    return proof.finish(kernel=kernel, nonnegative=nonnegative)
