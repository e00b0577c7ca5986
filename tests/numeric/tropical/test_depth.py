"""Deep hard attention in torch: certain labels, certain pieces, honest about what is missed."""

from fractions import Fraction
from random import Random

import pytest
import torch

from headproof.numeric.tropical.depth import Layer, pieces, run, visited
from headproof.proofs_check.producers.tropical.depth import random_network, tensors
from headproof.symbolic.regions.linear_regions import linear_regions
from headproof.symbolic.tropical.depth import digit_extraction


@pytest.mark.parametrize("sizes", [(1, 2, 3, 2), (2, 2, 3, 1), (2, 3, 2, 2)])
def test_digits(sizes: tuple[int, int, int, int]) -> None:
    network = digit_extraction(*sizes)
    tree = linear_regions(network)
    truth = {tuple(j for layer in leaf.choices for j in layer) for leaf in tree.leaves}
    found = visited(tensors(network), sizes[0])
    assert found == truth  # with this seed none is missed
    assert pieces(tensors(network), sizes[0], sorted(found)) == tree.pieces


def test_the_error_bound_holds_for_random_networks() -> None:
    random = Random(3)
    for d, m in ((1, 0), (2, 2), (3, 1)):
        network = random_network(random, d, 2, 3, 2, m)
        points = torch.randn(40, d, generator=torch.Generator().manual_seed(d), dtype=torch.float64)
        found = run(tensors(network), points)
        assert found.decided.any()
        for x, y, error, certain in zip(
            points.tolist(), found.output.tolist(), found.error.tolist(), found.decided, strict=True
        ):
            if certain:
                exact = network.evaluate([Fraction(v) for v in x])
                for value, bound, truth in zip(y, error, exact, strict=True):
                    assert abs(Fraction(value) - truth) <= Fraction(bound)


def test_a_tie_is_not_decided() -> None:
    keys, values = torch.tensor([[-1.0], [1.0]]), torch.tensor([[1.0], [2.0]])
    found = run([Layer([(keys, torch.zeros(2), values)])], torch.tensor([[0.0], [1e-30], [1.0]]))
    assert found.decided.tolist() == [False, True, True]
    ffn = (torch.ones(1, 1), torch.tensor([-1.0]), torch.ones(1, 1), torch.zeros(1))
    assert run([Layer([], ffn)], torch.tensor([[1.0], [2.0]])).decided.tolist() == [False, True]


def test_keys_with_the_same_score_are_one() -> None:
    head = (torch.zeros(3, 1), torch.zeros(3), torch.zeros(3, 1))
    found = run([Layer([head])], torch.tensor([[5.0]]))
    assert found.labels.tolist() == [[0]]
    assert found.decided.tolist() == [True]


def test_cells_with_one_map_are_one_piece() -> None:
    head = (torch.tensor([[0.0], [1.0]]), torch.zeros(2), torch.tensor([[3.0], [3.0]]))
    assert visited([Layer([head])], 1) == {(0,), (1,)}
    assert pieces([Layer([head])], 1, [(0,), (1,)]) == 1
    other = (head[0], head[1], torch.tensor([[3.0], [3.5]]))
    assert pieces([Layer([other])], 1, [(0,), (1,)]) == 2


def test_few_inputs_find_fewer() -> None:
    network = digit_extraction(2, 2, 3, 2)
    assert len(visited(tensors(network), 2, inputs=2, depth=0)) <= 2


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="points"):
        run([], torch.zeros(3))
    with pytest.raises(ValueError, match="keys"):
        run([Layer([(torch.zeros(2, 2), torch.zeros(2), torch.zeros(2, 2))])], torch.zeros(1, 1))
