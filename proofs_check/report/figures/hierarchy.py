"""Pictures of the topic hierarchy that need no training: a word with its stack, and exact counts.

What trained models do, with its controls, is drawn by `report.training`.
"""

from __future__ import annotations

from functools import cache
from math import comb, log2

from matplotlib.figure import Figure

from ....symbolic.hierarchy.dyck import Dyck, Word
from ....symbolic.hierarchy.generator import Generator
from ....symbolic.hierarchy.parse import parse
from ..plot import INK, SERIES, Plot, svg

_LANGUAGE = Dyck(2, 3)
_WORD = (0, 1, 0, 2, 3, 0, 2, 1, 1, 3, 3, 2)
"""( [ ( ) ] ( ) [ [ ] ] )"""
_BRACKETS = "([)]"
_DEPTHS = (1, 2, 3, 5, 10)
_TYPES = 2
_LONGEST = 40


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic that are always the same, drawn once."""
    return (
        Plot(
            "dyck-stack",
            "hierarchy.generator",
            "A word, its depth, and where the second head looks",
            "A word of two types of bracket, of depth at most three. The steps are the number of "
            "open brackets after each symbol. An arrow leads from each closing bracket after which "
            "one is open to the key of the second head of the construction, computed from its "
            "weights: the bracket that has to be closed next, the top of the stack. After the "
            "other symbols the head looks at the symbol itself.",
            svg("dyck-stack", (7.2, 3.6), _stack),
        ),
        Plot(
            "dyck-counts",
            "hierarchy.language",
            "How many words there are",
            f"Exact numbers of words of two types of bracket, up to {_LONGEST} symbols, as bits "
            "per symbol, for bounds on the depth from 1 to 10. Dashed: no bound (Catalan numbers). "
            "A bound leaves the counts as they are while half the length does not exceed it.",
            svg("dyck-counts", (5.2, 4.2), _counts),
        ),
    )


def looks(word: Word) -> tuple[int, ...]:
    """The position to which the second head attends after each symbol; 0 is the beginning.

    Example:
        >>> looks((0, 1, 3, 2))  # ( [ ] )
        (1, 2, 1, 4)
    """
    generator = Generator(_LANGUAGE, len(_WORD))
    return tuple(generator.after(word[: i + 1]).looks_at for i in range(len(word)))


def bits(depth: int, length: int) -> float:
    """The binary logarithm of the number of words, by their length, which is not 0.

    Example:
        >>> bits(1, 20)  # every second symbol is free
        0.5
    """
    return log2(Dyck(_TYPES, depth).count(length)) / length


def _stack(figure: Figure) -> None:
    axes = figure.subplots()
    found = parse(_LANGUAGE, _WORD)
    places = range(len(_WORD) + 1)
    axes.step(places, (0, *found.depth), where="mid", color=SERIES[0], linewidth=1.6)
    for i, key in enumerate(looks(_WORD), start=1):
        if _WORD[i - 1] < _LANGUAGE.types or not found.depth[i - 1]:
            continue
        axes.annotate(
            "",
            (key, -0.75),
            (i, -0.75),
            arrowprops={
                "arrowstyle": "-|>",
                "color": SERIES[1],
                "connectionstyle": "arc3,rad=-0.35",
                "shrinkA": 4,
                "shrinkB": 4,
            },
        )
    for i, symbol in enumerate(_WORD, start=1):
        axes.annotate(
            _BRACKETS[symbol], (i, -0.45), ha="center", va="center", fontsize=13, color=INK
        )
    axes.set(xlabel="position", ylabel="open brackets", xlim=(-0.5, 12.7), ylim=(-2.6, 3.4))
    axes.set_xticks(places)
    axes.set_yticks(range(_LANGUAGE.depth + 1))
    axes.grid(False)


def _counts(figure: Figure) -> None:
    axes = figure.subplots()
    lengths = range(2, _LONGEST + 1, 2)
    free = [log2(_TYPES ** (n // 2) * comb(n, n // 2) // (n // 2 + 1)) / n for n in lengths]
    axes.plot(lengths, free, "--", color=INK, linewidth=1.2, label="no bound", zorder=3)
    for n, depth in enumerate(_DEPTHS):
        shares = [bits(depth, length) for length in lengths]
        axes.plot(lengths, shares, color=SERIES[n], label=f"depth $\\leq {depth}$")
    axes.set(xlabel="length $n$", ylabel="bits per symbol", xlim=(0, _LONGEST), ylim=(0.2, 1.4))
    axes.legend(loc="lower right", ncols=2, fontsize=9)
