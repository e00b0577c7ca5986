"""Spectra of products from their factors."""

import pytest
import torch

from headproof.numeric.ensemble.spectra import product_cosines, product_spectrum


def draw(*shape: int, seed: int = 0) -> torch.Tensor:
    g = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=g)


@pytest.mark.parametrize(("d_k", "d"), [(1, 4), (3, 7), (5, 5), (6, 4)])
def test_against_the_dense_product(d_k: int, d: int) -> None:
    A, B = draw(d_k, d), draw(d_k, d, seed=1)
    dense = torch.linalg.svdvals(A.mT @ B)
    found = product_spectrum(A, B)
    values = torch.tensor(found.values, dtype=torch.float64)
    k = min(len(dense), len(values))
    assert float((values[:k] - dense[:k]).abs().max()) <= 1e-13 * float(dense[0])
    stable = float(dense.square().sum() / dense[0] ** 2)
    assert found.stable_rank == pytest.approx(stable, rel=1e-12)
    assert 1 <= found.stable_rank <= found.effective_rank**2 + 1e-9


def test_repeated_values_are_flagged() -> None:
    Q = torch.linalg.qr(draw(8, 4)).Q.mT
    scaled = torch.diag(torch.tensor([2.0, 2, 1, 0], dtype=torch.float64)) @ Q
    found = product_spectrum(scaled, Q)
    assert found.repeated == ((0, 1),)  # zeros are not flagged
    assert found.effective_rank == pytest.approx(2.8717458874925876, rel=1e-12)
    apart = torch.diag(torch.tensor([2.0, 1.9, 1, 0.5], dtype=torch.float64)) @ Q
    assert product_spectrum(apart, Q).repeated == ()


def test_the_zero_product() -> None:
    found = product_spectrum(torch.zeros(2, 3), draw(2, 3))
    assert (found.stable_rank, found.effective_rank, found.repeated) == (0, 0, ())


def test_cosines_against_dense_products() -> None:
    A, B, owners = draw(4, 2, 6), draw(2, 2, 6, seed=1), (0, 0, 1, 1)
    dense = torch.stack([A[h].mT @ B[g] for h, g in enumerate(owners)]).flatten(1)
    unit = dense / dense.norm(dim=-1, keepdim=True)
    assert float((product_cosines(A, B, owners) - unit @ unit.mT).abs().max()) <= 1e-13


def test_shapes_that_differ() -> None:
    with pytest.raises(ValueError, match="two"):
        product_spectrum(torch.ones(2, 3), torch.ones(2, 4))
