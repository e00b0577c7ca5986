"""Claim C3, identification.biases. In base 2 a weight of integer scores is a fraction."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import torch
from hypothesis import strategies as st

from ....numeric.checkpoint import TEXT, default_model_dir, open_checkpoint
from ....numeric.identification.key_bias import key_bias_effect
from ....symbolic.identification.proofs import biases as proof
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    Condition,
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
from ...claims.identification.biases import ID
from ...evidence import Certificate, Finding, Outcome
from ...inspection.on_text import inspect_text
from ...outcomes import compared, derived, searched
from ...search import search

N, DIM = length("k"), length("q")
TWO = number(2)

Case = tuple[list[int], list[list[int]], list[int]]


def _plain(j: str) -> Expression:
    return sum_over("a", DIM, at("q", var("a")) * at("k", var(j), var("a")))


def _biased(j: str) -> Expression:
    shifted = at("k", var(j), var("a")) + at("b", var("a"))
    return sum_over("a", DIM, at("q", var("a")) * shifted)


def _same(one: Any, other: Any, *, extra: int = 0) -> Condition:
    """The weights of two kinds of scores are the same, with a further logit 0 if asked for."""
    first = sum_over("i", N, TWO ** one("i")) + extra
    second = sum_over("i", N, TWO ** other("i")) + extra
    return forall("j", N, equal(TWO ** one("j") * second, TWO ** other("j") * first))


def inert_derivation(_: Context) -> Outcome:
    """The weights do not change, for every N and d_k."""
    return derived(proof.key_bias(), "inert")


def key_bias_derivation(_: Context) -> Outcome:
    """The scores move together and the weights do not change."""
    return derived(proof.key_bias(), "scores", "inert")


def value_bias_derivation(_: Context) -> Outcome:
    """A constant is added to the output, for every H, N and d_k."""
    return derived(proof.value_bias(), "merged")


def base_two(context: Context) -> Outcome:
    """All queries, keys and biases in {-1, 0, 1}."""
    sizes = [(2, 1), (2, 2)] if context.profile is Profile.QUICK else [(2, 1), (3, 1), (2, 2)]
    certificates: dict[str, Certificate] = {}
    instances = 0
    signs = range(-1, 2)
    for n, dim in sizes:
        family = Grid(
            {
                "q": Entries((dim,), signs),
                "k": Entries((n, dim), signs),
                "b": Entries((dim,), signs),
            }
        )
        instances += family.count
        certificates[f"N{n}d{dim}"] = exhaustive.certificate(ID, family, _same(_biased, _plain))
    return Outcome(
        Finding.HOLDS,
        scope="base 2: all queries, keys and biases in {-1, 0, 1}, (N, d_k) = "
        + ", ".join(map(str, sizes)),
        certificates=certificates,
        numbers={"instances": instances},
    )


def search_key_bias(context: Context) -> Outcome:
    """Look for integer data at which a weight changes."""
    entry = st.integers(-6, 6)
    cases = st.integers(1, 3).flatmap(
        lambda n: st.tuples(
            st.lists(entry, min_size=n, max_size=n),
            st.lists(st.lists(entry, min_size=n, max_size=n), min_size=1, max_size=6),
            st.lists(entry, min_size=n, max_size=n),
        )
    )

    def holds(case: Case) -> bool:
        q, keys, b = case
        plain = [sum(x * y for x, y in zip(q, key, strict=True)) for key in keys]
        biased = [sum(x * (y + z) for x, y, z in zip(q, key, b, strict=True)) for key in keys]
        return _weights(plain) == _weights(biased)

    examples = 300 if context.profile is Profile.QUICK else 3000
    result = search(cases, holds, examples=examples, seed=context.seed)

    def refutation(case: Case) -> dict[str, Certificate]:
        q, keys, b = case
        instance = {"q": q, "k": keys, "b": b}
        return {"case": counterexample.certificate(ID, _same(_biased, _plain), instance)}

    return searched(result, "integer queries, keys and biases, N <= 6, d_k <= 3", refutation)


def float_agreement(context: Context) -> Outcome:
    """The weights of torch with and without a bias, each within its rounding bound."""
    generator = torch.Generator().manual_seed(context.seed % 2**63)
    worst, cases = 0.0, 0
    for d_k in (1, 4, 32):
        for scale in (0.1, 1.0, 10.0):
            q, k = (torch.randn(4, 20, d_k, generator=generator, dtype=torch.float64) for _ in "qk")
            b = torch.randn(4, d_k, generator=generator, dtype=torch.float64)
            found = key_bias_effect(scale * q, k, scale * b)
            worst = max(worst, float((found.change / found.bound).max()))
            cases += found.change.numel()
    return compared(worst, cases, "torch float64, with against without", "bound of key_bias_effect")


def real_checkpoint(_: Context) -> Outcome:
    """The real model in float64 on the built-in text."""
    folder = default_model_dir()
    if folder is None:
        raise FileNotFoundError("the checkpoint's package is not installed")
    checkpoint = open_checkpoint(folder)
    found = inspect_text(folder, checkpoint, TEXT, skeletons=False)
    tests = {test.role: test for test in found.biases}
    holds = (
        tests["key"].inert
        and not tests["query"].inert
        and all(layer.within for layer in found.key_bias)
        and len(found.key_bias) == checkpoint.model.layers
    )
    return Outcome(
        Finding.HOLDS if holds else Finding.VIOLATED,
        scope=f"{checkpoint.model.layers} layers, {found.tokens} tokens",
        numbers={
            "outputs, b_K = 0": f"{tests['key'].change:.1e} of the largest",
            "outputs, b_Q = 0": f"{tests['query'].change:.1e} of the largest",
            "largest change of a weight": f"{max(one.change for one in found.key_bias):.1e}",
            "largest rounding bound": f"{max(one.bound for one in found.key_bias):.1e}",
        },
    )


def rotated(_: Context) -> Outcome:
    """The second key is a quarter turn away: its bias points elsewhere."""

    def turned(j: str, part: Callable[[str, int], Expression]) -> Expression:
        cos, sin = at("c", var(j)), at("s", var(j))
        x, y = part(j, 0), part(j, 1)
        return at("q", 0) * (cos * x - sin * y) + at("q", 1) * (sin * x + cos * y)

    def biased(j: str) -> Expression:
        return turned(j, lambda j, a: at("k", var(j), number(a)) + at("b", a))

    def plain(j: str) -> Expression:
        return turned(j, lambda j, a: at("k", var(j), number(a)))

    rotation = forall("j", N, equal(at("c", var("j")) ** 2 + at("s", var("j")) ** 2, 1))
    instance = {
        "q": [1, 0], "k": [[0, 0], [0, 0]], "b": [1, 0], "c": [1, 0], "s": [0, 1],
    }  # fmt: skip
    return _refuted(implies(rotation, _same(biased, plain)), instance, "weights 2/3, 1/3 for 1/2")


def sink(_: Context) -> Outcome:
    """One key beside a logit 0: 2/3 of the weight with the bias, 1/2 without."""
    formula = _same(_biased, _plain, extra=1)
    return _refuted(formula, {"q": [1], "k": [[0]], "b": [1]}, "weight 2/3 for 1/2")


def normalised(_: Context) -> Outcome:
    """Keys of norm 3 that have norm 5 with the bias."""

    def norms(name: str, part: Any) -> Condition:
        norm = at(name, var("j"))
        square = sum_over("a", DIM, part("j") ** 2)
        return forall("j", N, every(norm > 0, equal(norm**2, square)))

    def key(j: str) -> Expression:
        return at("k", var(j), var("a"))

    def moved(j: str) -> Expression:
        return at("k", var(j), var("a")) + at("b", var("a"))

    formula = implies(
        every(norms("m", key), norms("n", moved)),
        _same(lambda j: _biased(j) / at("n", var(j)), lambda j: _plain(j) / at("m", var(j))),
    )
    instance = {"q": [15, 0], "k": [[3, 0], [-3, 0]], "b": [0, 4], "m": [3, 3], "n": [5, 5]}
    return _refuted(formula, instance, "scores 9, -9 for 15, -15")


def query_bias(_: Context) -> Outcome:
    """Keys 0 and 1: a query bias of 1 doubles the second one's share."""

    def moved(j: str) -> Expression:
        shifted = at("q", var("a")) + at("b", var("a"))
        return sum_over("a", DIM, shifted * at("k", var(j), var("a")))

    instance = {"q": [0], "k": [[0], [1]], "b": [1]}
    return _refuted(_same(moved, _plain), instance, "weights 1/3, 2/3 for 1/2")


def _refuted(formula: Condition, instance: dict[str, Any], detail: str) -> Outcome:
    return Outcome(
        Finding.VIOLATED,
        scope="one instance, base 2",
        certificates={"case": counterexample.certificate(ID, formula, instance)},
        detail=detail,
    )


def _weights(scores: list[int]) -> list[Fraction]:
    terms = [Fraction(2) ** score for score in scores]
    return [term / sum(terms) for term in terms]
