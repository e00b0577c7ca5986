"""tropical.unbiased-maximum: the formula, Weibel's form, and the construction."""

from itertools import combinations_with_replacement, product
from math import comb

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum
from headproof.symbolic.minkowski.overlay import most_cells, overlay
from headproof.symbolic.tropical.unbiased_maximum import (
    parabolic_summands,
    unbiased_maximum,
    weibel,
)


@pytest.mark.parametrize(
    ("d", "sizes", "vertices"),
    [
        (3, [3, 3, 3], 20),
        (3, [4, 4, 4], 38),
        (3, [3, 3, 3, 3], 36),
        (4, [3, 3, 3, 3], 66),
        (3, [2, 3, 4], 19),
        (4, [2, 3, 3, 4], 61),
        (2, [4, 4, 4], 12),
        (1, [9, 9], 2),
        (3, [5], 5),
        (3, [1, 1], 1),
        (3, [3, 1, 3, 3], 20),
    ],
)
def test_known_values_are_attained(d: int, sizes: list[int], vertices: int) -> None:
    assert unbiased_maximum(d, sizes) == vertices
    summands = parabolic_summands(d, sizes)
    assert len(minkowski_sum(summands).vertices) == vertices
    assert overlay([{"keys": points} for points in summands]).cells == vertices


def test_weibel_for_many_unequal_sizes() -> None:
    for d, H in product(range(2, 6), range(2, 7)):
        for sizes in combinations_with_replacement(range(2, 5), H):
            if H >= d:
                assert weibel(d, sizes) == unbiased_maximum(d, sizes), (d, sizes)


def test_when_all_labels_are_there() -> None:
    for d, H, N in product(range(1, 6), range(1, 8), range(1, 5)):
        full = unbiased_maximum(d, [N] * H) == N**H
        assert full == (H <= d - 1 or (N == 2 and H == d) or N == 1), (d, H, N)


def test_special_cases() -> None:
    for d, N in product(range(1, 6), range(2, 6)):
        assert unbiased_maximum(d, [N] * d) == N**d - (N - 1) ** d + 1
    for H, N in product(range(2, 7), range(2, 6)):
        assert unbiased_maximum(2, [N] * H) == H * N
    for d, H in product(range(1, 6), range(1, 8)):
        assert unbiased_maximum(d, [2] * H) == 2 * sum(comb(H - 1, i) for i in range(d))


def test_the_second_term_is_needed() -> None:
    d, sizes = 3, [3, 3, 3]
    assert len(minkowski_sum(parabolic_summands(d, sizes)).vertices) > most_cells(d - 1, sizes)


def test_equal_summands_have_fewer() -> None:
    points = parabolic_summands(3, [3])[0]
    assert len(minkowski_sum([points] * 3).vertices) == 3 < unbiased_maximum(3, [3, 3, 3])


@pytest.mark.parametrize(("d", "sizes"), [(3, [2, 2]), (1, [2, 2]), (2, [2, 1])])
def test_weibel_outside_its_range(d: int, sizes: list[int]) -> None:
    with pytest.raises(InputError):
        weibel(d, sizes)
