"""Claim E5, recovery.feed-forward: a ReLU layer after attention, from value queries."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from ....oracle.exact import ExactOracle
from ....oracle.ffn import FfnOracle, Form, Neuron
from ....oracle.model import Head
from ....oracle.recovery.ffn import recover_ffn
from ....symbolic.recovery.proofs import odd_part as proof
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import at, equal, implies, length, maximum, sum_over, var
from ...claim import Context, Profile
from ...claims.recovery.feed_forward import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search

K, A, Y = length("y"), at("a", var("k")), at("y", var("k"))
ON = sum_over("k", K, A * maximum(Y, 0))
OFF = sum_over("k", K, A * maximum(-Y, 0))

Layer = tuple[tuple[Form, ...], tuple[Neuron, ...]]


def derivation(_: Context) -> Outcome:
    """Even scores, odd outputs and the linear layer, for every size."""
    return derived(proof.derivation(), "score", "output", "layer")


def grid(_: Context) -> Outcome:
    """The layer at y and -y, for up to two neurons and small integers."""
    formula = equal(ON - OFF, sum_over("k", K, A * Y))
    families = [
        Grid({"a": Entries((n,), range(-2, 3)), "y": Entries((n,), range(-3, 4))}) for n in (1, 2)
    ]
    return Outcome(
        Finding.HOLDS,
        scope="one and two neurons, small integers",
        certificates={
            f"K{n}": exhaustive.certificate(ID, family, formula)
            for n, family in enumerate(families, start=1)
        },
        numbers={"instances": sum(family.count for family in families)},
    )


def recoveries(context: Context) -> Outcome:
    """Random layers recovered, and compared with the black box on sequences of one to six tokens.

    A drawing that the algorithm calls degenerate counts as a disagreement.
    """
    random = Random(context.seed)
    sizes = [(2, 1, 1), (2, 1, 2), (2, 2, 3), (3, 2, 2)]
    sizes *= 1 if context.profile is Profile.QUICK else 5
    wrong = compared_at = queries = 0
    for d, H, neurons in sizes:
        forms, terms = _drawn(random, d, H, neurons)
        oracle = FfnOracle(forms, terms)
        found = recover_ffn(oracle, heads=H, seed=random.getrandbits(30))
        again = FfnOracle(found.forms, found.neurons, linear=found.linear)
        queries += found.queries
        for _ in range(40):
            query = tuple(
                tuple(random.randint(-5, 5) for _ in range(d)) for _ in range(random.randint(1, 6))
            )
            wrong += oracle(query) != again(query)
            compared_at += 1
    return compared(
        wrong * 2, compared_at, f"{len(sizes)} recovered layers against their black boxes",
        "exact equality", queries=queries,
    )  # fmt: skip


def search_odd_part(context: Context) -> Outcome:
    """Look for a layer and a sequence at which F(X) - F(-X) is not attention."""

    def holds(case: tuple[Layer, tuple[tuple[int, ...], ...]]) -> bool:
        (forms, terms), query = case
        oracle = FfnOracle(forms, terms)
        minus = tuple(tuple(-entry for entry in token) for token in query)
        heads = [
            Head(form, tuple(sum(term.sign * e for term, e in zip(terms, column, strict=True))
                             for column in zip(*(term.g[h] for term in terms), strict=True)))
            for h, form in enumerate(forms)
        ]  # fmt: skip
        return bool(oracle(query) - oracle(minus) == ExactOracle(heads)(query))

    examples = 150 if context.profile is Profile.QUICK else 2000
    result = search(_layers(), holds, examples=examples, seed=context.seed)
    return searched(result, "layers (H <= 2, d <= 3, 3 neurons) and sequences", lambda _: {})


def search_even(context: Context) -> Outcome:
    """Refute that the layer is odd without the linear term."""
    pair = st.tuples(st.integers(-3, 3), st.integers(-3, 3))

    def holds(case: tuple[tuple[int, int], ...]) -> bool:
        return sum(a * abs(y) for a, y in case) == 0

    pairs = st.lists(pair, min_size=1, max_size=3).map(tuple)
    result = search(pairs, holds, examples=100, seed=context.seed)

    def refutation(case: tuple[tuple[int, int], ...]) -> dict[str, Certificate]:
        formula = implies(equal(length("a"), K), equal(OFF, -ON))
        instance = {"a": [a for a, _ in case], "y": [y for _, y in case]}
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "up to three neurons", refutation)


def _layers() -> st.SearchStrategy[tuple[Layer, tuple[tuple[int, ...], ...]]]:
    @st.composite
    def case(draw: st.DrawFn) -> tuple[Layer, tuple[tuple[int, ...], ...]]:
        d, H = draw(st.integers(1, 3)), draw(st.integers(1, 2))
        row = st.tuples(*[st.integers(-2, 2)] * d)
        forms = draw(st.tuples(*[st.tuples(*[row] * d)] * H))
        neuron = st.builds(Neuron, st.sampled_from((1, -1)), st.tuples(*[row] * H))
        terms = tuple(draw(st.lists(neuron, min_size=1, max_size=3)))
        return (forms, terms), tuple(draw(st.lists(row, min_size=1, max_size=5)))

    return case()


def _drawn(random: Random, d: int, H: int, neurons: int) -> Layer:
    """A layer that satisfies the conditions."""

    def row() -> tuple[int, ...]:
        return tuple(random.randint(-4, 4) for _ in range(d))

    while True:
        forms = tuple(tuple(row() for _ in range(d)) for _ in range(H))
        terms = tuple(
            Neuron(random.choice((1, -1)), tuple(row() for _ in range(H))) for _ in range(neurons)
        )
        sums = [tuple(map(sum, zip(*term.g, strict=True))) for term in terms]
        odd = [[sum(t.sign * t.g[h][j] for t in terms) for j in range(d)] for h in range(H)]
        apart = all(
            any(a[i] * b[j] != a[j] * b[i] for i in range(d) for j in range(i))
            for k, a in enumerate(sums)
            for b in sums[:k]
        )
        heads_apart = len(set(forms)) == H and not any(
            all(a + b == 0 for a, b in zip(odd[g], odd[h], strict=True))
            for g in range(H)
            for h in range(g)
        )
        if apart and all(map(any, sums)) and all(map(any, odd)) and heads_apart:
            return forms, terms
