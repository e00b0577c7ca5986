"""What is measured on a trained model (claims F3 to F6, T3).

Accuracy is the share of queries whose largest closer logit is one of the right class; chance is
1/k.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from ..experiment import Measurements
from .interventions import applied, harden, mask_attention, softmaxes, watched
from .language import Language
from .model import Transformer
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
    return [mean_at(found, queries.bin == b) for b in range(bins)]


def mean_at(found: NDArray[Any], where: NDArray[np.bool_]) -> float | None:
    """The share of what was found, or the mean, at some places.

    Args:
        found: ``(n,)``.
        where: ``(n,)``, the places.

    Returns:
        None where there is nothing to take the mean of.
    """
    return float(found[where].mean()) if where.any() else None


def at_long_distance(queries: Queries) -> NDArray[np.bool_]:
    """``(n,)``: whether the opener of a query is at least `LONG` away."""
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
    far = at_long_distance(queries)
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
                    "accuracy": mean_at(after, kept),
                    "clean": mean_at(clean, kept),
                    "by_distance": [
                        mean_at(after, there & (queries.bin == b)) for b in range(bins)
                    ],
                }
    found["equal-mass-share"] = [mean_at(share, far) for _, share in mass]
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
    far = at_long_distance(queries)
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
                    "largest_at_top": mean_at(best == top, far),
                    "largest_at_opener_of_type": mean_at(same, far),
                    "weight_on_top": mean_at(on_top, far),
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
            "long": mean_at(after, at_long_distance(queries)),
            "by_distance": by_distance(after, queries, bins),
        }
    return found


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
