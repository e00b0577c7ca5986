"""One head, and heads in orthogonal subspaces."""

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from headproof.oracle.exact import ExactOracle
from headproof.oracle.model import Head, canonical
from headproof.oracle.protocol import Query
from headproof.oracle.recovery.baselines import recover_orthogonal, recover_single_head
from headproof.oracle.recovery.recover import recover
from headproof.symbolic.errors import InputError, NotInClass

small = st.integers(-3, 3)


@given(st.integers(1, 4), st.sampled_from([2, 3]), st.data())
def test_one_head_with_d_squared_plus_d_queries(d: int, base: int, data: st.DataObject) -> None:
    row = st.lists(small, min_size=d, max_size=d).map(tuple)
    value = st.lists(st.fractions(-3, 3, max_denominator=4), min_size=d, max_size=d).map(tuple)
    head = Head(tuple(data.draw(row) for _ in range(d)), data.draw(value.filter(any)))
    oracle = ExactOracle([head], base=base)
    found = recover_single_head(oracle)
    assert found.heads == canonical([head]) == recover(oracle, heads=1).heads
    assert (found.queries, found.longest) == (d * d + d, 2)
    assert found.queries == found.formula


def test_orthogonal_subspaces() -> None:
    # U_1 is spanned by (1,1,0) and (0,0,1), U_2 by (1,-1,0).
    first = Head(((1, 1, 2), (0, 0, 3), (-1, -1, 1)), (2, 2, 5))
    second = Head(((2, -2, 0), (1, -1, 0), (0, 0, 0)), (3, -3, 0))
    spaces = [[(1, 1, 0), (0, 0, 1)], [(1, -1, 0)]]
    found = recover_orthogonal(ExactOracle([first, second]), spaces)
    assert found.heads == canonical([first, second])
    assert found.queries == 3 + 3 * 3


def test_a_silent_subspace_is_no_head() -> None:
    head = Head(((1, 0), (2, 0)), (3, 0))
    found = recover_orthogonal(ExactOracle([head]), [[(1, 0)], [(0, 1)]])
    assert found.heads == (head,)


class Wrong:
    dimension = 2

    def __init__(self, name: str) -> None:
        base = 3 if name == "wrong base" else 2
        heads = [Head(((1, 2), (0, 3)), (1, 2))]
        if name == "two heads":
            heads.append(Head(((0, 1), (1, 0)), (2, 1)))
        self.model, self.name = ExactOracle(heads, base=base), name

    def __call__(self, query: Query) -> Any:
        value = self.model(query)
        changed = {
            "squared": value * value,
            "length": value + len(query),
            "constant": value + 1,
            "three tokens": value + (len(set(query)) > 2),
            "sum": fmpq(sum(int(e) for token in query for e in token)),
        }
        return changed.get(self.name, value)


@pytest.mark.parametrize(
    "name",
    ["wrong base", "two heads", "squared", "length", "constant", "three tokens", "sum"],
)
def test_a_wrong_oracle_is_refused_with_a_query(name: str) -> None:
    oracle = Wrong(name)
    with pytest.raises(NotInClass) as caught:
        recover_single_head(oracle)
    query: Any = caught.value.query
    assert caught.value.answer == oracle(query)


def test_the_control_and_the_subspaces() -> None:
    assert recover_single_head(Wrong("right")).verified
    oracle = ExactOracle([Head(((1, 2), (0, 3)), (Fraction(1, 2), 2))])
    for spaces in ([], [[(1, 0), (2, 0)]], [[(1, 0)], [(1, 1)]], [[(1, 0, 0)]]):
        with pytest.raises(InputError):
            recover_orthogonal(oracle, spaces)
    with pytest.raises(NotInClass):
        recover_orthogonal(oracle, [[(1, 0)], [(0, 1)]])
