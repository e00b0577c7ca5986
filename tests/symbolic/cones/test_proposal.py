import random
from fractions import Fraction

import numpy as np
import pytest

from headproof.symbolic.cones.hull import upper_hull
from headproof.symbolic.cones.proposal import propose, propose_support


def test_a_batch_answers_like_its_members() -> None:
    draw = np.random.default_rng(3)
    systems = draw.standard_normal((30, 9, 3))
    systems[::2, :, 0] = np.abs(systems[::2, :, 0]) + 0.1
    systems /= np.linalg.norm(systems, axis=2, keepdims=True)
    together = propose(systems)
    for b, system in enumerate(systems):
        solved = (system @ together.directions[b] > 1e-9).all()
        support = together.support(b)
        combined = together.gaps[b] < 1e-9 and 2 <= len(support) <= 4
        assert solved != combined
        if b % 2 == 0:
            assert solved
        alone = propose(system[None])
        assert (alone.gaps[0] < 1e-9) == (together.gaps[b] < 1e-9)


@pytest.mark.parametrize("shape", [(0, 3, 2), (2, 0, 2), (2, 3, 0)])
def test_empty_batches(shape: tuple[int, int, int]) -> None:
    assert propose(np.zeros(shape)).directions.shape == (shape[0], shape[2])


def test_zero_and_repeated_rows_end() -> None:
    guess = propose(np.array([[[0.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]]))
    assert not (guess.directions[0] > 0).all()
    assert guess.directions[1, 0] > 0


def test_support_of_one_system() -> None:
    columns = np.array([[1.0, -1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 1.0]])
    assert propose_support(columns, np.array([0.0, 0.0, 1.0])) == [0, 1]


def test_a_row_of_weight_0_that_stays_there_leaves_without_a_warning() -> None:
    draw = random.Random(5118)
    assert (draw.choice([2, 3]), draw.choice([4, 5, 6, 8])) == (3, 6)
    points = [
        [
            Fraction(draw.randint(-2, 2), 10 ** draw.choice([0, 18, 40])) + draw.choice([0, 10**18])
            for _ in range(3)
        ]
        for _ in range(6)
    ]
    assert upper_hull(points).count >= 1
