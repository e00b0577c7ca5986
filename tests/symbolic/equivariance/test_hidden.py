"""Hidden representations: the criterion against trying every sigma."""

from itertools import product
from typing import Any

import pytest

from headproof.symbolic.equivariance.hidden import classify, embeds
from headproof.symbolic.errors import InputError, LimitReached


def brute(dimensions: Any, multiplicities: Any, hidden: int) -> bool:
    def size(k: Any) -> int:
        return sum(n * c for n, c in zip(dimensions, k, strict=True))

    every = list(product(*(range(m + 1) for m in multiplicities)))
    images = [k for k in every if size(k) <= hidden]
    return any(all(embeds(k, sigma) for k in images) for sigma in every if size(sigma) <= hidden)


@pytest.mark.parametrize("dimensions", [(1,), (1, 1), (1, 2), (2, 3), (1, 2, 4)])
def test_against_every_sigma(dimensions: tuple[int, ...]) -> None:
    for multiplicities in product(range(3), repeat=len(dimensions)):
        for hidden in range(1, 8):
            found = classify(dimensions, multiplicities, hidden)
            assert found.covers is brute(dimensions, multiplicities, hidden)


def test_the_smallest_cases() -> None:
    mirror = classify([1, 1], [1, 1], 1)
    assert not mirror.covers
    assert mirror.maximal_images() == ((0, 1), (1, 0))
    third_turn = classify([1, 2], [1, 2], 3)
    assert third_turn.covers
    assert third_turn.maximal_images() == ((1, 1),)
    assert not classify([1, 2], [1, 2], 2).covers
    assert classify([1, 2], [1, 2], 2).maximal_images() == ((0, 1), (1, 0))


def test_everything_fits_when_d_k_is_the_dimension() -> None:
    for multiplicities in product(range(3), repeat=3):
        dimension = sum(n * m for n, m in zip((1, 2, 3), multiplicities, strict=True))
        if dimension:
            assert classify((1, 2, 3), multiplicities, dimension).covers


@pytest.mark.parametrize(
    ("dimensions", "multiplicities", "hidden"),
    [([1], [1, 1], 1), ([0], [1], 1), ([1], [-1], 1), ([1], [1], 0), ([1.0], [1], 1)],
)
def test_bad_numbers_are_refused(dimensions: Any, multiplicities: Any, hidden: int) -> None:
    with pytest.raises(InputError):
        classify(dimensions, multiplicities, hidden)


def test_a_long_list_is_refused() -> None:
    with pytest.raises(LimitReached, match="images"):
        classify([1] * 20, [1] * 20, 20).images()
