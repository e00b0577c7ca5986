"""T1d, equivariance.price: a type that covers a stratum has at least as many heads.

The heads of the type that are used lie over the heads of the stratum, at least one over each, and
the others are not used. So no type of T heads covers a stratum of T + 1 heads, and of those there
is one for every group: T + 1 heads that the group fixes.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq, le

CLAIM = "equivariance.price"


def derivation() -> Derivation:
    """For all H: |T| >= H for every type T that covers a stratum of H heads.

    Conclusion: ``size``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    H, h = size("H"), index("h")
    fibre = family("m")
    T, unused = Symbol("T", real=True), Symbol("u", real=True)
    heads = (h, 1, H)
    setting = Setting(
        (H,),
        {h: (1, H)},
        (T, unused),
        (fibre,),
        {
            "H": "the number of heads of the stratum",
            "T": "the number of heads of the type",
            "m": "m(h): how many heads of the type lie over head h",
            "u": "how many heads of the type are not used (their V is zero)",
        },
    )
    proof = Proof(CLAIM, "A covering type is not smaller", setting, choose=_choose)
    onto = proof.suppose(ForAll(le(1, fibre(h)), heads), why="The map is onto.")
    rest = proof.suppose(le(0, unused), why="A number of heads.")
    total = proof.suppose(
        eq(T, unused + Sum(fibre(h), heads)), why="Every head is over one, or not used."
    )
    each = proof.step(le(Sum(1, heads), Sum(fibre(h), heads)), TERMWISE, onto, why="Add up.")
    ones = proof.step(eq(Sum(1, heads), H), NORMAL_FORM, why="H ones.")
    bound = proof.step(
        le(H, T),
        COMBINATION,
        each,
        ones,
        rest,
        total,
        parameters=(1, -1, 1, -1),
        why="Put together.",
    )
    return proof.finish(size=bound)


def _choose(random: Random) -> Choice:
    H = random.randint(1, 4)
    fibres = [Fraction(random.randint(1, 3)) for _ in range(H)]
    unused = Fraction(random.randint(0, 2))
    letters: dict[Any, Fraction | int] = {
        size("H"): H,
        Symbol("T", real=True): sum(fibres, unused),
        Symbol("u", real=True): unused,
    }
    return Choice(letters, {"m": lambda h: fibres[int(h) - 1]})
