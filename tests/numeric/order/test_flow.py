"""The flow and the trained model: gradients, interruptions, and each against the other."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from headproof.numeric.experiment import NoJournal, State
from headproof.numeric.order.chain import Chain, windows_of
from headproof.numeric.order.flow import FlowSettings, initial, integrate
from headproof.numeric.order.model import LagAttention, TrainingSettings, Update, fit

CHAIN = Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3))
SETTINGS = FlowSettings(time=60.0, samples=201, decay=0.0)


class Stopped(Exception):
    """The journal stops the run."""


class Memory(NoJournal):
    """Keeps every state in memory and stops at a step."""

    def __init__(self, stop: int | None = None) -> None:
        self.stop, self.kept = stop, None
        self.states: list[Any] = []

    def resume(self) -> State | None:
        return self.states[-1] if self.states else None

    def advance(self, step: int, of: int, state: Any) -> None:
        self.states.append(dict(state()))
        if self.stop is not None and step >= self.stop:
            self.stop = None
            raise Stopped


def test_the_loss_falls_along_the_flow() -> None:
    path = integrate(CHAIN.moments, SETTINGS, initial(SETTINGS, 3, 5, 0), NoJournal())
    losses = np.array([CHAIN.moments.loss(maps) for maps in path.maps])
    assert (np.diff(losses) < 1e-9).all()
    assert losses[-1] < 0.26 < 0.39 < losses[0]


def test_an_interrupted_flow_comes_to_the_same_bits() -> None:
    begun = initial(SETTINGS, 3, 5, 1)
    whole = integrate(CHAIN.moments, SETTINGS, begun, NoJournal())
    journal = Memory(stop=101)
    with pytest.raises(Stopped):
        integrate(CHAIN.moments, SETTINGS, begun, journal)
    resumed = integrate(CHAIN.moments, SETTINGS, begun, journal)
    assert np.array_equal(whole.maps, resumed.maps)
    assert np.array_equal(whole.attention, resumed.attention)


@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_an_interrupted_training_comes_to_the_same_bits(optimiser: Any) -> None:
    settings = TrainingSettings(optimiser=optimiser, steps=40, chains=8, length=16)
    begun = initial(SETTINGS, 3, 5, 2)
    whole = fit(CHAIN, settings, begun, 7, NoJournal())
    journal = Memory(stop=20)
    with pytest.raises(Stopped):
        fit(CHAIN, settings, begun, 7, journal)
    resumed = fit(CHAIN, settings, begun, 7, journal)
    assert np.array_equal(whole.maps, resumed.maps)
    assert not np.array_equal(whole.maps, fit(CHAIN, settings, begun, 8, NoJournal()).maps)


def test_the_model_is_the_sum_over_heads_and_lags() -> None:
    random = np.random.default_rng(3)
    maps, scores = random.standard_normal((2, 5, 5)), random.standard_normal((2, 3))
    model = LagAttention(maps, scores)
    windows = windows_of(CHAIN.sample(4, 10, random), 3)[:, 1:]
    found = model(torch.from_numpy(windows)).detach().numpy()
    weights = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    z = np.eye(5)[windows] - 0.2
    by_hand = np.einsum("hl,hab,nlb->na", weights, maps, z)
    assert np.abs(found - by_hand).max() < 1e-13  # 30 terms of order 1


def test_autograd_and_the_closed_form_agree() -> None:
    """One step of the population gradient, by torch through the exact law and by the flow."""
    settings = replace(SETTINGS, ratio=1.0)
    maps, scores = initial(replace(settings, scale=0.5), 3, 5, 4)
    model = LagAttention(maps, scores)
    law = torch.from_numpy((CHAIN.next_law * CHAIN.law).reshape(-1))
    codes = np.stack(np.unravel_index(np.arange(5**4), (5,) * 4), axis=1)
    found = model(torch.from_numpy(codes[:, 1:].copy()))
    target = torch.nn.functional.one_hot(torch.from_numpy(codes[:, 0].copy()), 5).double() - 0.2
    (0.5 * ((found - target) ** 2).sum(dim=1) * law).sum().backward()
    short = replace(settings, time=1e-6, samples=2, tolerance=1e-12)
    path = integrate(CHAIN.moments, short, (maps, scores), NoJournal())
    assert model.maps.grad is not None
    assert model.scores.grad is not None
    velocity = np.diff(path.attention, axis=0)[0] / 1e-6
    a = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    toward = -model.scores.grad.numpy()
    expected = a * (toward - (a * toward).sum(axis=1, keepdims=True))  # da = J dp
    # A difference over 1e-6 errs by 1e-6 times the second derivative, of order 1, and by rounding.
    assert np.abs(velocity - expected).max() < 1e-5
    assert np.abs(velocity).max() > 1e-3


@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
def test_the_updates_are_those_of_torch(optimiser: Any) -> None:
    settings = TrainingSettings(optimiser=optimiser, rate=0.02, score_rate=0.05, decay=0.1)
    begun = initial(FlowSettings(heads=2, scale=0.5), CHAIN.window, CHAIN.symbols, 3)
    mine, theirs = LagAttention(*begun), LagAttention(*begun)
    update = Update(settings, mine)
    groups = [
        {"params": [theirs.maps], "lr": 0.02, "weight_decay": 0.1},
        {"params": [theirs.scores], "lr": 0.05},
    ]
    reference = (torch.optim.SGD if optimiser == "sgd" else torch.optim.Adam)(groups)
    for step in range(1, 31):
        for model in (mine, theirs):
            model.zero_grad()
            (model.lag_maps() - 1).pow(4).sum().backward()  # type: ignore[no-untyped-call]
        update(step)
        reference.step()
    for one, other in zip(mine.parameters(), theirs.parameters(), strict=True):
        # 30 steps of a few roundings each, of numbers of size 1, in a contracting iteration.
        assert (one - other).abs().max() < 1e-12
