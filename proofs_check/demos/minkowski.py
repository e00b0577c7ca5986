"""Demo of claim tropical.overlay: two heads in the plane, and the Minkowski sum that counts them.

Every character of the pictures is decided in rational arithmetic at its centre; the cells come from
the exact engine, the judgement on their certificate from the independent checker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any, TypeAlias

from ...symbolic.cones.hull import convex_hull
from ...symbolic.minkowski.overlay import Overlay, overlay
from ...symbolic.rational import Rational
from ...symbolic.rational import write as exact
from ...symbolic.tropical.power_diagram import scores, winners
from .demo import Demo, Write
from .lines import judgement, point

Label: TypeAlias = tuple[int, ...]
Head: TypeAlias = tuple[tuple[tuple[int, int], ...], tuple[int, ...]]

CLAIM = "tropical.overlay"
HEADS: tuple[Head, ...] = (
    (((-2, 0), (0, 0), (2, 3), (0, 1)), (0, 2, 0, -2)),
    (((0, -2), (1, 0), (-1, 2), (0, 0)), (0, 2, -1, 1)),
)
QUERY = (1, 2)
STEP = Fraction(1, 4)
WIDTH, HEIGHT = 33, 15
CELLS = "abcdefghijkl"


def data() -> dict[str, Any]:
    """The heads, the cells with their labels, the sums, the pictures, the checker's answers."""
    found = _overlay()
    certificate = found.certificate(CLAIM)
    sums = _sums()
    everything = list(sums.values())
    hull = convex_hull(everything)
    return {
        "heads": [
            {"keys": [list(key) for key in keys], "biases": list(biases)} for keys, biases in HEADS
        ],
        "query": {
            "x": list(QUERY),
            "best": [exact(max(scores(keys, biases, QUERY))) for keys, biases in HEADS],
            "best_sum": exact(max(_value(lifted) for lifted in everything)),
        },
        "cells": [
            {"letter": letter, "label": list(label), "vertex": [exact(c) for c in sums[label]]}
            for letter, label in zip(CELLS, found.labels, strict=False)
        ],
        "sums": len(everything),
        "vertices": hull.count,
        "bound": found.bound,
        "pictures": [picture((head,), _digits) for head in HEADS],
        "overlay": picture(HEADS, _letters(found)),
        "newton": newton(found),
        "certificate": certificate,
        "checker": judgement(certificate),
        "falsified": (false := falsified(certificate)),
        "checker_on_falsified": judgement(false),
    }


