"""Claim tropical.power-diagram, the exact side."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.errors import InputError
from headproof.symbolic.rational import Rational
from headproof.symbolic.tropical.power_diagram import (
    nearest,
    power_distances,
    power_weights,
    scores,
    winners,
)

Head = tuple[list[list[Rational]], list[Rational], list[Rational]]
NUMBERS = st.one_of(
    st.integers(-3, 3),
    st.builds(Fraction, st.integers(-20, 20), st.integers(1, 5)),
    st.integers(-(10**30), 10**30),
)


@st.composite
def heads(draw: st.DrawFn) -> Head:
    d, N = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    point = st.lists(NUMBERS, min_size=d, max_size=d)
    keys = draw(st.lists(point, min_size=N, max_size=N))
    return keys, draw(st.lists(NUMBERS, min_size=N, max_size=N)), draw(point)


@given(heads())
def test_argmax_is_the_nearest_site(
    head: Head,
) -> None:
    keys, biases, x = head
    assert winners(keys, biases, x) == nearest(keys, power_weights(keys, biases), x)


@given(heads())
def test_distances_are_minus_twice_the_scores_up_to_a_constant(
    head: Head,
) -> None:
    keys, biases, x = head
    distances = power_distances(keys, power_weights(keys, biases), x)
    sums = {D + 2 * s for D, s in zip(distances, scores(keys, biases, x), strict=True)}
    assert sums == {sum(c * c for c in x)}


def test_hand_values() -> None:
    keys = [[-1], [0], [1]]
    assert scores(keys, None, [3]) == (-3, 0, 3)
    assert winners(keys, None, [0]) == {0, 1, 2}
    assert winners(keys, [0, 1, 0], [0]) == {1}
    assert winners(keys, [0, 1, 0], [1]) == {1, 2}
    assert power_weights(keys, [0, "1/2", 0]) == (1, 1, 1)
    assert power_distances([[0, 0], [3, 4]], [0, 5], [0, 0]) == (0, 20)


def test_without_the_norms_the_claim_is_false() -> None:
    keys, x = [[1], [3]], [1]
    assert winners(keys, None, x) == {1}
    assert nearest(keys, [0, 0], x) == {0}


@pytest.mark.parametrize(
    ("keys", "biases", "x"),
    [
        ([], None, []),
        ([[]], None, []),
        ([[0.5]], None, [1]),
        ([[1]], [1.0], [1]),
        ([[1]], None, [1.0]),
        ([[1]], [1, 2], [1]),
        ([[1, 2]], None, [1]),
        ([[1], [1, 2]], None, [1]),
    ],
)
def test_wrong_input_is_refused(keys: object, biases: object, x: object) -> None:
    with pytest.raises(InputError):
        scores(keys, biases, x)  # type: ignore[arg-type]
