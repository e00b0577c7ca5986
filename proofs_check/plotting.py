"""``headproof.plot``: the picture of an answer, as a matplotlib figure.

The one place that knows which picture belongs to which object. The objects themselves know nothing
of matplotlib: symbolic/ does not import it, and a notebook that shows an object gets text. What can
be drawn lives on the line or in the plane; anything of a higher dimension is refused, because a
projection of cells would show overlaps that are not there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..symbolic.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .report.tropical_objects import Window

PLOTTED = (
    "TropicalPolynomial",
    "Hull",
    "MinkowskiSum",
    "Overlay",
    "RegionTree",
    "Recovery",
    "Identification",
    "Allocation",
)
"""What `plot` draws, as the public interface names it."""


def plot(shown: Any, *, window: Window | None = None) -> Figure:
    """Draw an answer.

    ``TropicalPolynomial``
        where each term wins, in one to three variables
    ``Hull``, ``MinkowskiSum``
        points and the polygon, on the line or in the plane
    ``Overlay``
        the cells with their labels, on the line or in the plane
    ``RegionTree``
        the pieces of a network of attention layers in the plane, with a domain
    ``Recovery``
        W and v of every head as coloured matrices
    ``Identification``
        what share of the parameters is not seen, change by change
    ``Allocation``
        the error of the ensemble law over the head dimension

    The figure is not registered with pyplot. After ``%matplotlib inline`` a notebook shows it when
    it is the value of a cell; elsewhere save it with its own ``savefig``.

    Args:
        shown: one of the above.
        window: (lower, upper), the range of every coordinate, for a polynomial or an overlay;
            chosen around the corners if left out.

    Raises:
        InputError: nothing is drawn of such an object, or not in its dimension.

    Example:
        >>> from ..symbolic.cones.hull import convex_hull
        >>> figure = plot(convex_hull([[0, 0], [2, 0], [0, 2], [1, 1]]))
        >>> figure.axes[0].get_xlabel()
        '$x_1$'
    """
    kind = next((known for known in type(shown).__mro__ if known.__name__ in PLOTTED), None)
    name = kind.__name__ if kind and kind.__module__.startswith(_PACKAGE) else ""
    if window is not None and name not in ("TropicalPolynomial", "Overlay"):
        raise InputError("no window", "one", where="plot", remedy="leave it out")
    if name == "TropicalPolynomial":
        from .report.tropical_objects import polynomial_figure

        return polynomial_figure(shown, window=window)
    if name == "Overlay":
        from .report.tropical_objects import overlay_figure

        heads = [{"keys": keys, "biases": biases} for keys, biases in shown.heads]
        return overlay_figure(heads, window=window)
    if name == "RegionTree":
        from ..symbolic.regions.network_document import write as write_network
        from .report.region_figure import regions_figure

        return regions_figure(write_network(shown.network))
    if name == "Hull":
        from .report.polygon_figure import polygon_figure

        if shown.upper:
            raise InputError("a convex hull", "an upper hull, which is unbounded", where="plot")
        return polygon_figure(shown.points, [shown.points[j] for j in shown.vertices])
    if name == "MinkowskiSum":
        from .report.polygon_figure import polygon_figure

        return polygon_figure(shown.vertices, shown.vertices)
    if name == "Recovery":
        from .report.heads_figure import heads_figure

        return heads_figure(shown.heads)
    if name == "Identification":
        from .identification.plot import changes_figure

        return changes_figure(shown)
    if name == "Allocation":
        from .report.budget_plot import budget_figure

        return budget_figure(shown)
    raise InputError(f"one of {', '.join(PLOTTED)}", type(shown).__name__, where="plot")


_PACKAGE = __name__.partition(".")[0]
