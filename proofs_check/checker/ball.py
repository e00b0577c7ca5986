"""Kind ball: an expression lies in an interval on a whole box (CERTIFICATES.md, ball).

Interval arithmetic loses the dependence between repeated variables; the subdivision tree, found
by the search, makes the parts small enough, and the mean value form narrows them further where the
expression is monotone or nearly linear. Checking costs one evaluation for every leaf, and for a
leaf of the mean value form one for every coordinate besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import count
from typing import Any, TypeAlias

from .budget import Budget, Rational
from .errors import Rejected, Unreadable, show
from .fields import Json, index, items, members, name
from .formula import Term, digits, evaluate
from .gradients import Graded, Gradients, Slopes
from .intervals import Interval, Intervals
from .rationals import parse
from .translator import Translator
from .values import Value, interval, named, number, ranks

Box: TypeAlias = dict[str, Value]


def check(data: Json, budget: Budget) -> None:
    """Check the data of a ball certificate.

    Raises:
        Rejected: the enclosure is not confirmed on some part of the box.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("expression", "box", "enclosure", "digits"), ("given", "tree"))
    arithmetic = digits(parts["digits"], budget)
    low, high = _enclosure(parts["enclosure"])
    box = named(parts["box"], "box", interval)
    given = named(parts.get("given", {}), "given", number)
    if not box:
        raise Unreadable("box: it has no variable")
    if set(box) & set(given):
        raise Unreadable(f"given: {min(set(box) & set(given))!r} is a variable of the box")
    names = ranks(box) | ranks(given)
    translator = Translator(names, budget, arithmetic, frozenset(box))
    expression = translator.number(parts["expression"], "expression")
    unused = sorted((set(box) | set(given)) - translator.used)
    if unused:
        raise Unreadable(f"{unused[0]!r} does not occur in the expression")
    gradients = Gradients(arithmetic)
    graded = Translator(names, budget, gradients, frozenset(box)).number(
        parts["expression"], "expression"
    )

    def values(part: Box, where: str) -> Interval:
        """An enclosure of the expression on a part."""
        budget.spend(10 + len(box) + len(given))
        enclosed: Box = {key: _enclose(part[key], arithmetic) for key in part}
        found: Interval = _evaluated(expression, given | enclosed, arithmetic, where)
        return found

    def confirm(part: Box, where: str) -> None:
        a, b = values(part, where)
        if low is not None and not low <= Fraction(a):
            raise _undecided(where, arithmetic, a, "<", low)
        if high is not None and not Fraction(b) <= high:
            raise _undecided(where, arithmetic, b, ">", high)

    def graded_values(part: Box, where: str) -> Graded:
        """An enclosure of the expression on a part, and of its derivatives."""
        budget.spend(10 + len(box) + len(given))
        numbers = count()
        marked: Box = {key: _mark(part[key], gradients, arithmetic, numbers) for key in part}
        if graded.exact:
            return _evaluated(expression, given | part, arithmetic, where), {}
        found: Graded = _evaluated(graded, given | marked, None, where)
        return found

    def confirm_mean(part: Box, where: str) -> None:
        """The mean value form: one end after the other, each on a face of its own."""
        for end, sign in ((low, 1), (high, -1)):
            if end is None:
                continue
            face, (_, slopes), put = part, graded_values(part, where), True
            while put:
                face, put = _face(face, slopes, sign)
                plain, slopes = graded_values(face, where)
            middle, slack = _middle(face, slopes, arithmetic)
            a, b = arithmetic.add(values(middle, where), (slack.copy_negate(), slack))
            if sign > 0 and not end <= Fraction(max(a, plain[0])):
                raise _undecided(where, arithmetic, max(a, plain[0]), "<", end)
            if sign < 0 and not Fraction(min(b, plain[1])) <= end:
                raise _undecided(where, arithmetic, min(b, plain[1]), ">", end)

    def descend(tree: Json, part: Box, where: str) -> None:
        if tree is None:
            confirm(part, where)
            return
        if tree == "mean":
            confirm_mean(part, where)
            return
        fields = members(tree, where, ("split", "at", "below", "above"))
        path = items(fields["split"], f"{where}.split", least=1)
        at = parse(fields["at"], f"{where}.at")
        for side in ("below", "above"):
            budget.spend(1 + len(part) // 8)
            half = _half(part, path, at, side == "below", f"{where}.split", budget)
            descend(fields[side], half, f"{where}.{side}")

    descend(parts.get("tree"), box, "tree")


def _enclosure(value: Json) -> tuple[Rational | None, Rational | None]:
    ends = items(value, "enclosure")
    if len(ends) != 2 or ends == [None, None]:
        raise Unreadable("enclosure: expected [lower, upper], one of them perhaps null")
    low, high = (None if e is None else parse(e, f"enclosure[{k}]") for k, e in enumerate(ends))
    if low is not None and high is not None and low > high:
        raise Rejected("enclosure: it is empty")
    return low, high


def _enclose(value: Value, arithmetic: Intervals) -> Value:
    if type(value) is list:
        return [_enclose(row, arithmetic) for row in value]
    return arithmetic.enclose(value[0])[0], arithmetic.enclose(value[1])[1]


def _half(box: Box, path: list[Json], at: Rational, below: bool, where: str, budget: Budget) -> Box:
    """One closed half of a part; only the lists along the path are copied."""
    key = name(path[0], where)
    if key not in box:
        raise Unreadable(f"{where}: {key!r} is no variable of the box")
    result = dict(box)

    def replaced(value: Value, rest: list[Json]) -> Value:
        if type(value) is not list:
            if rest:
                raise Unreadable(f"{where}: too many indices")
            low, high = value
            if not low < at < high:
                raise Rejected(f"{where}: {show(at)} is not between {show(low)} and {show(high)}")
            return (low, at) if below else (at, high)
        if not rest:
            raise Unreadable(f"{where}: too few indices")
        i = index(rest[0], where, len(value), "entry")
        budget.spend(1 + len(value) // 8)
        return [*value[:i], replaced(value[i], rest[1:]), *value[i + 1 :]]

    result[key] = replaced(box[key], path[1:])
    return result


def _evaluated(term: Term, env: Box, arithmetic: Intervals | None, where: str) -> Any:
    """The value of a term; an exact one is enclosed."""
    try:
        value = evaluate(term.at, env)
    except Rejected as rejected:
        raise Rejected(f"{where}: {rejected}") from None
    return arithmetic.enclose(value) if term.exact and arithmetic else value


def _mark(value: Value, gradients: Gradients, arithmetic: Intervals, numbers: Iterator[int]) -> Any:
    """The entries of a part as coordinates, numbered in order."""
    if type(value) is list:
        return [_mark(row, gradients, arithmetic, numbers) for row in value]
    return gradients.coordinate(_enclose(value, arithmetic), next(numbers))


def _face(part: Box, slopes: Slopes, sign: int) -> tuple[Box, bool]:
    """The part with each coordinate in which the expression is monotone put to its better end.

    That is where the expression is least (sign 1) or largest (sign -1). And whether any was put.
    """
    numbers, put = count(), False

    def placed(value: Value) -> Value:
        nonlocal put
        if type(value) is list:
            return [placed(row) for row in value]
        a, b = value
        below, above = slopes.get(next(numbers), (Decimal(0), Decimal(0)))
        if a == b or below < 0 < above:
            return value
        put = True
        end = a if (below >= 0) == (sign > 0) else b
        return end, end

    return {key: placed(part[key]) for key in part}, put


def _middle(part: Box, slopes: Slopes, arithmetic: Intervals) -> tuple[Box, Decimal]:
    """The midpoint of a part, and how far the value elsewhere may be off."""
    numbers, slack = count(), (Decimal(0), Decimal(0))

    def placed(value: Value) -> Value:
        nonlocal slack
        if type(value) is list:
            return [placed(row) for row in value]
        a, b = value
        below, above = slopes.get(next(numbers), (Decimal(0), Decimal(0)))
        steepest = max(below.copy_abs(), above.copy_abs())
        radius = arithmetic.enclose(Fraction(b - a) / 2)
        slack = arithmetic.add(slack, arithmetic.multiply((steepest, steepest), radius))
        middle = Fraction(a + b) / 2
        return middle, middle

    return {key: placed(part[key]) for key in part}, slack[1]


def _undecided(
    where: str, arithmetic: Intervals, found: Decimal, relation: str, end: Rational
) -> Rejected:
    shown = f"{found:.12g}" if found else "0"
    return Rejected(
        f"{where}: undecided at {arithmetic.digits} digits: {shown} {relation} {show(end)}"
    )
