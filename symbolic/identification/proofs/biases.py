"""C3, identification.biases: a key bias is inert, a value bias merges into the output bias.

A key bias b adds <q, b> to every score of the query q, and softmax does not change when all scores
move by the same amount: the factor exp(<q, b>) cancels. Weights that sum to one pass a value bias
on unchanged: it adds sum_h W_O^h b_V^h to the output, whatever the input.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq

CLAIM = "identification.biases"


def key_bias() -> Derivation:
    """For all N, d_k, queries, keys and biases: the weights with b_K are those without.

    Conclusions: ``scores`` (every score moves by <q, b>), ``inert`` (the softmax weights do not).

    Raises:
        DerivationFailed: a step is not decided.
    """
    N, n = size("N"), size("n")
    i, j, a = index("i"), index("j"), index("a")
    q, k, b, s, t = (family(name) for name in ("q", "k", "b", "s", "t"))

    def score(j: Any) -> Any:
        return Sum(q(a) * k(j, a), (a, 1, n))

    def moved(j: Any) -> Any:
        return Sum(q(a) * (k(j, a) + b(a)), (a, 1, n))

    def weight(score: Any) -> Any:
        return exp(score(j)) / Sum(exp(score(i)), (i, 1, N))

    shift = Sum(q(a) * b(a), (a, 1, n))
    setting = Setting(
        (N, n),
        {i: (1, N), j: (1, N), a: (1, n)},
        families=(q, k, b, s, t),
        meaning={
            "N": "the number of keys",
            "n": "the dimension of the head",
            "q": "the query, its bias included",
            "k": "the keys without their bias",
            "b": "the key bias",
            "s": "the scores without the key bias",
            "t": "the scores with it",
        },
    )
    proof = Proof(CLAIM, "A key bias is inert", setting, choose=_scores)
    plain = proof.suppose(ForAll(eq(s(j), score(j)), (j, 1, N)), why="The scores without b.")
    biased = proof.suppose(ForAll(eq(t(j), moved(j)), (j, 1, N)), why="The scores with b.")
    before = proof.step(eq(s(j), score(j)), INSTANCE, plain, parameters=(j,), why="At the key j.")
    after = proof.step(eq(t(j), moved(j)), INSTANCE, biased, parameters=(j,), why="At the key j.")
    scores = proof.step(
        eq(t(j), s(j) + shift),
        COMBINATION,
        after,
        before,
        parameters=(1, -1),
        why="<q, k + b> = <q, k> + <q, b>.",
    )
    inert = proof.step(
        eq(weight(lambda j: s(j) + shift), weight(s)),
        NORMAL_FORM,
        why="exp(<q, b>) is a factor above and below.",
    )
    return proof.finish(scores=scores, inert=inert)


def value_bias() -> Derivation:
    """For all H, N, d_k and any weights that sum to one: b_V only moves the output bias.

    Conclusions: ``merged`` (coordinate by coordinate of the output).

    Raises:
        DerivationFailed: a step is not decided.
    """
    H, N, n = size("H"), size("N"), size("n")
    h, j, a = index("h"), index("j"), index("a")
    p, v, b, W = (family(name) for name in ("p", "v", "b", "W"))
    heads, keys, inner = (h, 1, H), (j, 1, N), (a, 1, n)
    mass = Sum(p(h, j), keys)
    with_bias = Sum(W(h, a) * Sum(p(h, j) * (v(h, j, a) + b(h, a)), keys), inner, heads)
    without = Sum(W(h, a) * Sum(p(h, j) * v(h, j, a), keys), inner, heads)
    passed = Sum(W(h, a) * b(h, a), inner)
    setting = Setting(
        (H, N, n),
        {h: (1, H), j: (1, N), a: (1, n)},
        families=(p, v, b, W),
        meaning={
            "H": "the number of heads",
            "N": "the number of keys",
            "n": "the dimension of a head",
            "p": "p(h, j): the weight of key j in head h",
            "v": "v(h, j, a): the values without their bias",
            "b": "b(h, a): the value bias",
            "W": "W(h, a): one row of the output projection",
        },
    )
    proof = Proof(CLAIM, "A value bias merges into the output bias", setting, choose=_weights)
    one = proof.suppose(ForAll(eq(mass, 1), heads), why="Softmax weights sum to one.")
    at = proof.step(eq(mass, 1), INSTANCE, one, parameters=(h,), why="At the head h.")
    head = proof.step(
        eq(passed * mass, passed), COMBINATION, at, parameters=(passed,), why="Multiply."
    )
    each = proof.step(ForAll(eq(passed * mass, passed), heads), GENERALISATION, head, why="All h.")
    every = proof.step(
        eq(Sum(passed * mass, heads), Sum(passed, heads)), TERMWISE, each, why="Add up."
    )
    opened = proof.step(
        eq(with_bias, without + Sum(passed * mass, heads)), NORMAL_FORM, why="Multiply out."
    )
    merged = proof.step(
        eq(with_bias, without + Sum(passed, heads)),
        COMBINATION,
        opened,
        every,
        parameters=(1, 1),
        why="Put together: the constant does not depend on the input.",
    )
    return proof.finish(merged=merged)


def _scores(random: Random) -> Choice:
    N, n = random.randint(1, 4), random.randint(1, 3)
    q, b = ([rational(random) for _ in range(n)] for _ in range(2))
    keys = [[rational(random) for _ in range(n)] for _ in range(N)]

    def product(key: list[Fraction]) -> Fraction:
        return sum((x * y for x, y in zip(q, key, strict=True)), Fraction(0))

    scores = [product(key) for key in keys]
    return Choice(
        {size("N"): N, size("n"): n},
        {
            "q": lambda a: q[int(a) - 1],
            "b": lambda a: b[int(a) - 1],
            "k": lambda j, a: keys[int(j) - 1][int(a) - 1],
            "s": lambda j: scores[int(j) - 1],
            "t": lambda j: scores[int(j) - 1] + product(b),
        },
    )


def _weights(random: Random) -> Choice:
    H, N = random.randint(1, 3), random.randint(1, 4)
    rows = []
    for _ in range(H):
        parts = [random.randint(1, 5) for _ in range(N)]
        rows.append([Fraction(part, sum(parts)) for part in parts])
    return Choice({size("H"): H, size("N"): N}, {"p": lambda h, j: rows[int(h) - 1][int(j) - 1]})
