import numpy as np
import pytest

from headproof.symbolic.proposal import propose, propose_support


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
