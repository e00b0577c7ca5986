"""The heads of a recovered model, each as the matrix W and, beside it, the functional v."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure

from ...oracle.model import Head
from ...symbolic.errors import InputError


def heads_figure(heads: Sequence[Head]) -> Figure:
    """A row for each head: W (d, d) and v (d), zero white, one scale for all W and one for all v.

    Args:
        heads: at least one.

    Raises:
        InputError: there is no head: nothing to draw.

    Example:
        >>> figure = heads_figure([Head(((1, 0), (0, 2)), (3, -1))])
        >>> [axes.get_title() for axes in figure.axes[:2]]
        ['$W_1$', '$v_1$']
    """
    if not heads:
        raise InputError("at least one head", "the zero function", where="plot")
    d = len(heads[0].v)
    figure = Figure(figsize=(5.2, 0.6 + 2.2 * len(heads)), layout="constrained")
    grid = figure.subplots(len(heads), 2, squeeze=False, width_ratios=(max(d, 2), 1))
    forms = [[[float(entry) for entry in row] for row in head.W] for head in heads]
    functionals = [[[float(entry)] for entry in head.v] for head in heads]
    for column, (letter, matrices) in enumerate((("W", forms), ("v", functionals))):
        most = max(abs(entry) for m in matrices for row in m for entry in row) or 1.0
        for h, m in enumerate(matrices):
            axes = grid[h, column]
            image = axes.imshow(m, cmap="RdBu_r", vmin=-most, vmax=most)
            axes.set_title(f"${letter}_{{{h + 1}}}$" if h > 8 else f"${letter}_{h + 1}$")
            axes.set(xticks=[], yticks=[])
        figure.colorbar(image, ax=list(grid[:, column]), shrink=0.8)
    return figure
