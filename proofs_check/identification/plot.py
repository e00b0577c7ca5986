"""The picture of what a change would buy: the share of parameters not seen, change by change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from ...symbolic.errors import InputError
from ...symbolic.identification.counts import Answer
from .identification import Identification
from .lines import percent, shape_lines

_INK, _FAINT, _QK, _LAYER = "#1c1e21", "#d9dce0", "#1d5a9e", "#b4500b"
_STYLE = {
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "font.family": "DejaVu Sans",
    "font.size": 10.0,
    "svg.fonttype": "path",
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
}


def save_plot(found: Identification, path: str) -> None:
    """Draw the shares of Q, K and of the layer for every variant, logarithmic.

    Args:
        found: the architecture and its variants.
        path: of the picture, .svg or .png.

    Raises:
        InputError: another ending, or a file that cannot be written.
    """
    ending = Path(path).suffix.lower()
    if ending not in (".svg", ".png"):
        raise InputError("a name that ends in .svg or .png", path)
    with matplotlib.rc_context(_style(found)):
        figure = changes_figure(found)
        metadata = {"Date": None} if ending == ".svg" else None
        try:
            figure.savefig(path, metadata=metadata, dpi=160)
        except OSError as error:
            raise InputError(
                "a file that can be written", str(error.strerror), where=path
            ) from None


def changes_figure(found: Identification) -> Figure:
    """The figure itself, as `save_plot` writes it.

    Args:
        found: the architecture and its variants.

    Example:
        >>> from .identification import identify
        >>> figure = changes_figure(identify({"d_model": 8, "heads": 2}))
        >>> figure.axes[0].get_xscale()
        'log'
    """
    with matplotlib.rc_context(_style(found)):
        figure = Figure(figsize=(8.4, 1.9 + 0.42 * len(found.variants)), layout="constrained")
        _paint(found, figure.add_subplot())
        title, *rest = shape_lines(found)
        figure.suptitle(title, x=0.01, ha="left", fontsize=12, fontweight="bold")
        figure.axes[0].set_title(
            "\n".join(line.strip() for line in rest), loc="left", fontsize=9.5, x=0
        )
    return figure


def _style(found: Identification) -> Any:
    """The defaults first: a user's own matplotlibrc must not show."""
    return dict(matplotlib.rcParamsDefault) | _STYLE | {"svg.hashsalt": found.name}


def _paint(found: Identification, axes: Axes) -> None:
    series = (
        ("Q, K", _QK, "o", [_share(v.counts.qk) for v in found.variants]),
        ("layer", _LAYER, "s", [_share(v.counts.block) for v in found.variants]),
    )
    shown = [share for *_, shares in series for share in shares if share]
    names = [variant.name for variant in found.variants]
    for name, colour, marker, shares in series:
        places = [(share, place) for place, share in enumerate(shares) if share]
        axes.plot(
            [share for share, _ in places],
            [place for _, place in places],
            marker,
            color=colour,
            markersize=8,
            label=name,
        )
        below = name == "layer"
        for share, place in places:
            axes.annotate(
                percent(share),
                (share, place),
                textcoords="offset points",
                xytext=(0, -14 if below else 8),
                ha="center",
                fontsize=8,
                color=colour,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            )
    for place, variant in enumerate(found.variants):
        if variant.counts.qk.count is None:
            reason = f"no count: {variant.counts.qk.reason}"
            axes.annotate(reason, (0.01, place), xycoords=("axes fraction", "data"), fontsize=8)
    axes.set_xscale("log")
    if shown:
        axes.set_xlim(min(shown) / 2, min(1, max(shown)) * 2)
        if series[0][3][0]:
            axes.axvline(series[0][3][0], color=_FAINT, linewidth=0.8, zorder=0)
        narrow = max(shown) < 30 * min(shown)
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if narrow else (1,), numticks=9))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:g}%"))
    axes.set_yticks(range(len(names)), names)
    axes.get_yticklabels()[0].set_fontweight("bold")
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=_FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.set_xlabel("share of the parameters that the function cannot see")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def _share(answer: Answer) -> float:
    """The share, 0 if there is none to draw."""
    return 0.0 if answer.count is None else float(answer.count.ratio)
