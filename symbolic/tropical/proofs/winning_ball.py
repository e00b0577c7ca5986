"""A5, tropical.cells: a strict win extends to a ball, so that the cell has full dimension.

A win by mu over key i at x persists at x + h when |h| R < mu, where R >= |kappa_j - kappa_i|. The
Cauchy-Schwarz inequality that this needs is Lagrange's identity, decided for every d.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

from sympy import Rational, Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import eq, le, lt

CLAIM = "tropical.cells"


def derivation() -> Derivation:
    """A win by mu > 0 over key i at x persists at x + h if |h| R < mu and |kappa_j - kappa_i| <= R.

    Conclusions: ``cauchy-schwarz``; ``open`` (s_i(x + h) < s_j(x + h)). i is any other key.

    Raises:
        DerivationFailed: a step is not decided.
    """
    N, d = size("N"), size("d")
    i, j, c, e = index("i"), index("j"), index("c"), index("e")
    kappa, b, x, h = family("kappa"), family("b"), family("x"), family("h")
    mu, R = Symbol("mu", positive=True), Symbol("R", nonnegative=True)

    def coordinates(term: Any, letter: Any = c) -> Any:
        return Sum(term, (letter, 1, d))

    def a(c: Any) -> Any:
        return kappa(j, c) - kappa(i, c)

    def score(j: Any, *, moved: bool) -> Any:
        return coordinates(kappa(j, c) * (x(c) + h(c) if moved else x(c))) + b(j)

    inner, squared = coordinates(a(c) * h(c)), coordinates(a(c) ** 2)
    step = coordinates(h(c) ** 2)
    setting = Setting(
        (N, d),
        {i: (1, N), j: (1, N), c: (1, d), e: (1, d)},
        (mu, R),
        (kappa, b, x, h),
        {
            "N": "the number of keys",
            "d": "the dimension",
            "kappa": "the coordinates of the keys",
            "b": "the biases",
            "x": "the coordinates of the query",
            "h": "the displacement of the query",
            "mu": "the margin by which key j beats key i at x",
            "R": "a bound on the distance of the two keys",
        },
        {
            "t_j": score(j, moved=True),
            "t_i": score(i, moved=True),
            "s_j": score(j, moved=False),
            "s_i": score(i, moved=False),
            "I": inner,
            "A": squared,
            "B": step,
        },
    )
    proof = Proof(CLAIM, "A strict win extends to a ball", setting, choose=_win)

    margin = proof.suppose(
        le(mu, score(j, moved=False) - score(i, moved=False)), why="Key j wins by mu at x."
    )
    apart = proof.suppose(le(squared, R**2), why="The keys are at most R apart.")
    short = proof.suppose(lt(R**2 * step, mu**2), why="The displacement is short: |h| R < mu.")

    crossed = coordinates(coordinates((a(c) * h(e) - a(e) * h(c)) ** 2, e))
    lagrange = proof.step(
        eq(squared * step - inner**2, crossed / 2), NORMAL_FORM, why="Lagrange's identity."
    )
    squares = proof.step(le(0, crossed), SIGN, why="A sum of squares.")
    cauchy = proof.step(
        le(inner**2, squared * step),
        COMBINATION,
        lagrange,
        squares,
        parameters=(-1, Rational(1, 2)),
        why="Hence the Cauchy-Schwarz inequality.",
    )
    near = proof.step(
        lt(inner**2, mu**2),
        COMBINATION,
        cauchy,
        apart,
        short,
        parameters=(1, step, 1),
        why="|<a, h>|^2 <= R^2 |h|^2 < mu^2.",
    )
    square = proof.step(le(0, (inner + mu) ** 2), SIGN, why="A square.")
    bounded = proof.step(
        lt(-mu, inner),
        COMBINATION,
        near,
        square,
        parameters=(1 / (2 * mu), 1 / (2 * mu)),
        why="2 mu (<a, h> + mu) = (<a, h> + mu)^2 + mu^2 - <a, h>^2 > 0.",
    )
    moved = proof.step(
        eq(
            score(j, moved=True) - score(i, moved=True),
            score(j, moved=False) - score(i, moved=False) + inner,
        ),
        NORMAL_FORM,
        why="The scores are affine.",
    )
    wins = proof.step(
        lt(score(i, moved=True), score(j, moved=True)),
        COMBINATION,
        margin,
        bounded,
        moved,
        parameters=(1, 1, -1),
        why="The margin is not used up.",
    )
    return proof.finish(cauchy_schwarz=cauchy, open=wins)


def _win(random: Random) -> Choice:
    """Two keys, a query at which one wins, and a displacement that is short enough."""
    count, dimension = random.randint(2, 4), random.randint(1, 4)
    i, j = random.sample(range(1, count + 1), 2)
    keys = [[rational(random) for _ in range(dimension)] for _ in range(count)]
    query = [rational(random) for _ in range(dimension)]
    move = [rational(random) for _ in range(dimension)]
    biases = [rational(random) for _ in range(count)]
    apart = sum((p - q) ** 2 for p, q in zip(keys[j - 1], keys[i - 1], strict=True))
    bound = Fraction(isqrt(int(apart)) + 1)
    length = isqrt(int(sum(m * m for m in move))) + 1
    margin = bound * length + rational(random, positive=True)
    lead = sum((p - q) * z for p, q, z in zip(keys[j - 1], keys[i - 1], query, strict=True))
    biases[j - 1] = biases[i - 1] - lead + margin + random.randint(0, 1)
    return Choice(
        {
            size("N"): count,
            size("d"): dimension,
            index("i"): i,
            index("j"): j,
            Symbol("mu", positive=True): margin,
            Symbol("R", nonnegative=True): bound,
        },
        {
            "kappa": lambda j, c: keys[j - 1][c - 1],
            "b": lambda j: biases[j - 1],
            "x": lambda c: query[c - 1],
            "h": lambda c: move[c - 1],
        },
    )
