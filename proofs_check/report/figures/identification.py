"""Pictures of the topic identification: shares of parameters that attention cannot see, exactly."""

from __future__ import annotations

from functools import cache

import numpy as np
from matplotlib.figure import Figure

from ....symbolic.identification.architecture import Architecture
from ....symbolic.identification.counts import identify_architecture
from ..plot import INK, SERIES, Plot, svg

_WIDTH = 768
LAYERS: tuple[tuple[str, Architecture], ...] = (
    ("one head", Architecture(d_model=_WIDTH, heads=1)),
    ("12 heads", Architecture(d_model=_WIDTH, heads=12)),
    ("12 heads, biases", Architecture(d_model=_WIDTH, heads=12, bias=("q", "k", "v", "o"))),
    ("12 heads, 4 key/value", Architecture(d_model=_WIDTH, heads=12, kv_heads=4)),
    ("12 heads, one key/value", Architecture(d_model=_WIDTH, heads=12, kv_heads=1)),
    ("12 heads, RoPE", Architecture(d_model=_WIDTH, heads=12, rope="distinct")),
    (
        "12 heads, 4 key/value, RoPE",
        Architecture(d_model=_WIDTH, heads=12, kv_heads=4, rope="distinct"),
    ),
)
"""Layers of one width."""


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic that are always the same, drawn once."""
    shown = "; ".join(f"{name} {share:.2%}" for name, share in shares())
    return (
        Plot(
            "unseen-shares",
            "identification.query-key",
            "Query and key parameters that attention cannot see",
            f"Share of W_Q and W_K, biases included, for layers of width {_WIDTH}, on a "
            f"logarithmic axis; from exact counts: {shown}. Without rotation every head hides a "
            "whole GL(d_k), with distinct rotations a scale and an angle a plane.",
            svg("unseen-shares", (5.6, 3.9), _shares),
        ),
        Plot(
            "unseen-heads",
            "identification.never-identified",
            "More heads see more, never all",
            f"The same share against the number of heads that divide {_WIDTH}, on logarithmic "
            "axes: 1/(2H) without rotation, falling to 1/(2d) at H = d and not to 0; with "
            "distinct rotations 1/(2d) whatever H is.",
            svg("unseen-heads", (5.2, 3.9), _by_heads),
        ),
    )


def shares() -> list[tuple[str, float]]:
    """The shares of `LAYERS`."""
    return [(name, float(_share(layer))) for name, layer in LAYERS]


def _share(layer: Architecture) -> float:
    count = identify_architecture(layer).qk.count
    if count is None:
        raise ValueError(f"no count for {layer}")
    return float(count.ratio)


def _shares(figure: Figure) -> None:
    axes = figure.subplots()
    names, values = zip(*reversed(shares()), strict=True)
    places = np.arange(len(names))
    colours = [SERIES[1] if "RoPE" in name else SERIES[0] for name in names]
    axes.hlines(places, 1e-4, values, colors=colours, linewidth=1.4)
    for place, value, colour in zip(places, values, colours, strict=True):
        axes.plot([value], [place], "o", color=colour, markersize=7)
        axes.annotate(f"{value:.2%}", (value, place), (8, -3), textcoords="offset points")
    axes.set_yticks(places, names)
    axes.set(xscale="log", xlim=(3e-4, 2.5), xlabel="share that cannot be seen")
    axes.grid(False, axis="y")


def _by_heads(figure: Figure) -> None:
    axes = figure.subplots()
    heads = [H for H in range(1, _WIDTH + 1) if _WIDTH % H == 0]
    plain = [_share(Architecture(d_model=_WIDTH, heads=H)) for H in heads]
    axes.plot(heads, plain, "o-", color=SERIES[0], markersize=4, label="no rotation")
    even = [H for H in heads if _WIDTH // H % 2 == 0]
    turned = [_share(Architecture(d_model=_WIDTH, heads=H, rope="distinct")) for H in even]
    axes.plot(even, turned, "s--", color=SERIES[1], markersize=4, label="RoPE")
    axes.axhline(1 / (2 * _WIDTH), color=INK, linestyle=":", linewidth=1.2, label="1/(2d)")
    axes.set(xscale="log", yscale="log", xlabel="heads $H$", ylabel="share that cannot be seen")
    axes.legend(loc="upper right")
