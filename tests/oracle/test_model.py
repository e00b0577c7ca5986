"""The canonical form."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.oracle.exact import ExactOracle
from headproof.oracle.model import Head, canonical, head
from headproof.symbolic.errors import InputError

entry = st.integers(-1, 1)
heads = st.lists(st.builds(lambda w, v: Head(((w,),), (v,)), entry, entry), min_size=1, max_size=5)


@given(heads, st.randoms(use_true_random=False))
def test_the_form_is_canonical(model: list[Head], random: object) -> None:
    form = canonical(model)
    assert canonical(form) == form
    assert canonical(reversed(model)) == form
    assert len({each.W for each in form}) == len(form)
    assert all(any(each.v) for each in form)


@given(heads, heads)
def test_equal_forms_are_equal_functions(left: list[Head], right: list[Head]) -> None:
    one, two = (ExactOracle(model, dimension=1) for model in (left, right))
    # 2H + 1 = 11 nodes determine a function with five poles at most (E2).
    queries = [((3,),) * m + ((1,),) for m in range(12)]
    assert (canonical(left) == canonical(right)) == all(one(q) == two(q) for q in queries)


def test_whole_fractions_are_integers() -> None:
    (form,) = canonical([Head(((Fraction(2),),), (Fraction(4, 2),))])
    assert (type(form.W[0][0]), type(form.v[0])) == (int, int)


@pytest.mark.parametrize(
    ("W", "v"), [([[1, 2]], [1, 2]), ([[1]], []), ([[0.5]], [1]), ([[1], [2]], [1]), ([], [])]
)
def test_wrong_shapes_are_refused(W: list[list[object]], v: list[object]) -> None:
    with pytest.raises(InputError):
        head(W, v)
