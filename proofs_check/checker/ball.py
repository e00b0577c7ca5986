"""Kind ball: an expression lies in an interval on a whole box (CERTIFICATES.md, ball).

Interval arithmetic loses the dependence between repeated variables; the subdivision tree, found
by the search, makes the parts small enough. Checking costs one evaluation for every leaf.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from .budget import Budget, Rational
from .errors import Rejected, Unreadable, show
from .fields import Json, index, items, members, name
from .formula import digits, evaluate
from .intervals import Intervals
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
    translator = Translator(ranks(box) | ranks(given), budget, arithmetic, frozenset(box))
    expression = translator.number(parts["expression"], "expression")
    unused = sorted((set(box) | set(given)) - translator.used)
    if unused:
        raise Unreadable(f"{unused[0]!r} does not occur in the expression")

    def confirm(part: Box, where: str) -> None:
        budget.spend(10 + len(box) + len(given))
        enclosed: dict[str, Value] = {key: _enclose(part[key], arithmetic) for key in part}
        try:
            value = evaluate(expression.at, given | enclosed)
        except Rejected as rejected:
            raise Rejected(f"{where}: {rejected}") from None
        a, b = (value, value) if expression.exact else value
        if low is not None and not low <= _exactly(a):
            raise Rejected(
                f"{where}: undecided at {arithmetic.digits} digits: {_text(a)} < {show(low)}"
            )
        if high is not None and not _exactly(b) <= high:
            raise Rejected(
                f"{where}: undecided at {arithmetic.digits} digits: {_text(b)} > {show(high)}"
            )

    def descend(tree: Json, part: Box, where: str) -> None:
        if tree is None:
            confirm(part, where)
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


def _exactly(value: Rational | Decimal) -> Rational:
    return Fraction(value) if isinstance(value, Decimal) else value


def _text(value: Rational | Decimal) -> str:
    if isinstance(value, Decimal):
        return f"{value:.12g}" if value else "0"
    return show(value)
