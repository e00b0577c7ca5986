"""Frames, overlaps and the index: laws first, then hand values."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headproof.numeric.ensemble.overlap import (
    attainable_index,
    diversity_index,
    effective_heads,
    overlaps,
    pair_cosines,
    shared_index,
    spectral_index,
)
from headproof.numeric.ensemble.subspaces import row_spaces


def random_heads(seed: int, heads: int, d_k: int, d: int) -> torch.Tensor:
    g = torch.Generator().manual_seed(seed)
    return torch.randn(heads, d_k, d, dtype=torch.float64, generator=g)


shapes = st.tuples(st.integers(2, 5), st.integers(1, 4), st.integers(4, 9), st.integers(0, 99))


@given(shapes)
def test_both_forms_of_the_index_agree(shape: tuple[int, int, int, int]) -> None:
    heads, d_k, d, seed = shape
    found = row_spaces(list(random_heads(seed, heads, d_k, d)))
    kernel = overlaps(found)
    index = diversity_index(kernel)
    bound = 64 * d * heads * 2.0**-53  # a few roundings of each of the d-term inner products
    assert abs(index - spectral_index(found)) <= bound
    assert -bound <= index <= attainable_index(heads, d_k, d) + bound
    total = float(kernel.sum()) / heads**2  # tr(Pbar^2)/d_k
    assert effective_heads(index, heads) == pytest.approx(1 / total, rel=bound)


@given(shapes)
def test_overlap_is_the_sum_of_squared_cosines(shape: tuple[int, int, int, int]) -> None:
    heads, d_k, d, seed = shape
    found = row_spaces(list(random_heads(seed, heads, d_k, d)))
    pairs = torch.triu_indices(heads, heads, 1)
    means = pair_cosines(found).square().mean(-1)
    assert float((overlaps(found)[*pairs] - means).abs().max()) <= 64 * d * 2.0**-53


@given(shapes)
def test_the_row_space_does_not_depend_on_its_basis(shape: tuple[int, int, int, int]) -> None:
    heads, d_k, d, seed = shape
    W = random_heads(seed, heads, d_k, d)
    mixed = torch.linalg.qr(random_heads(seed + 1, heads, d_k, d_k)).Q @ W * 3
    apart = overlaps(row_spaces(list(W))) - overlaps(row_spaces(list(mixed)))
    assert float(apart.abs().max()) <= 1e-11


def test_ends() -> None:
    eye = torch.eye(6, dtype=torch.float64)
    orthogonal = overlaps(row_spaces([eye[:2], eye[2:4], eye[4:]]))
    aligned = overlaps(row_spaces([eye[:2]] * 3))
    assert (diversity_index(orthogonal), diversity_index(aligned)) == (1.0, 0.0)
    assert effective_heads(diversity_index(orthogonal), 3) == 3
    assert effective_heads(diversity_index(aligned), 3) == 1


def test_a_known_angle() -> None:
    """cos^2 = 9/25 between (1, 0) and (3, 4)/5."""
    kernel = overlaps(row_spaces([torch.tensor([[1.0, 0]]), torch.tensor([[3.0, 4]])]))
    assert float(kernel[0, 1]) == pytest.approx(9 / 25, abs=1e-15)


def test_sharing_counts_as_aligned() -> None:
    assert shared_index(torch.eye(2), (0, 0, 0)) == 0.0


def test_what_is_refused() -> None:
    eye = torch.eye(4, dtype=torch.float64)
    low = overlaps(row_spaces([eye[:2], torch.ones(2, 4)]))
    with pytest.raises(ValueError, match=r"two heads of full rank, found .*nan"):
        diversity_index(low)
    with pytest.raises(ValueError, match=r"of lower rank \[1\]"):
        spectral_index(row_spaces([eye[:2], torch.ones(2, 4)]))
    with pytest.raises(ValueError, match="two heads"):
        diversity_index(torch.eye(1))
    with pytest.raises(ValueError, match="two heads"):
        attainable_index(1, 2, 3)
    for wrong in ([], [eye[:, :2]], [eye[:2], eye[:3]], [eye[0]], [eye[:1] / 0]):
        with pytest.raises(ValueError, match="expected"):
            row_spaces(wrong)
