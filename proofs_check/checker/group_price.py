"""Kind group, statement price: the cheapest type that covers every stratum (CERTIFICATES.md)."""

from __future__ import annotations

from collections import Counter

from .budget import Budget, Rational
from .errors import Rejected, Unreadable, show
from .fields import Json, index, integer, items, members, vector
from .finite_group import Classes, read_group
from .group_action import Action, realised
from .group_heads import positions

Cut = tuple[frozenset[int], int]
"""The classes that map onto one of some orbits, and how many orbits these are."""


def check(data: dict[str, Json], budget: Budget) -> None:
    """Check covering types and that none is cheaper.

    Raises:
        Rejected: a stratum is not covered, or a cheaper type is not excluded.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("statement", "group", "classes", "cases"), ("rho", "out"))
    group = read_group(parts["group"], budget)
    classes = Classes(group, parts["classes"])
    allowed = list(range(len(classes.subgroups)))
    if ("rho" in parts) != ("out" in parts):
        raise Unreadable("data: expected both rho and out, or neither")
    if "rho" in parts:
        rho, out = Action(group, parts["rho"], "rho"), Action(group, parts["out"], "out")
        allowed = realised(classes.subgroups, classes.everything, rho, out)
    sizes = [
        _case(case, classes, allowed, f"cases[{k}]", budget)
        for k, case in enumerate(items(parts["cases"], "cases", least=1))
    ]
    if len(set(sizes)) < len(sizes):
        raise Rejected("cases: a size stands twice")


def _case(case: Json, classes: Classes, allowed: list[int], where: str, budget: Budget) -> int:
    fields = members(case, where, ("size", "type", "price", "strata", "cuts", "proof"))
    size = integer(fields["size"], f"{where}.size", 1, 1000)
    architecture = classes.read_type(fields["type"], f"{where}.type")
    price = integer(fields["price"], f"{where}.price", 0)
    if price != classes.size(architecture):
        raise Rejected(f"{where}.price: {show(price)} stated, {classes.size(architecture)} counted")
    wanted = classes.types(size, allowed)
    seen = {
        _covered(stratum, Counter(architecture), classes, f"{where}.strata[{k}]", budget)
        for k, stratum in enumerate(items(fields["strata"], f"{where}.strata"))
    }
    if len(seen) < len(fields["strata"]):
        raise Rejected(f"{where}.strata: a stratum stands twice")
    if seen != wanted:
        other = min(seen ^ wanted)
        raise Rejected(f"{where}.strata: {list(other)} is missing, or no stratum of size {size}")
    cuts = [
        _cut(cut, wanted, classes, f"{where}.cuts[{k}]")
        for k, cut in enumerate(items(fields["cuts"], f"{where}.cuts"))
    ]
    width = len(classes.subgroups)
    low, high = [0] * width, [None] * width
    _prove(fields["proof"], price, cuts, classes, low, list(high), f"{where}.proof", budget)
    return size


def _covered(
    value: Json, available: Counter[int], classes: Classes, where: str, budget: Budget
) -> tuple[int, ...]:
    """A stratum whose orbits have different orbits of the type above them."""
    fields = members(value, where, ("orbits", "matched"))
    stratum = classes.read_type(fields["orbits"], f"{where}.orbits")
    matched = [
        index(k, f"{where}.matched[{n}]", len(classes.subgroups), "class")
        for n, k in enumerate(items(fields["matched"], f"{where}.matched"))
    ]
    budget.spend(5 + 2 * len(stratum))
    if len(matched) != len(stratum):
        raise Unreadable(f"{where}.matched: expected {len(stratum)} classes, found {len(matched)}")
    for k, c in zip(matched, stratum, strict=True):
        if not classes.maps_onto(k, c):
            raise Rejected(f"{where}: an orbit of class {k} does not map onto one of class {c}")
    if any(times > available[k] for k, times in Counter(matched).items()):
        raise Rejected(f"{where}.matched: more orbits of a class than the type has")
    return stratum


def _cut(value: Json, strata: set[tuple[int, ...]], classes: Classes, where: str) -> Cut:
    fields = members(value, where, ("stratum", "orbits"))
    stratum = classes.read_type(fields["stratum"], f"{where}.stratum")
    if stratum not in strata:
        raise Rejected(f"{where}.stratum: none of the strata")
    chosen = positions(fields["orbits"], len(stratum), f"{where}.orbits")
    classes.group.budget.spend(1 + len(chosen) * len(classes.subgroups))
    above = (
        k
        for k in range(len(classes.subgroups))
        if any(classes.maps_onto(k, stratum[a]) for a in chosen)
    )
    return frozenset(above), len(chosen)


def _prove(
    value: Json,
    price: int,
    cuts: list[Cut],
    classes: Classes,
    low: list[int],
    high: list[int | None],
    where: str,
    budget: Budget,
) -> None:
    budget.spend(5 + len(classes.subgroups) * (1 + len(cuts)))
    if type(value) is dict:
        fields = members(value, where, ("class", "at_most", "low", "high"))
        c = index(fields["class"], f"{where}.class", len(low), "class")
        at_most = integer(fields["at_most"], f"{where}.at_most", 0)
        below, above = list(high), list(low)
        below[c], above[c] = at_most, at_most + 1
        _prove(fields["low"], price, cuts, classes, low, below, f"{where}.low", budget)
        _prove(fields["high"], price, cuts, classes, above, high, f"{where}.high", budget)
        return
    multipliers = vector(value, where, len(cuts))
    if any(y < 0 for y in multipliers):
        raise Rejected(f"{where}: a multiplier is negative")
    total: Rational = sum(y * least for y, (_, least) in zip(multipliers, cuts, strict=True))
    for c, cost in enumerate(classes.indices):
        rest: Rational = cost - sum(
            y for y, (reach, _) in zip(multipliers, cuts, strict=True) if c in reach
        )
        top = high[c]
        if rest >= 0:
            total += rest * low[c]
        elif top is not None:
            total += rest * top
        else:
            raise Rejected(f"{where}: the multipliers bound nothing, by class {c}")
        budget.sized(total)
    if total <= price - 1:
        raise Rejected(f"{where}: a type of {price - 1} heads is not excluded")
