"""A5, tropical.cells: keys that never win alone, and wins that extend to a ball.

Exclusion is the easy direction of the theorem: a convex combination of other lifted keys that
lies on or above (kappa_j, b_j) keeps key j from winning alone. That every other key does win
somewhere (Farkas, Motzkin) is not derived here; on instances it is settled by certificates.

Openness: a strict win with margin mu over key i at x persists at x + h when |h| R < mu, where
R >= |kappa_j - kappa_i|. The Cauchy-Schwarz inequality is Lagrange's identity.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any

from sympy import Rational, Sum, Symbol

from ...derivation import Derivation, Proof
from ...instance import Choice, rational
from ...rules.equality import NORMAL_FORM
from ...rules.logic import ANOTHER_INDEX, GENERALISATION, INSTANCE
from ...rules.order import COMBINATION, SIGN
from ...rules.summation import TERMWISE, WEIGHTED_MEAN
from ...setting import Setting, family, index, size
from ...statement import Conjunction, Exists, ForAll, eq, gt, le, lt, ne

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
    )
    proof = Proof(CLAIM, "A key under others never wins alone", setting, choose=_combination)

    def keys(term: Any) -> Any:
        return Sum(term, (i, 1, N))

    def coordinates(term: Any) -> Any:
        return Sum(term, (c, 1, d))

    def score(j: Any) -> Any:
        return coordinates(kappa(j, c) * x(c)) + b(j)

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


def openness() -> Derivation:
    """A win by mu > 0 over key i at x persists at x + h if |h| R < mu and |kappa_j - kappa_i| <= R.

    Conclusions: ``cauchy-schwarz``; ``open`` (s_i(x + h) < s_j(x + h)). i is any other key.

    Raises:
        DerivationFailed: a step is not decided.
    """
    N, d = size("N"), size("d")
    i, j, c, e = index("i"), index("j"), index("c"), index("e")
    kappa, b, x, h = family("kappa"), family("b"), family("x"), family("h")
    mu, R = Symbol("mu", positive=True), Symbol("R", nonnegative=True)
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
    )
    proof = Proof(CLAIM, "A strict win extends to a ball", setting, choose=_win)

    def coordinates(term: Any, letter: Any = c) -> Any:
        return Sum(term, (letter, 1, d))

    def a(c: Any) -> Any:
        return kappa(j, c) - kappa(i, c)

    def score(j: Any, *, moved: bool) -> Any:
        return coordinates(kappa(j, c) * (x(c) + h(c) if moved else x(c))) + b(j)

    inner, squared = coordinates(a(c) * h(c)), coordinates(a(c) ** 2)
    step = coordinates(h(c) ** 2)
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
