"""The tangent of the fibre and balanced factors: laws, in every commutant."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from headproof.numeric.identification.commutant import Commutant
from headproof.numeric.identification.fibre import imbalance, relative_imbalance, tangent_part
from headproof.numeric.identification.rebalancing import balanced

ALGEBRAS = (
    Commutant(1),
    Commutant(5),
    Commutant(6, 4),
    Commutant(6, 6),
    Commutant(6, 6, "equal"),
    Commutant(6, 4, "equal", interleaved=True),
    Commutant(6, 4, interleaved=True),
)
ROWS = (14, 7)


def normal(*shape: int, seed: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def member(algebra: Commutant, seed: int) -> Tensor:
    n = algebra.head_dim
    return algebra.matrix(*algebra.blocks(normal(2, n, n, seed=seed)))


def close(a: Tensor, b: Tensor, size: float = 1.0) -> bool:
    """Equal up to the rounding of a few products of the sizes used here."""
    return float((a - b).abs().max()) <= 1e4 * 2.0**-53 * size


def turned(algebra: Commutant, angles: Tensor) -> Tensor:
    """The matrix of rotations by these angles, written down plane by plane."""
    n, half = algebra.head_dim, algebra.rotary_dim // 2
    matrix = torch.eye(n, dtype=torch.float64)
    for p in range(half):
        i, j = (2 * p, 2 * p + 1) if algebra.interleaved else (p, p + half)
        cos, sin = angles[p].cos(), angles[p].sin()
        matrix[i, i], matrix[i, j], matrix[j, i], matrix[j, j] = cos, sin, -sin, cos
    return matrix


@pytest.mark.parametrize("algebra", ALGEBRAS, ids=str)
def test_projection(algebra: Commutant) -> None:
    n = algebra.head_dim
    m = normal(2, n, n, seed=1)
    x, y = algebra.matrix(*algebra.blocks(m)), member(algebra, 2)
    assert close(algebra.matrix(*algebra.blocks(x)), x)
    assert abs(float(((m - x) * y).sum())) <= 1e-13
    for inside in (x @ y, y.mT):
        assert close(algebra.matrix(*algebra.blocks(inside)), inside)
    basis = [algebra.matrix(*algebra.blocks(e.reshape(n, n))) for e in torch.eye(n * n).double()]
    assert int(torch.linalg.matrix_rank(torch.stack(basis).flatten(1))) == algebra.dimension


@pytest.mark.parametrize("algebra", ALGEBRAS, ids=str)
def test_the_algebra_commutes_with_its_rotations_and_is_all_that_does(algebra: Commutant) -> None:
    half = algebra.rotary_dim // 2
    angles = normal(half, seed=3)
    if algebra.frequencies == "equal":
        angles = angles[:1].expand(half)
    rotation = turned(algebra, angles)
    x = member(algebra, 4)
    assert close(x @ rotation, rotation @ x)
    n = algebra.head_dim
    eye = torch.eye(n, dtype=torch.float64)
    commutator = torch.kron(rotation, eye) - torch.kron(eye, rotation.mT.contiguous())
    assert n * n - int(torch.linalg.matrix_rank(commutator)) == algebra.dimension


@pytest.mark.parametrize("algebra", ALGEBRAS, ids=str)
def test_tangent_part(algebra: Commutant) -> None:
    n = algebra.head_dim
    left, right = normal(2, ROWS[0], n, seed=5), normal(2, ROWS[1], n, seed=6)
    x = member(algebra, 7)
    whole = tangent_part(left, right, left @ x, -right @ x.mT, algebra)
    assert abs(whole.share - 1) <= 1e-13
    d_left, d_right = torch.randn_like(left), torch.randn_like(right)
    part = tangent_part(left, right, d_left, d_right, algebra)
    rest = ((d_left - part.left) * (left @ x)).sum() - (
        (d_right - part.right) * (right @ x.mT)
    ).sum()
    assert abs(float(rest)) <= 1e-11
    again = tangent_part(left, right, d_left - part.left, d_right - part.right, algebra)
    assert 0 < part.share < 1
    assert again.share <= 1e-28


def test_tangent_part_against_least_squares() -> None:
    """The same part by a dense basis of the tangent."""
    algebra = Commutant(4, 2)
    left, right = normal(1, 5, 4, seed=8), normal(1, 3, 4, seed=9)
    step = normal(1, 5, 4, seed=10), normal(1, 3, 4, seed=11)
    columns = []
    for e in torch.eye(16, dtype=torch.float64):
        x = algebra.matrix(*algebra.blocks(e.reshape(4, 4)))
        columns.append(torch.cat(((left @ x).flatten(), (-right @ x.mT).flatten())))
    basis = torch.stack(columns, 1)
    target = torch.cat((step[0].flatten(), step[1].flatten()))
    u, s, _ = torch.linalg.svd(basis, full_matrices=False)
    inside = u[:, s > 1e-9 * s[0]]
    expected = float((inside.mT @ target).square().sum() / target.square().sum())
    assert inside.shape[1] == algebra.dimension
    assert abs(tangent_part(left, right, *step, algebra).share - expected) <= 1e-13


def test_wide_heads_have_a_larger_fibre_than_rank_allows() -> None:
    """d_k > d: the solution of least norm, and the right tangent all the same."""
    left, right = normal(1, 2, 5, seed=12), normal(1, 2, 5, seed=13)
    x = normal(1, 5, 5, seed=14)
    part = tangent_part(left, right, left @ x, -right @ x.mT, Commutant(5))
    assert abs(part.share - 1) <= 1e-12
    zero = torch.zeros_like(left)
    assert tangent_part(zero, zero, zero, zero, Commutant(5)).share == 0


@pytest.mark.parametrize("algebra", ALGEBRAS, ids=str)
def test_balanced(algebra: Commutant) -> None:
    n = algebra.head_dim
    left, right = normal(2, ROWS[0], n, seed=15), 3 * normal(2, ROWS[1], n, seed=16)
    rotation = turned(algebra, torch.full((algebra.rotary_dim // 2,), 0.7, dtype=torch.float64))
    moves = []
    for near in (None, (left, right)):
        new_left, new_right = balanced(left, right, algebra, near=near)
        size = float(left.norm() * right.norm())
        assert close(new_left @ new_right.mT, left @ right.mT, size)
        assert close(new_left @ rotation @ new_right.mT, left @ rotation @ right.mT, size)
        assert float(relative_imbalance(new_left, new_right, algebra).max()) <= 1e-14
        moves.append(float((new_left - left).square().sum() + (new_right - right).square().sum()))
    assert moves[1] <= moves[0]
    assert float(relative_imbalance(left, right, algebra).min()) > 0.1


@pytest.mark.parametrize("rows", [(2, 2), (2, 7), (7, 1)])
def test_balanced_with_too_little_rank(rows: tuple[int, int]) -> None:
    left, right = normal(1, rows[0], 4, seed=17), normal(1, rows[1], 4, seed=18)
    new_left, new_right = balanced(left, right, Commutant(4), near=(left, right))
    assert close(new_left @ new_right.mT, left @ right.mT, float(left.norm() * right.norm()))
    assert float(relative_imbalance(new_left, new_right, Commutant(4)).max()) <= 1e-14
    zero = torch.zeros_like(left), torch.zeros_like(right)
    assert all(bool((one == 0).all()) for one in balanced(*zero, Commutant(4)))


def test_an_svd_regardless_of_the_rotations_changes_the_function() -> None:
    left, right = normal(1, 8, 4, seed=19), normal(1, 8, 4, seed=20)
    algebra = Commutant(4, 4)
    rotation = turned(algebra, torch.tensor([0.7, 1.1], dtype=torch.float64))
    new_left, new_right = balanced(left, right, Commutant(4))
    change = new_left @ rotation @ new_right.mT - left @ rotation @ right.mT
    assert float(change.abs().max()) > 0.1


def test_imbalance_by_hand() -> None:
    one = torch.ones(1, 1, 2, dtype=torch.float64)
    assert imbalance(2 * one, one, Commutant(2)).tolist() == [[[3, 3], [3, 3]]]
    assert imbalance(2 * one, one, Commutant(2, 2)).tolist() == [[[3, 0], [0, 3]]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"right": torch.ones(1, 2, 3)},
        {"right": torch.ones(2, 2, 2)},
        {"left": torch.ones(2, 2)},
        {"step_left": torch.ones(1, 1, 2)},
    ],
)
def test_shapes_that_do_not_fit(wrong: dict[str, Any]) -> None:
    given = {name: torch.ones(1, 2, 2) for name in ("left", "right", "step_left", "step_right")}
    with pytest.raises(ValueError, match="expected"):
        tangent_part(**(given | wrong), commutant=Commutant(2))
    with pytest.raises(ValueError, match="near"):
        balanced(given["left"], given["right"], Commutant(2), near=(torch.ones(1), torch.ones(1)))


@pytest.mark.parametrize("wrong", [(0,), (4, 3), (4, 6), (4, 2, "other")])
def test_commutants_that_do_not_exist(wrong: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Commutant(*wrong)
