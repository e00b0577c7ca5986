"""A7, tropical.maximum: more heads than dimensions always miss a label.

Take two labels J and J' that choose different keys in every head, and let t_h(x) be by how much
head h prefers the key of J at x. Its slope is a_h = kappa_{h J_h} - kappa_{h J'_h}. If the a_h have
a vanishing combination with weights w_h >= 0, the combination of the t_h is the same at every x,
so it cannot be >= 0 at one query and < 0 at another: not both labels have a cell.

Such labels exist whenever H > d and every head has two keys: H vectors of R^d are linearly
dependent, and J takes in each head the key that makes the coefficient nonnegative.
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
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE, WEIGHTED_MEAN
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, Exists, ForAll, eq, le, lt

CLAIM = "tropical.maximum"

H, d = size("H"), size("d")
h, c = index("h"), index("c")
a, b, w, x, z = family("a"), family("b"), family("w"), family("x"), family("z")


def lead(query: Any) -> Any:
    """t_h at a query."""
    return Sum(a(h, c) * query(c), (c, 1, d)) + b(h)


def derivation() -> Derivation:
    """If label J wins at z in every head, then at every x a head with w_h > 0 refuses label J'.

    Conclusion: ``opposite``: for some h, w_h > 0 and t_h(x) >= 0.

    Raises:
        DerivationFailed: a step is not decided.
    """

    def heads(term: Any) -> Any:
        return Sum(term, (h, 1, H))

    setting = Setting(
        (H, d),
        {h: (1, H), c: (1, d)},
        (),
        (a, b, w, x, z),
        {
            "H": "the number of heads",
            "d": "the dimension",
            "a": "a(h), the key of J minus the key of J' in head h",
            "b": "b(h), the bias of the key of J minus that of the key of J'",
            "w": "weights of the heads",
            "x": "any query",
            "z": "a query at which J wins, ties allowed",
        },
        {"t_h(x)": lead(x), "t_h(z)": lead(z)},
    )
    proof = Proof(CLAIM, "Of two opposite labels one has no cell", setting, choose=_dependent)

    signs = proof.suppose(ForAll(le(0, w(h)), (h, 1, H)), why="Weights are not negative.")
    mass = proof.suppose(eq(heads(w(h)), 1), why="Not all are 0; they are scaled.")
    vanish = proof.suppose(
        ForAll(eq(heads(w(h) * a(h, c)), 0), (c, 1, d)), why="The slopes are dependent."
    )
    wins = proof.suppose(ForAll(le(0, lead(z)), (h, 1, H)), why="Label J wins at z.")

    def constant(query: Any) -> int:
        slopes = Sum(query(c) * heads(w(h) * a(h, c)), (c, 1, d))
        line = proof.step(
            eq(heads(w(h) * a(h, c)), 0), INSTANCE, vanish, parameters=(c,), why="At c."
        )
        product = proof.step(
            eq(query(c) * heads(w(h) * a(h, c)), 0),
            COMBINATION,
            line,
            parameters=(query(c),),
            why="Times a coordinate of the query.",
        )
        every = proof.step(
            ForAll(eq(query(c) * heads(w(h) * a(h, c)), 0), (c, 1, d)),
            GENERALISATION,
            product,
            why="c was arbitrary.",
        )
        total = proof.step(eq(slopes, 0), TERMWISE, every, why="All terms vanish.")
        exchange = proof.step(
            eq(heads(w(h) * lead(query)), slopes + heads(w(h) * b(h))),
            NORMAL_FORM,
            why="The sums are exchanged.",
        )
        return proof.step(
            eq(heads(w(h) * lead(query)), heads(w(h) * b(h))),
            COMBINATION,
            exchange,
            total,
            parameters=(1, 1),
            why="The combination does not depend on the query.",
        )

    here, there = constant(z), constant(x)
    weight = proof.step(le(0, w(h)), INSTANCE, signs, parameters=(h,), why="At h.")
    won = proof.step(le(0, lead(z)), INSTANCE, wins, parameters=(h,), why="At h.")
    term = proof.step(
        le(0, w(h) * lead(z)),
        COMBINATION,
        won,
        weight,
        parameters=(w(h), 0),
        why="Both factors are not negative.",
    )
    terms = proof.step(
        ForAll(le(0, w(h) * lead(z)), (h, 1, H)), GENERALISATION, term, why="h was arbitrary."
    )
    total = proof.step(le(0, heads(w(h) * lead(z))), TERMWISE, terms, why="Summed.")
    below = proof.step(
        le(heads(w(h) * (0 - lead(x))), 0),
        COMBINATION,
        total,
        here,
        there,
        parameters=(1, 1, -1),
        why="The same combination at x.",
    )
    opposite = proof.step(
        Exists(Conjunction(lt(0, w(h)), le(0, lead(x))), (h, 1, H)),
        WEIGHTED_MEAN,
        below,
        mass,
        signs,
        why="Otherwise every term with a weight would be negative.",
    )
    return proof.finish(opposite=opposite)


def _dependent(random: Random) -> Choice:
    """Weights, slopes that they combine to 0, and biases for which J wins at z."""
    heads, dimension = random.randint(1, 4), random.randint(1, 3)
    weights = [Fraction(random.randint(0, 2)) for _ in range(heads - 1)] + [Fraction(1)]
    weights = [weight / sum(weights) for weight in weights]
    slopes = [[rational(random) for _ in range(dimension)] for _ in range(heads - 1)]
    last = [
        -sum((y * row[i] for y, row in zip(weights, slopes, strict=False)), Fraction(0))
        / weights[-1]
        for i in range(dimension)
    ]
    slopes.append(last)
    query = [rational(random) for _ in range(dimension)]
    biases = [
        random.randint(0, 1) - sum(p * q for p, q in zip(row, query, strict=True)) for row in slopes
    ]
    return Choice(
        {H: heads, d: dimension},
        {
            "a": lambda h, c: slopes[h - 1][c - 1],
            "b": lambda h: biases[h - 1],
            "w": lambda h: weights[h - 1],
            "z": lambda c: query[c - 1],
        },
    )
