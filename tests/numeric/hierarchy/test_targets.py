"""Queries and the keys that they lose, checked against their descriptions."""

import numpy as np
import pytest

from headproof.numeric.hierarchy.dyck import DyckWords
from headproof.numeric.hierarchy.targets import CONTROLS, draw, keys, mass_mask, row_mask

EDGES = (1, 2, 5, 17)


def test_queries_have_the_distances_asked_for() -> None:
    queries = draw(DyckWords(2, 3, 16), EDGES, 10, np.random.default_rng(0))
    assert np.bincount(queries.bin).tolist() == [10, 10, 10]
    distance = np.asarray(queries.of(queries.batch.distance))
    for b in range(3):
        here = distance[queries.bin == b]
        assert ((here >= EDGES[b]) & (here < EDGES[b + 1])).all()
    assert np.asarray(queries.of(queries.batch.closes_next)).all()


def test_controls_are_what_they_say() -> None:
    queries = draw(DyckWords(2, 3, 16), EDGES, 20, np.random.default_rng(1))
    batch = queries.batch
    tops = keys(queries, "top", np.random.default_rng(0))
    seen = dict.fromkeys(CONTROLS, 0)
    for control in CONTROLS:
        for n, j in enumerate(keys(queries, control, np.random.default_rng(2))):
            if j < 0:
                continue
            seen[control] += 1
            i, top = queries.position[n], tops[n]
            assert j <= i
            assert j != top
            same = batch.kind[n, j] == batch.kind[n, top]
            if control.startswith("later-"):
                assert top < j < i
                assert batch.depth[n, j] == batch.depth[n, i]
                assert control == "later-same-level" or not same
                continue
            assert batch.opens[n, j]
            if control == "waiting":
                closed = [m for m in range(j + 1, i + 1) if batch.depth[n, m] < batch.depth[n, j]]
                assert not closed
            else:
                assert same == (control == "same-type")
    assert min(seen.values()) > 0


def test_masks_touch_the_query_alone() -> None:
    queries = draw(DyckWords(2, 3, 16), EDGES, 5, np.random.default_rng(3))
    chosen = keys(queries, "top", np.random.default_rng(0))
    chosen[0] = -1
    mask = row_mask(queries, chosen)
    assert mask.sum() == len(queries) - 1
    assert not mask[0].any()
    assert all(mask[n, queries.position[n], chosen[n]] for n in range(1, len(queries)))


def test_equal_mass() -> None:
    queries = draw(DyckWords(2, 3, 16), EDGES, 5, np.random.default_rng(4))
    n, T = queries.batch.tokens.shape
    tops = keys(queries, "top", np.random.default_rng(0))
    weights = np.zeros((n, T))
    for row, i in enumerate(queries.position):
        weights[row, : i + 1] = 1 / (i + 1)
    mask, share = mass_mask(queries, weights)
    for row, i in enumerate(queries.position):
        assert mask[row].sum() == 1  # another key of the same weight
        assert mask[row, i].sum() == 1
        assert not mask[row, i, tops[row]]
    assert (share == 1).all()


def test_refusals() -> None:
    queries = draw(DyckWords(2, 3, 16), EDGES, 2, np.random.default_rng(5))
    with pytest.raises(ValueError, match="expected top or one of"):
        keys(queries, "bottom", np.random.default_rng(0))
    with pytest.raises(ValueError, match="no closer"):
        draw(DyckWords(1, 1, 2), (5, 9), 1, np.random.default_rng(0), rounds=1)
