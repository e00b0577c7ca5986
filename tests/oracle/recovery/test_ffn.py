"""Attention with a ReLU layer: recovered exactly, or refused; kinks of functions on the line."""

from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from headproof.oracle.ffn import FfnOracle, Neuron, neurons
from headproof.oracle.protocol import Query
from headproof.oracle.recovery import ffn
from headproof.oracle.recovery.document import answer, parse, run
from headproof.oracle.recovery.ffn import recover_ffn
from headproof.oracle.recovery.kinks import find_kinks
from headproof.symbolic.errors import (
    Degenerate,
    HeadproofError,
    InputError,
    LimitReached,
    NotInClass,
)


def planted(d: int, H: int, K: int, seed: int) -> FfnOracle:
    random = Random(seed)

    def rows(n: int, m: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(random.randint(-2, 2) for _ in range(m)) for _ in range(n))

    a = [random.choice((-2, -1, 1, 3)) for _ in range(K)]
    return FfnOracle(
        [rows(d, d) for _ in range(H)], neurons(a, rows(K, d), [rows(d, d) for _ in range(H)])
    )


def agree(one: FfnOracle, two: FfnOracle, seed: int) -> bool:
    random = Random(seed)
    return all(
        one(query) == two(query)
        for query in (
            tuple(
                tuple(random.randint(-3, 3) for _ in range(one.dimension))
                for _ in range(random.randint(1, 5))
            )
            for _ in range(40)
        )
    )


@pytest.mark.parametrize("seed", range(25))
def test_what_is_recovered_is_the_same_function(seed: int) -> None:
    random = Random(seed)
    oracle = planted(random.randint(2, 4), random.randint(1, 3), random.randint(1, 5), seed)
    try:
        found = recover_ffn(oracle, heads=len(set(oracle.forms)), seed=seed)
    except Degenerate:
        assert not generic(oracle)
        return
    assert found.verified
    assert agree(oracle, FfnOracle(found.forms, found.neurons, linear=found.linear), seed)
    assert found.queries_all_attempts >= found.queries + found.fresh_queries


def generic(oracle: FfnOracle) -> bool:
    """Distinct forms, every head in the odd part, no invisible and no parallel neurons."""
    heads, d = len(oracle.forms), oracle.dimension
    visible = [[sum(row[i] for row in term.g) for i in range(d)] for term in oracle.terms]
    odd = [[sum(t.sign * t.g[h][i] for t in oracle.terms) for i in range(d)] for h in range(heads)]
    parallel = any(
        all(u[i] * w[j] == u[j] * w[i] for i in range(d) for j in range(d))
        for u, w in combinations(visible, 2)
    )
    distinct = len(set(oracle.forms)) == heads
    return distinct and all(map(any, odd)) and all(map(any, visible)) and not parallel


def test_most_cases_are_generic() -> None:
    random = [Random(seed) for seed in range(25)]
    cases = [
        planted(r.randint(2, 4), r.randint(1, 3), r.randint(1, 5), seed)
        for seed, r in enumerate(random)
    ]
    assert sum(map(generic, cases)) > 12


def test_a_larger_one() -> None:
    oracle = planted(6, 4, 12, 4)
    found = recover_ffn(oracle, heads=4)
    assert len(found.neurons) == 12
    assert found.linear is None
    assert agree(oracle, FfnOracle(found.forms, found.neurons), 0)
    assert agree(oracle, FfnOracle(recover_ffn(oracle, bound=5).forms, found.neurons), 0)


def test_opposite_neurons_leave_a_linear_term() -> None:
    terms = [Neuron(1, ((2, 1),)), Neuron(-1, ((-2, -1),)), Neuron(1, ((1, 3),))]
    oracle = FfnOracle([((1, 0), (2, 1))], terms)
    found = recover_ffn(oracle, heads=1)
    assert found.linear is not None
    assert agree(oracle, FfnOracle(found.forms, found.neurons, linear=found.linear), 0)


def test_what_cannot_be_seen_is_refused() -> None:
    W = ((1, 0), (2, 1))
    invisible = FfnOracle([W], [Neuron(1, ((2, 1),)), Neuron(-1, ((2, 1),))])
    with pytest.raises(HeadproofError):
        recover_ffn(invisible, heads=1)
    even = FfnOracle([W], [Neuron(1, ((2, 1),)), Neuron(1, ((-2, -1),))])
    with pytest.raises(Degenerate, match="odd part"):
        recover_ffn(even, bound=1)
    on_one_token = FfnOracle(
        [W, ((0, 1), (1, 0))], [Neuron(1, ((2, 1), (-2, -1))), Neuron(1, ((1, 1), (1, 0)))]
    )
    with pytest.raises(Degenerate):
        recover_ffn(on_one_token, heads=2)
    parallel = FfnOracle(
        [W, ((0, 1), (1, 0))], [Neuron(1, ((2, 1), (0, 0))), Neuron(1, ((0, 0), (2, 1)))]
    )
    with pytest.raises(Degenerate):
        recover_ffn(parallel, heads=2)


