import numpy as np
import pytest

from headproof.symbolic.cones.frame import Frame


def test_functionals_order_points_as_in_the_frame() -> None:
    draw = np.random.default_rng(4)
    rows = (draw.integers(-99, 100, (20, 3)) * np.array([1, 10**6, 10**12])).tolist()
    frame = Frame(rows, upper=False)
    for direction in draw.standard_normal((10, 3)):
        (u,) = frame.functionals(direction[None])
        scores = [sum(a * b for a, b in zip(u, row, strict=True)) for row in rows]
        assert scores.index(max(scores)) == (frame.white @ direction).argmax()


@pytest.mark.parametrize("heights", [[0, 0, 0], [10**30, 0, 5]])
def test_upper_functionals_point_up(heights: list[int]) -> None:
    rows = [[j * j, j, b] for j, b in enumerate(heights)]
    frame = Frame(rows, upper=True)
    for directions in frame.directions():
        assert all(u[-1] > 0 for u in frame.functionals(directions))
    assert frame.functionals(np.zeros((1, frame.white.shape[1])))[0][-1] > 0


def test_a_flat_cloud_has_fewer_axes() -> None:
    assert Frame([[a, 2 * a, 5] for a in range(9)], upper=False).white.shape == (9, 1)
    assert Frame([[a, 2 * a, 5] for a in range(9)], upper=True).white.shape == (9, 2)


def test_chunks_cover_the_points_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headproof.symbolic.cones.frame._ENTRIES", 20)
    frame = Frame([[a, a * a] for a in range(9)], upper=False)
    chunks = list(frame.chunks([1, 3, 5, 7], [0, 8]))
    assert [j for chunk in chunks for j in chunk] == [1, 3, 5, 7]
    assert frame.systems(chunks[0], [0, 8]).shape == (len(chunks[0]), 2, 2)
