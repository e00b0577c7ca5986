"""What is decodable from the residual stream, and what taking it out does (claims F4, F5).

Probes are fitted on half of the sequences and judged on the others, beside controls: noise, random
classes, a control task, an untrained model, random subspaces of the same rank.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from ..experiment import Measurements
from .interventions import applied, project_out, watched
from .language import Annotated, Language
from .measure import at_long_distance, mean_at, right_closers
from .model import Transformer
from .probes import (
    Array,
    determination,
    fit_probe,
    indicators,
    iterated,
    random_basis,
    right,
    without,
)
from .targets import Queries

TARGETS = ("depth", "distance", "type", "random", "random-type", "control-task")


def streams(model: Transformer, batch: Annotated) -> list[Array]:
    """The residual stream before the first block and after each: ``(B, T, d)``."""
    with watched(*model.blocks) as seen, torch.no_grad():
        tokens = torch.from_numpy(batch.tokens)
        start = model.start(tokens)
        model(tokens)
    return [x.double().numpy() for x in (start, *seen)]


class Data:
    """Residual streams with what is true at their positions, to fit probes and to judge them.

    Args:
        model: whose streams are collected.
        batch: sequences; probes are fitted on the first half, judged on the others.
        seed: of the controls.
    """

    def __init__(self, model: Transformer, batch: Annotated, seed: int) -> None:
        """Collect the positions at which an opener waits; probes are fitted on half the rows."""
        there = batch.top >= 0
        first = np.arange(len(there)) < len(there) // 2
        self.fit = (there & first[:, None])[there]
        self.streams = [x[there] for x in streams(model, batch)]
        self.depth = batch.depth[there].astype(float)[:, None]
        self.distance = np.log(batch.distance[there].astype(float))[:, None]
        self.kind = batch.wanted[there]
        random = np.random.default_rng(seed)
        self._noise = random.standard_normal(self.depth.shape)
        classes, (_, T) = max(int(self.kind.max()) + 1, 1), batch.tokens.shape
        self._labels = random.integers(classes, size=len(self.kind))
        cells = random.integers(classes, size=(int(batch.tokens.max()) + 1, T))
        self._task = cells[batch.tokens, np.arange(T)][there]

    def quality(self, x: Array, target: str, classes: int) -> float:
        """R^2 of a probe for depth or log distance, the share right for the class of the top.

        The controls: noise, a random class for every position of every sequence, and the control
        task of Hewitt and Liang 2019, a random class for every pair of symbol and place, which is a
        function of the input and so can be learnt by a probe that is rich enough.

        Args:
            x: ``(n, d)``, one of ``streams``.
            target: one of `TARGETS`.
            classes: k of the language.

        Raises:
            KeyError: another target.
        """
        classed = {"type": self.kind, "random-type": self._labels, "control-task": self._task}
        if target in classed:
            labels = classed[target]
            probe = fit_probe(x[self.fit], indicators(labels, classes)[self.fit])
            return right(probe, x[~self.fit], labels[~self.fit])
        y = {"depth": self.depth, "distance": self.distance, "random": self._noise}[target]
        return determination(fit_probe(x[self.fit], y[self.fit]), x[~self.fit], y[~self.fit])


def probed(
    model: Transformer, untrained: Transformer, language: Language, batch: Annotated, seed: int
) -> Measurements:
    """Every probe on every stream of the trained and of the untrained model.

    Args:
        model: the trained one.
        untrained: the control.
        language: that both were made for.
        batch: sequences to fit and to judge on.
        seed: of the controls.

    Returns:
        By model and target one quality for every stream.
    """
    found = {}
    for name, one in (("trained", model), ("untrained", untrained)):
        data = Data(one, batch, seed)
        found[name] = {
            target: [data.quality(x, target, language.classes) for x in data.streams]
            for target in TARGETS
        }
    return found


def ablations(
    model: Transformer,
    language: Language,
    queries: Queries,
    batch: Annotated,
    ranks: Sequence[int],
    seed: int,
    draws: int,
) -> Measurements:
    """Accuracy at long distances with subspaces taken out of the residual stream after block 1.

    The two directions of depth and distance; the directions of the type; directions of depth and
    distance removed one after another until each rank is reached; random subspaces, each of the
    rank of what it is compared with. With each comes how well depth is decodable from what is left.

    Args:
        model: the trained one.
        language: whose closers are compared.
        queries: n of them.
        batch: sequences for the probes.
        ranks: of the subspaces, each at most d.
        seed: of the random subspaces.
        draws: how many of each rank.
    """
    data, classes = Data(model, batch, seed), language.classes
    block, x = model.blocks[0], data.streams[1]
    both = np.concatenate([data.depth, data.distance], axis=1)
    mean = x[data.fit].mean(axis=0)
    far = at_long_distance(queries)

    def effect(directions: Array) -> Measurements:
        rows = torch.from_numpy(directions).float()
        with applied(project_out(block, rows, mean=torch.from_numpy(mean).float())):
            after = right_closers(model, language, queries)
        return {
            "rank": len(directions),
            "accuracy": mean_at(after, far),
            "depth": data.quality(without(x - mean, directions), "depth", classes),
        }

    fit = x[data.fit]
    plane = fit_probe(fit, both[data.fit]).directions
    kinds = fit_probe(fit, indicators(data.kind, classes)[data.fit]).directions
    removed = iterated(fit, both[data.fit], max(ranks))
    random = np.random.default_rng(seed)
    d = x.shape[1]
    return {
        "none": effect(np.zeros((0, d))),
        "plane": effect(plane),
        "type": effect(kinds),
        "random-type": [effect(random_basis(len(kinds), d, random)) for _ in range(draws)],
        "random-plane": [effect(random_basis(len(plane), d, random)) for _ in range(draws)],
        "iterated": [effect(removed[:r]) for r in ranks],
        "random": [
            [effect(random_basis(len(removed[:r]), d, random)) for _ in range(draws)] for r in ranks
        ],
    }
