"""Claim A2, tropical.power-diagram: the best key is the nearest site in power distance."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random

import torch

from ....numeric.tropical import power_diagram as floats
from ....symbolic.tropical import power_diagram as exact
from ....symbolic.tropical.proofs import power_diagram as proof
from ...certificates import ball, counterexample, exhaustive, identity
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    exp,
    forall,
    iff,
    length,
    max_over,
    min_over,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.tropical.power_diagram import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...strategies import HeadCase, heads

DIGITS = 60
"""Of the two high-precision implementations."""

N, D = length("k"), length("x")
J, X = var("j"), at("x", var("c"))
FIRST = number(0)
NORM = sum_over("c", D, X**2)


def score(j: Expression) -> Expression:
    """<kappa_j, x> + b_j."""
    return sum_over("c", D, at("k", j, var("c")) * X) + at("b", j)


def unweighted_distance(j: Expression) -> Expression:
    """The power distance with the false weight 2 b_j."""
    return sum_over("c", D, (X - at("k", j, var("c"))) ** 2) - 2 * at("b", j)


def power_distance(j: Expression) -> Expression:
    """|x - kappa_j|^2 - w_j with w_j = |kappa_j|^2 + 2 b_j."""
    return unweighted_distance(j) - sum_over("c", D, at("k", j, var("c")) ** 2)


def same_choice(distance: Callable[[Expression], Expression]) -> Condition:
    """The keys of the largest score are those of the least distance."""
    best = score(J) >= max_over("i", N, score(var("i")))
    nearest = distance(J) <= min_over("i", N, distance(var("i")))
    return forall("j", N, iff(best, nearest))


def order_derivation(_: Context) -> Outcome:
    """The two argument sets agree, for every N and d."""
    return derived(proof.derivation(), "order")


def identity_derivation(_: Context) -> Outcome:
    """The identity, for every d."""
    return derived(proof.derivation(), "identity")


def identities(context: Context) -> Outcome:
    """The identity in d dimensions as polynomials, by normal form and on a complete grid."""
    largest = 4 if context.profile is Profile.QUICK else 8
    certificates = {}
    for d in range(1, largest + 1):
        variables = {"k": (1, d), "b": (1,), "x": (d,)}
        left, right = power_distance(FIRST), NORM - 2 * score(FIRST)
        grid = identity.integer_grid(variables, 2) if d == 1 else None
        certificates[f"d{d}"] = identity.certificate(
            ID, variables=variables, left=left, right=right, grid=grid
        )
    return Outcome(Finding.HOLDS, scope=f"polynomials, d = 1..{largest}", certificates=certificates)


def small_heads(context: Context) -> Outcome:
    """Every head with entries in {-1, 0, 1}, every point of the same grid."""
    sizes = [(2, 1), (2, 2), (3, 1)] if context.profile is Profile.QUICK else [(2, 2), (4, 1)]
    signs = range(-1, 2)
    certificates, instances = {}, 0
    for n, d in sizes:
        family = Grid(
            {"k": Entries((n, d), signs), "b": Entries((n,), signs), "x": Entries((d,), signs)}
        )
        instances += family.count
        certificates[f"N{n}d{d}"] = exhaustive.certificate(ID, family, same_choice(power_distance))
    return Outcome(
        Finding.HOLDS,
        scope="all keys, biases and points in {-1, 0, 1}, (N, d) = "
        + ", ".join(str(size) for size in sizes),
        certificates=certificates,
        numbers={"instances": instances},
    )


def enclosures(context: Context) -> Outcome:
    """The identity at points whose coordinates are transcendental, and mpmath beside it."""
    random = Random(context.seed)
    tolerance = Fraction(1, 10**50)
    certificates: dict[str, Certificate] = {}
    worst, cases = Fraction(0), 0
    for i in range(6 if context.profile is Profile.QUICK else 40):
        head = _random_head(random, d=1 + i % 4)
        difference = power_distance(FIRST) - NORM + 2 * score(FIRST)
        certificates[f"point{i}"] = ball.certificate(
            ID,
            _exponential_point(difference),
            box={"x": [(value / 4, value / 4) for value in head.point]},
            given={"k": [list(head.keys[0])], "b": [head.biases[0]]},
            enclosure=(-tolerance, tolerance),
            digits=80,
        )
        worst = max(worst, _high_precision_deviation(head))
        cases += len(head.keys)
    agreed = compared(
        worst, cases, "mpmath against exact rationals", f"10^-{DIGITS} of the sum of the terms"
    )
    return Outcome(
        agreed.finding,
        scope="points with coordinates e^r, d <= 4, by balls",
        certificates=certificates if agreed.finding is Finding.HOLDS else {},
        numbers={"digits": DIGITS, "|difference| <=": "10^-50", **agreed.numbers},
        detail="second implementation: mpmath",
    )


def search_order(context: Context) -> Outcome:
    """Look for a head and a point at which the two sides differ."""

    def holds(head: HeadCase) -> bool:
        weights = exact.power_weights(head.keys, head.biases)
        best = exact.winners(head.keys, head.biases, head.point)
        return best == exact.nearest(head.keys, weights, head.point)

    return _search(context, holds, same_choice(power_distance))


def search_unweighted(context: Context) -> Outcome:
    """Refute the claim with w_j = 2 b_j."""

    def holds(head: HeadCase) -> bool:
        doubled = [2 * b for b in head.biases]
        best = exact.winners(head.keys, head.biases, head.point)
        return best == exact.nearest(head.keys, doubled, head.point)

    return _search(context, holds, same_choice(unweighted_distance))


def float_agreement(context: Context) -> Outcome:
    """The torch implementation against exact arithmetic, on both sides of the claim."""
    random = Random(context.seed)
    worst, cases, decided = Fraction(0), 0, 0
    for i in range(60):
        head = _random_head(random, d=1 + i % 8)
        keys = torch.tensor([[float(a) for a in key] for key in head.keys], dtype=torch.float64)
        biases = torch.tensor([float(b) for b in head.biases], dtype=torch.float64)
        points = torch.tensor([[float(a) for a in head.point]], dtype=torch.float64)
        k, b, x = keys.tolist(), biases.tolist(), points[0].tolist()
        rows, shifts, point = _fractions(k), _fractions([b])[0], _fractions([x])[0]
        weights = exact.power_weights(rows, shifts)
        sides = (
            (
                floats.scores(keys, biases, points),
                floats.scores_error(keys, biases, points),
                exact.scores(rows, shifts, point),
            ),
            (
                floats.power_distances(keys, floats.power_weights(keys, biases), points),
                floats.power_distances_error(keys, biases, points),
                exact.power_distances(rows, weights, point),
            ),
        )
        for value, error, truth in sides:
            for v, e, t in zip(value[0].tolist(), error[0].tolist(), truth, strict=True):
                worst = max(worst, abs(Fraction(v) - t) / Fraction(e))
                cases += 1
        true = exact.winners(rows, shifts, point)
        for found in (floats.winners(keys, biases, points), floats.nearest(keys, biases, points)):
            candidates = set(found.mask[0].nonzero().flatten().tolist())
            decided += bool(found.decided[0])
            if not true <= candidates:
                return Outcome(Finding.VIOLATED, f"torch leaves out a winner: {head}")
    return compared(
        worst,
        cases,
        "torch float64 against exact rationals",
        "rounding analysis of scores_error, power_distances_error",
        **{"decided points": decided},
    )


def _search(context: Context, holds: Callable[[HeadCase], bool], formula: Condition) -> Outcome:
    examples = 300 if context.profile is Profile.QUICK else 3000
    result = search(heads(), holds, examples=examples, seed=context.seed)

    def refutation(head: HeadCase) -> dict[str, Certificate]:
        instance = {
            "k": [list(key) for key in head.keys],
            "b": list(head.biases),
            "x": list(head.point),
        }
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "heads (N <= 7, d <= 3, repeated and collinear keys)", refutation)


def _exponential_point(expression: Expression) -> Expression:
    """The expression with e^(x_c) in the place of x_c."""

    def replaced(part: Expression | Condition | str) -> Expression | Condition | str:
        if isinstance(part, str):
            return part
        if part == X:
            return exp(X)
        return type(part)(part.head, tuple(replaced(p) for p in part.parts), part.value)

    result = replaced(expression)
    if not isinstance(result, Expression):
        raise TypeError("expected an expression")
    return result


def _random_head(random: Random, d: int) -> HeadCase:
    def entry() -> Fraction:
        return Fraction(random.randint(-99, 99), random.choice((1, 2, 3, 5, 8)))

    n = random.randint(2, 9)
    return HeadCase(
        keys=tuple(tuple(entry() for _ in range(d)) for _ in range(n)),
        biases=tuple(entry() for _ in range(n)),
        point=tuple(entry() for _ in range(d)),
    )


def _high_precision_deviation(head: HeadCase) -> Fraction:
    """How far mpmath is from the exact scores and power distances, in units of its bound."""
    weights = exact.power_weights(head.keys, head.biases)
    point = head.point
    score = exact.scores(head.keys, head.biases, point)
    power = exact.power_distances(head.keys, weights, point)
    found = floats.scores_mp(head.keys, head.biases, point, DIGITS)
    apart = floats.power_distances_mp(head.keys, head.biases, point, DIGITS)
    worst = Fraction(0)
    for j, (key, b) in enumerate(zip(head.keys, head.biases, strict=True)):
        size = sum((abs(a * x) for a, x in zip(key, point, strict=True)), abs(b))
        far = sum((x - a) ** 2 + a**2 for a, x in zip(key, point, strict=True)) + 2 * abs(b)
        for value, truth, scale in ((found[j], score[j], size), (apart[j], power[j], far)):
            if value != truth:
                worst = max(worst, abs(value - truth) * 10**DIGITS / scale)
    return worst


def _fractions(rows: list[list[float]]) -> list[list[Fraction]]:
    return [[Fraction(value) for value in row] for row in rows]
