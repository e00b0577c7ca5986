"""Equivariant layers: types, equivariance within the bound, and what is refused."""

from typing import Any

import pytest
import torch

from headproof.numeric.equivariance.layer import EquivariantAttention, action
from headproof.symbolic.equivariance.heads import canonical, evaluate, matrix_head
from headproof.symbolic.equivariance.library import NAMES, named
from headproof.symbolic.equivariance.representation import Representation
from headproof.symbolic.equivariance.strata import stratum_of

SIGN = [[[1.0]], [[-1.0]]]
TABLE = [[0, 1], [1, 0]]


def floats(rho: Representation) -> Any:
    return [[[float(x) for x in row] for row in rho.matrix(a)] for a in range(len(rho.group))]


@pytest.mark.parametrize("name", NAMES)
def test_every_layer_is_equivariant_within_the_bound(name: str) -> None:
    G = named(name)
    images = floats(G.natural)
    layer = EquivariantAttention(
        action(G.group.table, images, images), [sorted(K) for K in G.classes.representatives]
    )
    draws = torch.Generator().manual_seed(1)
    for g in range(len(G.group)):
        for scale in (1.0, 20.0):
            X = scale * torch.randn(3, G.natural.dimension, generator=draws, dtype=torch.float64)
            assert layer.defect(X, g) <= layer.rounding_bound(X, g)
            assert layer.rounding_bound(X, g) < 1e-3 * (1 + layer(X).abs().max())


def test_the_bound_notices_heads_that_are_not_permuted() -> None:
    group = action(TABLE, [[[1.0, 0], [0, 1]], [[1, 0], [0, -1.0]]], SIGN)
    layer = EquivariantAttention(group, [[0]])
    X = torch.tensor([[1.0, 2.0], [0.5, -1.0]], dtype=torch.float64)
    assert layer.defect(X, 1) <= layer.rounding_bound(X, 1)
    layer.transversals = [[0]]  # one head of an orbit of two
    assert layer.defect(X, 1) > layer.rounding_bound(X, 1)


@pytest.mark.parametrize("name", ["C_3", "V_4", "S_3", "Q_8", "A_4"])
def test_the_heads_are_of_the_type(name: str) -> None:
    """Integer parameters, read as exact heads, lie in the stratum that the type says."""
    G = named(name)
    rho, images = G.natural, floats(G.natural)
    for c in range(len(G.classes)):
        K = sorted(G.classes.representatives[c])
        layer = EquivariantAttention(action(G.group.table, images, images), [K])
        draws = torch.Generator().manual_seed(c)
        with torch.no_grad():
            shape = layer.W.shape
            scale = len(K) * 1.0  # so that averages are whole
            layer.W.copy_(scale * torch.randint(-9, 10, shape, generator=draws))
            layer.V.copy_(scale * torch.randint(-9, 10, layer.V.shape, generator=draws))
        forms, values = (t.detach().round().to(torch.int64).tolist() for t in layer.heads())
        assert len(forms) == G.classes.indices[c]
        heads = canonical(matrix_head(W, V) for W, V in zip(forms, values, strict=True))
        found = stratum_of(G.classes, rho, rho, heads)
        # G/K, or what it collapses onto if K is no exact stabiliser of a form.
        assert all(G.classes.below(c, orbit) for orbit in found)


def test_the_forward_pass_is_attention() -> None:
    group = action(TABLE, SIGN, SIGN)
    layer = EquivariantAttention(group, [[0, 1]])
    with torch.no_grad():
        layer.W.fill_(torch.log(torch.tensor(2.0, dtype=torch.float64)))
        layer.V.fill_(3.0)
    value = layer(torch.tensor([[2.0], [1.0]], dtype=torch.float64))
    (exact,) = evaluate([matrix_head([[1]], [[3]])], [(2,), (1,)])
    assert abs(value.item() - float(exact)) < 1e-13
    batch = torch.randn(4, 5, 3, 1, dtype=torch.float64)
    assert layer(batch).shape == (4, 5, 1)
    alone, error = layer(batch[2, 3]), layer.rounding_bound(batch[2, 3], 0)
    assert (layer(batch)[2, 3] - alone).abs().max() <= error


@pytest.mark.parametrize(
    ("table", "rho", "message"),
    [
        ([[0, 1]], SIGN, "square table"),
        (TABLE, [[[1.0]]], "2 square matrices"),
        (TABLE, [[[1.0, 0.0]], [[1.0, 0.0]]], "2 square matrices"),
        (TABLE, [[[1.0]], [[2.0]]], "multiply as the table says"),
        (TABLE, [[[1.0]], [[float("nan")]]], "finite"),
    ],
)
def test_what_is_no_action_is_refused(table: Any, rho: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        action(table, rho, rho)


@pytest.mark.parametrize("orbit", [[], [1]])
def test_what_is_no_subgroup_is_refused(orbit: list[int]) -> None:
    with pytest.raises(ValueError, match="elements of a subgroup"):
        EquivariantAttention(action(TABLE, SIGN, SIGN), [orbit])
