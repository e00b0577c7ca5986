"""Ranks against flint over Q, exactness at its limit, and what must be refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from flint import fmpz_mat, nmod_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from headproof.symbolic.errors import Degenerate, InputError
from headproof.symbolic.modular.elimination import reduce
from headproof.symbolic.modular.rank import (
    PRIMES,
    certified_rank,
    exactly_equal,
    modular_rank,
)

matrices = st.tuples(st.integers(1, 25), st.integers(1, 25), st.integers(0, 12)).flatmap(
    lambda sizes: st.tuples(
        st.lists(
            st.lists(st.integers(-3, 3), min_size=sizes[2], max_size=sizes[2]),
            min_size=sizes[0],
            max_size=sizes[0],
        ),
        st.lists(
            st.lists(st.integers(-3, 3), min_size=sizes[1], max_size=sizes[1]),
            min_size=sizes[2],
            max_size=sizes[2],
        ),
        st.just(sizes),
    )
)


@settings(max_examples=60, deadline=None)
@given(matrices, st.sampled_from((*PRIMES, 3, 7)))
def test_the_rank_and_its_minor_modulo_a_prime(case: Any, prime: int) -> None:
    left, right, (m, n, k) = case
    matrix = np.array(left, dtype=np.int64).reshape(m, k) @ np.array(right, dtype=np.int64).reshape(
        k, n
    )
    found = modular_rank(matrix, prime)
    assert found.rank == nmod_mat(fmpz_mat(matrix.tolist()), prime).rank()
    assert found.columns == tuple(sorted(set(found.columns)))
    assert len(set(found.rows)) == found.rank
    minor = matrix[np.ix_(found.rows, found.columns)].tolist()
    if found.rank:
        assert int(nmod_mat(fmpz_mat(minor), prime).det()) != 0


@settings(max_examples=30, deadline=None)
@given(matrices)
def test_both_sides_with_factors(case: Any) -> None:
    left, right, (m, n, k) = case
    if not k:
        return
    matrix = np.array(left) @ np.array(right)
    rank = fmpz_mat(matrix.tolist()).rank()
    if rank == min(m, n, k):
        assert certified_rank(matrix, factors=(left, right)).rank == rank
    else:
        with pytest.raises(Degenerate):
            certified_rank(matrix, factors=(left, right))


def test_a_small_kernel_is_found_and_checked() -> None:
    random = np.random.default_rng(0)
    right = np.hstack([np.eye(30, dtype=np.int64), random.integers(-2, 3, (30, 12))])
    matrix = random.integers(-3, 4, (50, 30)) @ right
    found = certified_rank(matrix)
    assert found.rank == 30
    assert found.kernel is not None
    assert found.kernel.shape == (12, 42)
    assert not (matrix @ found.kernel.T).any()


def test_exact_at_the_largest_residues() -> None:
    """Rows of residues (p - 1)/2: every product is as large as it can be, 600 in a sum."""
    prime = PRIMES[0]
    random = np.random.default_rng(1)
    half = (prime - 1) // 2
    matrix = random.choice([half, -half, half - 1, 1 - half], (600, 640))
    assert modular_rank(matrix).rank == nmod_mat(fmpz_mat(matrix.tolist()), prime).rank()


def test_reduction_near_its_limits() -> None:
    prime = PRIMES[-1]
    random = np.random.default_rng(2)
    wide = random.integers(-(2**53) + 1, 2**53, 10000)
    multiples = (wide // prime) * prime
    for entries in (wide, multiples, multiples + prime // 2, multiples - prime // 2):
        kept = entries[np.abs(entries) < 2**53]
        found = kept.astype(np.float64)
        reduce(found, prime)
        assert (found.astype(np.int64) % prime == kept % prime).all()
        assert np.abs(found).max() <= prime // 2 + 8
    zero = multiples.astype(np.float64)
    reduce(zero, prime)
    assert not zero.any()


def test_integers_of_any_size() -> None:
    long = 10**40
    assert modular_rank([[long, 2 * long], [1, 2]]).rank == 1
    assert certified_rank([[long, 2 * long], [1, 2]], kernel=[[2, -1]]).rank == 1
    large = np.array([[2**40, 1]]), np.array([[2**40], [1]])
    assert not exactly_equal(*large, np.array([[0]]))
    assert modular_rank(np.zeros((0, 3), dtype=np.int64)).rank == 0
    assert certified_rank(np.zeros((2, 3), dtype=np.int64)).rank == 0


def test_an_unlucky_prime_is_not_enough() -> None:
    matrix = [[PRIMES[0], 0], [0, 1]]
    assert modular_rank(matrix).rank == 1
    assert certified_rank(matrix).rank == 2
    with pytest.raises(Degenerate):
        certified_rank(matrix, primes=PRIMES[:1])


WRONG: tuple[tuple[Any, dict[str, Any], type[Exception]], ...] = (
    ([[1, 2], [2, 4]], {"kernel": [[1, 1]]}, InputError),
    ([[1, 2], [2, 4]], {"kernel": [[0, 0]]}, Degenerate),
    ([[1, 2], [2, 4]], {"factors": ([[1], [2]], [[1, 3]])}, InputError),
    ([[1, 2], [2, 4]], {"factors": ([[1], [2]], [[1, 2], [0, 0]])}, InputError),
    ([[1, 2], [2]], {}, InputError),
    ([[1.0, 2]], {}, InputError),
    (3, {}, InputError),
    ([[1, 2]], {"primes": (15,)}, InputError),
    ([[1, 2]], {"primes": (2**31 - 1,)}, InputError),
)


@pytest.mark.parametrize(("matrix", "options", "error"), WRONG)
def test_what_is_refused(matrix: Any, options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        certified_rank(matrix, **options)