def picture(heads: Sequence[Head], symbol: Callable[[Label], str]) -> list[str]:
    """Who wins where; ``+`` where a head ties."""
    rows = []
    for line in range(HEIGHT):
        y = (HEIGHT // 2 - line) * 2 * STEP  # a character is about twice as high as wide
        row = ""
        for column in range(WIDTH):
            x = (column - WIDTH // 2) * STEP
            best = [winners(keys, biases, (x, y)) for keys, biases in heads]
            tied = any(len(found) > 1 for found in best)
            row += "+" if tied else symbol(tuple(min(found) for found in best))
        rows.append(row)
    return rows


def newton(found: Overlay) -> list[str]:
    """The sums of one key of each head at their places: letters of cells, ``.`` for the others."""
    letters = dict(zip(found.labels, CELLS, strict=False))
    marks: dict[tuple[Rational, ...], str] = {}
    for label, (*key, _) in _sums().items():
        place = tuple(key)
        if label in letters or place not in marks:
            marks[place] = letters.get(label, ".")
    low, high = ([function(place[c] for place in marks) for c in (0, 1)] for function in (min, max))
    return [
        "   ".join(marks.get((x, y), " ") for x in range(int(low[0]), int(high[0]) + 1)).rstrip()
        for y in range(int(high[1]), int(low[1]) - 1, -1)
    ]


def falsified(certificate: dict[str, Any]) -> dict[str, Any]:
    """The certificate without its last cell, the count corrected to match."""
    false = deepcopy(certificate)
    false["data"]["labels"].pop()
    false["data"]["cells"] -= 1
    return false


def run(write: Write) -> None:
    """Print heads, diagrams, overlay, the sums and the checker's answers."""
    shown = data()
    first, second = shown["heads"]
    write("Overlay and Minkowski sum (claim tropical.overlay), exactly.")
    write("")
    for name, head in zip(("A", "B"), (first, second), strict=True):
        write(f"head {name}   " + "   ".join(
            f"{j}: {point(key)} {b:+}"
            for j, (key, b) in enumerate(zip(head["keys"], head["biases"], strict=True))
        ))  # fmt: skip
    write("Key j wins at the query x where its score <key, x> + bias is the largest.")
    write("")
    write(f"{'head A':{WIDTH}}     head B")
    for left, right in zip(*shown["pictures"], strict=True):
        write(f"{left}     {right}")
    write("")
    write("Both at once. A cell is a region in which neither head changes its key.")
    for row, line in zip(shown["overlay"], _table(shown["cells"]), strict=True):
        write(f"{row}     {line}".rstrip())
    outside = [c["letter"] for c in shown["cells"] if c["letter"] not in "".join(shown["overlay"])]
    if outside:
        write(f"Outside the window: {', '.join(outside)}.")
    write("")
    query = shown["query"]
    one, two = query["best"]
    write(f"At x = {point(query['x'])} the best scores are {one} and {two}, and the best of all")
    total = query["best_sum"]
    write(f"{shown['sums']} sums of a lifted key of A and one of B is {total}: the best of a")
    write("sum is the sum of the bests. So a cell is a vertex of the Minkowski sum of the")
    write("two lifted Newton polytopes, seen from above.")
    write("")
    write("The sums of keys where they lie in the plane, letters for the cells:")
    for row in shown["newton"]:
        write(f"    {row}".rstrip())
    write("")
    write(f"  {shown['sums']:2}  combinations of a key of A and a key of B")
    write(f"  {shown['vertices']:2}  vertices of the sum of the lifted polytopes")
    write(f"  {len(shown['cells']):2}  upper vertices, which are the cells")
    write("")
    write("The certificate lists every upper facet with its exact normal; each ridge must")
    write("lie in two facets or on the border, so that no cell can be missing.")
    write(f"  the independent checker: {shown['checker']}")
    last = shown["cells"][-1]
    write(f"The same certificate without cell {last['letter']}:")
    write(f"  {shown['checker_on_falsified']}")


def _table(cells: list[dict[str, Any]]) -> list[str]:
    lines = ["cell  A B   sum of lifted keys"]
    lines += [
        f"   {cell['letter']}  {cell['label'][0]} {cell['label'][1]}   {point(cell['vertex'])}"
        for cell in cells
    ]
    return lines + [""] * (HEIGHT - len(lines))


def _overlay() -> Overlay:
    return overlay([{"keys": keys, "biases": biases} for keys, biases in HEADS])


def _sums() -> dict[Label, tuple[Rational, ...]]:
    """Label -> the sum of the lifted keys."""
    lifted = [[(*key, b) for key, b in zip(keys, biases, strict=True)] for keys, biases in HEADS]
    return {
        label: tuple(
            sum(column) for column in zip(*(lifted[h][j] for h, j in enumerate(label)), strict=True)
        )
        for label in product(*(range(len(head)) for head in lifted))
    }


def _value(lifted: tuple[Rational, ...]) -> Rational:
    return sum(a * x for a, x in zip(lifted, (*QUERY, 1), strict=True))


def _digits(label: Label) -> str:
    return str(label[0])


def _letters(found: Overlay) -> Callable[[Label], str]:
    letters = dict(zip(found.labels, CELLS, strict=False))
    return letters.__getitem__


DEMO = Demo("minkowski", "two heads overlaid, counted by a Minkowski sum, certified", run, data)
