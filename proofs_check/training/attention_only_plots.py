"""The pictures of the experiment ``attention-only``: gaps, recall, spectra, depth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ...numeric.attention_only.experiment import EDGES
from ...numeric.experiment import Measurements
from .plot import Palette, TrainingPlot

_ARMS = {
    "standard": "standard",
    "in-place": "in place",
    "flops": "equal FLOPs",
    "parameters": "equal parameters",
}
_DEPTH = {
    "bare": "bare",
    "qk-norm": "QK-norm",
    "gates": "residual gates",
    "ffn": "with FFN",
    "bare-fast": "bare, fast",
    "qk-norm-fast": "QK-norm, fast",
}
_KINDS = {"qk": "QK product", "value": "$W_V$", "output": "$W_O$"}


def plots(measurements: Sequence[Measurements]) -> Sequence[TrainingPlot]:
    """The pictures, given the measurements of every seed."""
    first = measurements[0]
    return (
        TrainingPlot(
            "gaps",
            "attention_only.training",
            "What deletion costs, by what the attention-only decoder is matched in",
            "Left: validation loss in nats over the steps, first seed, of the standard decoder and "
            "of the attention-only decoders matched to it. Right: how much higher the final loss "
            "of each is than the standard one's, a dot for each seed, a bar for their mean.",
            (9.0, 4.2),
            partial(_gaps, measurements),
        ),
        TrainingPlot(
            "recall",
            "attention_only.recall",
            "Recall from the weights and from the context",
            "Left: share of right answers on the made task over the steps, first seed: facts in "
            "the weights solid, pairs in the context dashed, standard and attention only at equal "
            "parameters. Right: the gap in nats on text at equal parameters by bin of context "
            "length, a dot for each seed, a bar for their mean.",
            (9.0, 4.2),
            partial(_recall, measurements),
        ),
        TrainingPlot(
            "spectra",
            "attention_only.spectra",
            "Spectra of the weights through training",
            "For the standard decoder, left, and the attention-only one of equal parameters, "
            "right, first seed, over the steps. Above: how far the singular values of QK products, "
            "W_V and W_O are from their end, relative to their size; dots where they have settled. "
            "Below: the mean stable rank of what training added.",
            (9.0, 6.4),
            partial(_spectra, first),
        ),
        TrainingPlot(
            "depth",
            "attention_only.depth",
            "What a deep stack needs to train",
            "Validation loss in nats over the steps of deep stacks, first seed; left at a usual "
            "learning rate, right at an over-large one. The dashed line is the loss of a model "
            "that knows the frequencies of the symbols only.",
            (9.0, 4.2),
            partial(_depth, first),
        ),
    )


def _gaps(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    left, right = figure.subplots(1, 2)
    for place, (arm, words) in enumerate(_ARMS.items()):
        _curve(left, measurements[0][arm], palette.series[place], words)
    left.legend()
    left.set_ylabel("validation loss (nats)")
    arms = list(_ARMS)[1:]
    for place, arm in enumerate(arms):
        gaps = [
            each[arm]["loss"] - each["standard"]["loss"]
            for each in measurements
            if each[arm]["loss"] is not None and each["standard"]["loss"] is not None
        ]
        _dots(right, place, gaps, palette.series[place + 1], palette.ink)
    right.set_xticks(range(len(arms)), [_ARMS[arm] for arm in arms])
    right.axhline(0, color=palette.ink, linewidth=0.9)
    right.set_ylabel("gap to the standard decoder (nats)")


def _recall(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    left, right = figure.subplots(1, 2)
    for place, (arm, words) in enumerate(
        (("standard", "standard"), ("parameters", "attention only"))
    ):
        curve = measurements[0]["recall"][arm]["curve"]
        steps = [each["step"] for each in curve]
        for kind, style in (("facts", "-"), ("pairs", "--")):
            left.plot(
                steps,
                [each[kind] for each in curve],
                style,
                color=palette.series[place],
                label=f"{kind}, {words}",
            )
    left.set_xlabel("steps")
    left.set_ylabel("share of right answers")
    left.set_ylim(-0.02, 1.42)  # room for the legend
    left.set_yticks((0, 0.25, 0.5, 0.75, 1))
    left.legend(loc="upper left")
    edges = EDGES[: len(measurements[0]["standard"]["bins"])]
    for place in range(len(edges)):
        pairs = [
            (e["parameters"]["bins"][place], e["standard"]["bins"][place]) for e in measurements
        ]
        gaps = [san - standard for san, standard in pairs if None not in (san, standard)]
        _dots(right, place, gaps, palette.series[1], palette.ink)
    right.set_xticks(range(len(edges)), [f"from {edge + 1}" for edge in edges])
    right.set_xlabel("symbols of context")
    right.axhline(0, color=palette.ink, linewidth=0.9)
    right.set_ylabel("gap at equal parameters (nats)")


def _spectra(found: Measurements, figure: Figure, palette: Palette) -> None:
    rows = figure.subplots(2, 2, sharex=True, sharey="row")
    for column, arm in enumerate(("standard", "parameters")):
        spectra = found[arm]["spectra"]
        steps = np.array(spectra["steps"])
        for place, (kind, words) in enumerate(_KINDS.items()):
            color = palette.series[place]
            distances = spectra["distance"][kind]
            rows[0, column].plot(steps, distances, color=color, label=words)
            settled = spectra["settling"][kind] * steps[-1]
            height = np.interp(settled, steps, distances)
            rows[0, column].plot([settled], [height], "o", color=color)
            ranks = [each[kind]["stable_rank"] for each in spectra["added"][1:]]
            rows[1, column].plot(steps[1:], ranks, color=color, label=words)
        rows[0, column].set_title(
            "standard" if arm == "standard" else "attention only, equal parameters", fontsize=10
        )
        rows[1, column].set_xlabel("steps")
    rows[0, 0].set_ylabel("distance from the end")
    rows[1, 0].set_ylabel("stable rank added")
    rows[0, 0].legend()


def _depth(found: Measurements, figure: Figure, palette: Palette) -> None:
    axes = figure.subplots(1, 2, sharey=True)
    for place, (arm, words) in enumerate(_DEPTH.items()):
        side = axes[1] if arm.endswith("-fast") else axes[0]
        _curve(side, found["depth"][arm], palette.series[place], words)
    for side in axes:
        side.axhline(found["unigram"], color=palette.ink, linestyle="--", linewidth=0.9)
        side.legend()
    axes[0].set_title("usual learning rate", fontsize=10)
    axes[1].set_title("over-large learning rate", fontsize=10)
    axes[0].set_ylabel("validation loss (nats)")


def _curve(axes: Any, found: Measurements, color: str, words: str) -> None:
    pairs = zip(found["steps"], found["curve"], strict=True)
    finite = [(step, loss) for step, loss in pairs if loss is not None]
    axes.plot(*zip(*finite, strict=True), color=color, label=words)
    axes.set_xlabel("steps")


def _dots(axes: Any, place: int, values: Sequence[float], color: str, ink: str) -> None:
    if not values:
        return
    spread = np.linspace(-0.12, 0.12, len(values)) if len(values) > 1 else [0.0]
    axes.plot(place + np.array(spread), values, "o", color=color, markersize=5)
    mean = float(np.mean(values))
    axes.plot([place - 0.25, place + 0.25], [mean, mean], color=ink, linewidth=1.6)
