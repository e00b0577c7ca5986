"""Demo of claim recovery.algorithm: two heads of a black box from 29 value queries, exactly.

The vectors are fixed and small, so that every number can be followed by hand; the interpolation is
the exact one over Q. The library, with vectors of its own, then finds the same heads, and the
independent checker judges its transcript.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from fractions import Fraction
from itertools import permutations
from typing import Any, TypeAlias

from ...oracle.exact import ExactOracle, exact
from ...oracle.model import Head, canonical
from ...oracle.protocol import Recorder, copies, shown
from ...oracle.recovery.assembly import assemble_forms
from ...oracle.recovery.recover import recover
from ...oracle.recovery.schedule import add, formula
from ...symbolic.interpolation.interpolant import Interpolant, evaluate
from ...symbolic.interpolation.rational import interpolate
from ...symbolic.rational import write as written
from ..certificates.recovery import certificate
from .demo import Demo, Write
from .lines import judgement, point

CLAIM = "recovery.algorithm"
HEADS = (Head(((1, 0), (1, 1)), (1, 2)), Head(((0, 1), (-1, 1)), (2, 1)))
X = ((1, 1), (0, 1))
W = ((1, 2), (2, 1))
REACH = 20
"""Scores up to this size are looked for."""

Pole: TypeAlias = tuple[int, Fraction]
"""x^T W_h w and v_h.w of one head."""


def data() -> dict[str, Any]:
    """The queries of the first pair, all pairs with their poles, the heads, the checker's words."""
    ask = Recorder(ExactOracle(HEADS))
    H = len(HEADS)
    start = _fraction(ask((X[0],)))
    pairs: dict[str, Any] = {}

    def observe(x: tuple[int, ...], w: tuple[int, ...], zero: Fraction) -> list[Pole]:
        queries = [copies(add(x, w), m, x) for m in range(1, 2 * H + 1)]
        answers = [_fraction(ask(query)) for query in queries]
        nodes = range(1, 2 * H + 1)
        values = [(answer - zero) / m for m, answer in zip(nodes, answers, strict=True)]
        function = interpolate(tuple(nodes), values, terms=H)
        found = poles(function)
        pairs[f"{point(x)} {point(w)}"] = {
            "x": list(x),
            "w": list(w),
            "queries": [shown(query) for query in queries],
            "answers": [written(answer) for answer in answers],
            "values": [written(value) for value in values],
            "numerator": [written(c) for c in function.numerator],
            "denominator": [written(c) for c in function.denominator],
            "poles": [[score, written(c)] for score, c in found],
        }
        return found

    first = observe(X[0], W[0], start)
    second = matched(first, observe(X[0], W[1], start), observe(X[0], add(*W), start), across=False)
    v = [_solve(W, [a[1], b[1]]) for a, b in zip(first, second, strict=True)]
    total = tuple(map(sum, zip(*v, strict=True)))
    rows = [[[a[0] for a in first], [b[0] for b in second]]]
    zero = _dot(total, X[1])
    lower = observe(X[1], W[0], zero)
    moved = observe(add(*X), W[0], _dot(total, add(*X)))
    left = matched(first, lower, moved, across=True)
    right = matched(left, observe(X[1], W[1], zero), observe(X[1], add(*W), zero), across=False)
    rows.append([[a[0] for a in left], [b[0] for b in right]])
    heads = canonical(
        Head(form, functional)
        for form, functional in zip(assemble_forms(X, W, rows), v, strict=True)
    )
    found = recover(ExactOracle(HEADS), heads=H)
    transcript = certificate(CLAIM, found.transcript())
    return {
        "start": written(start),
        "pairs": list(pairs.values()),
        "scores": rows,
        "residues": [[written(p[1]) for p in row] for row in (first, second)],
        "heads": [
            {"W": [[written(e) for e in row] for row in h.W], "v": [written(e) for e in h.v]}
            for h in heads
        ],
        "planted": heads == canonical(HEADS),
        "queries": ask.queries,
        "longest": ask.longest,
        "formula": formula(2, H),
        "library": found.heads == heads,
        "library_queries": found.queries,
        "certificate": transcript,
        "checker": judgement(transcript),
        "falsified": (false := falsified(transcript)),
        "checker_on_falsified": judgement(false),
    }


def poles(function: Interpolant) -> list[Pole]:
    """Score and residue at every pole -2^-score of a fraction with simple poles."""
    q = function.denominator
    slope = tuple(k * c for k, c in enumerate(q))[1:]
    found = []
    for score in range(-REACH, REACH + 1):
        place = -(Fraction(2) ** -score)
        if evaluate(q, place) == 0:
            found.append((score, evaluate(function.numerator, place) / evaluate(slope, place)))
    return found


