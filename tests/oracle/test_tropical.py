"""The soft head, the head at zero temperature, and the exact way from one to the other."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headproof.oracle.tropical import HardHead, Line, Promise, SoftHead, harden
from headproof.symbolic.errors import InputError, NotInClass
from headproof.symbolic.tropical import routing_limit

Q = Fraction


@st.composite
def heads(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[int]]:
    d, N = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    small = st.integers(-4, 4)
    keys = draw(st.lists(st.lists(small, min_size=d, max_size=d), min_size=N, max_size=N))
    row = st.lists(small, min_size=N, max_size=N)
    return keys, draw(row), draw(row)


@given(heads(), st.integers(1, 4), st.data())
@settings(max_examples=60, deadline=None)
def test_soft_answers_are_the_exact_weights_of_the_symbolic_side(
    head: tuple[list[list[int]], list[int], list[int]], k: int, data: st.DataObject
) -> None:
    keys, biases, values = head
    numerators = data.draw(st.lists(st.integers(-6, 6), min_size=len(keys[0]), max_size=9))
    x = [Q(n, k) for n in numerators[: len(keys[0])]]
    scores = [
        sum((a * c for a, c in zip(key, x, strict=True)), Q(b))
        for key, b in zip(keys, biases, strict=True)
    ]
    weights = routing_limit.weights([k * s for s in scores], inverse_temperature=1)
    expected = sum((w * v for w, v in zip(weights, values, strict=True)), Q(0))
    assert SoftHead(keys, biases, values)(x, inverse_temperature=k) == expected
    law = routing_limit.limit(scores)
    mean = sum((w * v for w, v in zip(law, values, strict=True)), Q(0))
    assert HardHead(keys, biases, values)(x) == mean


@given(heads(), st.integers(1, 6), st.data())
@settings(max_examples=80, deadline=None)
def test_one_soft_answer_gives_the_hard_one(
    head: tuple[list[list[int]], list[int], list[int]], q: int, data: st.DataObject
) -> None:
    keys, biases, values = head
    numerators = data.draw(st.lists(st.integers(-9, 9), min_size=len(keys[0]), max_size=9))
    x = [Q(n, q) for n in numerators[: len(keys[0])]]
    soft = SoftHead(keys, biases, values)
    assert harden(soft, Promise(5, 4, 4, 4), x) == HardHead(keys, biases, values)(x)
    assert soft.queries == 1


def test_a_promise_that_is_broken_shows() -> None:
    soft = SoftHead([[0], [1]], [0, 0], [Q(1, 7), 2])
    with pytest.raises(NotInClass, match=r"x = \(-1\)"):
        harden(soft, Promise(2, 1, 0, 2), [-1])
    with pytest.raises(NotInClass, match="values up to 1"):
        harden(soft, Promise(2, 1, 0, 1), [1])


def test_an_oracle_of_another_kind_shows() -> None:
    def line(x: object, *, inverse_temperature: int) -> Fraction:
        return Q(1, 3) + Q(1, 10)

    with pytest.raises(NotInClass, match="inverse temperature"):
        harden(line, Promise(4, 1, 1, 1), [Q(1, 2)])


def test_counts() -> None:
    soft = SoftHead([[1]], [0], [1])
    for k in (3, 7, 2):
        soft([Q(1)], inverse_temperature=k)
    assert (soft.queries, soft.coldest) == (3, 7)


def test_line() -> None:
    head = SoftHead([[1, 2], [3, -1]], [0, 1], [4, 5])
    along = Line(head, base=[1, 0], direction=[2, 1])
    t = Q(3, 2)
    expected = head([1 + 2 * t, t], inverse_temperature=4)
    assert along([t], inverse_temperature=4) == expected


@pytest.mark.parametrize(
    ("keys", "biases", "values"),
    [
        ([], [], []),
        ([[]], [0], [0]),
        ([[1], [1, 2]], [0, 0], [0, 0]),
        ([[1]], [0, 1], [0]),
        ([[1]], [0], []),
        ([[Q(1, 2)]], [0], [0]),
        ([[1.0]], [0], [0]),
        ([[True]], [0], [0]),
    ],
)
def test_bad_heads(keys: list[list[int]], biases: list[int], values: list[int]) -> None:
    with pytest.raises(InputError):
        SoftHead(keys, biases, values)


def test_bad_queries() -> None:
    soft = SoftHead([[1]], [0], [1])
    with pytest.raises(InputError, match="take k a multiple of 3"):
        soft([Q(1, 3)], inverse_temperature=4)
    with pytest.raises(InputError, match="coordinates"):
        soft([1, 2], inverse_temperature=1)
    with pytest.raises(InputError, match="inverse temperature >= 1"):
        soft([1], inverse_temperature=0)
    with pytest.raises(InputError, match="1 coordinates"):
        HardHead([[1]], [0], [1])([1, 2])
    assert soft.queries == 0
    with pytest.raises(InputError, match="keys >= 1"):
        Promise(0, 1, 1, 1)
