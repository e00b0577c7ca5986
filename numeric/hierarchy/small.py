"""A small model on short words, its weights as integers, and where its heads look (F7, T3b).

Its weights are multiples of 2^-bits and go into the measurements, so that a certificate can speak
about the very model that was trained. Heads are read off by running it on every beginning of a word
up to a length: no data are drawn, the weights alone decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from ..experiment import Journal, Measurements
from .dyck import DyckWords, annotate
from .interventions import softmaxes, watched
from .language import Annotated, Integers
from .model import ModelSettings, Transformer
from .training import TrainingSettings, fit

RULES = ("top of the stack", "last opening symbol", "last symbol", "first symbol", "beginning")


_WORDS = DyckWords(4, 4, 24)
_TRAINING = TrainingSettings(
    ModelSettings(24, factor=2), steps=1500, batch=32, rate=4e-3, warmup=50, bits=12
)


@dataclass(frozen=True)
class SmallSettings:
    """The small model.

    Args:
        words: what it is trained on.
        training: how.
        longest: all beginnings of up to so many symbols are looked at.
    """

    words: DyckWords = _WORDS
    training: TrainingSettings = _TRAINING
    longest: int = 5


def small(settings: SmallSettings, seed: int, journal: Journal) -> Measurements:
    """Train it and say where its heads look.

    Args:
        settings: of the model.
        seed: of weights and data.
        journal: keeps the state, so that a run that is stopped goes on.

    Returns:
        Losses, what `read_off` and `network` return, and the sizes, as JSON.
    """
    model, losses = fit(settings.words, settings.training, seed, journal)
    return {
        "losses": losses,
        "types": settings.words.types,
        "depth": settings.words.depth,
        "longest": settings.longest,
        "heads": read_off(model, settings.words.types, settings.words.depth, settings.longest),
        "network": network(model, settings.training.bits),
    }


def beginnings(types: int, depth: int, length: int) -> Annotated:
    """All beginnings of words of exactly that length, each with the beginning symbol before it.

    Args:
        types: k.
        depth: m.
        length: symbols after the beginning one.
    """
    rows: list[tuple[list[int], list[int]]] = [([2 * types], [])]
    for _ in range(length):
        more = []
        for word, stack in rows:
            if len(stack) < depth:
                more += [([*word, t], [*stack, t]) for t in range(types)]
            if stack:
                more.append(([*word, types + stack[-1]], stack[:-1]))
        rows = more
    return annotate(np.array([word for word, _ in rows], dtype=np.int64), types)


def read_off(model: Transformer, types: int, depth: int, longest: int) -> Measurements:
    """For each head the share of beginnings at which its largest weight is where a rule says.

    All beginnings of 3..n symbols whose last symbol closes a bracket and leaves one open: where it
    opens one, the top of the stack is the query itself and needs no attention. With the shares come
    the rule that each head follows most often and the share of closers that are right.

    Args:
        model: with ``nn.Softmax`` modules.
        types: k.
        depth: m.
        longest: n, at least 3.
    """
    right: dict[int, dict[str, int]] = {}
    closers = total = 0
    layers = softmaxes(model)
    for n in range(3, longest + 1):
        batch = beginnings(types, depth, n)
        behind = (batch.top[:, -1] >= 0) & (batch.top[:, -1] < n)
        with watched(*layers) as seen, torch.no_grad():
            logits = model(torch.from_numpy(batch.tokens))[:, -1]
        total += int(behind.sum())
        best = logits[:, types : 2 * types].argmax(dim=1).numpy()
        closers += int((best == batch.wanted[:, -1])[behind].sum())
        heads = [w[:, h, -1].argmax(dim=-1).numpy() for w in seen for h in range(w.shape[1])]
        for place, looks in enumerate(heads):
            counts = right.setdefault(place, dict.fromkeys(RULES, 0))
            for rule, where in _rules(batch).items():
                counts[rule] += int((looks == where)[behind].sum())
    shares = [{rule: count / total for rule, count in right[h].items()} for h in sorted(right)]
    return {
        "beginnings": total,
        "accuracy": closers / total,
        "shares": shares,
        "rule": [max(share, key=lambda rule: share[rule]) for share in shares],
    }


def _rules(batch: Annotated) -> dict[str, Integers]:
    n, T = batch.tokens.shape
    places = np.where(batch.opens, np.arange(T), -1)
    constant: NDArray[np.int64] = np.ones(n, dtype=np.int64)
    where = (batch.top[:, -1], places.max(axis=1), (T - 1) * constant, constant, 0 * constant)
    return dict(zip(RULES, where, strict=True))


def network(model: Transformer, bits: int) -> Measurements:
    """The weights as integers, multiples of 2^-bits.

    Args:
        model: whose weights `rounded` has rounded.
        bits: after the binary point.

    Returns:
        JSON from which `restored` makes the model; the unembedding is left out.

    Raises:
        ValueError: a weight that is no such multiple.
    """

    def whole(weight: torch.Tensor) -> Measurements:
        grid = weight.detach().double() * 2.0**bits
        if (grid != grid.round()).any():
            raise ValueError(f"a weight is no multiple of 2^-{bits}")
        return grid.long().tolist()

    layers = []
    for block in model.layers:
        layer = {
            "heads": block.attention.heads,
            "norm1": [whole(block.norm1.weight), whole(block.norm1.bias)],
            "norm2": [whole(block.norm2.weight), whole(block.norm2.bias)],
        }
        for name in ("query", "key", "value", "output"):
            part = getattr(block.attention, name)
            layer[name] = [whole(part.weight), whole(part.bias)]
        for name in ("up", "down"):
            part = getattr(block, name)
            layer[name] = [whole(part.weight), whole(part.bias)]
        layers.append(layer)
    return {
        "bits": bits,
        "symbols": whole(model.embedding.weight),
        "positions": whole(model.positions.weight),
        "layers": layers,
    }


def restored(document: Measurements) -> Transformer:
    """The model that `network` wrote, but for its unembedding, which is not kept.

    Args:
        document: what `network` returned.
    """
    layers = document["layers"]
    width = len(document["symbols"][0])
    factor = len(layers[0]["up"][0]) // width
    settings = ModelSettings(width, len(layers), layers[0]["heads"], factor)
    model = Transformer(len(document["symbols"]), len(document["positions"]), settings, seed=0)

    def put(weight: torch.Tensor, whole: Measurements) -> None:
        weight.copy_(torch.tensor(whole, dtype=torch.float64) * 2.0 ** -document["bits"])

    with torch.no_grad():
        put(model.embedding.weight, document["symbols"])
        put(model.positions.weight, document["positions"])
        for block, layer in zip(model.layers, layers, strict=True):
            parts = {
                "norm1": block.norm1,
                "norm2": block.norm2,
                "up": block.up,
                "down": block.down,
                **{n: getattr(block.attention, n) for n in ("query", "key", "value", "output")},
            }
            for name, part in parts.items():
                put(part.weight, layer[name][0])
                put(part.bias, layer[name][1])
    return model.eval()
