"""A5, tropical.cells: keys that never win alone.

Exclusion is the easy direction of the theorem: a convex combination of other lifted keys that
lies on or above (kappa_j, b_j) keeps key j from winning alone. That every other key does win
somewhere (Farkas, Motzkin) is not derived here; on instances it is settled by certificates.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import ANOTHER_INDEX, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE, WEIGHTED_MEAN
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, Exists, ForAll, eq, gt, le, ne

CLAIM = "tropical.cells"


def derivation() -> Derivation:
    """For all N, d: a key on or below a convex combination of other lifted keys never wins alone.

    Conclusions: ``mean`` (the weighted mean of s_j(x) - s_i(x) is at most 0); ``exclusion``
    (some i other than j has s_i(x) >= s_j(x)), for every x.

    Raises:
        DerivationFailed: a step is not decided.
    """
    N, d = size("N"), size("d")
    i, j, c = index("i"), index("j"), index("c")
    kappa, b, x, weight = family("kappa"), family("b"), family("x"), family("lambda")

    def keys(term: Any) -> Any:
        return Sum(term, (i, 1, N))

    def coordinates(term: Any) -> Any:
        return Sum(term, (c, 1, d))

    def score(j: Any) -> Any:
        return coordinates(kappa(j, c) * x(c)) + b(j)

    setting = Setting(
        (N, d),
        {i: (1, N), j: (1, N), c: (1, d)},
        families=(kappa, b, x, weight),
        meaning={
            "N": "the number of keys",
            "d": "the dimension",
            "kappa": "the coordinates of the keys",
            "b": "the biases",
            "x": "the coordinates of the query, arbitrary",
            "lambda": "the weights of the convex combination",
            "j": "the key that is shown never to win alone",
        },
        abbreviations={"s_j": score(j), "s_i": score(i)},
    )
    proof = Proof(CLAIM, "A key under others never wins alone", setting, choose=_combination)

    mixed = keys(weight(i) * kappa(i, c))
    nonnegative = proof.suppose(ForAll(le(0, weight(i)), (i, 1, N)), why="Weights.")
    mass = proof.suppose(eq(keys(weight(i)), 1), why="The weights are those of a mean.")
    other = proof.suppose(eq(weight(j), 0), why="Only other keys are combined.")
    meets = proof.suppose(
        ForAll(eq(mixed, kappa(j, c)), (c, 1, d)), why="The combination meets key j ..."
    )
    above = proof.suppose(le(b(j), keys(weight(i) * b(i))), why="... at its bias or above it.")

    coordinate = proof.step(
        eq(mixed, kappa(j, c)), INSTANCE, meets, parameters=(c,), why="At the coordinate c."
    )
    times = proof.step(
        eq(x(c) * mixed, x(c) * kappa(j, c)),
        COMBINATION,
        coordinate,
        parameters=(x(c),),
        why="Multiply by x(c).",
    )
    everywhere = proof.step(
        ForAll(eq(x(c) * mixed, x(c) * kappa(j, c)), (c, 1, d)),
        GENERALISATION,
        times,
        why="c was arbitrary.",
    )
    inner = proof.step(
        eq(coordinates(x(c) * mixed), coordinates(x(c) * kappa(j, c))),
        TERMWISE,
        everywhere,
        why="Sum over the coordinates.",
    )
    exchange = proof.step(
        eq(
            keys(weight(i) * (score(j) - score(i))),
            score(j) * keys(weight(i)) - coordinates(x(c) * mixed) - keys(weight(i) * b(i)),
        ),
        NORMAL_FORM,
        why="The sums over keys and coordinates are exchanged.",
    )
    mean = proof.step(
        le(keys(weight(i) * (score(j) - score(i))), 0),
        COMBINATION,
        exchange,
        mass,
        inner,
        above,
        parameters=(1, score(j), -1, 1),
        why="The weights sum to 1, the keys combine to kappa_j, the biases to b_j or more.",
    )
    rival = proof.step(
        Exists(Conjunction(gt(weight(i), 0), le(score(j), score(i))), (i, 1, N)),
        WEIGHTED_MEAN,
        mean,
        mass,
        nonnegative,
        why="Were all of positive weight below s_j(x), so would be their mean.",
    )
    exclusion = proof.step(
        Exists(Conjunction(ne(i, j), le(score(j), score(i))), (i, 1, N)),
        ANOTHER_INDEX,
        rival,
        other,
        why="Key j itself has weight 0.",
    )
    return proof.finish(mean=mean, exclusion=exclusion)


def _combination(random: Random) -> Choice:
    """Keys of which key j lies on or under a convex combination of the others."""
    count, dimension = random.randint(2, 4), random.randint(1, 4)
    j = random.randint(1, count)
    parts = [0 if i == j else random.randint(0, 2) for i in range(1, count + 1)]
    if not any(parts):
        parts[j % count] = 1
    weights = [Fraction(part, sum(parts)) for part in parts]
    keys = [[rational(random) for _ in range(dimension)] for _ in range(count)]
    biases = [rational(random) for _ in range(count)]
    below = random.randint(0, 2)
    keys[j - 1] = [
        sum((w * k[c] for w, k in zip(weights, keys, strict=True)), Fraction(0))
        for c in range(dimension)
    ]
    mixed = sum((w * b for w, b in zip(weights, biases, strict=True)), Fraction(0))
    biases[j - 1] = mixed - below
    return Choice(
        {size("N"): count, size("d"): dimension, index("j"): j},
        {
            "lambda": lambda i: weights[i - 1],
            "kappa": lambda i, c: keys[i - 1][c - 1],
            "b": lambda i: biases[i - 1],
        },
    )
