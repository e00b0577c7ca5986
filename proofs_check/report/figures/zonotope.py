"""Pictures of the topic zonotope that need no training: outputs of a layer, and saturated signs."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ....symbolic.rational import Vector
from ....symbolic.zonotope.layer import Head, Tokens, evaluate, mean
from ....symbolic.zonotope.saturation import selection
from ....symbolic.zonotope.zonotope import MatrixZonotope, Zonotope
from ..plot import INK, SERIES, Plot, svg
from ..polygon_figure import around

_GENERATORS = 4
_SEEN = ((1, 0), (0, 1), (2, 1))
"""The first two entries of three tokens: the scores and the values read these alone."""
_INPUTS = 300
_ZEROS = (0,) * _GENERATORS


def _seen(rows: tuple[tuple[int, int], tuple[int, int]]) -> tuple[Vector, ...]:
    return tuple((*row, *_ZEROS) for row in rows)


HEAD = Head(
    form=((1, 0, *_ZEROS), (-1, 1, *_ZEROS), *((0, 0, *_ZEROS),) * _GENERATORS),
    values=MatrixZonotope(
        _seen(((1, -1), (0, 2))),
        (
            _seen(((2, 0), (0, 1))),
            _seen(((0, 2), (1, 1))),
            _seen(((-1, 1), (1, 0))),
            _seen(((1, 1), (-1, -1))),
        ),
    ),
    slopes=tuple(
        (0, 0, *(int(i == j) for j in range(_GENERATORS))) for i in range(_GENERATORS)
    ),
    offsets=_ZEROS,
)  # fmt: skip
HEXAGON = Zonotope((0, 0), ((1, 0), (0, 1), (1, 1)))
_CENTRE = (1, 1, -1)


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic, drawn once."""
    return (
        Plot(
            "output-zonotope",
            "zonotope.containment",
            "Outputs lie inside a zonotope",
            f"Outputs of one head with {_GENERATORS} generators at its last token, for {_INPUTS} "
            "random inputs. The inputs differ only in entries that the coefficients alone read, so "
            "that the head attends to the same mean and all outputs share one zonotope, whose "
            f"{len(output().sum().vertices)} vertices are filled squares. No output reaches the "
            "boundary, because no coefficient reaches 1 or -1.",
            svg("output-zonotope", (5.2, 4.4), _outputs),
        ),
        Plot(
            "hexagon-signs",
            "zonotope.saturation",
            "Saturated signs that select no vertex",
            "The zonotope of g_1 = (1, 0), g_2 = (0, 1) and g_3 = (1, 1) with centre 0, and the "
            "points of all eight sign vectors. Six select the vertices. The signs +, +, - "
            "and their opposites select the centre: (1, 0) + (0, 1) - (1, 1) = 0, as the arrows "
            "show. So saturated coefficients need not be at a vertex.",
            svg("hexagon-signs", (5.2, 4.4), _signs),
        ),
    )


@cache
def inputs() -> tuple[Tokens, ...]:
    """The inputs that are drawn: the same ones every time."""
    random = Random(0)
    return tuple(
        tuple((*seen, *(random.randint(-1, 1) for _ in range(_GENERATORS))) for seen in _SEEN)
        for _ in range(_INPUTS)
    )


def output(tokens: Tokens | None = None) -> Zonotope:
    """The zonotope of the outputs at the last token; of the first input by default.

    Example:
        >>> output().dimension, len(output().generators)
        (2, 4)
    """
    given = inputs()[0] if tokens is None else tokens
    return HEAD.values.at(mean(HEAD, given, len(_SEEN) - 1))


@cache
def outputs() -> tuple[Vector, ...]:
    """The outputs at the last token, each once, ascending."""
    return tuple(sorted({evaluate([HEAD], tokens)[-1] for tokens in inputs()}))


def chosen() -> dict[Vector, tuple[tuple[int, ...], ...]]:
    """Point of the hexagon -> the signs that select it.

    Example:
        >>> chosen()[0, 0]
        ((1, 1, -1), (-1, -1, 1))
    """
    found: dict[Vector, tuple[tuple[int, ...], ...]] = {}
    for signs in product((1, -1), repeat=len(HEXAGON.generators)):
        point = selection(HEXAGON, signs).point
        found[point] = (*found.get(point, ()), signs)
    return found


def _outputs(figure: Figure) -> None:
    axes = figure.subplots()
    _polygon(axes, output())
    xs, ys = zip(*((float(x), float(y)) for x, y in outputs()), strict=True)
    axes.plot(
        xs, ys, "o", color=SERIES[1], markersize=3.2, alpha=0.75, markeredgewidth=0, label="output"
    )
    axes.set(xlabel="first entry", ylabel="second entry", aspect="equal")
    figure.legend(loc="outside upper center", ncols=2)


def _signs(figure: Figure) -> None:
    axes = figure.subplots()
    _polygon(axes, HEXAGON)
    place = (0.0, 0.0)
    beside = ((0.5, -0.2), (1.12, 0.5), (0.05, 0.68))
    steps = zip(_CENTRE, HEXAGON.generators, beside, ("g_1", "g_2", "-g_3"), strict=True)
    for sign, generator, label, name in steps:
        after = (place[0] + sign * float(generator[0]), place[1] + sign * float(generator[1]))
        arrow = {
            "arrowstyle": "-|>",
            "color": SERIES[2],
            "shrinkA": 0,
            "shrinkB": 5 * (after == (0, 0)),
        }
        axes.annotate("", after, place, arrowprops=arrow)
        axes.annotate(
            f"${name}$", label, ha="center" if label[1] < 0 else "left", va="center", fontsize=9
        )
        place = after
    axes.plot(0, 0, "D", color=SERIES[1], markersize=7, zorder=3)
    for point, signs in chosen().items():
        words = "\n".join(_written(v) for v in signs)
        x, y = float(point[0]), float(point[1])
        centre = not (x or y)
        axes.annotate(
            words,
            (x, y),
            (-9, -1) if centre else (9 * (x > 0) - 9 * (x < 0), 13 * (y > 0) - 13 * (y < 0)),
            textcoords="offset points",
            ha="left" if x > 0 else "right" if x < 0 or centre else "center",
            va="center",
        )
    axes.set(xlabel="$x_1$", ylabel="$x_2$", xlim=(-3.4, 3.4), ylim=(-2.7, 2.7), aspect="equal")
    axes.set_xticks(range(-3, 4))
    axes.grid(False)  # a line behind a minus would be read as a sign


def _written(signs: tuple[int, ...]) -> str:
    return "(" + ", ".join("+" if s > 0 else "\N{MINUS SIGN}" for s in signs) + ")"


def _polygon(axes: Axes, zonotope: Zonotope) -> None:
    corners = around([(Fraction(x), Fraction(y)) for x, y in zonotope.sum().vertices])
    xs, ys = zip(*((float(x), float(y)) for x, y in corners), strict=True)
    axes.fill(xs, ys, facecolor=SERIES[0], alpha=0.12, linewidth=0)
    axes.plot([*xs, xs[0]], [*ys, ys[0]], color=INK, linewidth=1.2)
    axes.plot(xs, ys, "s", color=SERIES[0], markersize=6, label="vertex", zorder=3)
