"""The float proposals against scipy's linear programs."""

import numpy as np
from scipy.optimize import linprog

from headproof.symbolic.regions.gordan import propose


def systems(K: int, M: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    rows = rng.integers(-5, 6, (K, M, n)).astype(float)
    rows[:, :, 0] += 0.5
    rows[:, :, 0] += rng.integers(0, 6, K)[:, None]
    rows /= np.abs(rows).max(axis=2, keepdims=True)
    return rows, rng.integers(2, M + 1, K)


def test_margins_agree_with_scipy() -> None:
    rows, counts = systems(120, 14, 3)
    found = propose(rows, counts, np.zeros(120, dtype=np.int64))
    signs = set()
    for k in range(120):
        A = rows[k, : counts[k]]
        expected = -linprog(
            [0, 0, 0, -1],
            A_ub=np.c_[-A, np.ones(len(A))],
            b_ub=np.zeros(len(A)),
            bounds=[(-1, 1)] * 3 + [(None, None)],
        ).fun
        # Both solvers pivot on data of size 1 with at most 14 rows: 1e-8 is far above rounding.
        assert abs(expected - found.margin[k]) < 1e-8
        open_ = found.margin[k] > 1e-9
        signs.add(bool(open_))
        if open_:
            assert (A @ found.direction[k]).min() > 0
        else:
            used = found.support[k] >= 0
            combination = found.weight[k][used] @ A[found.support[k][used]]
            assert np.abs(combination).max() < 1e-8
            assert abs(found.weight[k][used].sum() - 1) < 1e-8
    assert signs == {True, False}


def test_a_proposal_does_not_depend_on_its_batch() -> None:
    rows, counts = systems(60, 20, 4)
    start = np.zeros(60, dtype=np.int64)
    together = propose(rows, counts, start)
    for k in range(0, 60, 7):
        alone = propose(rows[k : k + 1, : counts[k]], counts[k : k + 1], start[:1])
        assert alone.margin[0] == together.margin[k]
        assert (alone.direction[0] == together.direction[k]).all()
        assert (alone.support[0] == together.support[k]).all()
        assert (alone.weight[0] == together.weight[k]).all()
