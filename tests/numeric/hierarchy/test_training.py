"""Training: a killed run goes on to the identical model; smoke measures everything."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from headproof.numeric.experiment import NoJournal, State
from headproof.numeric.hierarchy.decodable import Data, ablations
from headproof.numeric.hierarchy.dyck import DyckWords
from headproof.numeric.hierarchy.experiment import EXPERIMENT, MeasureSettings, measured, run
from headproof.numeric.hierarchy.interventions import (
    applied,
    mask_attention,
    softmaxes,
    watched,
)
from headproof.numeric.hierarchy.measure import interventions, right_closers
from headproof.numeric.hierarchy.model import ModelSettings, Transformer, rounded
from headproof.numeric.hierarchy.small import network, restored
from headproof.numeric.hierarchy.targets import draw, mass_mask
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
    assert len(masks) == 3 * 2 * 7 + 1


def test_several_heads_are_masked_one_by_one() -> None:
    model = Transformer(WORDS.symbols, WORDS.length, ModelSettings(8, 2, 2), seed=0)
    queries = draw(WORDS, (1, 5, 11), 4, np.random.default_rng(0))
    found = interventions(model, WORDS, queries, 2, 0)
    assert "before/1.1/top" in found
    tokens = torch.from_numpy(queries.batch.tokens)
    with watched(softmaxes(model)[0]) as seen, torch.no_grad():
        model(tokens)
    rows = seen[0][torch.arange(len(queries)), 1, torch.from_numpy(queries.position)].double()
    mask, _ = mass_mask(queries, rows.numpy())  # by the weights of the head that loses them
    hook = mask_attention(softmaxes(model)[0], torch.from_numpy(mask), when="after", heads=[1])
    with applied(hook):
        right = right_closers(model, WORDS, queries)
    far = np.asarray(queries.of(queries.batch.distance)) >= 5
    assert found["after/0.1/equal-mass"]["accuracy"] == right[far & mask.any(axis=(1, 2))].mean()


def test_without_long_distances_nothing_is_measured() -> None:
    words = DyckWords(2, 1, 4)
    model = Transformer(words.symbols, words.length, ModelSettings(8, 2), seed=0)
    settings = MeasureSettings(edges=(1, 2, 3), each=4, probes=8, ranks=(1, 2), draws=1)
    found = measured(words, TrainingSettings(ModelSettings(8)), settings, model, [], 0)
    assert found["attention"][0]["largest_at_top"] is None
    assert found["ablations"]["plane"]["accuracy"] is None
    assert found["interventions"]["before/all/top"]["accuracy"] is None
    assert found["accuracy"][1] is None


def test_subspaces_are_compared_at_equal_rank() -> None:
    model = Transformer(WORDS.symbols, WORDS.length, ModelSettings(8, 2), seed=0)
    random = np.random.default_rng(0)
    queries, batch = draw(WORDS, (1, 5, 11), 4, random), WORDS.sample(20, random)
    found = ablations(model, WORDS, queries, batch, (1, 3, 20), 0, 2)
    for removed, others in zip(found["iterated"], found["random"], strict=True):
        assert [other["rank"] for other in others] == [removed["rank"]] * 2
    assert found["random-plane"][0]["rank"] == found["plane"]["rank"] == 2
    assert found["random-type"][0]["rank"] == found["type"]["rank"]
    assert found["iterated"][2]["rank"] <= 8


@pytest.mark.parametrize("sizes", [(0,), (8, 0), (8, 2, 3), (8, 2, 2, 0)])
def test_bad_sizes_are_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="sizes >= 1"):
        ModelSettings(*sizes)


def test_the_control_task_is_a_function_of_symbol_and_place() -> None:
    """One-hot pairs of symbol and place read it, and neither the noise nor the type."""
    model = Transformer(WORDS.symbols, WORDS.length, ModelSettings(8, 1), seed=0)
    batch = WORDS.sample(800, np.random.default_rng(0))
    data = Data(model, batch, 0)
    pairs = batch.tokens * WORDS.length + np.arange(WORDS.length)
    cells = np.eye(WORDS.symbols * WORDS.length)[pairs[batch.top >= 0]]
    assert data.quality(cells, "control-task", 2) == 1.0
    assert data.quality(cells, "random-type", 2) < 0.6
    assert data.quality(cells, "type", 2) < 1.0
