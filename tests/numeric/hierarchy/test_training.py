"""Training: a killed run goes on to the identical model; smoke measures everything."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import torch

from headproof.numeric.experiment import NoJournal, State
from headproof.numeric.hierarchy.dyck import DyckWords
from headproof.numeric.hierarchy.experiment import EXPERIMENT, run
from headproof.numeric.hierarchy.measure import interventions
from headproof.numeric.hierarchy.model import ModelSettings, Transformer, rounded
from headproof.numeric.hierarchy.small import network, restored
from headproof.numeric.hierarchy.targets import draw
from headproof.numeric.hierarchy.training import TrainingSettings, fit

SETTINGS = TrainingSettings(ModelSettings(8), steps=12, batch=4, warmup=2)
WORDS = DyckWords(2, 3, 10)


class Killed(NoJournal):
    """Keeps the state of one step and stops there; gives it back the next time."""

    def __init__(self, at: int) -> None:
        self.at, self.kept = at, None

    kept: State | None

    def resume(self) -> State | None:
        return self.kept

    def advance(self, step: int, of: int, state: Callable[[], State]) -> None:
        if step == self.at and self.kept is None:
            import copy

            self.kept = copy.deepcopy(dict(state()))
            raise KeyboardInterrupt


def test_a_killed_training_goes_on() -> None:
    model, losses = fit(WORDS, SETTINGS, 7, NoJournal())
    journal = Killed(5)
    with pytest.raises(KeyboardInterrupt):
        fit(WORDS, SETTINGS, 7, journal)
    again, others = fit(WORDS, SETTINGS, 7, journal)
    assert losses == others
    for name, weight in model.state_dict().items():
        assert torch.equal(weight, again.state_dict()[name]), name
    different, _ = fit(WORDS, SETTINGS, 8, NoJournal())
    assert not torch.equal(model.embedding.weight, different.embedding.weight)


def test_weights_are_on_the_grid_and_come_back() -> None:
    model, _ = fit(WORDS, SETTINGS, 7, NoJournal())
    document = network(model, SETTINGS.bits)
    back = restored(json.loads(json.dumps(document)))
    tokens = torch.randint(5, (3, 9), generator=torch.Generator().manual_seed(0))
    x, y = model.start(tokens), back.start(tokens)
    for a, b in zip(model.layers, back.layers, strict=True):
        x, y = a(x), b(y)
    assert torch.equal(x, y)
    with pytest.raises(ValueError, match="multiple"):
        network(model, SETTINGS.bits - 9)


def test_large_weights_are_not_rounded_silently() -> None:
    model = Transformer(3, 3, ModelSettings(2, 1), seed=0)
    with torch.no_grad():
        model.unembedding.weight.fill_(2.0**12)
    with pytest.raises(ValueError, match="with 14 bits"):
        rounded(model, 14)


def test_the_global_generator_is_left_alone() -> None:
    torch.manual_seed(3)
    first = torch.rand(1)
    torch.manual_seed(3)
    Transformer(3, 3, ModelSettings(2, 1), seed=0)
    assert torch.equal(first, torch.rand(1))


def test_smoke() -> None:
    found: Any = run(EXPERIMENT.configs["smoke"], 0, NoJournal())
    assert set(found) == {
        *("dyck", "sentences", "small"),
        *("three-heads", "permuted", "two-heads", "no-decay"),
    }
    masks = found["dyck"]["interventions"]
    assert {key.count("/") for key in masks} == {0, 2}
    assert len(masks) == 3 * 2 * 6 + 1


def test_several_heads_are_masked_one_by_one() -> None:
    import numpy as np

    model = Transformer(WORDS.symbols, WORDS.length, ModelSettings(8, 2, 2), seed=0)
    queries = draw(WORDS, (1, 5, 11), 4, np.random.default_rng(0))
    found = interventions(model, WORDS, queries, 2, 0)
    assert "before/1.1/top" in found
    assert "after/0.0/equal-mass" in found


@pytest.mark.parametrize("sizes", [(0,), (8, 0), (8, 2, 3), (8, 2, 2, 0)])
def test_bad_sizes_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="sizes >= 1"):
        ModelSettings(*sizes)
