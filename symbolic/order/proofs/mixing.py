"""G2, order.surrogate: what mixing the heads does to the loss and to the flow.

The loss depends on a^T b only, which every invertible mixing of heads leaves as it is; the flow
commutes with orthogonal mixings.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq

CLAIM = "order.surrogate"

_H = size("H")
_K = size("K")
_h, _g, _f, _i, _j, _k = (index(name) for name in "hgfijk")
_a, _b, _R = (family(name) for name in "abR")
_MEANING = {
    "H": "the number of heads",
    "K": "the number of modes",
    "a": "a(h, j): how much head h looks at mode j",
    "b": "b(h, k): what head h writes of mode k",
    "R": "R(j, k): the residual, target minus a^T b",
}


def _heads(letter: Any) -> tuple[Any, Any, Any]:
    return (letter, 1, _H)


def _modes(letter: Any) -> tuple[Any, Any, Any]:
    return (letter, 1, _K)


def invariance() -> Derivation:
    """For all H, K, a, b and invertible G with inverse transpose P: mixing heads keeps a^T b.

    Conclusion: ``invariant``: (G a)^T (P b) = a^T b, where P is known by G^T P b = b.

    Raises:
        DerivationFailed: a step is not decided.
    """
    G, P = family("G"), family("P")
    setting = Setting(
        (_H, _K),
        {_h: (1, _H), _g: (1, _H), _f: (1, _H), _j: (1, _K), _k: (1, _K)},
        families=(_a, _b, G, P),
        meaning={
            **_MEANING,
            "G": "G(h, g): how the heads of a are mixed",
            "P": "P(h, g): the inverse transpose of G",
        },
    )
    proof = Proof(CLAIM, "Mixing heads", setting, choose=_mixed)
    over_f, over_g, over_h = _heads(_f), _heads(_g), _heads(_h)
    inverse = Sum(Sum(G(_h, _g) * P(_h, _f), over_h) * _b(_f, _k), over_f)
    known = proof.suppose(
        ForAll(ForAll(eq(inverse, _b(_g, _k)), over_g), _modes(_k)), why="G^T P = 1, applied to b."
    )
    of_mode = proof.step(
        ForAll(eq(inverse, _b(_g, _k)), over_g), INSTANCE, known, parameters=(_k,), why="At mode k."
    )
    head = proof.step(
        eq(inverse, _b(_g, _k)), INSTANCE, of_mode, parameters=(_g,), why="At head g."
    )
    weighted = proof.step(
        eq(_a(_g, _j) * inverse, _a(_g, _j) * _b(_g, _k)),
        COMBINATION,
        head,
        parameters=(_a(_g, _j),),
        why="Times a(g, j).",
    )
    for_all = proof.step(
        ForAll(eq(_a(_g, _j) * inverse, _a(_g, _j) * _b(_g, _k)), over_g),
        GENERALISATION,
        weighted,
        why="g was arbitrary.",
    )
    product = Sum(_a(_g, _j) * _b(_g, _k), over_g)
    summed = proof.step(
        eq(Sum(_a(_g, _j) * inverse, over_g), product), TERMWISE, for_all, why="Summed."
    )
    mixed = Sum(Sum(G(_h, _g) * _a(_g, _j), over_g) * Sum(P(_h, _f) * _b(_f, _k), over_f), over_h)
    exchanged = proof.step(
        eq(mixed, Sum(_a(_g, _j) * inverse, over_g)), NORMAL_FORM, why="The sums are exchanged."
    )
    invariant = proof.step(
        eq(mixed, product), COMBINATION, exchanged, summed, parameters=(1, 1), why="Together."
    )
    return proof.finish(invariant=invariant)


def equivariance() -> Derivation:
    """For all H, K, a, b, R and G: the flow commutes with G acting on a and b alike.

    Conclusions: ``first`` ((G b) R^T = G (b R^T)), ``second`` ((G a) R = G (a R)). That R stays the
    same needs G^T G = 1 (`invariance` at P = G): the flow commutes with orthogonal mixings.

    Raises:
        DerivationFailed: a step is not decided.
    """
    G = family("G")
    setting = Setting(
        (_H, _K),
        {_h: (1, _H), _g: (1, _H), _i: (1, _K), _j: (1, _K)},
        families=(_a, _b, _R, G),
        meaning={**_MEANING, "G": "G(h, g): how heads are mixed"},
    )
    proof = Proof(CLAIM, "The flow of mixed heads", setting)
    over_g, over_i = _heads(_g), _modes(_i)
    named = {}
    for name, part, residual in (("first", _b, _R(_j, _i)), ("second", _a, _R(_i, _j))):
        mixed = Sum(Sum(G(_h, _g) * part(_g, _i), over_g) * residual, over_i)
        after = Sum(G(_h, _g) * Sum(part(_g, _i) * residual, over_i), over_g)
        named[name] = proof.step(
            eq(mixed, after), NORMAL_FORM, why="The sums over heads and modes are exchanged."
        )
    return proof.finish(**named)


def _mixed(random: Random) -> Choice:
    """An invertible integer mixing, by row operations, and its inverse transpose."""
    H = random.randint(1, 4)
    G = [[Fraction(int(i == j)) for j in range(H)] for i in range(H)]
    P = [row[:] for row in G]
    for _ in range(random.randint(0, 4) if H > 1 else 0):
        i, j = random.sample(range(H), 2)
        c = random.randint(-2, 2)
        # Row i of G gains c times row j; of the inverse transpose row j loses c times row i.
        G[i] = [x + c * y for x, y in zip(G[i], G[j], strict=True)]
        P[j] = [x - c * y for x, y in zip(P[j], P[i], strict=True)]
    return Choice(
        {_H: H},
        {
            "G": lambda h, g: G[int(h) - 1][int(g) - 1],
            "P": lambda h, g: P[int(h) - 1][int(g) - 1],
        },
    )
