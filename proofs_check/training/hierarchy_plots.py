"""The pictures of the experiment ``hierarchy``: masks and their controls, subspaces, attention."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ...numeric.experiment import Measurements
from .plot import Palette, TrainingPlot

_MASKS = (
    ("top", "top of the stack", "-", "o", 0),
    ("same-type", "another opener of its type", "-", "s", 1),
    ("other-type", "an opener of another type", "-", "^", 2),
    ("waiting", "another open bracket", "--", "v", 3),
    ("later-same-level", "a later symbol of its level", "--", "D", 4),
    ("later-other-type", "such a symbol of another type", ":", "P", 4),
    ("equal-mass", "other keys of equal weight", ":", "x", 5),
)
"""Key of the measurements, words, line, marker, place of the colour."""
_FAINTEST = 0.01
"""Weights below are not drawn."""
_LEAST = 1e-7
"""Added losses below, also negative ones, are drawn as this."""

_PLACES = (
    ("dyck", "before/all", "Dyck words, all layers"),
    ("dyck", "before/1", "Dyck words, last layer"),
    ("sentences", "before/all", "sentences, all layers"),
)


def plots(measurements: Sequence[Measurements]) -> Sequence[TrainingPlot]:
    """The pictures, given the measurements of every seed."""
    seeds = f"mean over {len(measurements)} seeds" if len(measurements) > 1 else "one seed"
    return (
        TrainingPlot(
            "masks",
            "hierarchy.used",
            "Masking the top of the stack, and the controls",
            f"Share of right closers by distance from their opener, {seeds}, with one key taken "
            "from the query's row before the softmax: the top of the stack (circles) and, as "
            "controls, another opener of its type (squares) or of another type (triangles), "
            "another open bracket, a later symbol of the same level (also one of another type), "
            "other keys of equal weight. A curve as low as that of the top says that its key "
            "matters as much; curves at 1 hide one another. Left and middle: Dyck words, all "
            "layers and the last alone; right: sentences. Dashed: chance.",
            (10.0, 4.6),
            partial(_masks, measurements),
        ),
        TrainingPlot(
            "subspaces",
            "hierarchy.used",
            "Taking subspaces out of the residual stream",
            f"Dyck words, after the first block, {seeds}: the share of right closers at distances "
            "from 5 on, and the R^2 of depth read from what is left, against the number of "
            "directions removed: those of depth and distance, found by repeated probing, and "
            "random ones (their range shaded). What stays decodable on the right has not been "
            "ablated, whatever its accuracy on the left.",
            (9.0, 4.0),
            partial(_subspaces, measurements),
        ),
        TrainingPlot(
            "probes",
            "hierarchy.decodable",
            "What linear probes read, layer by layer",
            f"Dyck words, {seeds}: R^2 of depth and of the logarithm of the distance, and the "
            "share right of the type of the top of the stack, from the residual stream before the "
            "first block and after each, of the trained and of an untrained model. Dotted: random "
            "labels; dash-dotted, where classes are read: a random class for every pair of symbol "
            "and place. What training adds is the gap between trained and untrained.",
            (9.0, 3.6),
            partial(_probes, measurements),
        ),
        TrainingPlot(
            "attention",
            "hierarchy.routing",
            "Where the heads look in one word",
            "Weights of the heads of each layer (their mean) in a Dyck word, first seed, darker is "
            "more; rows are queries, columns keys. Open circles: the top of the stack of each "
            "query that ends in a closing bracket. A head that reads the stack has its darkest "
            "square there.",
            (10.0, 5.5),
            partial(_attention, measurements[0]),
        ),
        TrainingPlot(
            "skeletons",
            "order.skeleton",
            "What survives at temperature zero",
            f"Left: the share of right closers when heads look at their best key only, {seeds}: "
            "soft, one layer hard, all hard. Right: the loss that this adds on chains, "
            "logarithmic, for three heads, three with permuted importances, two, and three without "
            "weight decay.",
            (9.0, 4.0),
            partial(_skeletons, measurements),
        ),
    )


def _mean(values: Iterable[float | None]) -> float:
    there = [float(value) for value in values if value is not None]
    return fmean(there) if there else float("nan")


def _masks(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    rows = figure.subplots(1, len(_PLACES), sharey=True)
    for axes, (language, place, words) in zip(rows, _PLACES, strict=True):
        first = measurements[0][language]
        labels = _intervals(first["edges"])
        at = np.arange(len(labels))
        clean = [_mean(m[language]["accuracy"][b] for m in measurements) for b in at]
        axes.plot(at, clean, color=palette.ink, linewidth=1.2, label="nothing masked", zorder=1)
        for n, (name, shown, line, marker, colour) in enumerate(_MASKS):
            entries = [m[language]["interventions"][f"{place}/{name}"] for m in measurements]
            shares = [_mean(entry["by_distance"][b] for entry in entries) for b in at]
            axes.plot(
                at,
                shares,
                line,
                marker=marker,
                markersize=5,
                color=palette.series[colour],
                label=shown,
                zorder=3 if n < 2 else 2,
            )
        axes.axhline(1 / first["classes"], color=palette.ink, linestyle="--", linewidth=0.9)
        axes.set_xticks(at, labels)
        axes.set_title(words, fontsize=10)
        axes.set_xlabel("distance from the opener")
        axes.set_ylim(0, 1.04)
    rows[0].set_ylabel("share of right closers")
    handles, shown = rows[0].get_legend_handles_labels()
    figure.legend(handles, shown, loc="outside lower center", ncols=4)


def _intervals(edges: Sequence[int]) -> list[str]:
    return [f"{a}" if b == a + 1 else f"{a} to {b - 1}" for a, b in pairwise(edges)]


def _subspaces(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    left, right = figure.subplots(1, 2)
    found = [m["dyck"]["ablations"] for m in measurements]
    ranks = [0, *(entry["rank"] for entry in found[0]["iterated"])]
    for axes, what, words in (
        (left, "accuracy", "share right, distances from 5 on"),
        (right, "depth", "R² of depth in what is left"),
    ):
        begin = _mean(f["none"][what] for f in found)
        removed = [_mean(f["iterated"][n][what] for f in found) for n in range(len(ranks) - 1)]
        drawn = [
            [entry[what] for f in found for entry in f["random"][n]] for n in range(len(ranks) - 1)
        ]
        axes.plot(
            ranks, [begin, *removed], "o-", color=palette.series[0], label="depth and distance"
        )
        axes.plot(
            ranks, [begin, *map(fmean, drawn)], "s--", color=palette.series[1], label="random"
        )
        axes.fill_between(
            ranks,
            [begin, *map(min, drawn)],
            [begin, *map(max, drawn)],
            color=palette.series[1],
            alpha=0.18,
            linewidth=0,
        )
        axes.set_ylim(0, 1.04)
        axes.set_xlabel("directions removed")
        axes.set_ylabel(words)
    left.legend(loc="lower left")


def _probes(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    rows = figure.subplots(1, 3)
    for axes, target, control, words in (
        (rows[0], "depth", "random", "depth: R²"),
        (rows[1], "distance", "random", "log distance: R²"),
        (rows[2], "type", "random-type", "type of the top: share right"),
    ):
        for n, which in enumerate(("trained", "untrained")):
            curves = [m["dyck"]["probes"][which][target] for m in measurements]
            layers = range(len(curves[0]))
            values = [_mean(curve[layer] for curve in curves) for layer in layers]
            axes.plot(
                layers, values, "o-" if not n else "s--", color=palette.series[n], label=which
            )
        curves = [m["dyck"]["probes"]["trained"][control] for m in measurements]
        values = [_mean(curve[layer] for curve in curves) for layer in layers]
        axes.plot(layers, values, ":", color=palette.ink, label="random labels")
        if target == "type":
            curves = [m["dyck"]["probes"]["trained"]["control-task"] for m in measurements]
            values = [_mean(curve[layer] for curve in curves) for layer in layers]
            axes.plot(layers, values, "-.", color=palette.series[2], label="random classes")
        axes.set_title(words, fontsize=10)
        axes.set_ylim(-0.05, 1.04)
        axes.set_xticks(list(layers), ["start", *(f"block {n}" for n in layers[1:])])
    handles, shown = rows[2].get_legend_handles_labels()
    figure.legend(handles, shown, loc="outside lower center", ncols=4)


def _attention(found: Measurements, figure: Figure, palette: Palette) -> None:
    example, types = found["dyck"]["example"], found["dyck"]["classes"]
    names = [_bracket(token, types) for token in example["tokens"]]
    rows = figure.subplots(1, len(example["weights"]))
    for n, (axes, weights) in enumerate(zip(np.atleast_1d(rows), example["weights"], strict=True)):
        shown = np.array(weights)
        y, x = np.nonzero(shown > _FAINTEST)
        side = 4.0 * 72 / len(names)  # points: an axes is about four inches wide
        # Squares, not an image: their colour has to follow the page's.
        axes.scatter(
            x,
            y,
            s=side**2,
            marker="s",
            color=palette.series[0],
            alpha=shown[y, x] ** 0.4,
            linewidths=0,
        )
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_aspect("equal")
        circled = [
            (top, i)
            for i, (top, token) in enumerate(zip(example["top"], example["tokens"], strict=True))
            if top >= 0 and types <= token < 2 * types
        ]
        if circled:
            axes.plot(
                *zip(*circled, strict=True),
                "o",
                markersize=6,
                markerfacecolor="none",
                color=palette.series[1],
                linewidth=1,
            )
        axes.set_title(f"layer {n + 1}", fontsize=10)
        axes.grid(visible=False)
        if len(names) <= 40:
            axes.set_xticks(range(len(names)), names, fontsize=7)
            axes.set_yticks(range(len(names)), names, fontsize=7)
        axes.set_xlabel("key")
        axes.set_ylabel("query")


def _bracket(token: int, types: int) -> str:
    if token == 2 * types:
        return "^"
    pairs = ("()", "[]", "{}", "<>")
    kind = token % types
    if types > len(pairs):
        return str(token)
    return pairs[kind][token >= types]


def _skeletons(measurements: Sequence[Measurements], figure: Figure, palette: Palette) -> None:
    left, right = figure.subplots(1, 2)
    choices = (("soft", "soft"), ("0", "layer 1 hard"), ("1", "layer 2 hard"), ("all", "all hard"))
    for n, (language, words) in enumerate((("dyck", "Dyck words"), ("sentences", "sentences"))):
        heights = []
        for key, _ in choices:
            if key == "soft":
                heights.append(_mean(_mean(m[language]["accuracy"]) for m in measurements))
            else:
                values = (m[language]["skeleton"][key]["accuracy"] for m in measurements)
                heights.append(_mean(values))
        at = np.arange(len(choices)) + 0.4 * n - 0.2
        bars = left.bar(at, heights, 0.38, color=palette.series[n], label=words)
        _label(left, bars, [f"{h:.2f}" for h in heights])
    left.set_xticks(range(len(choices)), [words for _, words in choices])
    left.set_ylim(0, 1.3)
    left.set_yticks((0, 0.5, 1))
    left.set_ylabel("share of right closers")
    left.legend(loc="upper center", ncols=2)
    names = ("three-heads", "permuted", "two-heads", "no-decay")
    added = [_mean(_added(m[name]) for m in measurements) for name in names]
    # A logarithmic axis; the label is exact. What no seed measured is drawn as least, called nan.
    drawn = [value if value > _LEAST else _LEAST for value in added]
    bars = right.bar(range(len(names)), drawn, 0.6, color=palette.series[2])
    _label(right, bars, [f"{value:.1e}" for value in added])
    right.set_yscale("log")
    right.set_ylim(min(drawn) / 4, max(drawn) * 6)
    right.set_xticks(range(len(names)), ["3 heads", "permuted", "2 heads", "no decay"])
    right.set_ylabel("loss added at temperature 0")
    for axes in (left, right):
        axes.grid(visible=False, axis="x")
        axes.set_axisbelow(True)


def _added(chain: Measurements) -> float | None:
    """The loss that temperature 0 adds; None where the heads could not be told apart."""
    return None if chain["hard"] is None else float(chain["hard"] - chain["soft"])


def _label(axes: Any, bars: Any, texts: Sequence[str]) -> None:
    axes.bar_label(bars, texts, fontsize=8, padding=2)
