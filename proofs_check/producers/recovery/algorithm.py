"""Claim E3, recovery.algorithm: every head from 4 H d^2 - 2H + 1 value queries."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from ....oracle.exact import ExactOracle
from ....oracle.model import canonical
from ....oracle.recovery.recover import recover
from ....symbolic.recovery.proofs import schedule as proof
from ...certificates import counterexample, recovery
from ...certificates.formula import (
    Expression,
    at,
    equal,
    every,
    forall,
    implies,
    length,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.recovery.algorithm import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search
from .models import Model, models, random_model

Scores = tuple[tuple[int, int], ...]
"""Of each head: x^T W_h w_1 and x^T W_h w_2."""


def known_transcripts(context: Context) -> Outcome:
    """Recoveries with H known, for every d and H of a grid."""
    sides = range(1, 4 if context.profile is Profile.QUICK else 6)
    return _transcripts(context, [(d, H, None, False) for d in sides for H in sides])


def bound_transcripts(context: Context) -> Outcome:
    """Recoveries with a bound above the number of heads, and with an empty model."""
    cases = [(1, 1, 3), (2, 1, 2), (2, 2, 4), (3, 2, 3), (2, 0, 2)]
    if context.profile is not Profile.QUICK:
        cases += [(3, 3, 6), (4, 2, 5), (5, 4, 5)]
    return _transcripts(context, [(d, H, bound, False) for d, H, bound in cases])


def detected_transcripts(context: Context) -> Outcome:
    """Recoveries in which the first pair tells the number of heads."""
    cases = [(1, 1, 3), (2, 1, 4), (3, 2, 5)]
    if context.profile is not Profile.QUICK:
        cases += [(4, 3, 8), (5, 2, 8)]
    return _transcripts(context, [(d, H, bound, True) for d, H, bound in cases])


def derivation(_: Context) -> Outcome:
    """The count, for every H and d."""
    return derived(proof.derivation(), "count")


def _transcripts(context: Context, cases: Sequence[tuple[int, int, int | None, bool]]) -> Outcome:
    """One recovery for each (d, H, bound, detect), its transcript a certificate.

    Raises:
        AssertionError: what was recovered is not what was planted.
    """
    random = Random(context.seed)
    certificates: dict[str, Certificate] = {}
    queries = attempts = 0
    for d, H, bound, detect in cases:
        planted = random_model(random, d, H)
        found = recover(
            ExactOracle(planted, dimension=d),
            heads=H if bound is None else None,
            bound=bound,
            detect=detect,
            seed=random.getrandbits(30),
        )
        if found.heads != canonical(planted):
            raise AssertionError(f"{found.heads} recovered, {canonical(planted)} planted")
        name = f"d{d}H{H}" + (f"bound{bound}" if bound else "")
        certificates[name] = recovery.certificate(ID, found.transcript())
        queries += found.queries
        attempts += len(found.attempts)
    return Outcome(
        Finding.HOLDS,
        scope=", ".join(
            f"(d, H) = ({d}, {H})" + (f", H0 = {b}" if b else "") for d, H, b, _ in cases
        ),
        certificates=certificates,
        numbers={"recoveries": len(cases), "queries": queries, "drawings": attempts},
        detail="the checker replays every answer and counts the queries and their lengths",
    )


def search_right(context: Context) -> Outcome:
    """Look for a model that is recovered wrongly: H known, with a bound, H read off."""
    spent = {"queries": 0, "repeated drawings": 0}

    def holds(model: Model) -> bool:
        right = canonical(model)
        oracle = ExactOracle(model)
        tight = recover(oracle, heads=len(right), seed=context.seed)
        loose = recover(oracle, bound=len(right) + 1, seed=context.seed)
        read = recover(oracle, bound=len(right) + 1, detect=True, seed=context.seed)
        for found in (tight, loose, read):
            spent["queries"] += found.queries_all_attempts
            spent["repeated drawings"] += len(found.attempts) - 1
        return tight.heads == loose.heads == read.heads == right

    examples = 250 if context.profile is Profile.QUICK else 4000
    result = search(models(), holds, examples=examples, seed=context.seed)
    found = searched(
        result, "models (H <= 4, d <= 3; equal, opposite and zero heads)", lambda _: {}
    )
    return Outcome(
        found.finding, found.scope, numbers={**found.numbers, **spent}, detail=found.detail
    )


def search_one_fewer(context: Context) -> Outcome:
    """Refute the count that is one too small."""
    H, d = var("H"), var("d")
    pairs = d**2 + d * (d - 1) + (d - 1)
    formula = implies(every(H >= 1, d >= 1), equal(1 + 2 * H * pairs, 4 * H * d**2 - 2 * H))
    sizes = st.tuples(st.integers(1, 9), st.integers(1, 9))

    def holds(case: tuple[int, int]) -> bool:
        H, d = case
        asked = recover(ExactOracle(random_model(Random(0), d, H)), heads=H).queries
        return asked == 4 * H * d**2 - 2 * H

    result = search(sizes, holds, examples=5, seed=context.seed)

    def refutation(case: tuple[int, int]) -> dict[str, Certificate]:
        return {"case": counterexample.certificate(ID, formula, {"H": case[0], "d": case[1]})}

    return searched(result, "H and d up to 9", refutation)


def search_without_sums(context: Context) -> Outcome:
    """Refute that the pairs alone tell which pole of one belongs to which pole of another."""
    entry = st.integers(-3, 3)
    heads = st.lists(st.tuples(entry, entry), min_size=1, max_size=3).map(tuple)
    case = st.tuples(heads, st.randoms(use_true_random=False)).map(_permuted)

    def holds(case: tuple[Scores, Scores]) -> bool:
        first, second = (sorted(a + b for a, b in scores) for scores in case)
        return first == second

    result = search(case, holds, examples=100, seed=context.seed)

    def refutation(case: tuple[Scores, Scores]) -> dict[str, Certificate]:
        instance = {
            f"{letter}{i}": [head[k] for head in scores]
            for i, scores in enumerate(case, start=1)
            for k, letter in enumerate("ab")
        }
        H, m = length("a1"), var("m")
        shapes = every(*(equal(length(name), H) for name in ("b1", "a2", "b2")))
        alike = every(
            *(forall("m", 2 * H + 1, equal(_value(f"{x}1", m), _value(f"{x}2", m))) for x in "ab")
        )
        sums = forall("m", 2 * H + 1, equal(_value("a1", m, "b1"), _value("a2", m, "b2")))
        formula = implies(every(shapes, alike), sums)
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "two models with the same poles at both pairs", refutation)


def _permuted(case: tuple[Scores, Random]) -> tuple[Scores, Scores]:
    """A model, and one whose second scores are those of the first in another order."""
    scores, random = case
    second = [b for _, b in scores]
    random.shuffle(second)
    return scores, tuple((a, b) for (a, _), b in zip(scores, second, strict=True))


def _value(first: str, m: Expression, second: str = "") -> Expression:
    """F(m) at a token with v_h.x = 0; with a second name, that of the sum of both differences."""
    h = var("h")
    score = at(first, h) + at(second, h) if second else at(first, h)
    weight, residue = number(2) ** score, number(Fraction(2 if second else 1))
    return sum_over("h", length(first), m * weight * residue / (m * weight + 1))
