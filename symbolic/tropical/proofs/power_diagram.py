"""A2, tropical.power-diagram: the best score is the nearest site in the power distance.

With w_j = |kappa_j|^2 + 2 b_j the power |x - kappa_j|^2 - w_j is |x|^2 - 2 s_j(x): the squares
of the keys cancel, so the scores and the powers order the keys in opposite ways.
"""

from __future__ import annotations

from typing import Any

from sympy import Mul, Sum

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION
from ...derivations.rules.order import RESCALING
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Equivalence, ForAll, eq, ge, le

CLAIM = "tropical.power-diagram"


def derivation() -> Derivation:
    """For all N, d, x, keys and biases: argmax_j s_j(x) = argmin_j (|x - kappa_j|^2 - w_j).

    Conclusions: ``identity`` (the power is |x|^2 - 2 s_j); ``order`` (j has the greatest score
    iff it has the least power, so that the argmax and the argmin are the same set).

    Raises:
        DerivationFailed: a step is not decided.
    """
    N, d = size("N"), size("d")
    i, j, c = index("i"), index("j"), index("c")
    kappa, b, x = family("kappa"), family("b"), family("x")

    def total(term: Any) -> Any:
        return Sum(term, (c, 1, d))

    def score(j: Any) -> Any:
        return total(kappa(j, c) * x(c)) + b(j)

    def power(j: Any) -> Any:
        weight = total(kappa(j, c) ** 2) + 2 * b(j)
        return total((x(c) - kappa(j, c)) ** 2) - weight

    setting = Setting(
        (N, d),
        {i: (1, N), j: (1, N), c: (1, d)},
        families=(kappa, b, x),
        meaning={
            "N": "the number of keys",
            "d": "the dimension",
            "kappa": "the coordinates of the keys",
            "b": "the biases",
            "x": "the coordinates of the query",
        },
        abbreviations={
            name: f(n) for f, p in ((power, "p"), (score, "s")) for n, name in _named(p, i, j)
        },
    )
    proof = Proof(CLAIM, "Hard attention is a power diagram", setting)

    identity = proof.step(
        eq(power(j), total(x(c) ** 2) + Mul(-2, score(j), evaluate=False)),
        NORMAL_FORM,
        why="Expand the square; |kappa_j|^2 and 2 b_j of the weight complete the score.",
    )
    pair = proof.step(
        Equivalence(le(score(i), score(j)), ge(power(i), power(j))),
        RESCALING,
        parameters=(2,),
        why="The powers differ by minus twice the difference of the scores.",
    )
    order = proof.step(
        Equivalence(
            ForAll(le(score(i), score(j)), (i, 1, N)),
            ForAll(ge(power(i), power(j)), (i, 1, N)),
        ),
        GENERALISATION,
        pair,
        why="i was arbitrary: j has the greatest score iff it has the least power.",
    )
    return proof.finish(identity=identity, order=order)


def _named(letter: str, *indices: Any) -> tuple[tuple[Any, str], ...]:
    """Each index with the name of the letter at it."""
    return tuple((n, f"{letter}_{n}") for n in indices)
