"""Pictures of a checkpoint: diversity against the null, overlaps, biases, spectra, skeleton.

Floats drawn from what `inspection` found; nothing is computed here but scales. Matrices are vector
cells, not images: the page's policy admits no image data. Large models are shown by a choice of
layers, and the captions say which.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure

from ...numeric.checkpoint import ROLES, Role
from ..inspection import Diversity, Inspection
from ..inspection.on_text import TextInspection
from .plot import FAINT, INK, SERIES, Plot, svg

_CELLS = 12_000
"""As many matrix cells are drawn in one picture."""

_MISSING = "#c2c5ca"
_BLUES = LinearSegmentedColormap.from_list(
    "overlap", ["#f4f8fc", "#7fb0dc", "#1d5a9e", "#0a2748"]
).with_extremes(bad=_MISSING)
_MARKERS = ("o", "s", "^", "D")
_NAMES: dict[Role, str] = {
    "query": "queries",
    "key": "keys",
    "value": "values",
    "output": "output",
}

CLAIM = "ensemble.real-heads"


def diversity_plots(found: Diversity) -> tuple[Plot, ...]:
    """Those that need the weights only."""
    return (_index_plot(found), *(_overlap_plot(found, role) for role in ROLES), _spectra(found))


def inspection_plots(found: Inspection) -> tuple[Plot, ...]:
    """Those of biases and of the model on a text."""
    plots: list[Plot] = []
    if any(found.biases):
        plots.append(_bias_plot(found))
    if found.text is not None and found.text.heads:
        plots += [_dead_keys(found.text), _looking(found.text)]
    return tuple(plots)


def _index_plot(found: Diversity) -> Plot:
    numbers = [layer.layer for layer in found.layers]

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        for role, colour, marker in zip(ROLES, SERIES, _MARKERS, strict=False):
            values = [layer.role(role).index for layer in found.layers]
            shown = [np.nan if value is None else value for value in values]
            axes.plot(numbers, shown, color=colour, marker=marker, markersize=5, label=_NAMES[role])
        for n, law in enumerate(found.laws[count] for count in sorted(found.laws)):
            style = ("--", ":")[n]
            label = "random subspaces" if len(found.laws) == 1 else f"{law.heads} random subspaces"
            axes.axhline(law.index_mean, color=INK, linestyle=style, linewidth=1.2, label=label)
        axes.set_xlabel("layer")
        axes.set_ylabel("head diversity index")
        _integer_ticks(axes, numbers)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))

    laws = "; ".join(
        f"{law.heads} random subspaces of dimension {law.d_k} in {law.d} have mean "
        f"{law.index_mean:.4f} and standard deviation {law.index_deviation:.4f}"
        for law in found.laws.values()
    )
    return Plot(
        "head-diversity",
        CLAIM,
        "Head diversity against random subspaces",
        "HDI of each layer for the four projections: 1 for orthogonal heads, 0 for heads that all "
        f"use one subspace. Dashed: {laws}. {_against_chance(found)}",
        svg("head-diversity", (7.6, 3.6), paint),
    )


def _against_chance(found: Diversity) -> str:
    """In how many layers and projections heads overlap more than random ones."""
    below = above = 0
    for layer in found.layers:
        for role in ROLES:
            law, index = found.law(role), layer.role(role).index
            if law is not None and index is not None:
                far = abs(law.deviations(index)) > 3
                below += far and index < law.index_mean
                above += far and index > law.index_mean
    return (
        f"More than three deviations below (heads overlap more than by chance): {below} of "
        f"{len(found.layers) * len(ROLES)}; above: {above}."
    )


def _overlap_plot(found: Diversity, role: Role) -> Plot:
    chosen = _chosen(found, role)
    entries = [found.layers[n].role(role) for n in chosen]
    off = [
        value
        for entry in entries
        for h, row in enumerate(entry.kernel.tolist())
        for g, value in enumerate(row)
        if h != g and value == value
    ]
    law = found.law(role)
    null = None if law is None else law.overlap_mean
    top = max([*off, 2 * null if null else 0.0, 1e-3])

    def paint(figure: Figure) -> None:
        columns = min(len(chosen), 6)
        rows = -(-len(chosen) // columns)
        grid: Any = figure.subplots(rows, columns, squeeze=False)
        mesh = None
        for place, axes in enumerate(grid.flat):
            if place >= len(chosen):
                axes.set_visible(False)
                continue
            values = np.array(entries[place].kernel.tolist())
            np.fill_diagonal(values, np.nan)
            mesh = _cells(axes, values, top)
            axes.set_title(f"layer {found.layers[chosen[place]].layer}", fontsize=9)
            _head_ticks(axes, len(values), both=True)
        if mesh is not None:
            bar = figure.colorbar(mesh, ax=grid, shrink=0.8, aspect=18, pad=0.02)
            assert bar.solids is not None
            bar.solids.set_rasterized(False)  # an image would not pass the page's policy
            bar.solids.set_edgecolor("face")  # no seams
            bar.outline.set_visible(False)
            bar.ax.tick_params(labelsize=8)
            if null is not None:
                bar.ax.axhline(null, color="#d1342f", linewidth=2)

    rows = -(-len(chosen) // min(len(chosen), 6))
    which = "" if len(chosen) == len(found.layers) else " A choice of layers is shown."
    against = (
        ""
        if law is None
        else f" Red line on the scale: the mean for random subspaces, {law.overlap_mean:.3f} "
        f"(95 % of random pairs lie between {law.overlap_quantiles[0.025]:.3f} and "
        f"{law.overlap_quantiles[0.975]:.3f})."
    )
    owners = (
        "key/value heads"
        if found.checkpoint.heads(role) < found.checkpoint.model.heads
        else "heads"
    )
    return Plot(
        f"overlap-{role}",
        CLAIM,
        f"Overlaps of the {owners}: {_NAMES[role]}",
        "tr(Π_h Π_h')/d_k for every pair of heads: the mean squared cosine of their principal "
        "angles. The diagonal, always 1, is grey, as are heads of lower rank."
        f"{against}{which}",
        svg(f"overlap-{role}", (9.4, 0.5 + 1.75 * rows), paint),
    )


def _spectra(found: Diversity) -> Plot:
    ramp = matplotlib.colormaps["viridis"]
    count = len(found.layers)

    def paint(figure: Figure) -> None:
        left, right = figure.subplots(1, 2, sharey=True)
        for axes, name in ((left, "qk"), (right, "ov")):
            for n, layer in enumerate(found.layers):
                colour = ramp(0.25 + 0.6 * n / max(1, count - 1))
                curves = [s.values for s in getattr(layer, name) if s.values[0] > 0]
                if not curves:
                    continue
                scaled = np.array([np.array(v) / v[0] for v in curves])
                ranks = range(1, scaled.shape[1] + 1)
                middle = np.median(scaled, axis=0)
                axes.fill_between(
                    ranks, scaled.min(0), scaled.max(0), color=colour, alpha=0.12, linewidth=0
                )
                axes.plot(ranks, middle, color=colour, linewidth=1.5, label=f"{layer.layer}")
            axes.set_xlabel("rank")
            axes.set_title({"qk": "QK", "ov": "OV"}[name], fontsize=10)
            axes.set_ylim(0, 1.02)
        left.set_ylabel("singular value / largest")
        if count <= 12:
            right.legend(title="layer", loc="center left", bbox_to_anchor=(1.01, 0.5))

    shades = "" if count <= 12 else f" Dark: layer {found.layers[0].layer}; light: the last."
    return Plot(
        "spectra",
        CLAIM,
        "Spectra of the QK and OV products",
        "Singular values of W_Qᵀ W_K and W_Vᵀ W_Oᵀ of each head, divided by the largest, from the "
        "factors. Line: median over the heads of a layer; shade: from the least to the largest "
        f"head.{shades}",
        svg("spectra", (8.6, 3.5), paint),
    )


def _bias_plot(found: Inspection) -> Plot:
    numbers = [layer.layer for layer in found.layers]
    roles = [role for role in ROLES if found.checkpoint.biased(role)]

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        for role, colour, marker in zip(ROLES, SERIES, _MARKERS, strict=False):
            if role in roles:
                values = [norms[role].whole for norms in found.biases]
                shown = [value if value > 0 else np.nan for value in values]
                label = f"|b_{role[0].upper()}|"
                axes.plot(numbers, shown, color=colour, marker=marker, markersize=5, label=label)
        axes.set_yscale("log")
        axes.set_xlabel("layer")
        axes.set_ylabel("norm")
        _integer_ticks(axes, numbers)
        axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))

    inert = (
        " Without positions in the scores the key bias cannot change any output (softmax does not "
        "see a shift), so nothing but weight decay and chance sets its size."
        if found.checkpoint.model.positions == "absolute" and "key" in roles
        else ""
    )
    return Plot(
        "biases",
        "identification.biases",
        "Norms of the biases",
        f"Norm of each layer's bias vectors, on a logarithmic scale.{inert}",
        svg("biases", (7.0, 3.4), paint),
    )


def _dead_keys(text: TextInspection) -> Plot:
    def share(head: Any) -> float:
        return 100 * float(head.mixed.never) / float(head.mixed.keys)

    everywhere = sum(h.everywhere.never for heads in text.heads for h in heads)
    total = sum(h.everywhere.keys for heads in text.heads for h in heads)
    return Plot(
        "dead-keys",
        "tropical.cells",
        "Keys that can never win",
        f"Share, in percent, of the {text.tokens} keys of each head that win at no mixture of "
        "three tokens' queries (first quarter, middle and third quarter of the text). Over all "
        f"queries of the head's own space the share is {100 * everywhere / total:.1f} %.",
        svg("dead-keys", _heat_size(text), _heat(text, share)),
    )


def _looking(text: TextInspection) -> Plot:
    def share(head: Any) -> float:
        return 100 * float(head.certified[0.5]) / float(head.positions)

    certified = sum(h.certified[0.5] for heads in text.heads for h in heads)
    heavy = sum(h.heavy[0.5] for heads in text.heads for h in heads)
    total = sum(h.positions for heads in text.heads for h in heads)
    return Plot(
        "certified",
        "tropical.cells",
        "Where a head provably looks",
        "Share, in percent, of the positions of the text at which the lead of the best score over "
        "the second alone proves that one key has more than half of the weight. Over all heads: "
        f"{100 * certified / total:.1f} %; in fact one key has more than half at "
        f"{100 * heavy / total:.1f} % (the bound counts all other keys as if they tied).",
        svg("certified", _heat_size(text), _heat(text, share)),
    )


def _heat_size(text: TextInspection) -> tuple[float, float]:
    heads, layers = len(text.heads[0]), len(text.heads)
    return min(11.0, 1.9 + 0.5 * heads), min(12.0, 0.8 + 0.36 * layers)


def _heat(text: TextInspection, share: Callable[[Any], float]) -> Callable[[Figure], None]:
    values = np.array([[share(head) for head in heads] for heads in text.heads])
    top = max(float(values.max()), 1.0)

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        _cells(axes, values, top)
        axes.set_aspect("auto")
        if values.shape[1] <= 20:
            for (layer, head), value in np.ndenumerate(values):
                colour = "#ffffff" if value > 0.5 * top else "#12263a"
                words = f"{value:.0f}" if top > 10 or value == 0 else f"{value:.1f}"
                axes.text(head, layer, words, ha="center", va="center", fontsize=8, color=colour)
        axes.set_xlabel("head")
        axes.set_ylabel("layer")
        _head_ticks(axes, values.shape[1], both=False)
        axes.set_yticks(_spread(values.shape[0]))

    return paint


def _cells(axes: Any, values: Any, top: float) -> Any:
    rows, columns = values.shape
    axes.grid(False)
    mesh = axes.pcolormesh(
        np.arange(columns + 1) - 0.5,
        np.arange(rows + 1) - 0.5,
        np.ma.masked_invalid(values),
        cmap=_BLUES,
        vmin=0,
        vmax=top,
        edgecolors="none",
        linewidth=0.2,
        antialiased=True,
    )
    axes.invert_yaxis()
    axes.set_aspect("equal")
    for spine in axes.spines.values():
        spine.set_visible(False)
    return mesh


def _head_ticks(axes: Any, count: int, *, both: bool) -> None:
    axes.set_xticks(_spread(count))
    if both:
        axes.set_yticks(_spread(count))
    axes.tick_params(labelsize=8, length=0)


def _spread(count: int) -> list[int]:
    step = max(1, -(-count // (12 if count <= 12 else 6)))
    step = max(step, 3) if count == 12 else step
    return list(range(0, count, step))


def _integer_ticks(axes: Any, numbers: Sequence[int]) -> None:
    step = max(1, -(-len(numbers) // 16))
    axes.set_xticks(list(numbers)[::step])
    axes.grid(True, axis="y", color=FAINT)
    axes.grid(False, axis="x")


def _chosen(found: Diversity, role: Role) -> list[int]:
    """As many layers, evenly spread, as there is room for."""
    count = len(found.layers)
    room = max(1, min(12, _CELLS // found.checkpoint.heads(role) ** 2))
    if count <= room:
        return list(range(count))
    if room == 1:
        return [0]
    return sorted({round(n * (count - 1) / (room - 1)) for n in range(room)})
