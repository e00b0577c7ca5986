"""Heads on a fixed design as formulas: the checker recomputes every number from frames and points.

`F` holds for each head mutually orthogonal vectors that span its subspace, `X` the points, and the
kernel is 2^(-s |Pi x|^2) at the query 0.
"""

from __future__ import annotations

from typing import Any

from ....symbolic.ensemble.counterexamples import Pair
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    equal,
    every,
    forall,
    implies,
    length,
    number,
    sum_over,
    var,
)

S = var("s")
N, D = length("X"), length("X", 0)


def _inner(F: str, h: Expression, a: Expression, g: Expression, b: Expression) -> Expression:
    return sum_over("c", D, at(F, h, a, var("c")) * at(F, g, b, var("c")))


def orthogonal(F: str) -> Condition:
    """The vectors of a head are mutually orthogonal and not 0; all heads have as many."""
    h, a, b = var("h"), var("a"), var("b")
    return forall(
        "h",
        length(F),
        every(
            equal(length(F, h), length(F, 0)),
            forall(
                "a",
                length(F, 0),
                every(
                    _inner(F, h, a, h, a) > 0,
                    forall("b", a, equal(_inner(F, h, a, h, b), 0)),
                ),
            ),
        ),
    )


def diversity(F: str) -> Expression:
    """HDI of the heads: the overlap tr(Pi_h Pi_g) is a sum of <p, q>^2/(|p|^2 |q|^2)."""
    h, g, a, b = (var(name) for name in "hgab")
    H, k = length(F), length(F, 0)
    norms = _inner(F, h, a, h, a) * _inner(F, g, b, g, b)
    overlap = sum_over("a", k, sum_over("b", k, _inner(F, h, a, g, b) ** 2 / norms))
    return 1 - 2 * sum_over("h", H, sum_over("g", h, overlap)) / (H * (H - 1) * k)


def kernel(F: str, j: str) -> Expression:
    """2^(-s |Pi_h x_j|^2), for the head `h`."""
    h, a = var("h"), var("a")
    share = sum_over("c", D, at(F, h, a, var("c")) * at("X", var(j), var("c")))
    square = sum_over("a", length(F, 0), share**2 / _inner(F, h, a, h, a))
    return number(2) ** -(S * square)


def noise_error(F: str) -> Expression:
    """The mean squared error at sigma^2 = 1 and a constant f: |mean weights|^2."""
    mean = sum_over("h", length(F), kernel(F, "j") / sum_over("i", N, kernel(F, "i"))) / length(F)
    return sum_over("j", N, mean**2)


def isotropic() -> Condition:
    """The points have mean 0 and a second moment that is a multiple of the identity."""

    def moment(c: Expression, e: Expression) -> Expression:
        return sum_over("j", N, at("X", var("j"), c) * at("X", var("j"), e))

    c, e, zero = var("p"), var("q"), number(0)
    return forall(
        "p",
        D,
        every(
            equal(sum_over("j", N, at("X", var("j"), c)), 0),
            equal(moment(c, c), moment(zero, zero)),
            forall("q", c, equal(moment(c, e), 0)),
        ),
    )


def monotone(*, centred: bool) -> Condition:
    """Among heads of one number and dimension on one design: HDI decides, more of it is better.

    `u` and `v` are HDI and error of the ensemble `F`, `w` and `z` those of `G`.
    """
    same = every(equal(length("F"), length("G")), equal(length("F", 0), length("G", 0)))
    meant = every(
        equal(diversity("F"), var("u")),
        equal(noise_error("F"), var("v")),
        equal(diversity("G"), var("w")),
        equal(noise_error("G"), var("z")),
    )
    given = [same, orthogonal("F"), orthogonal("G"), meant, var("u") <= var("w")]
    if centred:
        given.append(isotropic())
    equals = implies(equal(var("u"), var("w")), equal(var("v"), var("z")))
    return implies(every(*given), every(equals, implies(var("u") < var("w"), var("z") < var("v"))))


def instance(pair: Pair) -> dict[str, Any]:
    """Two ensembles on one design, with what is said of them."""
    (u, w), (v, z) = pair.indices, pair.errors
    return {
        "X": [list(point) for point in pair.points],
        "F": [[list(vector) for vector in head] for head in pair.one],
        "G": [[list(vector) for vector in head] for head in pair.other],
        "s": pair.scale,
        "u": u,
        "v": v,
        "w": w,
        "z": z,
    }
