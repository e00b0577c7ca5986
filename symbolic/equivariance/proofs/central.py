"""T1b, equivariance.strata: rho(g) = -I fixes every W, so no orbit of heads is free."""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.order import COMBINATION
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import eq

CLAIM = "equivariance.strata"


def derivation() -> Derivation:
    """For all d and e with e^2 = 1: (e x)^T W (e y) = x^T W y.

    Conclusion: ``fixed``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    d, a, b = size("d"), index("a"), index("b")
    x, y, W = family("x"), family("y"), family("W")
    e = Symbol("e", real=True)

    def score(sign: Any) -> Any:
        return Sum(sign * x(a) * W(a, b) * (sign * y(b)), (a, 1, d), (b, 1, d))

    setting = Setting(
        (d,),
        {a: (1, d), b: (1, d)},
        (e,),
        (x, y, W),
        {
            "d": "the dimension of the tokens",
            "e": "rho(g) = e I",
            "x": "the token that attends",
            "y": "the token that it attends to",
            "W": "the form of a head",
        },
    )
    proof = Proof(CLAIM, "Plus or minus the identity fixes every form", setting, choose=_choose)
    sign = proof.suppose(eq(e**2, 1), why="e is 1 or -1.")
    out = proof.step(eq(score(e), e**2 * score(1)), NORMAL_FORM, why="The sign twice.")
    fixed = proof.step(
        eq(score(e), score(1)), COMBINATION, out, sign, parameters=(1, score(1)), why="Its square."
    )
    return proof.finish(fixed=fixed)


def _choose(random: Random) -> Choice:
    return Choice({size("d"): random.randint(1, 3), Symbol("e", real=True): random.choice((-1, 1))})
