"""What is measured on a trained model (claims F3 to F6, T3).

Accuracy is the share of queries whose largest closer logit is one of the right class; chance is
1/k.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from ..experiment import Measurements
from .interventions import applied, harden, mask_attention, project_out, softmaxes, watched
from .language import Annotated, Language
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
from .targets import CONTROLS, Queries, keys, mass_mask, row_mask

LONG = 5
"""Distances from here on are long."""


def right_closers(model: Transformer, language: Language, queries: Queries) -> NDArray[np.bool_]:
    """``(n,)``: whether the closer with the largest logit is of the right class.

    Args:
        model: gives logits ``(n, T, S)``.
        language: whose closers are compared.
        queries: n of them.
    """
    tokens = torch.from_numpy(queries.batch.tokens)
    with torch.no_grad():
        logits = model(tokens)[torch.arange(len(queries)), torch.from_numpy(queries.position)]
    classes = language.closers()  # (k, S)
    best = logits[:, None].masked_fill(~classes, -torch.inf).amax(dim=2)  # (n, k)
    found: NDArray[np.bool_] = best.argmax(dim=1).numpy() == queries.of(queries.batch.wanted)
    return found


def by_distance(found: NDArray[np.bool_], queries: Queries, bins: int) -> list[float | None]:
    """The share that is right, by interval of distances; None for an empty one."""
    return [_mean(found, queries.bin == b) for b in range(bins)]


def _mean(found: NDArray[Any], where: NDArray[np.bool_]) -> float | None:
    """None where there is nothing to take the mean of."""
    return float(found[where].mean()) if where.any() else None


def _long(queries: Queries) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = np.asarray(queries.of(queries.batch.distance)) >= LONG
    return found


def interventions(
    model: Transformer, language: Language, queries: Queries, bins: int, seed: int
) -> Measurements:
    """Accuracy with keys taken away: every key, layer and side of the softmax.

    Each entry says over how many queries of long distance it is (those that have such a key), the
    accuracy there with and without the intervention, and by distance. Keys of equal weight are
    chosen by the weights without an intervention: of the head that loses them, or, where all heads
    do, of their mean.

    Args:
        model: with ``nn.Softmax`` modules.
        language: whose closers are compared.
        queries: n of them.
        bins: how many intervals of distances there are.
        seed: of the choice among controls, >= 0.
    """
    layers = softmaxes(model)
    clean = right_closers(model, language, queries)
    far = _long(queries)
    masks = {
        name: row_mask(queries, keys(queries, name, np.random.default_rng([seed, n])))
        for n, name in enumerate(("top", *CONTROLS))
    }
    weights = _query_rows(model, queries)  # (L, H, n, T)
    mass = [mass_mask(queries, layer.mean(axis=0)) for layer in weights]
    own = [[mass_mask(queries, head)[0] for head in layer] for layer in weights]
    found: dict[str, Measurements] = {}
    choices: list[tuple[str, list[int]]] = [("all", list(range(len(layers))))]
    if len(layers) > 1:
        choices += [(str(n), [n]) for n in range(len(layers))]
    heads = model.layers[0].attention.heads
    places: list[tuple[str, list[int], list[int] | None]] = [
        (name, chosen, None) for name, chosen in choices
    ]
    if heads > 1:
        places += [(f"{n}.{h}", [n], [h]) for n in range(len(layers)) for h in range(heads)]
    sides: tuple[Literal["before", "after"], ...] = ("before", "after")
    for place, chosen, only in places:
        for when in sides:
            for name in (*masks, "equal-mass"):
                if name != "equal-mass":
                    by_layer = dict.fromkeys(chosen, masks[name])
                elif only is None:
                    by_layer = {n: mass[n][0] for n in chosen}
                else:
                    by_layer = {n: own[n][only[0]] for n in chosen}
                handles = [
                    mask_attention(layers[n], torch.from_numpy(m), when=when, heads=only)
                    for n, m in by_layer.items()
                ]
                with applied(*handles):
                    after = right_closers(model, language, queries)
                there = np.any([m.any(axis=(1, 2)) for m in by_layer.values()], axis=0)
                kept = there & far
                found[f"{when}/{place}/{name}"] = {
                    "queries": int(kept.sum()),
                    "accuracy": _mean(after, kept),
                    "clean": _mean(clean, kept),
                    "by_distance": [_mean(after, there & (queries.bin == b)) for b in range(bins)],
                }
    found["equal-mass-share"] = [_mean(share, far) for _, share in mass]
    return found


def _query_rows(model: Transformer, queries: Queries) -> NDArray[np.float64]:
    """``(L, H, n, T)``: the weights of the queries."""
    with watched(*softmaxes(model)) as seen, torch.no_grad():
        model(torch.from_numpy(queries.batch.tokens))
    rows = torch.arange(len(queries))
    at = torch.from_numpy(queries.position)
    return np.stack([w[rows, :, at].transpose(0, 1).double().numpy() for w in seen])


def attention(model: Transformer, queries: Queries) -> Measurements:
    """Per layer and head, over queries of long distance: where the largest weight is."""
    far = _long(queries)
    weights = _query_rows(model, queries)
    top = np.asarray(queries.of(queries.batch.top), dtype=np.int64)
    kinds = queries.batch.kind[np.arange(len(top)), top]
    found = []
    for layer in weights:
        for head in layer:
            best = head.argmax(axis=1)
            same = queries.batch.opens[np.arange(len(top)), best]
            same &= queries.batch.kind[np.arange(len(top)), best] == kinds
            on_top = head[np.arange(len(top)), top]
            found.append(
                {
                    "largest_at_top": _mean(best == top, far),
                    "largest_at_opener_of_type": _mean(same, far),
                    "weight_on_top": _mean(on_top, far),
                }
            )
    return found


def skeleton(model: Transformer, language: Language, queries: Queries, bins: int) -> Measurements:
    """Accuracy when heads look at their best key only (claim T3a).

    Args:
        model: with ``nn.Softmax`` modules.
        language: whose closers are compared.
        queries: n of them.
        bins: how many intervals of distances there are.

    Returns:
        For all layers and for each by itself: accuracy over all, over long, and by distance.
    """
    layers = softmaxes(model)
    choices = {"all": layers, **{str(n): [layer] for n, layer in enumerate(layers)}}
    found = {}
    for name, chosen in choices.items():
        with applied(*(harden(layer) for layer in chosen)):
            after = right_closers(model, language, queries)
        found[name] = {
            "accuracy": float(after.mean()),
            "long": _mean(after, _long(queries)),
            "by_distance": by_distance(after, queries, bins),
        }
    return found


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


TARGETS = ("depth", "distance", "type", "random", "random-type", "control-task")


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
    far = _long(queries)

    def effect(directions: Array) -> Measurements:
        rows = torch.from_numpy(directions).float()
        with applied(project_out(block, rows, mean=torch.from_numpy(mean).float())):
            after = right_closers(model, language, queries)
        return {
            "rank": len(directions),
            "accuracy": _mean(after, far),
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


def examples(model: Transformer, queries: Queries, row: int) -> Measurements:
    """Tokens and attention weights of one sequence up to its query, to be drawn."""
    until = int(queries.position[row]) + 1
    with watched(*softmaxes(model)) as seen, torch.no_grad():
        model(torch.from_numpy(queries.batch.tokens[row : row + 1, :until]))
    return {
        "tokens": queries.batch.tokens[row, :until].tolist(),
        "top": queries.batch.top[row, :until].tolist(),
        "weights": [w[0].mean(dim=0).double().numpy().round(3).tolist() for w in seen],
    }
