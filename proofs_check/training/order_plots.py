"""The pictures of the experiment ``order``: stages, heads by lags over time, early stopping."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ...numeric.experiment import Measurements
from ...numeric.order.measure import effective_rank
from ..claims.order.measured import heights
from .plot import Palette, TrainingPlot

_LEVELS = ("no lag", "lag 1", "lags 1, 2", "lags 1, 2, 3")
_EARLIEST = 0.5
"""The first time shown on a logarithmic axis."""


def plots(measurements: Sequence[Measurements]) -> Sequence[TrainingPlot]:
    """The pictures, given the measurements of every seed."""
    first = measurements[0]
    return (
        TrainingPlot(
            "stages",
            "order.stages",
            "The loss rests at the losses of misspecified models",
            "Population loss against time, logarithmic: the flow from two sizes of start and SGD "
            "on sampled chains, first seed; other seeds' flows are faint. Dashed: the exact least "
            "losses of models that use no lag, lag 1, lags 1 and 2, all three. The curves flatten "
            "at each line; a smaller start stays longer.",
            (8.0, 4.6),
            partial(_stages, measurements),
        ),
        TrainingPlot(
            "heads",
            "order.competition",
            "All heads first look at lag 1, then each at its own",
            "For each head of the flow the share of its attention on lags 1, 2, 3 against time, "
            "logarithmic, and below them the effective rank of the attention matrix, first seed. "
            "Dotted: the times of stages 2 and 3. Before stage 2 every head is on lag 1 and the "
            "rank is near 1; at the end each is on a lag of its own and the rank is 3.",
            (8.0, 6.6),
            partial(_heads, first),
        ),
        TrainingPlot(
            "early-stopping",
            "order.early-stopping",
            "With few samples the best model is an early one",
            "Population loss against time, logarithmic, of flows on the moments of small and of "
            "large samples, first seed; a dot marks the best of each. Dashed: the exact losses as "
            "before. On small samples the loss turns up before the end; on large ones it ends at "
            "the lowest line.",
            (8.0, 4.2),
            partial(_stopping, first),
        ),
    )


def _stages(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    axes = figure.subplots()
    until = measurements[0]["flow"]["until"]
    for found in measurements[1:]:
        _curve(axes, found["flow"]["curve"], color=palette.series[0], alpha=0.25, linewidth=1.0)
    for place, (part, words, style) in enumerate(
        (
            ("flow", "flow", "-"),
            ("small-start", "flow, ten times smaller start", "-"),
            ("sgd", "SGD on sampled chains", "-"),
        )
    ):
        _curve(
            axes,
            measurements[0][part]["curve"],
            color=palette.series[place],
            label=words,
            linestyle=style,
            linewidth=2.4 if part == "flow" else 1.5,
        )
    _levels(axes, palette, heights()[:4])
    axes.set_ylim(0.232, 0.409)
    axes.set_ylabel("population loss")
    _time(axes, until)
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.93))


def _heads(found: Measurements, figure: Figure, palette: Palette) -> None:
    curve = found["flow"]["curve"]
    times, attention = np.array(curve["times"]), np.array(curve["attention"])
    heads, lags = attention.shape[1:]
    rows = figure.subplots(heads + 1, 1, sharex=True)
    stages = [time for time in found["flow"]["stage_times"][1:] if time is not None]
    for head in range(heads):
        axes = rows[head]
        low = np.zeros(len(times))
        for lag in range(lags):
            high = low + attention[:, head, lag]
            axes.fill_between(
                times, low, high, color=palette.series[lag], linewidth=0, label=f"lag {lag + 1}"
            )
            low = high
        axes.set_ylim(0, 1)
        axes.set_yticks((0, 0.5, 1))
        axes.set_ylabel(f"head {head + 1}")
        axes.grid(visible=False)
    ranks = [effective_rank(matrix) for matrix in attention]
    rows[-1].plot(times, ranks, color=palette.ink)
    rows[-1].set_ylim(0.9, lags + 0.15)
    rows[-1].set_yticks(range(1, lags + 1))
    rows[-1].set_ylabel("effective rank")
    for axes in rows:
        for time in stages:
            axes.axvline(time, color=palette.ink, linestyle=":", linewidth=1.2)
    _time(rows[-1], found["flow"]["until"])
    handles, words = rows[0].get_legend_handles_labels()
    figure.legend(handles, words, loc="outside right upper", ncols=1)
    for number, time in enumerate(stages, start=2):
        rows[0].annotate(
            f"stage {number}",
            (time, 1.02),
            xycoords=("data", "axes fraction"),
            ha="center",
            va="bottom",
            fontsize=9,
        )


def _stopping(found: Measurements, figure: Figure, palette: Palette) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, part in ((left, "few-samples"), (right, "many-samples")):
        until = 0.0
        for draw in found[part]:
            curve = draw["curve"]
            until = max(until, curve["times"][-1])
            times, losses = curve["times"][1:], curve["test"][1:]
            axes.plot(times, losses, color=palette.series[0], linewidth=1.1)
            best = [draw["best_time"]], [draw["best"]]
            axes.plot(*best, "o", color=palette.series[1], markersize=4.5, clip_on=False, zorder=3)
        if axes is right:
            _levels(axes, palette, heights()[:4])
        else:
            for level in heights()[:4]:
                axes.axhline(level, color=palette.ink, linestyle="--", linewidth=0.9, zorder=1)
        axes.set_title(f"samples of {found[part][0]['windows']} windows", fontsize=10)
        _time(axes, until)
    top = max(max(draw["curve"]["test"]) for draw in found["few-samples"])
    left.set_ylim(0.23, min(max(top, 0.409), 0.46))
    left.set_ylabel("population loss")


def _curve(axes: Any, curve: Measurements, **style: Any) -> None:
    # Time 0 has no place on a logarithmic axis; a line to it would be drawn flat.
    axes.plot(curve["times"][1:], curve["losses"][1:], **style)


def _levels(axes: Any, palette: Palette, levels: Sequence[float]) -> None:
    """The exact losses, named at the left, where no curve is below the first line."""
    for level, words in zip(levels, _LEVELS, strict=True):
        axes.axhline(level, color=palette.ink, linestyle="--", linewidth=0.9, zorder=1)
        above = words != _LEVELS[-1]
        axes.annotate(
            f"{words}: {level:.4f}",
            (_EARLIEST * 1.08, level),
            xytext=(0, 3 if above else -3),
            textcoords="offset points",
            va="bottom" if above else "top",
            fontsize=9,
        )


def _time(axes: Any, until: float) -> None:
    axes.set_xscale("log")
    axes.set_xlim(_EARLIEST, until)
    axes.set_xlabel("time (steps x learning rate)")
