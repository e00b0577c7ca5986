"""tropical.maximum: the formula, its construction, and positions in which it is not reached."""

from itertools import combinations, product
from math import comb, prod

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.minkowski.overlay import overlay
from headproof.symbolic.tropical.maximum import (
    directions,
    key_bias_heads,
    maximum,
    parallel_heads,
    scored,
)


@pytest.mark.parametrize(
    ("d", "sizes", "cells"),
    [
        (2, [3, 3, 3], 19),
        (2, [3, 3, 3, 3], 33),
        (3, [4, 4, 4], 64),
        (3, [4, 4, 4, 4], 175),
        (2, [2, 3, 4], 18),
        (2, [4, 4, 4], 37),
        (1, [5], 5),
        (1, [2, 1, 3], 4),
        (4, [1, 1], 1),
    ],
)
def test_known_values_are_attained(d: int, sizes: list[int], cells: int) -> None:
    assert maximum(d, sizes) == overlay(parallel_heads(d, sizes)).cells == cells


def test_the_formula_is_the_sum_over_sets_of_heads() -> None:
    for d, sizes in product(range(1, 5), ([2, 3, 4], [1, 5], [2, 2, 2, 2], [3, 1, 4, 2, 2])):
        subsets = (s for j in range(d + 1) for s in combinations(sizes, j))
        assert maximum(d, sizes) == sum(prod(n - 1 for n in s) for s in subsets)


def test_all_labels_exactly_up_to_the_dimension() -> None:
    for d, H, N in product(range(1, 6), range(1, 8), range(1, 5)):
        assert (maximum(d, [N] * H) == N**H) == (H <= d or N == 1)
        assert maximum(d, [2] * H) == sum(comb(H, j) for j in range(d + 1))  # Zaslavsky


def test_a_head_more_follows_the_recurrence() -> None:
    for d, H, N in product(range(2, 6), range(1, 7), range(1, 5)):
        more = maximum(d, [N] * H) + (N - 1) * maximum(d - 1, [N] * H)
        assert maximum(d, [N] * (H + 1)) == more


def test_walls_in_special_position_have_fewer_cells() -> None:
    heads = parallel_heads(2, [3, 3, 3])
    heads[1] = heads[0]
    assert overlay(heads).cells == 9 < 19


@pytest.mark.parametrize(("head_dimension", "cells"), [(1, 7), (2, 37)])
def test_biases_from_keys_alone(head_dimension: int, cells: int) -> None:
    factored = key_bias_heads(2, [4, 4, 4], head_dimension=head_dimension)
    for head in factored:
        assert all(len(key) == head_dimension for key in head["keys"])
    assert overlay([scored(head) for head in factored]).cells == cells


def test_directions_are_not_zero_and_differ() -> None:
    for d in range(1, 6):
        found = [directions(d, h) for h in range(60)]
        assert len(set(found)) == 60
        assert all(all(entry for entry in row) for row in found)


@pytest.mark.parametrize(("d", "sizes"), [(0, [2]), (2, []), (2, [0])])
def test_sizes_that_are_none(d: int, sizes: list[int]) -> None:
    for function in (maximum, parallel_heads):
        with pytest.raises(InputError):
            function(d, sizes)
    with pytest.raises(InputError, match="1 or 2"):
        key_bias_heads(2, [2], head_dimension=3)
