"""The ball oracle against mpmath at more digits, and at two precisions."""

from fractions import Fraction

import mpmath
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from headproof.oracle.ball import BallOracle
from headproof.oracle.model import Head
from headproof.symbolic.enclosures.ball import precision
from headproof.symbolic.errors import InputError

entry = st.fractions(-3, 3, max_denominator=7)
pair = st.tuples(entry, entry)
MP = mpmath.mp.clone()
MP.dps = 60


def definition(heads: list[Head], query: tuple[tuple[Fraction, ...], ...]) -> str:
    total, last = MP.mpf(0), query[-1]

    def number(value: Fraction | int) -> mpmath.mpf:
        return MP.mpf(value.numerator) / value.denominator

    for head in heads:
        weights, values = [], []
        for t in query:
            score = sum(last[i] * head.W[i][j] * t[j] for i in range(2) for j in range(2))
            weights.append(MP.exp(number(Fraction(score))))
            values.append(number(Fraction(sum(head.v[j] * t[j] for j in range(2)))))
        total += sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights)
    return str(MP.nstr(total, 55))


@given(
    st.lists(st.builds(Head, st.tuples(pair, pair), pair), min_size=1, max_size=3),
    st.lists(pair, min_size=1, max_size=5).map(tuple),
)
@settings(max_examples=40)
def test_answers_enclose_the_definition(
    heads: list[Head], query: tuple[tuple[Fraction, ...], ...]
) -> None:
    oracle = BallOracle(heads, bits=100)
    answer = oracle(query)
    with precision(200):
        assert answer.overlaps(arb(definition(heads, query)) + arb(0, arb(10) ** -50))
    finer = oracle.at(300)(query)
    assert answer.overlaps(finer)
    assert finer.rad() <= answer.rad()
    assert float(answer.rad()) < 1e-20


def test_wrong_models_and_queries_are_refused() -> None:
    with pytest.raises(InputError):
        BallOracle([])
    with pytest.raises(InputError):
        BallOracle([Head(((1,),), (1,))], bits=1)
    with pytest.raises(InputError):
        BallOracle([Head(((1,),), (1,))])(((1, 2),))
    assert BallOracle([], dimension=1)(((1,), (2,))) == 0