class Wrong:
    """A model's answer, changed."""

    dimension = 2

    def __init__(self, name: str) -> None:
        self.model = FfnOracle([((1, 0), (2, 1))], [Neuron(1, ((2, 1),)), Neuron(-1, ((1, -1),))])
        self.name = name

    def __call__(self, query: Query) -> Any:
        value = self.model(query)
        changed = {
            "squared": value * value,
            "cubed": value**3,
            "constant": value + 1,
            "length": value * len(query),
            "two tokens": value + (len(query) == 2),
            "smooth": fmpq(int(query[-1][0]) ** 3),
        }
        return changed.get(self.name, value)


@pytest.mark.parametrize("name", ["squared", "cubed", "constant", "length", "two tokens", "smooth"])
def test_a_wrong_oracle_gives_no_model(name: str) -> None:
    with pytest.raises(HeadproofError):
        recover_ffn(Wrong(name), heads=1)


def test_the_control_and_the_arguments() -> None:
    assert recover_ffn(Wrong("right"), heads=1).verified
    with pytest.raises(LimitReached):
        recover_ffn(Wrong("right"), heads=1, limit=30)
    for options in ({}, {"heads": 1, "bound": 1}, {"heads": 0}):
        with pytest.raises(InputError):
            recover_ffn(Wrong("right"), **options)
    with pytest.raises(InputError):
        recover_ffn(FfnOracle([((1,),)], [Neuron(1, ((1,),))]), heads=1)


def test_documents() -> None:
    document: dict[str, Any] = {
        "base": 2,
        "heads": [{"W": [[1, 0], [2, 1]]}],
        "ffn": {"a": [2, "-1/2"], "b": [[1], [3]], "V": [[[2, 1]]]},
    }
    # With one head, parallel neurons are one: 2 relu(g.o) - relu(3 g.o)/2 = relu(g.o)/2.
    assert answer(run(parse(document)))["neurons"] == [{"sign": 1, "g": [[1, "1/2"]]}]
    document["ffn"] = {"a": [2, -3], "b": [[1, 0], [1, 1]], "V": [[[2, 1], [0, 1]]]}
    found = answer(run(parse(document)))
    assert found["heads"] == document["heads"]
    assert sorted(found["neurons"], key=str) == [
        {"sign": -1, "g": [[6, 6]]},
        {"sign": 1, "g": [[4, 2]]},
    ]
    assert "linear" not in found
    for change in (
        {"base": "e"},
        {"heads": [{"W": [[1, 0], [2, 1]], "v": [1, 1]}]},
        {"ffn": {"a": [1], "b": [[1]]}},
        {"ffn": {"a": [1], "b": [[1]], "V": [[[1, 2, 3]]]}},
        {"ffn": {"a": [1], "b": [[1]], "V": [[[0.5, 2]]]}},
    ):
        with pytest.raises(InputError):
            parse(document | change)


# Kinks ------------------------------------------------------------------------------------

bends = st.lists(
    st.tuples(st.fractions(-50, 50, max_denominator=40), st.integers(-3, 3).filter(bool)),
    max_size=8,
    unique_by=lambda bend: bend[0],
)


@given(bends, st.integers(-3, 3), st.integers(0, 5))
def test_all_kinks_are_found(planted: list[tuple[Fraction, int]], slope: int, seed: int) -> None:
    def function(t: Fraction) -> Fraction:
        return slope * t + sum((a * max(t - k, Fraction(0)) for k, a in planted), Fraction(0))

    wanted = [(k, Fraction(a)) for k, a in sorted(planted)]
    assert find_kinks(function, random=Random(seed)) == wanted


@pytest.mark.parametrize(
    "function",
    [lambda t: t * t, lambda t: Fraction(int(t)), lambda t: max(t - (1 << 41), Fraction(0))],
)
def test_other_functions_are_refused(function: Any) -> None:
    with pytest.raises(Degenerate):
        find_kinks(function, random=Random(0))


SINGLE: dict[str, Any] = {
    "constant": lambda query, value: value + 1,
    "length": lambda query, value: value + len(query),
    "single tokens only": lambda query, value: value + (len(query) == 1),
    "square of the last token": lambda query, value: value + int(query[-1][0]) ** 2,
    "squared": lambda query, value: value * value,
    "absolute": lambda query, value: abs(value),
}


@pytest.mark.parametrize("name", SINGLE)
def test_a_wrong_oracle_is_ruled_out_with_its_own_answer(name: str) -> None:
    model = planted(2, 2, 3, seed=4)

    class Wrong:
        dimension = 2

        def __call__(self, query: Query) -> fmpq:
            return fmpq(SINGLE[name](query, model(query)))

    with pytest.raises(NotInClass) as caught:
        recover_ffn(Wrong(), heads=2)
    query: Any = caught.value.query
    assert caught.value.answer == Wrong()(query)


def test_long_fractions_take_further_primes() -> None:
    oracle = FfnOracle([((1, 0), (2, 1))], [Neuron(1, ((Fraction(10**25, 7**9), 3**40),))])
    found = recover_ffn(oracle, heads=1)
    assert agree(oracle, FfnOracle(found.forms, found.neurons, linear=found.linear), 1)


def test_the_line_avoids_the_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([(0, 0), (0, 0), (3, 1), (-6, -2)])
    usual = ffn._Learner._vector
    monkeypatch.setattr(
        ffn._Learner, "_vector", lambda self, reach: next(drawn, None) or usual(self, reach)
    )
    assert recover_ffn(planted(2, 1, 2, seed=3), heads=1).attempts == 1
