"""Pictures of the topic ensemble: counterexamples, covariance, budget, a checkpoint's diversity.

The first three illustrate what the claims say and are drawn while the page is made: they are no
evidence. The last one shows numbers that the run recorded, and is there only if it did.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ....symbolic.ensemble.allocation import head_budget
from ....symbolic.ensemble.counterexamples import NAMED
from ..budget_plot import paint
from ..plot import FAINT, INK, SERIES, Plot, svg

REAL_HEADS = "ensemble.real-heads"
_LABELS = {
    "plane-equal": "two points in the plane",
    "plane-higher": "two points in the plane",
    "square-equal": "square",
    "square-higher": "square",
    "cell-equal": "24-cell",
    "cell-higher": "24-cell",
}
_DESIGNS = tuple(dict.fromkeys(_LABELS.values()))


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic that are always the same, drawn once."""
    return (
        Plot(
            "diversity-error",
            "ensemble.monotonicity",
            "More diverse heads with more error",
            "Each line joins two ensembles on one design, with as many heads of one dimension: "
            "HDI to the right, mean squared error upwards. The sentence as stated says that every "
            "line falls. Dashed, vertical: equal HDI, different errors. The square and the 24-cell "
            "are isotropic designs. All values are exact rationals.",
            svg("diversity-error", (5.2, 4.8), _counterexamples),
        ),
        Plot(
            "head-covariance",
            "ensemble.monotonicity",
            "The covariance of two heads by their angle",
            "n Cov/sigma^2 of two heads with d_k = 1 in the Gaussian model against the squared "
            "cosine of their angle, for several bandwidths b, where a = 1/b^2. It grows with the "
            "cosine and is 1, not 0, for orthogonal heads.",
            svg("head-covariance", (5.2, 4.2), _covariance),
        ),
        Plot(
            "head-budget",
            "ensemble.budget",
            "A head budget",
            "Squared bias, variance and their sum against the head dimension for n = 1,000,000, "
            "D = 768, alpha = 1/4, C = 3/2, on a logarithmic axis. The best integer is next to the "
            "real minimiser; the best divisor of D gives a whole number of heads.",
            svg("head-budget", (5.2, 4.2), _budget),
        ),
    )


def recorded(numbers: Mapping[str, Any]) -> Plot | None:
    """HDI of a checkpoint's heads by layer, from the numbers of claim B8; None if they are others.

    Args:
        numbers: of the evidence, as the run recorded them.
    """
    try:
        curves = {
            role: [float(x) for x in str(numbers[f"{role} HDI by layer"]).split()]
            for role in ("query", "key")
        }
        mean, least = float(numbers["random, mean"]), float(numbers["random, least"])
    except (KeyError, ValueError):
        return None
    layers = len(curves["query"])
    if not layers or len(curves["key"]) != layers:
        return None

    def paint_layers(figure: Figure) -> None:
        axes = figure.subplots()
        for (role, values), colour, marker in zip(curves.items(), SERIES, "os", strict=False):
            name = {"query": "queries", "key": "keys"}[role]
            axes.plot(range(layers), values, color=colour, marker=marker, markersize=5, label=name)
        axes.axhline(mean, color=INK, linestyle="--", linewidth=1.2, label="random, mean")
        axes.axhline(least, color=INK, linestyle=":", linewidth=1.2, label="random, least drawn")
        axes.set_xticks(range(layers))
        axes.set_xlabel("layer")
        axes.set_ylabel("head diversity index")
        axes.grid(True, axis="y", color=FAINT)
        axes.grid(False, axis="x")
        axes.legend(loc="upper center", bbox_to_anchor=(0.6, 0.88))

    lowest = min(min(values) for values in curves.values())
    return Plot(
        "checkpoint-diversity",
        REAL_HEADS,
        "Head diversity of a real checkpoint",
        "HDI of the query and of the key heads in each layer of the checkpoint, as this run "
        f"recorded it, against as many independent random subspaces (mean {mean:.4f}, least of "
        f"the draws {least:.4f}). The least diverse layer has {lowest:.4f}: trained heads overlap "
        "more than random ones. The command diversity draws the overlaps of all pairs of heads.",
        svg("checkpoint-diversity", (5.2, 4.2), paint_layers),
    )


RECORDED = {REAL_HEADS: recorded}
"""Claim -> the picture of numbers that its evidence recorded."""


def _counterexamples(figure: Figure) -> None:
    grid: Any = figure.subplots(len(_DESIGNS), 1, sharex=True)
    for axes, design, colour, marker in zip(grid, _DESIGNS, SERIES, "osD", strict=False):
        for name, pair in NAMED.items():
            if _LABELS[name] == design:
                indices, errors = (list(map(float, xs)) for xs in (pair.indices, pair.errors))
                line = "--" if indices[0] == indices[1] else "-"
                axes.plot(indices, errors, line, color=colour, marker=marker)
        axes.margins(y=0.3)
        axes.set_title(design, fontsize=10, loc="left")
        axes.set_ylabel("error")
    grid[-1].set_xlim(-0.03, 1.06)
    grid[-1].set_xlabel("head diversity index")


def _covariance(figure: Figure) -> None:
    axes = figure.subplots()
    squares = np.linspace(0, 1, 200)
    for a, colour in zip((0.25, 1.0, 4.0, 16.0), SERIES, strict=False):
        share = (a / (1 + a)) ** 2
        axes.plot(squares, (1 - share * squares) ** -0.5, color=colour, label=f"a = {a:g}")
    axes.set_xlabel(r"$\cos^2\theta$")
    axes.set_ylabel(r"$n\,\mathrm{Cov}/\sigma^2$")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")


def _budget(figure: Figure) -> None:
    found = head_budget(n=1_000_000, D=768, alpha="1/4", C="3/2", d_model=768)
    axes = figure.subplots()
    paint(axes, found, ink=INK, faint=FAINT, colours=SERIES)
    axes.legend(loc="upper left", fontsize=8)