def matched(
    known: Sequence[Pole], single: Sequence[Pole], double: Sequence[Pole], *, across: bool
) -> list[Pole]:
    """The poles of a pair in the order of the heads, told by those of the sum of two pairs.

    Raises:
        ValueError: no order fits, or several do.
    """
    fitting = []
    for order in permutations(single):
        sums = [
            (a + b, c if across else c + e) for (a, c), (b, e) in zip(known, order, strict=True)
        ]
        if sorted(sums) == sorted(double):
            fitting.append(list(order))
    if len(fitting) != 1:
        raise ValueError(f"{len(fitting)} orders of the poles fit")
    return fitting[0]


def falsified(transcript: dict[str, Any]) -> dict[str, Any]:
    """The transcript with one entry of W changed by one."""
    false = deepcopy(transcript)
    false["data"]["heads"][-1]["W"][-1][-1] += 1
    return false


def run(write: Write) -> None:
    """Print the queries, the function, its poles, the matching and the heads."""
    told = data()
    pair = told["pairs"][0]
    write("Recovery from value queries (claim recovery.algorithm), exactly.")
    write("")
    write("The black box is attention with 2 heads in the plane and weights 2^(x^T W_h y).")
    write("It is asked for sequences of tokens, and answers one number each.")
    write("")
    write(f"The last token alone: {point(X[0])}  ->  {told['start']}, the sum of all v_h.x.")
    write(f"Copies of x + w, then x, with x = {point(X[0])} and w = {point(W[0])}:")
    for m, (query, answer, value) in enumerate(
        zip(pair["queries"], pair["answers"], pair["values"], strict=True), start=1
    ):
        write(f"  {query:<24} ->  F({m}) = {answer:<10}  (F({m}) - F(0))/{m} = {value}")
    write("The fraction of degree 1 over degree 2 through these four values is")
    write(f"  ({_polynomial(pair['numerator'])}) / ({_polynomial(pair['denominator'])})")
    for score, residue in pair["poles"]:
        write(
            f"  pole at -2^{-score}, residue {residue}: "
            f"a head with x^T W w = {score}, v.w = {residue}"
        )
    write("")
    write("Other pairs show their poles too, but not which head is which. Sums tell:")
    write("  x        w        (x^T W w, v.w) of both heads")
    for each in told["pairs"]:
        listed = ", ".join(point(pole) for pole in each["poles"])
        write(f"  {point(each['x']):<8} {point(each['w']):<8} {listed}")
    write(f"At w = {point(add(*W))} scores and residues are the sums of those at {point(W[0])}")
    write(
        f"and {point(W[1])}; at x = {point(add(*X))} the scores are, and residues stay. One order"
    )
    write("fits each time:")
    for i, x in enumerate(X):
        for j, w in enumerate(W):
            write(
                f"  x = {point(x)}, w = {point(w)}:  scores of heads 1, 2 are {_both(told, i, j)}"
            )
    write("")
    write("Four scores give W_h, two residues give v_h, by linear equations:")
    for head in told["heads"]:
        rows = ", ".join(point(row) for row in head["W"])
        write(f"  W = [{rows}]   v = {point(head['v'])}")
    write(f"These {'are' if told['planted'] else 'are not'} the heads of the black box.")
    write("")
    write(
        f"{told['queries']} queries, 4 H d^2 - 2H + 1 = {told['formula']}, of at most "
        f"{told['longest']} = 2H + 1 tokens."
    )
    write(
        f"The library, with vectors of its own: {told['library_queries']} queries, "
        f"{'the same heads' if told['library'] else 'other heads'}."
    )
    write(f"Its transcript before the independent checker: {told['checker']}")
    write("With an entry of W changed by one:")
    write(f"  {told['checker_on_falsified']}")


def _both(told: dict[str, Any], i: int, j: int) -> str:
    return " and ".join(map(str, told["scores"][i][j]))


def _polynomial(coefficients: Sequence[int | str]) -> str:
    """In descending order, as one writes it."""
    terms = []
    for k in range(len(coefficients) - 1, -1, -1):
        c = coefficients[k]
        if c != 0:
            power = "m" if k == 1 else f"m^{k}"
            terms.append(str(c) if not k else power if c == 1 else f"{c} {power}")
    return " + ".join(terms) or "0"


def _solve(rows: Sequence[Sequence[int]], right: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Cramer's rule for two equations."""
    (a, b), (c, d) = rows
    p, q = right
    determinant = a * d - b * c
    return (p * d - b * q) / Fraction(determinant), (a * q - p * c) / Fraction(determinant)


def _dot(left: Sequence[Fraction | int], right: Sequence[int]) -> Fraction:
    return sum((Fraction(a) * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _fraction(answer: object) -> Fraction:
    value = exact(answer)
    return Fraction(int(value.p), int(value.q))


DEMO = Demo("recovery", "two heads of a black box from 29 value queries, certified", run, data)
