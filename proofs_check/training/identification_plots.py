"""The pictures of the experiment on identification: shares by step, by heads, and after repairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import fmean

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, PercentFormatter

from ...numeric.experiment import Measurements
from .plot import Palette, TrainingPlot

_LEAST = 1e-31
"""Shares below are drawn here: exact zeros have no logarithm."""

_REPAIRS = (
    ("raw", "Adam's step"),
    ("svd", "then an SVD"),
    ("procrustes", "then an SVD,\nrotated back"),
    ("projected", "projected"),
    ("next", "Adam's step after\na balancing"),
)


def plots(measurements: Sequence[Measurements]) -> Sequence[TrainingPlot]:
    """The pictures, given the measurements of every seed."""
    names = list(measurements[0]["trained"])
    shown = names[len(names) // 2]
    return (
        TrainingPlot(
            "steps",
            "identification.gradient",
            f"Share of each step inside the fibre, {shown}",
            f"First seed, layer {shown}; on the left logarithmic, on the right those that "
            "overlap. SGD stays at rounding; momentum leaves it after the first step and grows; "
            "Adam, AdamW, sign descent and Muon have some per cent of every step inside.",
            (10.2, 4.2),
            partial(_steps, measurements[0]["trained"][shown]),
        ),
        TrainingPlot(
            "heads",
            "identification.gradient",
            "Adam's first step inside the fibre, by the number of heads",
            "Every seed a point, layers without groups and rotations, both axes logarithmic. The "
            "line is 1/(2H), the share of the parameters that is unidentified: the steps overlap "
            "it by about half of what a random direction would.",
            (6.0, 4.2),
            partial(_heads, measurements),
        ),
        TrainingPlot(
            "repairs",
            "identification.rebalancing",
            f"What is left inside the fibre, {shown}",
            f"Layer {shown}, mean over seeds, logarithmic. A plain SVD adds to the overlap; "
            "rotated back to the previous factors it leaves one of second order; the projection "
            "leaves rounding; the next step of Adam overlaps as before.",
            (7.6, 3.8),
            partial(_repairs, [one["looked"][shown]["repairs"] for one in measurements]),
        ),
    )


def _steps(kinds: Measurements, figure: Figure, palette: Palette) -> None:
    whole, close = figure.subplots(1, 2)
    dashes = ("-", "-", "-", "--", ":", "-", "-")
    colours = (*palette.series, palette.ink)
    for (name, one), colour, dash in zip(kinds.items(), colours, dashes, strict=False):
        shares = [max(share, _LEAST) for share in one["step"]]
        steps = range(1, len(shares) + 1)
        whole.plot(steps, shares, color=colour, linestyle=dash, label=name)
        if name != "SGD":
            close.plot(steps, shares, color=colour, linestyle=dash)
    _logarithmic(whole, 3)
    close.set_ylim(bottom=0)
    close.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    for axes in (whole, close):
        axes.set_xlabel("step")
    whole.set_ylabel("share of the squared norm")
    figure.legend(loc="outside right center", fontsize=9)


def _logarithmic(axes: Axes, top: float) -> None:
    axes.set_yscale("log")
    axes.set_ylim(_LEAST, top)
    axes.yaxis.set_major_locator(LogLocator(numticks=8))
    axes.yaxis.set_minor_locator(NullLocator())


def _heads(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    axes = figure.add_subplot()
    layers = {int(name[2:]): name for name in measurements[0]["trained"] if "," not in name}
    for place, found in enumerate(measurements):
        first = [found["trained"][name]["Adam"]["step"][0] for name in layers.values()]
        axes.plot(
            list(layers),
            first,
            "o",
            color=palette.series[0],
            alpha=0.7,
            label="" if place else "Adam's first step",
        )
    axes.plot(list(layers), [1 / (2 * h) for h in layers], color=palette.ink, label="1/(2H)")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xticks(list(layers), [str(h) for h in layers])
    axes.set_xlabel("heads H")
    axes.set_ylabel("share of the squared norm")
    axes.legend()


def _repairs(found: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    axes = figure.add_subplot()
    for place, (key, _) in enumerate(_REPAIRS):
        share = max(fmean(one[key][0] for one in found), _LEAST)
        axes.bar(place, share, width=0.6, color=palette.series[place == 3 or place == 2])
        axes.annotate(
            f"{share:.2g}",
            (place, share),
            textcoords="offset points",
            xytext=(0, 3),
            ha="center",
            fontsize=9,
        )
    _logarithmic(axes, 30)
    axes.set_axisbelow(True)
    axes.set_xticks(range(len(_REPAIRS)), [label for _, label in _REPAIRS])
    axes.grid(False, axis="x")
    axes.set_ylabel("share of the squared norm")
