"""Claim E7, recovery.equivalence: the recovered model is the oracle, on sequences never asked."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from ....oracle.exact import ExactOracle
from ....oracle.model import Head, canonical
from ....oracle.recovery.recover import recover
from ...certificates import counterexample, recovery
from ...certificates.formula import (
    Expression,
    at,
    equal,
    every,
    implies,
    length,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.recovery.equivalence import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import searched
from ...search import search
from .models import Model, models, random_model

Line = tuple[tuple[int, ...], tuple[int, ...]]
"""Two models with d = 1 and v_h = 1, by their W_h."""


def transcripts(context: Context) -> Outcome:
    """Recoveries of up to 16 heads with their fresh queries, replayed by the checker.

    Raises:
        AssertionError: other heads, or another answer to a sequence of up to 12 tokens.
    """
    random = Random(context.seed)
    sizes = [(1, 4), (2, 3), (3, 2), (2, 12), (2, 16)]
    if context.profile is not Profile.QUICK:
        sizes += [(1, 8), (3, 8), (4, 4)]
    certificates: dict[str, Certificate] = {}
    fresh = 0
    for d, H in sizes:
        oracle = ExactOracle(random_model(random, d, H, reach=1 if H == 12 else 5))
        found = recover(oracle, heads=H, seed=random.getrandbits(30))
        again = ExactOracle(found.heads, dimension=d)
        for _ in range(20):
            query = tuple(
                tuple(random.randint(-2, 2) for _ in range(d)) for _ in range(random.randint(1, 12))
            )
            if oracle(query) != again(query):
                raise AssertionError(f"{found.heads} answers otherwise than the oracle at {query}")
        if found.heads != canonical(oracle.heads):
            raise AssertionError(f"{found.heads} recovered, {oracle.heads} planted")
        if H <= 12:  # beyond that the numbers are longer than the checker takes
            certificates[f"d{d}H{H}"] = recovery.certificate(ID, found.transcript())
        fresh += found.fresh_queries
    return Outcome(
        Finding.HOLDS,
        scope=", ".join(f"(d, H) = ({d}, {H})" for d, H in sizes if H <= 12),
        certificates=certificates,
        numbers={"fresh queries in the certificates": fresh, "more compared": 20 * len(sizes)},
    )


def search_permutation(context: Context) -> Outcome:
    """Look for a model and another way to write it that are recovered differently."""

    def holds(case: tuple[Model, Model]) -> bool:
        one, other = case
        most = max(1, len(canonical(one)))
        first, second = (
            recover(ExactOracle(model), bound=most, seed=context.seed).heads
            for model in (one, other)
        )
        return first == second

    examples = 100 if context.profile is Profile.QUICK else 1500
    case = st.tuples(models(max_heads=3), st.randoms(use_true_random=False)).map(_rewritten)
    result = search(case, holds, examples=examples, seed=context.seed)
    return searched(result, "models and the same heads in another order, split", lambda _: {})


def _rewritten(case: tuple[Model, Random]) -> tuple[Model, Model]:
    """The heads in another order, the first one in two parts, and a pair that cancels."""
    model, random = case
    first, *rest = model
    part = tuple(random.randint(-2, 2) for _ in first.v)
    W = tuple(tuple(random.randint(-2, 2) for _ in row) for row in first.W)
    added = [
        Head(first.W, part),
        Head(first.W, tuple(a - b for a, b in zip(first.v, part, strict=True))),
        Head(W, part),
        Head(W, tuple(-entry for entry in part)),
        *rest,
    ]
    random.shuffle(added)
    return model, tuple(added)


def search_schedule_suffices(context: Context) -> Outcome:
    """Refute that one query of copies is enough."""
    entry = st.integers(-2, 2)

    def holds(case: Line) -> bool:
        one, other = (ExactOracle([Head(((W,),), (1,)) for W in forms]) for forms in case)
        copies, fresh = ((1,), (1,), (0,)), ((1,), (2,), (1,))
        return one(copies) != other(copies) or one(fresh) == other(fresh)

    pairs = st.integers(1, 2).flatmap(
        lambda n: st.tuples(st.tuples(*[entry] * n), st.tuples(*[entry] * n))
    )
    result = search(pairs, holds, examples=200, seed=context.seed)

    def refutation(case: Line) -> dict[str, Certificate]:
        # The attending token is 0, hence all weights 1, for the copies; 1 for the fresh query.
        H = length("W1")
        shape = equal(length("W2"), H)
        alike = equal(_answer("W1", 0, (1, 1, 0)), _answer("W2", 0, (1, 1, 0)))
        fresh = equal(_answer("W1", 1, (1, 2, 1)), _answer("W2", 1, (1, 2, 1)))
        instance = {"W1": list(case[0]), "W2": list(case[1])}
        formula = implies(every(shape, alike), fresh)
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "two models with d = 1 and v = 1", refutation)


def _answer(name: str, x: int, tokens: tuple[int, ...]) -> Expression:
    """Attention as it is defined, with base-2 softmax, at given tokens; x attends."""
    W = at(name, var("h"))
    weights = [number(2) ** (x * t * W) for t in tokens]
    top = sum((w * t for w, t in zip(weights, tokens, strict=True)), number(0))
    return sum_over("h", length(name), top / sum(weights, number(0)))
