"""The exact oracle against a few lines of Fractions."""

from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from headproof.oracle.exact import ExactOracle, balanced, exact
from headproof.oracle.model import Head
from headproof.symbolic.errors import InputError

small = st.integers(-4, 4)


def plain(heads: list[Head], query: tuple[tuple[int, ...], ...], base: int) -> Fraction:
    """The definition, literally."""
    total, last = Fraction(0), query[-1]
    for head in heads:
        scores = [
            sum(
                a * w * b
                for a, row in zip(last, head.W, strict=True)
                for w, b in zip(row, t, strict=True)
            )
            for t in query
        ]
        weights = [Fraction(base) ** int(score) for score in scores]
        values = [sum(Fraction(v) * b for v, b in zip(head.v, t, strict=True)) for t in query]
        total += sum((p * v for p, v in zip(weights, values, strict=True)), Fraction(0)) / sum(
            weights
        )
    return total


@given(st.integers(1, 3), st.sampled_from([2, 3]), st.data())
def test_answers_are_the_definition(d: int, base: int, data: st.DataObject) -> None:
    row = st.lists(small, min_size=d, max_size=d).map(tuple)
    form = st.lists(row, min_size=d, max_size=d).map(tuple)
    value = st.lists(st.fractions(-3, 3, max_denominator=4), min_size=d, max_size=d).map(tuple)
    heads = data.draw(st.lists(st.builds(Head, form, value), min_size=1, max_size=4))
    oracle = ExactOracle(heads, base=base)
    tokens = data.draw(st.lists(row, min_size=1, max_size=3))
    for query in data.draw(
        st.lists(st.lists(st.sampled_from(tokens), min_size=1, max_size=6).map(tuple), max_size=4)
    ):
        wanted = plain(heads, query, base)
        answer = oracle(query)
        assert answer == fmpq(wanted.numerator, wanted.denominator)
        assert oracle.agrees(query, answer)
        assert not oracle.agrees(query, answer + fmpq(1, 10**9))


def test_no_heads_answer_zero() -> None:
    oracle = ExactOracle([], dimension=2)
    assert oracle(((1, 2), (3, 4))) == 0
    assert oracle.agrees(((1, 2),), fmpq(0))
    assert not oracle.agrees(((1, 2),), fmpq(1))


def test_wrong_models_and_queries_are_refused() -> None:
    head = Head(((1, 0), (0, 1)), (1, 1))
    for heads, base, dimension in [
        ([Head(((Fraction(1, 2),),), (1,))], 2, None),
        ([head], 1, None),
        ([head, Head(((1,),), (1,))], 2, None),
        ([], 2, None),
        ([head], 2, 3),
    ]:
        with pytest.raises(InputError):
            ExactOracle(heads, base=base, dimension=dimension)
    for query in [(), ((1,),), ((Fraction(1, 2), 0),)]:
        with pytest.raises(InputError):
            ExactOracle([head])(query)


@given(st.lists(st.fractions(-9, 9, max_denominator=9), max_size=9))
def test_balanced_sum(terms: list[Fraction]) -> None:
    total = sum(terms, Fraction(0))
    assert balanced([exact(t) for t in terms]) == exact(total)
