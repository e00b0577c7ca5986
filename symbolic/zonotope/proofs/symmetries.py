"""T2e: what can be changed without changing the layer, for all sizes.

Invertible matrices between O and (C, G_1, ..., G_g), and the sign of a generator with that of its
slope and offset. (Those between queries and keys are claim C1; the order of the generators is that
of a sum.)
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Integer, Matrix, Sum, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq

CLAIM = "zonotope.identification"


def factors() -> Derivation:
    """For all p, m, d, g and N M = 1: (O N, M C, M G_i) gives the output of (O, C, G_i).

    Conclusions: ``moved`` (the values of (M C, M G_i) are M times those of (C, G_i)), ``same`` (O N
    of M z is O z).

    Raises:
        DerivationFailed: a step is not decided.
    """
    m, d, g = (size(name) for name in "mdg")
    a, b, c, x, i = (index(name) for name in "abcxi")
    O, C, G, M, N, beta, y, z = (  # noqa: E741
        family(name) for name in ("O", "C", "G", "M", "N", "beta", "y", "z")
    )
    setting = Setting(
        (m, d, g),
        {a: (1, m), b: (1, m), c: (1, m), x: (1, d), i: (1, g)},
        (),
        (O, C, G, M, N, beta, y, z),
        {
            "m": "the dimension of the values",
            "d": "the dimension of the tokens",
            "g": "the number of generators",
            "O": "O(b): a row of the output projection",
            "C": "C(c, x): the centre",
            "G": "G(i, c, x): the generators",
            "beta": "beta(i): the coefficients",
            "M": "M(a, c): any matrix with a left inverse",
            "N": "N(b, a): this inverse, which stands here by what it does: it takes M off",
            "y": "y(x): what the head attends to",
            "z": "z(c): its value, the sum of (C + sum beta_i G_i)(c, x) y(x) over x",
        },
    )
    rows, middle, columns, every = (b, 1, m), (a, 1, m), (x, 1, d), (i, 1, g)
    proof = Proof(CLAIM, "Matrices between values and output", setting, choose=_inverse)
    through = Sum(N(b, a) * Sum(M(a, c) * z(c), (c, 1, m)), middle)
    given = proof.suppose(ForAll(eq(through, z(b)), rows), why="N takes M off.")
    value = C(c, x) + Sum(beta(i) * G(i, c, x), every)
    changed = Sum(M(a, c) * C(c, x), (c, 1, m)) + Sum(
        beta(i) * Sum(M(a, c) * G(i, c, x), (c, 1, m)), every
    )
    moved = proof.step(
        eq(Sum(changed * y(x), columns), Sum(M(a, c) * Sum(value * y(x), columns), (c, 1, m))),
        NORMAL_FORM,
        why="Values are linear in C and G together.",
    )
    put = proof.step(
        eq(Sum(O(b) * through, rows), Sum(O(b) * z(b), rows)),
        TERMWISE,
        given,
        parameters=(O(b),),
        why="Times O, and added up.",
    )
    after = Sum(Sum(O(b) * N(b, a), rows) * Sum(M(a, c) * z(c), (c, 1, m)), middle)
    sorted_out = proof.step(
        eq(after, Sum(O(b) * through, rows)), NORMAL_FORM, why="Sums change their order."
    )
    same = proof.step(
        eq(after, Sum(O(b) * z(b), rows)),
        COMBINATION,
        sorted_out,
        put,
        parameters=(1, 1),
        why="Put together.",
    )
    return proof.finish(moved=moved, same=same)


def sign() -> Derivation:
    """For all d, tokens, slopes and offsets: (-G_i, -a_i, -b_i) gives beta_i G_i as before.

    Conclusion: ``same``, for every generator by itself.

    Raises:
        DerivationFailed: a step is not decided.
    """
    g, n, d = (size(name) for name in "gnd")
    i, j, c = (index(name) for name in "ijc")
    G, a, b, x = (family(name) for name in ("G", "a", "b", "x"))
    setting = Setting(
        (g, n, d),
        {i: (1, g), j: (1, n), c: (1, d)},
        (),
        (G, a, b, x),
        {
            "g": "the number of generators",
            "n": "the number of tokens",
            "d": "the dimension of the tokens",
            "G": "G(i): an entry of a generator",
            "a": "a(i, c): the slope of its coefficient",
            "b": "b(i): the offset",
            "x": "x(j, c): the tokens",
        },
    )
    pooled = Sum(a(i, c) * x(j, c), (c, 1, d), (j, 1, n)) + b(i)
    flipped = Sum(-a(i, c) * x(j, c), (c, 1, d), (j, 1, n)) - b(i)
    proof = Proof(CLAIM, "The sign of a generator", setting)
    one = proof.step(
        eq((1 - 2 / (exp(2 * flipped) + 1)) * -G(i), (1 - 2 / (exp(2 * pooled) + 1)) * G(i)),
        NORMAL_FORM,
        why="tanh is odd.",
    )
    same = proof.step(
        ForAll(
            eq((1 - 2 / (exp(2 * flipped) + 1)) * -G(i), (1 - 2 / (exp(2 * pooled) + 1)) * G(i)),
            (i, 1, g),
        ),
        GENERALISATION,
        one,
        why="i was arbitrary.",
    )
    return proof.finish(same=same)


def _inverse(random: Random) -> Choice:
    """An invertible M and its inverse N."""
    while True:
        order = random.randint(1, 3)
        moved = Matrix(order, order, lambda *_: Integer(random.randint(-3, 3)))
        if moved.det():
            break
    return Choice({size("m"): order}, {"M": _table(moved), "N": _table(moved.inv())})


def _table(entries: Any) -> Any:
    return lambda r, s: Fraction(str(entries[int(r) - 1, int(s) - 1]))
