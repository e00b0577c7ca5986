"""B5, ensemble.diversity-index: HDI, its spectral form, H_eff and the bound.

The projectors Pi_h, (d, d), enter by what is true of orthogonal projectors of rank k:
|Pi_h|_F^2 = k, tr Pi_h = k, and overlaps <Pi_h, Pi_g> >= 0 (claim B4). The pairs are ordered pairs
of different heads: each unordered pair twice. H is written m + 1, so that H - 1 is positive.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

from sympy import Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, ForAll, eq, le

CLAIM = "ensemble.diversity-index"

Matrix: TypeAlias = list[list[Fraction]]


def derivation() -> Derivation:
    """For all H = m + 1 >= 2, d, k and orthogonal projectors of rank k, with B = tr(Pbar^2).

    Conclusions: ``range`` (0 <= HDI <= 1), ``spectral`` (HDI = H/(H-1) (1 - B/k)), ``effective``
    (E C = H^2 k, that is E = k/B, for E = H/(1 + (H-1)(1-HDI))), ``bound``
    (HDI <= H/(H-1) (1 - k/d)); and what their letters are: ``pairs`` (p), ``square``
    (C = H^2 B), ``number`` (E).

    Raises:
        DerivationFailed: a step is not decided.
    """
    m, d, k = size("m"), size("d"), size("k")
    h, g, i, j = (index(name) for name in "hgij")
    R = family("R")
    p, S, D, C, T, E = (Symbol(name, real=True) for name in "pSDCTE")
    H = m + 1
    heads, others, rows, columns = (h, 1, H), (g, 1, H), (i, 1, d), (j, 1, d)
    before, after = (g, 1, h - 1), (g, h + 1, H)

    def overlap(h: Any, g: Any) -> Any:
        return Sum(R(h, i, j) * R(g, i, j), columns, rows)

    def total(i: Any, j: Any) -> Any:
        return Sum(R(h, i, j), heads)

    around = Sum(overlap(h, g), before) + Sum(overlap(h, g), after)
    pairs = Sum(around, heads)
    every, own = Sum(overlap(h, g), others, heads), Sum(overlap(h, h), heads)
    whole = Sum(total(i, j) ** 2, columns, rows)
    diagonal = Sum(total(i, i) ** 2, rows)
    hdi, B = 1 - p / (H * m * k), C / H**2
    setting = Setting(
        (m, d, k),
        {h: (1, H), g: (1, H), i: (1, d), j: (1, d)},
        (p, S, D, C, T, E),
        (R,),
        {
            "m": "one less than the number of heads H = m + 1",
            "d": "the width of the residual stream",
            "k": "the dimension of a head",
            "R": "R(h, i, j): the entries of the projector Pi_h",
            "p": "the sum of <Pi_h, Pi_g> over ordered pairs of different heads",
            "S": "the same over all pairs",
            "D": "the same over h = g",
            "C": "H^2 tr(Pbar^2)",
            "T": "the part of C on the diagonal",
            "E": "the effective number of heads",
        },
        {"HDI": hdi},
    )
    proof = Proof(CLAIM, "The head diversity index", setting, choose=_projectors)
    norms = proof.suppose(ForAll(eq(overlap(h, h), k), heads), why="|Pi_h|_F^2 = k.")
    traces = proof.suppose(ForAll(eq(Sum(R(h, i, i), rows), k), heads), why="tr Pi_h = k.")
    signs = proof.suppose(
        ForAll(ForAll(le(0, overlap(h, g)), others), heads), why="Overlaps are squares (B4)."
    )
    is_p, is_S, is_D, is_C, is_T = (
        proof.suppose(eq(letter, meant), why=f"What {letter} is.")
        for letter, meant in ((p, pairs), (S, every), (D, own), (C, whole), (T, diagonal))
    )
    is_E = proof.suppose(eq(E * (H * k + p), H**2 * k), why="What E is: H/(1 + (H-1)(1-HDI)).")

    square = proof.step(eq(every, whole), NORMAL_FORM, why="The double sum is a square.")
    S_C = proof.step(
        eq(S, C), COMBINATION, is_S, square, is_C, parameters=(1, 1, -1), why="By definition."
    )
    split = proof.step(eq(pairs, every - own), NORMAL_FORM, why="The sum over g is split at h.")
    p_S = proof.step(
        eq(p, S - D),
        COMBINATION,
        is_p,
        split,
        is_S,
        is_D,
        parameters=(1, 1, -1, 1),
        why="By definition.",
    )
    owned = proof.step(eq(own, H * k), TERMWISE, norms, why="H terms, each k.")
    D_k = proof.step(
        eq(D, H * k), COMBINATION, is_D, owned, parameters=(1, 1), why="By definition."
    )
    per_pair = 1 / (H * m * k)
    spectral = proof.step(
        eq(hdi, H / m * (1 - B / k)),
        COMBINATION,
        p_S,
        S_C,
        D_k,
        parameters=(-per_pair, -per_pair, per_pair),
        why="Divide by the number of pairs.",
    )
    counted = proof.step(
        eq(p, C - H * k),
        COMBINATION,
        p_S,
        S_C,
        D_k,
        parameters=(1, 1, -1),
        why="The same without denominators: p = H (H-1) k (1 - HDI), C = H^2 B.",
    )
    effective = proof.step(
        eq(E * C, H**2 * k),
        COMBINATION,
        is_E,
        counted,
        parameters=(1, -E),
        why="1 + (H-1)(1-HDI) is H B/k.",
    )

    row = proof.step(
        ForAll(le(0, overlap(h, g)), others), INSTANCE, signs, parameters=(h,), why="At head h."
    )
    one = proof.step(le(0, overlap(h, g)), INSTANCE, row, parameters=(g,), why="At head g.")
    sums = []
    for span in (before, after):
        part = proof.step(
            ForAll(le(0, overlap(h, g)), span), GENERALISATION, one, why="g was arbitrary."
        )
        summed = le(0, Sum(overlap(h, g), span))
        sums.append(proof.step(summed, TERMWISE, part, why="A sum of such terms."))
    both = proof.step(le(0, around), COMBINATION, *sums, parameters=(1, 1), why="Add up.")
    all_heads = proof.step(ForAll(le(0, around), heads), GENERALISATION, both, why="For all h.")
    nonnegative = proof.step(le(0, pairs), TERMWISE, all_heads, why="Sum over the heads.")
    p_sign = proof.step(
        le(0, p), COMBINATION, nonnegative, is_p, parameters=(1, -1), why="By definition."
    )
    at_most = proof.step(
        le(hdi, 1), COMBINATION, p_sign, parameters=(per_pair,), why="Divide by the pairs."
    )
    apart = Sum((R(h, i, j) - R(g, i, j)) ** 2, columns, rows, others, heads)
    positive = proof.step(le(0, apart), SIGN, why="A sum of squares.")
    expanded = proof.step(
        eq(apart, 2 * H * own - 2 * every), NORMAL_FORM, why="Multiply out |Pi_h - Pi_g|^2."
    )
    S_D = proof.step(
        le(0, 2 * H * D - 2 * S),
        COMBINATION,
        positive,
        expanded,
        is_D,
        is_S,
        parameters=(1, 1, -2 * H, 2),
        why="By definition.",
    )
    at_least = proof.step(
        le(0, hdi),
        COMBINATION,
        S_D,
        p_S,
        D_k,
        parameters=(per_pair / 2, per_pair, m * per_pair),
        why="The overlap of two heads is at most k.",
    )
    interval = proof.step(
        Conjunction(le(0, hdi), le(hdi, 1)), CONSEQUENCE, at_least, at_most, why="Both."
    )

    left, right = (j, 1, i - 1), (j, i + 1, d)
    rest = Sum(Sum(total(i, j) ** 2, left) + Sum(total(i, j) ** 2, right), rows)
    off = proof.step(le(0, rest), SIGN, why="A sum of squares.")
    parts = proof.step(eq(whole, diagonal + rest), NORMAL_FORM, why="Split at j = i.")
    C_T = proof.step(
        le(T, C),
        COMBINATION,
        off,
        parts,
        is_C,
        is_T,
        parameters=(1, -1, -1, 1),
        why="What is left out is not negative.",
    )
    spread = Sum((total(i, i) - H * k / d) ** 2, rows)
    variance = proof.step(le(0, spread), SIGN, why="A sum of squares.")
    heads_first = Sum(Sum(R(h, i, i), rows), heads)
    opened = proof.step(
        eq(spread, diagonal - 2 * H * k / d * heads_first + H**2 * k**2 / d),
        NORMAL_FORM,
        why="Multiply out; the sums over heads and coordinates commute.",
    )
    traced = proof.step(eq(heads_first, H * k), TERMWISE, traces, why="H traces, each k.")
    T_k = proof.step(
        le(H**2 * k**2 / d, T),
        COMBINATION,
        variance,
        opened,
        traced,
        is_T,
        parameters=(1, 1, -2 * H * k / d, -1),
        why="The variance of the diagonal.",
    )
    bound = proof.step(
        le(hdi, H / m * (1 - k / d)),
        COMBINATION,
        T_k,
        C_T,
        p_S,
        S_C,
        D_k,
        parameters=(per_pair, per_pair, -per_pair, -per_pair, per_pair),
        why="tr(Pbar^2) is at least k^2/d.",
    )
    return proof.finish(
        range=interval,
        spectral=spectral,
        effective=effective,
        bound=bound,
        pairs=is_p,
        square=is_C,
        number=is_E,
    )


def _projectors(random: Random) -> Choice:
    """Projectors on chosen columns of rational rotations, and the letters that they define."""
    H, d = random.randint(2, 4), random.randint(1, 4)
    k = random.randint(1, d)
    heads = [_projector(random, d, k) for _ in range(H)]

    def overlap(one: Matrix, other: Matrix) -> Fraction:
        return sum((one[i][j] * other[i][j] for i in range(d) for j in range(d)), Fraction(0))

    every = sum((overlap(one, other) for one in heads for other in heads), Fraction(0))
    own = sum((overlap(one, one) for one in heads), Fraction(0))
    diagonal = sum((sum(head[i][i] for head in heads) ** 2 for i in range(d)), Fraction(0))
    values = {
        "p": every - own,
        "S": every,
        "D": own,
        "C": every,
        "T": diagonal,
        "E": H / (1 + (every - own) / (H * k)),
    }
    letters = {Symbol(name, real=True): value for name, value in values.items()}
    sizes = {size("m"): H - 1, size("d"): d, size("k"): k}
    return Choice(sizes | letters, {"R": lambda h, i, j: heads[int(h) - 1][int(i) - 1][int(j) - 1]})


def _projector(random: Random, d: int, k: int) -> Matrix:
    rows = _rotation(random, d)
    columns = random.sample(range(d), k)
    return [[sum((r[c] * s[c] for c in columns), Fraction(0)) for s in rows] for r in rows]


def _rotation(random: Random, d: int) -> Matrix:
    """A product of rotations by rational angles in coordinate planes, or the identity."""
    rows = [[Fraction(int(i == j)) for j in range(d)] for i in range(d)]
    for _ in range(random.randint(0, 2) if d > 1 else 0):
        p, q = random.sample(range(d), 2)
        c, s = random.choice(((3, 4), (5, 12), (-3, 4), (0, 5)))
        hypotenuse = {3: 5, 5: 13, -3: 5, 0: 5}[c]
        cos, sin = Fraction(c, hypotenuse), Fraction(s, hypotenuse)
        rows[p], rows[q] = (
            [cos * x - sin * y for x, y in zip(rows[p], rows[q], strict=True)],
            [sin * x + cos * y for x, y in zip(rows[p], rows[q], strict=True)],
        )
    return rows
