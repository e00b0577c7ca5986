"""Support functions and extreme points in torch: what is seen is certain."""

import pytest
import torch

from headproof.numeric.tropical.minkowski import (
    brute_force,
    extreme_choices,
    sum_support,
    support,
    support_error,
)
from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum
from headproof.symbolic.tropical.unbiased_maximum import parabolic_summands

SUMS = [
    [[[0, 0], [1, 0]], [[0, 0], [0, 1]]],
    [[[0, 0], [4, 0], [0, 4], [1, 1], [0, 0]], [[0, 0], [2, 1]]],
    [[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 0, 0], [1, 1, 1]], [[5, 5, 5]]],
    parabolic_summands(2, [3, 4, 5]),
    parabolic_summands(3, [2, 3, 4]),
]


def tensors(summands: list[list[list[int]]]) -> list[torch.Tensor]:
    return [torch.tensor(points, dtype=torch.float64) for points in summands]


@pytest.mark.parametrize("summands", SUMS)
def test_the_same_vertices_as_the_exact_engine(summands: list[list[list[int]]]) -> None:
    exact = set(minkowski_sum(summands).choices)
    assert extreme_choices(tensors(summands)) == exact  # with these seeds none is missed
    _, seen = brute_force(tensors(summands))
    assert seen <= exact


def test_few_directions_miss_vertices_but_find_none_that_is_not_there() -> None:
    summands = parabolic_summands(3, [3, 3, 3])
    exact = set(minkowski_sum(summands).choices)
    found = extreme_choices(tensors(summands), directions=3, depth=0)
    assert found < exact


def test_no_sum_lies_above_the_support_function() -> None:
    summands = tensors(SUMS[4])
    sums, _ = brute_force(summands)
    u = torch.randn(500, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    bound = sum(support_error(points, u) for points in [*summands, sums])
    assert ((u @ sums.mT).amax(-1) - sum_support(summands, u)).abs().le(bound * 4).all()
    assert support_error(summands[0], u).gt(0).all()


def test_a_point_inside_changes_no_support() -> None:
    square = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    more = torch.cat([square, torch.tensor([[0.5, 0.25]])])
    u = torch.randn(100, 2, generator=torch.Generator().manual_seed(2))
    assert torch.equal(support(square, u), support(more, u))


def test_bad_input() -> None:
    with pytest.raises(ValueError, match="at least one summand"):
        extreme_choices([])
    with pytest.raises(ValueError, match="points"):
        support(torch.zeros(0, 2), torch.zeros(1, 2))
    with pytest.raises(ValueError, match="4096"):
        brute_force([torch.zeros(80, 1), torch.zeros(80, 1)])
