"""Pictures of the topic order: the surrogate flow learns one mode after another.

What the heads of the chain do is measured by training and drawn by `report.training`.
"""

from __future__ import annotations

from functools import cache

from matplotlib.figure import Figure

from ....numeric.order.surrogate import SurrogatePath, integrate, start
from ..plot import FAINT, SERIES, Plot, svg

_ALPHA = (4.0, 2.0, 1.0)
_UNTIL = 16.0


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic that are always the same, drawn once."""
    return (
        Plot(
            "surrogate-modes",
            "order.surrogate",
            "Modes are learnt one by one",
            "Gradient flow of the tensor factorisation from a start of size 0.001, three heads, "
            "strengths 4, 2 and 1 (grey levels): the diagonal entries of the product rise one "
            "after another, mode k at a time proportional to 1/alpha_k.",
            svg("surrogate-modes", (5.2, 4.2), _modes),
        ),
        Plot(
            "surrogate-loss",
            "order.surrogate",
            "Plateaus of the loss",
            "The loss of the same flow, |R|^2/2, with the sums of squares of the modes not yet "
            "learnt (grey levels, 10.5, 2.5 and 0.5): it stays near each of them and falls fast "
            "between.",
            svg("surrogate-loss", (5.2, 4.2), _loss),
        ),
    )


@cache
def path() -> SurrogatePath:
    """The flow that is drawn."""
    initial = start(3, len(_ALPHA), 1e-3, 0)
    return integrate(_ALPHA, initial, _UNTIL, samples=321, tolerance=1e-8)


def levels() -> list[float]:
    """The loss while modes k, k + 1, ... are not learnt.

    Example:
        >>> levels()
        [10.5, 2.5, 0.5]
    """
    return [sum(a * a for a in _ALPHA[k:]) / 2 for k in range(len(_ALPHA))]


def _modes(figure: Figure) -> None:
    axes = figure.subplots()
    found = path()
    for k, (alpha, line) in enumerate(zip(_ALPHA, ("-", "--", "-."), strict=True)):
        axes.axhline(alpha, color=FAINT, linewidth=1.0)
        axes.plot(
            found.times,
            found.product[:, k, k],
            line,
            color=SERIES[k],
            label=rf"$\alpha_{k + 1} = {alpha:g}$",
        )
    axes.set(xlabel="time", ylabel="learnt strength", xlim=(0, _UNTIL))
    axes.grid(False)
    axes.legend(loc="upper right", bbox_to_anchor=(1.0, 0.94))


def _loss(figure: Figure) -> None:
    axes = figure.subplots()
    found = path()
    for level in levels():
        axes.axhline(level, color=FAINT, linewidth=1.0)
    axes.plot(found.times, found.losses, color=SERIES[0])
    axes.set(xlabel="time", ylabel="loss", xlim=(0, _UNTIL), yscale="log", ylim=(1e-3, 20))
    axes.grid(False)
