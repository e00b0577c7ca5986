"""The ReLU oracle against a few lines of Fractions."""

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from headproof.oracle.ffn import FfnOracle, Neuron, neurons
from headproof.symbolic.errors import InputError

small = st.integers(-2, 2)
pair = st.tuples(small, small)
Pair = tuple[int, int]


@given(
    st.lists(st.tuples(pair, pair), min_size=2, max_size=2),
    st.lists(st.fractions(-2, 2, max_denominator=3), min_size=3, max_size=3),
    st.lists(pair, min_size=3, max_size=3),
    st.lists(st.tuples(pair, pair), min_size=2, max_size=2),
    st.lists(pair, min_size=1, max_size=4).map(tuple),
)
def test_answers_are_the_definition(
    forms: list[tuple[Pair, Pair]],
    a: list[Fraction],
    b: list[Pair],
    V: list[tuple[Pair, Pair]],
    query: tuple[Pair, ...],
) -> None:
    o = [Fraction(0), Fraction(0)]
    for W, matrix in zip(forms, V, strict=True):
        scores = [
            sum(query[-1][i] * W[i][j] * t[j] for i in range(2) for j in range(2)) for t in query
        ]
        weights = [Fraction(2) ** s for s in scores]
        total = sum(weights, Fraction(0))
        mean = [
            sum((w * t[j] for w, t in zip(weights, query, strict=True)), Fraction(0)) / total
            for j in range(2)
        ]
        for i in range(2):
            o[i] += matrix[i][0] * mean[0] + matrix[i][1] * mean[1]
    wanted = sum(
        (
            size * max(Fraction(0), row[0] * o[0] + row[1] * o[1])
            for size, row in zip(a, b, strict=True)
        ),
        Fraction(0),
    )
    answer = FfnOracle(forms, neurons(a, b, V))(query)
    assert answer == fmpq(wanted.numerator, wanted.denominator)


def test_a_linear_term_is_added() -> None:
    oracle = FfnOracle([((0,),)], [Neuron(1, ((2,),))], linear=[(5,)])
    assert [oracle(((x,),)) for x in (3, -3)] == [21, -15]


def test_wrong_shapes_are_refused() -> None:
    wrong: list[tuple[Any, Any]] = [
        ([], []),
        ([((0, 1),)], []),
        ([((Fraction(1, 2),),)], []),
        ([((0,),)], [Neuron(1, ((1, 2),))]),
        ([((0,),)], [Neuron(1, ((1,), (2,)))]),
    ]
    for forms, terms in wrong:
        with pytest.raises(InputError):
            FfnOracle(forms, terms)
    with pytest.raises(InputError):
        neurons([1], [], [])
    with pytest.raises(InputError):
        neurons([1], [[1]], [[[1], [2]]])
    with pytest.raises(InputError):
        FfnOracle([((0,),)], [])(((1, 2),))
