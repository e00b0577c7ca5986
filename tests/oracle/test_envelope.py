"""The learner recovers the upper envelope exactly, and says so when there is none."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headproof.oracle.envelope import Envelope, learn_envelope, simplest_between
from headproof.oracle.tropical import HardHead, Line, Promise, SoftHead
from headproof.symbolic.errors import Degenerate, NotInClass
from headproof.symbolic.tropical.cells import cells

Q = Fraction
PROMISE = Promise(keys=6, slope=4, bias=5, value=9)


def planted(
    slopes: Sequence[int], biases: Sequence[int], values: Sequence[int]
) -> tuple[list[tuple[int, int, Fraction]], int]:
    """The winning keys from left to right, relative to the first, and how many others there are."""
    winning = sorted(cells([[s] for s in slopes], biases).winning, key=lambda j: slopes[j])
    first = winning[0]
    pieces = [(slopes[j] - slopes[first], biases[j] - biases[first], Q(values[j])) for j in winning]
    return pieces, len(slopes) - len(winning)


@st.composite
def heads(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    N = draw(st.integers(1, 6))
    lifted = draw(
        st.lists(
            st.tuples(st.integers(-4, 4), st.integers(-5, 5)), min_size=N, max_size=N, unique=True
        )
    )
    values = draw(st.lists(st.integers(-9, 9), min_size=N, max_size=N, unique=True))
    return [s for s, _ in lifted], [b for _, b in lifted], values


@given(heads(), st.integers(0, 3))
@example(([0, 1, -1], [1, 0, 2], [0, 1, 2]), 0)  # a tie whose mean is one of the values
@example(([-1, 0, 1], [0, 0, 0], [0, 3, 2]), 0)  # the odds at distance 1/k are no odds
@settings(max_examples=25, deadline=None)
def test_recovers_the_envelope(head: tuple[list[int], list[int], list[int]], seed: int) -> None:
    slopes, biases, values = head
    soft = SoftHead([[s] for s in slopes], biases, values)
    try:
        found = learn_envelope(soft, PROMISE, seed=seed)
    except Degenerate:
        hard = [[s * x + b for s, b in zip(slopes, biases, strict=True)] for x in _walls(head)]
        assert any(scores.count(max(scores)) > 2 for scores in hard)
        return
    pieces, others = planted(slopes, biases, values)
    assert [(p.slope, p.bias, p.value) for p in found.pieces] == pieces
    assert {p.share for p in found.pieces} == {1}
    assert found.queries == soft.queries
    assert found.coldest == soft.coldest
    assert found.hidden == (others > 0)
    assert len(found.walls) == len(pieces) - 1


def _walls(head: tuple[list[int], list[int], list[int]]) -> list[Fraction]:
    slopes, biases, _ = head
    return [
        Q(biases[i] - biases[j], slopes[j] - slopes[i])
        for i in range(len(slopes))
        for j in range(i)
        if slopes[i] != slopes[j]
    ]


def test_what_is_learnt_answers_like_the_head() -> None:
    slopes, biases, values = [-3, 0, 2, 4], [-2, 1, 0, -5], [1, 2, 3, 4]
    soft = SoftHead([[s] for s in slopes], biases, values)
    found = learn_envelope(soft, PROMISE)
    assert not found.hidden
    hard = HardHead([[s] for s in slopes], biases, values)
    for n in range(-40, 41):
        x = Q(n, 6)
        assert found.hard(x) == hard([x])
        assert found.soft(x, 6) == soft([x], inverse_temperature=6)


def test_repeated_keys_count_with_their_share() -> None:
    soft = SoftHead([[-1], [1], [1], [1]], [0, 0, 0, 0], [5, 2, 1, 0])
    found = learn_envelope(soft, PROMISE)
    assert [(p.slope, p.value, p.share) for p in found.pieces] == [
        (0, Q(5), Q(1)),
        (2, Q(1), Q(3)),
    ]
    assert found.hard(Q(0)) == Q(5 + 2 + 1 + 0, 4)


def test_a_key_that_only_ties_is_degenerate() -> None:
    """Keys -1, 0, 1 at x = 0: the middle one never wins alone but ties (claim tropical.cells)."""
    for middle in (4, 9):  # between the other two values, and outside them
        with pytest.raises(Degenerate, match="a third key ties"):
            learn_envelope(SoftHead([[-1], [0], [1]], [0, 0, 0], [3, middle, 8]), PROMISE)


def test_on_a_line_through_a_head_in_the_plane() -> None:
    head = SoftHead([[1, 0], [-1, 1], [0, -1]], [0, 1, 0], [1, 2, 3])
    along = Line(head, base=[0, 1], direction=[1, 2])
    found = learn_envelope(along, PROMISE)
    hard = HardHead([[1, 0], [-1, 1], [0, -1]], [0, 1, 0], [1, 2, 3])
    for n in range(-20, 21):
        t = Q(n, 4)
        assert found.hard(t) == hard([t, 1 + 2 * t])


def test_oracles_of_another_kind() -> None:
    def posing(x: Sequence[int | Fraction], *, inverse_temperature: int) -> Fraction:
        return HardHead([[0], [1]], [0, 0], [0, 3])(x)

    with pytest.raises(NotInClass, match="every key some weight"):
        learn_envelope(posing, PROMISE)

    def coming_back(x: Sequence[int | Fraction], *, inverse_temperature: int) -> Fraction:
        return Q(sum(x[0] > wall for wall in (-5, -2, 5)) + (x[0] > 5) - 2 * (2 < x[0] <= 5))

    with pytest.raises(NotInClass, match="convex"):
        learn_envelope(coming_back, PROMISE)

    def irrational_wall(x: Sequence[int | Fraction], *, inverse_temperature: int) -> Fraction:
        return Q(int(Q(x[0]) ** 3 > 2))

    with pytest.raises(NotInClass, match="no two integer keys"):
        learn_envelope(irrational_wall, PROMISE)


def test_a_slope_beyond_the_promise_shows() -> None:
    soft = SoftHead([[-4], [20]], [0, 0], [1, 2])
    with pytest.raises(NotInClass, match="integer keys up to 4"):
        learn_envelope(soft, PROMISE)


def test_a_cell_that_bisection_cannot_see_is_found_by_the_fresh_points() -> None:
    """Two winning keys of one value hide the cell between them: outside the class."""
    soft = SoftHead([[-1], [0], [1]], [0, 4, 0], [7, 2, 7])
    with pytest.raises(NotInClass, match=r"convex|fits all earlier answers"):
        learn_envelope(soft, PROMISE)


def test_one_key() -> None:
    found = learn_envelope(SoftHead([[3]], [1], [4]), PROMISE)
    assert found.walls == ()
    assert found.hard(Q(5)) == found.soft(Q(5), 1) == 4
    assert isinstance(found, Envelope)


@given(st.fractions(-5, 5, max_denominator=40), st.fractions(-5, 5, max_denominator=40))
def test_simplest_between(a: Fraction, b: Fraction) -> None:
    if a == b:
        with pytest.raises(ValueError, match="low < high"):
            simplest_between(a, b)
        return
    low, high = min(a, b), max(a, b)
    found = simplest_between(low, high)
    assert low < found < high
    for q in range(1, found.denominator):
        assert Q(low.numerator * q // low.denominator + 1, q) >= high
