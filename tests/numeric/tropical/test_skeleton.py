"""The skeleton of a head against direct counts on data made for the purpose."""

import pytest
import torch

from headproof.numeric.tropical.skeleton import SHARES, skeleton


def draw(seed: int, *shape: int) -> torch.Tensor:
    g = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, dtype=torch.float64, generator=g)


def test_a_key_inside_the_others_never_wins() -> None:
    k = torch.tensor([[1.0, 0], [-1, 1], [-1, -1], [0, 0], [0.1, 0]])
    found = skeleton(k, torch.zeros(2), k)
    assert (found.everywhere.wins, found.everywhere.never) == (3, 2)
    # a query bias lifts key i by <b, k_i>: still under the plane through the others
    assert skeleton(k, torch.tensor([5.0, 0]), k).everywhere.never == 2


def test_mixtures_of_one_token_have_two_winners() -> None:
    """On a line of queries c q only the keys of extreme score win (two upper envelope ends)."""
    k, q = draw(0, 9, 4), draw(1, 9, 4)
    found = skeleton(q, torch.zeros(4, dtype=torch.float64), k, mixing=(3,))
    assert (found.mixed.wins, found.mixed.undecided) == (2, 0)
    assert found.everywhere.wins >= found.mixed.wins


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scale", [1.0, 6.0, 40.0])
def test_certified_positions_are_heavy(causal: bool, scale: float) -> None:
    q, b, k = scale * draw(2, 12, 3), draw(3, 3), draw(4, 12, 3)
    found = skeleton(q, b, k, causal=causal)
    scores = (q + b) @ k.mT / 3**0.5
    if causal:
        scores = scores.masked_fill(torch.ones(12, 12, dtype=torch.bool).triu(1), -torch.inf)
    top = scores.sort(-1, descending=True).values
    gap = top[:, 0] - top[:, 1]
    rows = range(1, 12) if causal else range(12)
    assert found.positions == len(rows)
    for eps in SHARES:
        heavy = int((scores.softmax(-1).amax(-1)[rows[0] :] > 1 - eps).sum())
        assert found.heavy[eps] == heavy
        assert found.certified[eps] <= heavy
        N = torch.tensor([i + 1 if causal else 12 for i in rows], dtype=torch.float64)
        sufficient = gap[rows[0] :] > (N - 1).log() + torch.tensor((1 - eps) / eps).log() + 1e-9
        assert found.certified[eps] == int(sufficient.sum())
    if scale == 40.0:
        assert found.certified[0.1] > 0
    exact = gap[rows[0] :]
    assert bool((found.leads[rows[0] :] <= exact).all())
    assert bool((found.leads[rows[0] :] >= exact - 1e-9).all())


def test_a_tie_is_not_certified() -> None:
    k = torch.tensor([[50.0], [50.0], [0.0]])
    found = skeleton(torch.ones(3, 1) * 9, torch.zeros(1), k)
    assert float(found.leads.max()) == 0.0
    assert found.certified[0.5] == 0


def test_unvisited_keys() -> None:
    k = torch.tensor([[1.0], [-1.0], [0.5]])
    assert skeleton(torch.tensor([[1.0], [2.0], [3.0]]), torch.zeros(1), k).unvisited == 2


@pytest.mark.parametrize("mixing", [(7,), (-1,)])
def test_what_is_refused(mixing: tuple[int, ...]) -> None:
    k = draw(0, 4, 2)
    with pytest.raises(ValueError, match="tokens from 0 to 3"):
        skeleton(k, torch.zeros(2), k, mixing=mixing)
    with pytest.raises(ValueError, match="expected"):
        skeleton(k, torch.zeros(3), k)
    with pytest.raises(ValueError, match="n >= 2"):
        skeleton(k[:1], torch.zeros(2), k[:1])
