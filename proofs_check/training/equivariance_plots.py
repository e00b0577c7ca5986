"""The picture of the experiment on equivariance: the loss of every fit against the floor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.figure import Figure

from ...numeric.experiment import Measurements
from .plot import Palette, TrainingPlot

_LEAST = 1e-32
"""Ratios below are drawn here: an exact zero has no logarithm."""

_WITNESSES = {"free": "Witness: a free orbit of two heads", "fixed": "Witness: two fixed heads"}
_TYPES = {
    "free": {"own": "free orbit", "covering": "free orbit\n+ 1 fixed", "other": "2 fixed"},
    "fixed": {"own": "2 fixed", "covering": "free orbit\n+ 1 fixed", "other": "free orbit"},
}


def plots(measurements: Sequence[Measurements]) -> Sequence[TrainingPlot]:
    """The pictures, given the measurements of every seed."""
    return (
        TrainingPlot(
            "types",
            "equivariance.strata",
            "Which type of heads fits which witness",
            "Mean squared error after each fit as a multiple of the floor, a point for every seed "
            "and start, logarithmic, by the type of the heads that were fitted. The line is the "
            "floor under every layer of the other type. The own type and the covering type of "
            "three heads come down to rounding, if not from every start; the other type, and many "
            "fixed heads on the left, never come below the floor.",
            (9.6, 4.4),
            partial(_types, measurements),
        ),
    )


def _types(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    for axes, (witness, title) in zip(
        figure.subplots(1, 2, sharey=True), _WITNESSES.items(), strict=True
    ):
        found = [one[witness] for one in measurements]
        names = dict(_TYPES[witness])
        if "many" in found[0]["losses"]:
            names["many"] = "many fixed"
        for place, name in enumerate(names):
            losses = [
                max(loss / one["floor"], _LEAST) for one in found for loss in one["losses"][name]
            ]
            # Side by side within the column, so that equal losses are seen as several.
            offsets = [place + 0.5 * (k + 0.5) / len(losses) - 0.25 for k in range(len(losses))]
            axes.plot(offsets, losses, ".", color=palette.series[place], markersize=6)
        axes.axhline(1.0, color=palette.ink, linewidth=1.0, label="floor of the other type")
        axes.set_yscale("log")
        axes.set_xticks(range(len(names)), names.values())
        axes.set_title(title, fontsize=10, loc="left")
        axes.legend(loc="center right")
    figure.axes[0].set_ylabel("loss / floor")
