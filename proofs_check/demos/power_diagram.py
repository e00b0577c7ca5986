"""Demo of claim tropical.power-diagram: a head in the plane is a power diagram of its keys."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...symbolic.rational import write as exact
from ...symbolic.tropical.power_diagram import (
    nearest,
    power_distances,
    power_weights,
    scores,
    winners,
)
from .demo import Demo, Write
from .lines import point

KEYS = ((-2, -1), (2, -1), (0, 2), (0, 0), (3, 3))
BIASES = (0, 1, 0, 3, -6)
POINTS = ((0, 0), (3, 0), (-4, 1), (1, 4), (Fraction(1, 2), -2), (Fraction(2), Fraction(1)))
STEP = Fraction(1, 4)
WIDTH, HEIGHT = 61, 25
LETTERS = "abcde"


def data() -> dict[str, Any]:
    """Keys, weights, both sides of the claim at sample points, and the picture's rows."""
    weights = power_weights(KEYS, BIASES)
    samples = []
    for x in POINTS:
        samples.append(
            {
                "x": [exact(c) for c in x],
                "scores": [exact(s) for s in scores(KEYS, BIASES, x)],
                "power_distances": [exact(p) for p in power_distances(KEYS, weights, x)],
                "argmax": sorted(winners(KEYS, BIASES, x)),
                "argmin": sorted(nearest(KEYS, weights, x)),
            }
        )
    return {
        "keys": [list(key) for key in KEYS],
        "biases": list(BIASES),
        "power_weights": [exact(w) for w in weights],
        "samples": samples,
        "picture": picture(),
    }


def picture() -> list[str]:
    """The diagram in characters, decided exactly at the centre of every character.

    A letter is the key that wins there, ``+`` a tie; a capital letter marks the key itself.
    """
    marks = {
        (Fraction(a), Fraction(b)): letter.upper()
        for letter, (a, b) in zip(LETTERS, KEYS, strict=True)
    }
    half_width, half_height = WIDTH // 2, HEIGHT // 2
    rows = []
    for line in range(HEIGHT):
        y = (half_height - line) * 2 * STEP  # a character is about twice as high as wide
        row = ""
        for column in range(WIDTH):
            x = (column - half_width) * STEP
            best = winners(KEYS, BIASES, (x, y))
            letter = LETTERS[min(best)] if len(best) == 1 else "+"
            row += marks.get((x, y), letter)
        rows.append(row)
    return rows


def run(write: Write) -> None:
    """Print the head, the samples and the picture."""
    shown = data()
    write("Power diagram (claim tropical.power-diagram), exactly.")
    write("")
    write("key  kappa      b   w = |kappa|^2 + 2 b")
    for letter, key, b, w in zip(
        LETTERS, shown["keys"], shown["biases"], shown["power_weights"], strict=True
    ):
        write(f"  {letter}  {point(key):9} {b:2}   {w}")
    write("")
    write("x            argmax <kappa, x> + b     argmin |x - kappa|^2 - w")
    for sample in shown["samples"]:
        argmax, argmin = (_letters(sample[side]) for side in ("argmax", "argmin"))
        top = max(Fraction(s) for s in sample["scores"])
        least = min(Fraction(p) for p in sample["power_distances"])
        same = "same" if argmax == argmin else "DIFFERENT"
        write(f"{point(sample['x']):12} {argmax:8} at {top!s:13} {argmin:8} at {least!s:7} {same}")
    write("")
    write(f"Who wins where, one character for {STEP} by {2 * STEP}; capitals: the keys; +: a tie.")
    write("A key need not lie in its own cell.")
    for row in shown["picture"]:
        write("  " + row)


def _letters(indices: list[int]) -> str:
    return " ".join(LETTERS[j] for j in indices)


DEMO = Demo("power-diagram", "a head in the plane is the power diagram of its keys", run, data)
