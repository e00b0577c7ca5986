"""The picture of the experiment ``zonotope``: losses on the set tasks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.figure import Figure

from ...numeric.experiment import Measurements
from .plot import Palette, TrainingPlot

_TASKS = {
    "maximum": "maximum (absolute error)",
    "unique": "different symbols (squared error)",
    "mixture": "mixture of Gaussians (nats)",
    "mean-dependent": "mean-dependent map (squared error)",
}
_ARMS = {"zonotope": "zonotope", "plain": "plain", "bias": "bias"}


def plots(measurements: Sequence[Measurements]) -> Sequence[TrainingPlot]:
    """The picture, given the measurements of every seed."""
    return (
        TrainingPlot(
            "set-tasks",
            "zonotope.training",
            "Set tasks, with as many parameters",
            "For each task the loss, on sets drawn anew, of models with as many parameters, whose "
            "values depend on the set through a matrix, not at all, or, on the last task, through "
            "a vector. A dot for each seed; a line joins those of one seed.",
            (9.0, 6.0),
            partial(_losses, measurements),
        ),
    )


def _losses(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    for axes, (task, words) in zip(figure.subplots(2, 2).flat, _TASKS.items(), strict=True):
        arms = [arm for arm in _ARMS if arm in measurements[0][task]]
        for found in measurements:
            losses = [found[task][arm]["loss"] for arm in arms]
            axes.plot(range(len(arms)), losses, color=palette.faint, linewidth=1.0, zorder=1)
            for place, loss in enumerate(losses):
                axes.plot([place], [loss], "o", color=palette.series[place], markersize=6)
        means = [
            float(np.mean([found[task][arm]["loss"] for found in measurements])) for arm in arms
        ]
        for place, mean in enumerate(means):
            axes.plot([place - 0.2, place + 0.2], [mean, mean], color=palette.ink, linewidth=1.6)
        axes.set_xticks(range(len(arms)), [_ARMS[arm] for arm in arms])
        axes.set_xlim(-0.5, len(arms) - 0.5)
        axes.set_title(words, fontsize=10)
