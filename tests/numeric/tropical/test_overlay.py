"""tropical.overlay in floats: what is seen is certain, and on small heads everything is seen."""

from itertools import product
from random import Random

import pytest
import torch

from headproof.numeric.tropical.overlay import Head, labels, visited
from headproof.symbolic.minkowski.overlay import overlay


def head(keys: list[list[float]], biases: list[float]) -> Head:
    return torch.tensor(keys, dtype=torch.float64), torch.tensor(biases, dtype=torch.float64)


def exact(heads: list[Head]) -> set[tuple[int, ...]]:
    found = overlay([{"keys": k.long().tolist(), "biases": b.long().tolist()} for k, b in heads])
    return set(found.labels)


def test_random_integer_heads() -> None:
    random = Random(3)
    complete = 0
    for _ in range(12):
        d, n = random.randint(1, 2), random.randint(1, 4)
        heads = [
            head(
                [[random.randint(-4, 4) for _ in range(d)] for _ in range(n)],
                [random.randint(-4, 4) for _ in range(n)],
            )
            for _ in range(random.randint(1, 2))
        ]
        seen, cells = visited(heads, queries=60), exact(heads)
        assert seen <= cells
        complete += seen == cells
    assert complete >= 10


def test_grid_of_cells_and_identical_heads() -> None:
    bent = [0.0, 1.0, 0.0]
    heads = [
        head([[k, 0.0] for k in (-1.0, 0.0, 1.0)], bent),
        head([[0.0, k] for k in (-1.0, 0.0, 1.0)], bent),
    ]
    assert visited(heads) == set(product(range(3), repeat=2))
    twice = [heads[0], heads[0]]
    assert visited(twice) == {(0, 0), (1, 1), (2, 2)}


def test_narrow_cell_is_found_between_queries() -> None:
    wedge = head([[-1.0], [0.0], [1.0]], [0.0, 1e-9, 0.0])
    assert visited([wedge], queries=20, scales=(1.0,), depth=40) == {(0,), (1,), (2,)}
    assert (1,) not in visited([wedge], queries=20, scales=(1.0,), depth=4)


def test_ties_are_not_decided() -> None:
    heads = [head([[0.0], [0.0], [1.0]], [0.0, 0.0, 0.0])]
    assert labels(heads, torch.tensor([[-1.0], [0.0], [1.0]])).tolist() == [[0], [-1], [2]]


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one head"):
        labels([], torch.zeros(1, 1))
    with pytest.raises(ValueError, match="expected keys"):
        labels([(torch.zeros(2, 1), torch.zeros(3))], torch.zeros(1, 1))
    with pytest.raises(ValueError, match="expected"):
        labels([head([[1.0]], [0.0])], torch.zeros(1, 2))
