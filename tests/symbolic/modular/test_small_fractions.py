"""Small fractions from residues: each one is found, and nothing else is."""

from math import gcd, isqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.modular.rank import PRIMES
from headproof.symbolic.modular.small_fractions import small_fractions


@pytest.mark.parametrize("prime", [3, 5, 7, 101, 499])
def test_every_residue_against_a_search(prime: int) -> None:
    bound = isqrt(prime // 2)
    known = {
        p * pow(q, -1, prime) % prime: (p, q)
        for q in range(1, bound + 1)
        for p in range(-bound, bound + 1)
        if gcd(p, q) == 1
    }
    p, q = small_fractions(np.arange(prime), prime)
    for residue in range(prime):
        if residue in known:
            assert (p[residue], q[residue]) == known[residue]
        else:
            assert q[residue] == 0


@given(st.lists(st.tuples(st.integers(-2000, 2000), st.integers(1, 2000)), max_size=30))
def test_planted_fractions_come_back(pairs: list[tuple[int, int]]) -> None:
    prime = PRIMES[0]
    residues = np.array([p * pow(q, -1, prime) % prime for p, q in pairs], dtype=np.int64)
    p, q = small_fractions(residues.reshape(-1, 1), prime)
    assert p.shape == (len(pairs), 1)
    for (planted, under), found, below in zip(pairs, p[:, 0], q[:, 0], strict=True):
        assert planted * int(below) == int(found) * under


def test_centred_residues_in_floats_are_taken() -> None:
    p, q = small_fractions(np.array([[-1.0, 2.0], [0.0, -50.0]]), 101)
    assert p.tolist() == [[-1, 2], [0, 1]]
    assert q.tolist() == [[1, 1], [1, 2]]
