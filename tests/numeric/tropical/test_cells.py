"""tropical.cells in floats: what it calls winning wins exactly, and the rest is bounded."""

from fractions import Fraction

import pytest
import torch

from headproof.numeric.tropical.cells import cells

NAN, INF = float("nan"), float("inf")


def wins_exactly(keys: torch.Tensor, biases: torch.Tensor, j: int, x: torch.Tensor) -> bool:
    """Whether key j strictly beats every other lifted point at x, over the rationals."""

    def score(i: int) -> Fraction:
        return sum(
            (Fraction(a) * Fraction(t) for a, t in zip(keys[i].tolist(), x.tolist(), strict=True)),
            Fraction(biases[i].item()),
        )

    same = (keys == keys[j]).all(-1) & (biases == biases[j])
    return all(score(j) > score(i) for i in range(len(keys)) if not bool(same[i]))


@pytest.mark.parametrize(
    ("keys", "biases", "wins"),
    [
        ([[-1.0], [0.0], [1.0]], None, [True, False, True]),
        ([[-1.0], [0.0], [1.0]], [0.0, 1e-3, 0.0], [True, True, True]),
        ([[-1.0], [0.0], [1.0]], [0.0, -1e-3, 0.0], [True, False, True]),
        ([[1.0, 1.0]] * 3, None, [True, True, True]),
        ([[2.0], [2.0]], [1.0, 3.0], [False, True]),
        ([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [1.0, 1.0], [0.5, 0.5], [2.0, 0.0]], None, None),
        ([[7.0]], [3.0], [True]),
    ],
    ids=["middle", "raised", "lowered", "equal", "dominated", "square", "single"],
)
def test_small_heads(
    keys: list[list[float]], biases: list[float] | None, wins: list[bool] | None
) -> None:
    expected = wins or [True, True, True, False, False, True]
    k = torch.tensor(keys, dtype=torch.float64)
    b = torch.zeros(len(k), dtype=torch.float64) if biases is None else torch.tensor(biases)
    found = cells(k, b)
    assert found.wins[0].tolist() == expected
    assert found.within[0].tolist() == [not won for won in expected]
    for j, won in enumerate(expected):
        if won:
            assert wins_exactly(k, b, j, found.witness[0, j])


def test_batch_of_random_heads_with_planted_dead_keys() -> None:
    generator = torch.Generator().manual_seed(8)
    keys = torch.randn(3, 30, 4, dtype=torch.float64, generator=generator)
    keys[:, 7] = keys[:, :5].mean(1)
    keys[:, 9] = 0.25 * keys[:, 10] + 0.75 * keys[:, 11]
    found = cells(keys)
    assert bool(found.within[:, [7, 9]].all())
    assert int(found.undecided.sum()) == 0
    assert int(found.wins.sum()) > 30
    assert torch.equal(found.wins, found.margin > 0)
    assert bool((found.distance[found.within] <= 1.001 * found.tolerance.amax()).all())
    for h, j in found.wins.nonzero().tolist():
        assert wins_exactly(keys[h], torch.zeros(30), j, found.witness[h, j])


def test_distance_is_an_upper_bound() -> None:
    """A corner of the simplex {0, e_i}: e_1 is at distance sqrt(d/(d-1)) from the other side."""
    d = 4
    keys = torch.cat([torch.zeros(1, d), torch.eye(d)]).double()
    found = cells(keys)
    assert bool(found.wins.all())
    # From 0 to the face {sum = 1}: 1/sqrt(d); from e_i to the face without it: 1.
    exact = torch.tensor([d**-0.5] + [1.0] * d, dtype=torch.float64)
    assert bool((found.distance[0] >= exact * (1 - 1e-12)).all())


def test_what_the_tolerance_cannot_tell_is_not_called_winning() -> None:
    keys = torch.tensor([[-1.0], [0.0], [1.0]])
    barely = cells(keys, torch.tensor([0.0, 1e-13, 0.0], dtype=torch.float64))
    assert barely.wins[0, 1] or barely.within[0, 1]
    few = cells(torch.tensor([[-1.0, 3.0], [0.0, 0.3], [0.5, -1.0], [1.0, 0.1]]), iterations=1)
    assert bool(few.undecided.any())


def test_invariances() -> None:
    generator = torch.Generator().manual_seed(5)
    keys = torch.randn(1, 25, 3, dtype=torch.float64, generator=generator)
    biases = torch.randn(1, 25, dtype=torch.float64, generator=generator)
    once = cells(keys, biases)
    order = torch.randperm(25, generator=generator)
    assert torch.equal(cells(keys[:, order], biases[:, order]).wins, once.wins[:, order])
    assert torch.equal(cells(8 * keys + 1, 8 * biases).wins, once.wins)
    assert not torch.equal(cells(keys, -biases).wins, once.wins)


@pytest.mark.parametrize(
    ("keys", "biases", "options"),
    [
        (torch.ones(2, 2), torch.ones(3), {}),
        (torch.ones(2), None, {}),
        (torch.ones(0, 2), None, {}),
        (torch.ones(2, 2), None, {"iterations": 0}),
        (torch.ones(2, 2), None, {"relative_tolerance": 1e-17}),
        (torch.tensor([[NAN]]), None, {}),
        (torch.tensor([[INF]]), None, {}),
    ],
)
def test_bad_input(
    keys: torch.Tensor, biases: torch.Tensor | None, options: dict[str, float]
) -> None:
    with pytest.raises(ValueError, match="expected"):
        cells(keys, biases, **options)  # type: ignore[arg-type]
