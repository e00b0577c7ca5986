"""The certificate of a head budget: where the minimiser lies, and that an integer is best (B7).

With phi(t) = (alpha + log C) t + log(1 + t log C) - log M, an increasing function, phi <= 0 at the
lower and phi >= 0 at the upper end of the stated interval. No other candidate has a lesser error
than the stated optimum. The candidates are the integers from floor to ceiling, beyond which the
error increases (claim B7), and for divisors the nearest ones on both sides. A divisor far above
the minimiser, where the error is astronomical, is represented by a nearer integer that is no
better than the optimum either: the error is convex.
"""

from __future__ import annotations

from ...symbolic.ensemble.allocation import Allocation
from ...symbolic.ensemble.budget import Law
from ..evidence import Certificate
from . import exhaustive
from .arrays import Array
from .exhaustive import Listed
from .formula import Expression, at, every, exp, forall, length, log, number, var

DIGITS = 60
_PLACES = 30
_WRITTEN = 1000
"""Powers beyond are written by exp and log."""


def certificate(found: Allocation) -> Certificate:
    """Write it: kind exhaustive, a family of one instance.

    Example:
        >>> from headproof.symbolic.ensemble.allocation import head_budget
        >>> certificate(head_budget(n=100, D=12, alpha=1, C="e"))["kind"]
        'exhaustive'
    """
    law = found.law
    shown = found.minimiser.rounded(_PLACES)
    growth = exp(number(1)) if law.C == "e" else var("C")
    instance: dict[str, Array] = {
        "A": law.A,
        "alpha": law.alpha.value,
        "s": law.scale,
        "lower": shown.lower,
        "upper": shown.upper,
    }
    if law.C != "e":
        instance["C"] = law.C
    rate = log(var("alpha")) if law.alpha.logarithm else var("alpha")

    def phi(t: Expression) -> Expression:
        g = log(growth)
        return (rate + g) * t + log(1 + g * t) - log(rate * var("A") / var("s"))

    def error(x: Expression, *, written: bool) -> Expression:
        exact = law.alpha.logarithm and written
        bias = var("alpha") ** -x if exact else exp(-rate * x)
        return var("A") * bias + var("s") * x * (growth**x if written else exp(log(growth) * x))

    conditions = [phi(var("lower")) <= 0, phi(var("upper")) >= 0]
    chosen = {
        "best": (found.best[0], _candidates(law, found.d_model)),
        "divisor": (found.best_divisors[0], _around(law, found.d_model)),
    }
    for name, (best, candidates) in chosen.items():
        rest = set(candidates) - {best}
        others = sorted({law.outdone(best, x) if x > best else x for x in rest})
        if others:  # an enclosure cannot be compared with itself
            rivals = f"{name}_others"
            instance |= {name: best, rivals: others}
            written = max(best, *others) <= _WRITTEN
            mine, theirs = (error(x, written=written) for x in (var(name), at(rivals, var("i"))))
            each = mine <= theirs
            conditions.append(forall("i", length(rivals), each))
    family = Listed([instance])
    digits = min(1000, DIGITS + _extra(law, int(shown.upper)))
    return exhaustive.certificate("ensemble.budget", family, every(*conditions), digits=digits)


def _extra(law: Law, minimiser: int) -> int:
    """Digits that log C loses next to 1, and those before the point of the minimiser."""
    near = 1 if law.C == "e" else int(1 / (law.C - 1))
    return len(str(near)) + len(str(minimiser)) - 2


def _candidates(law: Law, most: int | None) -> set[int]:
    """The integers from floor to ceiling, within 1..min(D, most)."""
    top = law.D if most is None else min(law.D, most)
    low, high = law.around
    return {min(max(1, x), top) for x in range(low, high + 1)}


def _around(law: Law, most: int | None) -> set[int]:
    """The divisors next to the minimiser on both sides."""
    top = law.D if most is None else min(law.D, most)
    low, high = law.around
    found = [x for x in law.divisors if x <= top]
    between = {x for x in found if low < x < high}
    return between | {*[x for x in found if x <= low][-1:], *[x for x in found if x >= high][:1]}
