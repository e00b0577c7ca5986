"""The copy task and its experiment: deterministic, complete, and right where it can be checked."""

from __future__ import annotations

import json

import pytest
import torch
from torch import nn

from headproof.numeric.experiment import NoJournal
from headproof.numeric.identification.copy_task import CopyModel, Layer, copy_loss, sequences
from headproof.numeric.identification.experiment import EXPERIMENT, OPTIMISERS, Config, run
from headproof.numeric.identification.sign_descent import SignDescent

SMALL = EXPERIMENT.configs["smoke"]


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, dict[str, dict[str, list[float]]]]]:
    measured: dict[str, dict[str, dict[str, dict[str, list[float]]]]] = run(SMALL, 3, NoJournal())
    return measured


def test_every_layer_and_optimiser_is_measured(
    found: dict[str, dict[str, dict[str, dict[str, list[float]]]]],
) -> None:
    assert set(found["trained"]) == set(found["looked"]) == set(SMALL.layers())
    for kinds in found["trained"].values():
        assert set(kinds) == set(OPTIMISERS)
        for one in kinds.values():
            assert len(one["step"]) == len(one["gradient"]) == SMALL.steps
            assert all(0 <= share <= 1 for share in one["step"])


def test_a_seed_gives_the_same_again(
    found: dict[str, dict[str, dict[str, dict[str, list[float]]]]],
) -> None:
    assert json.dumps(run(SMALL, 3, NoJournal())) == json.dumps(found)


def test_what_the_optimisers_do(
    found: dict[str, dict[str, dict[str, dict[str, list[float]]]]],
) -> None:
    for kinds in found["trained"].values():
        assert max(kinds["SGD"]["step"]) <= 1e-20
        assert min(kinds["Adam"]["step"]) > 1e-3
        # The first step of Adam is the sign of the gradient, whatever beta1.
        first = [kinds[name]["step"][0] for name in ("Adam", "Adam, beta1 = 0", "sign descent")]
        assert max(first) - min(first) <= 1e-3 * first[0]


def test_the_model_learns_to_copy() -> None:
    config = Config(heads=(4,))
    generator = torch.Generator().manual_seed(1)
    model = CopyModel(config.d, Layer(4, 4), tokens=16, length=8, seed=1)
    adam = torch.optim.Adam(model.parameters(), lr=1e-2)
    losses = []
    for _ in range(60):
        made = sequences(32, tokens=16, length=8, generator=generator)
        model.zero_grad()
        loss = copy_loss(model, made)
        loss.backward()  # type: ignore[no-untyped-call]
        adam.step()
        losses.append(float(loss.detach()))
    assert losses[0] > 2.5
    assert losses[-1] < 0.3


def test_sequences() -> None:
    made = sequences(5, tokens=4, length=3, generator=torch.Generator().manual_seed(2))
    assert made.shape == (5, 7)
    assert bool((made[:, 3] == 0).all())
    assert bool((made[:, :3] == made[:, 4:]).all())
    assert int(made[:, :3].min()) >= 1


def test_sign_descent() -> None:
    weight = nn.Parameter(torch.tensor([3.0, 0.0, -2.0]))
    weight.grad = torch.tensor([0.1, 0.0, -7.0])
    SignDescent([weight], lr=0.5).step()
    assert weight.tolist() == [2.5, 0.0, -1.5]
    with pytest.raises(ValueError, match="expected"):
        SignDescent([weight], lr=-1.0)
