"""A6, tropical.overlay: the face of a Minkowski sum in a direction is the sum of the faces.

The direction is (x, r): with lifted keys (kappa, b) its inner products are the scores r b +
<kappa, x>, and r = 1 gives the cells of heads at the query x (r > 0 the upper faces). In head h,
(z_h, beta_h) is a point that is best in this direction, and weights lambda(h, .) pick any other
point of the convex hull of its lifted keys. Then, head by head, the point picked is no better than
the best one, and the sum over the heads is best iff it is best in every head: iff all weight lies
on winning keys. Heads with fewer than N keys repeat one, which changes no convex hull.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION, RESCALING
from ...derivations.rules.summation import TERMWISE, VANISHING_SUM
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Equivalence, ForAll, eq, le, lt

CLAIM = "tropical.overlay"

H, N, d = size("H"), size("N"), size("d")
h, g, j, c = index("h"), index("g"), index("j"), index("c")
kappa, b, x = family("kappa"), family("b"), family("x")
z, beta, weight = family("z"), family("beta"), family("lambda")
r = Symbol("r", real=True)

HEADS, KEYS = (h, 1, H), (j, 1, N)


def _along(vector: Any) -> Any:
    return Sum(x(c) * vector, (c, 1, d))


def _score(h: Any, j: Any) -> Any:
    return _along(kappa(h, j, c)) + r * b(h, j)


def _best(h: Any) -> Any:
    return _along(z(h, c)) + r * beta(h)


def _picked(h: Any) -> Any:
    key = Sum(weight(h, j) * kappa(h, j, c), KEYS)
    return _along(key) + r * Sum(weight(h, j) * b(h, j), KEYS)


def derivation() -> Derivation:
    """For all H, N, d: a sum of points is extreme in a direction iff every summand is.

    Conclusions: ``support`` (the value of the sum is at most the sum of the largest values);
    ``faces`` (it is attained iff it is attained in every head); ``winners`` (iff only winning keys
    carry weight: lambda(h, j) (best - score) = 0 for all h, j); ``alone`` (where a key is strictly
    behind, this says that its weight is 0); ``exchange`` (putting key j of head g in the place of
    its best point lowers the sum iff key j is strictly behind).

    Raises:
        DerivationFailed: a step is not decided.
    """
    lead = _best(h) - _score(h, j)
    whole = _along(Sum(Sum(weight(h, j) * kappa(h, j, c), KEYS), HEADS)) + r * Sum(
        Sum(weight(h, j) * b(h, j), KEYS), HEADS
    )
    top = _along(Sum(z(h, c), HEADS)) + r * Sum(beta(h), HEADS)
    setting = Setting(
        (H, N, d),
        {h: (1, H), g: (1, H), j: (1, N), c: (1, d)},
        (r,),
        (kappa, b, x, z, beta, weight),
        {
            "H": "the number of heads",
            "N": "the number of keys of a head",
            "d": "the dimension",
            "kappa": "the coordinates of the keys",
            "b": "the biases",
            "x": "the coordinates of the query",
            "r": "the last coordinate of the direction; 1 for scores",
            "z": "the coordinates of a best point of each head",
            "beta": "the height of a best point of each head",
            "lambda": "the weights that pick a point of the convex hull of each head's keys",
        },
        {
            "W": whole,
            "T": top,
            "m_h": _best(h),
            "m_g": _best(g),
            "y_h": _picked(h),
            "s_hj": _score(h, j),
            "s_gj": _score(g, j),
        },
    )
    proof = Proof(CLAIM, "The face of a sum is the sum of the faces", setting, choose=_heads)
    best = proof.suppose(
        ForAll(ForAll(le(_score(h, j), _best(h)), KEYS), HEADS), why="No key beats the best point."
    )
    signs = proof.suppose(ForAll(ForAll(le(0, weight(h, j)), KEYS), HEADS), why="Weights ...")
    masses = proof.suppose(
        ForAll(eq(Sum(weight(h, j), KEYS), 1), HEADS), why="... of a convex combination."
    )

    behind = _at(proof, best, le(_score(h, j), _best(h)))
    nonnegative = _at(proof, signs, le(0, weight(h, j)))
    mass = proof.step(
        eq(Sum(weight(h, j), KEYS), 1), INSTANCE, masses, parameters=(h,), why="At the head h."
    )
    share = proof.step(
        le(0, weight(h, j) * lead),
        COMBINATION,
        behind,
        nonnegative,
        parameters=(weight(h, j), 0),
        why="Multiply by a weight.",
    )
    shares = proof.step(
        ForAll(le(0, weight(h, j) * lead), KEYS), GENERALISATION, share, why="j was arbitrary."
    )
    total = Sum(weight(h, j) * lead, KEYS)
    summed = proof.step(le(0, total), TERMWISE, shares, why="Sum over the keys.")
    expanded = proof.step(
        eq(total, _best(h) * Sum(weight(h, j), KEYS) - _picked(h)),
        NORMAL_FORM,
        why="The sums over keys and coordinates are exchanged.",
    )
    gap = proof.step(
        eq(total, _best(h) - _picked(h)),
        COMBINATION,
        expanded,
        mass,
        parameters=(1, _best(h)),
        why="The weights sum to 1.",
    )
    lower = proof.step(
        le(_picked(h), _best(h)),
        COMBINATION,
        summed,
        gap,
        parameters=(1, 1),
        why="The mean of scores is at most the largest.",
    )
    every = proof.step(
        ForAll(le(_picked(h), _best(h)), HEADS), GENERALISATION, lower, why="h was arbitrary."
    )
    support = proof.step(le(whole, top), TERMWISE, every, why="Sum over the heads.")

    zero = Sum(_best(h) - _picked(h), HEADS)
    vanish = proof.step(
        Equivalence(eq(zero, 0), ForAll(eq(_best(h) - _picked(h), 0), HEADS)),
        VANISHING_SUM,
        every,
        why="A sum of nonnegative terms vanishes iff all of them do.",
    )
    same = proof.step(
        Equivalence(eq(zero, 0), eq(whole, top)),
        RESCALING,
        parameters=(-1,),
        why="The sums over heads and coordinates are exchanged.",
    )
    faces = proof.step(
        Equivalence(eq(whole, top), ForAll(eq(_picked(h), _best(h)), HEADS)),
        CONSEQUENCE,
        vanish,
        same,
        why="So the sum is best iff it is best in every head.",
    )
    winners = _winners(proof, faces, shares, gap, lead, eq(whole, top))
    return proof.finish(
        support=support,
        faces=faces,
        winners=winners,
        alone=_alone(proof, lead),
        exchange=_exchange(proof),
    )


def _at(proof: Proof, every: int, statement: Any) -> int:
    """A statement at the key j of the head h, from the same about all of them."""
    head = proof.step(
        ForAll(statement, KEYS), INSTANCE, every, parameters=(h,), why="At the head h."
    )
    return proof.step(statement, INSTANCE, head, parameters=(j,), why="At the key j.")


def _winners(proof: Proof, faces: int, shares: int, gap: int, lead: Any, attained: Any) -> int:
    """The sum is best iff only winning keys carry weight."""
    total = Sum(weight(h, j) * lead, KEYS)
    on_face = eq(_picked(h), _best(h))
    here = proof.assume(on_face, why="Suppose that the point is best in the head h.")
    none = proof.step(eq(total, 0), COMBINATION, gap, here, parameters=(1, -1), why="Insert.")
    there = proof.discharge(here, none, why="Then the weighted leads sum to 0.")
    reverse = proof.assume(eq(total, 0), why="Suppose that the weighted leads sum to 0.")
    back = proof.step(on_face, COMBINATION, gap, reverse, parameters=(1, -1), why="Insert.")
    again = proof.discharge(reverse, back, why="Then the point is best in the head h.")
    no_loser = ForAll(eq(weight(h, j) * lead, 0), KEYS)
    terms = proof.step(
        Equivalence(eq(total, 0), no_loser),
        VANISHING_SUM,
        shares,
        why="A sum of nonnegative terms vanishes iff all of them do.",
    )
    one_head = proof.step(
        Equivalence(on_face, no_loser), CONSEQUENCE, there, again, terms, why="Chain them."
    )
    all_heads = proof.step(
        Equivalence(ForAll(on_face, HEADS), ForAll(no_loser, HEADS)),
        GENERALISATION,
        one_head,
        why="h was arbitrary.",
    )
    return proof.step(
        Equivalence(attained, ForAll(no_loser, HEADS)),
        CONSEQUENCE,
        faces,
        all_heads,
        why="The face of the sum is the sum of the faces.",
    )


def _alone(proof: Proof, lead: Any) -> int:
    """A key that is strictly behind has no weight on the face."""
    strict = proof.assume(lt(_score(h, j), _best(h)), why="Suppose that key j is strictly behind.")
    weightless = proof.step(
        Equivalence(eq(weight(h, j) * lead, 0), eq(weight(h, j), 0)),
        RESCALING,
        strict,
        parameters=(1 / lead,),
        why="Divide by a positive number.",
    )
    return proof.discharge(strict, weightless, why="So its weight is 0.")


def _exchange(proof: Proof) -> int:
    """A label that is strictly best in the sum is strictly best in every head."""
    total = Sum(_best(h), HEADS)
    parts = (1, g - 1), (g + 1, H)
    changed = sum((Sum(_best(h), (h, *part)) for part in parts), _score(g, j))
    return proof.step(
        Equivalence(lt(changed, total), lt(_score(g, j), _best(g))),
        RESCALING,
        parameters=(1,),
        why="The two sums differ in the head g only.",
    )


def _heads(random: Random) -> Choice:
    """Heads, a direction, a best point of each, and weights that often lie on best keys."""
    heads, keys, dimension = random.randint(1, 3), random.randint(1, 3), random.randint(1, 3)
    points = [
        [[rational(random) for _ in range(dimension + 1)] for _ in range(keys)]
        for _ in range(heads)
    ]
    direction = [rational(random) for _ in range(dimension + 1)]
    best: list[int] = []
    weights: list[list[Fraction]] = []
    concentrated = random.random() < 0.6
    for head in points:
        scores = [sum(p * q for p, q in zip(key, direction, strict=True)) for key in head]
        best.append(scores.index(max(scores)))
        parts = [
            random.randint(0, 2) if not concentrated or score == max(scores) else 0
            for score in scores
        ]
        if not any(parts):
            parts[best[-1]] = 1
        weights.append([Fraction(part, sum(parts)) for part in parts])
    return Choice(
        {H: heads, N: keys, d: dimension, r: direction[-1]},
        {
            "kappa": lambda h, j, c: points[h - 1][j - 1][c - 1],
            "b": lambda h, j: points[h - 1][j - 1][-1],
            "x": lambda c: direction[c - 1],
            "z": lambda h, c: points[h - 1][best[h - 1]][c - 1],
            "beta": lambda h: points[h - 1][best[h - 1]][-1],
            "lambda": lambda h, j: weights[h - 1][j - 1],
        },
    )
