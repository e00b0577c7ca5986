"""Kind exhaustive: every instance of a finite family is checked (CERTIFICATES.md, exhaustive)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .budget import Budget
from .errors import Rejected, Unreadable, show
from .families import Grid, Key, Listed, family, identity
from .fields import Json, count, items, members, name
from .formula import digits, evaluate, weight
from .translator import Translator
from .values import named, number

Check = Callable[[Json, Budget], None]


def check(data: Json, budget: Budget, kinds: Mapping[str, Check]) -> None:
    """Check the data of an exhaustive certificate.

    Args:
        data: as read.
        budget: what it may cost.
        kinds: the kinds that a case may have.

    Raises:
        Rejected: an instance is missing, or the statement is not shown for one.
        Unreadable: it is malformed or too large.
    """
    if type(data) is dict and "each" in data:
        parts = members(data, "data", ("family", "count", "each", "cases"))
        whole = family(parts["family"], budget)
        _check_cases(parts, whole, budget, kinds)
    else:
        parts = members(data, "data", ("family", "count", "formula"), ("digits",))
        whole = family(parts["family"], budget)
        _check_formula(parts, whole, budget)
    count(parts, len(whole), "instances")


def _check_formula(parts: dict[str, Json], whole: Grid | Listed, budget: Budget) -> None:
    arithmetic = digits(parts["digits"], budget) if "digits" in parts else None
    translator = Translator(whole.ranks, budget, arithmetic)
    formula = translator.condition(parts["formula"], "formula")
    unused = sorted(set(whole.ranks) - translator.used)
    if unused:
        raise Unreadable(f"family: {unused[0]!r} does not occur in the formula")
    if weight(parts["formula"]) * len(whole) > budget.left:
        raise Unreadable("too large: the formula at every instance takes too many steps")
    for instance in whole:
        budget.spend(5)
        try:
            truth = evaluate(formula, instance)
            if truth is None:
                assert arithmetic is not None
                raise arithmetic.undecided("whether the formula is true")
        except Rejected as rejected:
            raise Rejected(f"at {_text(instance)}: {rejected}") from None
        if not truth:
            raise Rejected(f"the formula is false at {_text(instance)}")


def _check_cases(
    parts: dict[str, Json], whole: Grid | Listed, budget: Budget, kinds: Mapping[str, Check]
) -> None:
    each = members(parts["each"], "each", ("kind", "bind"))
    kind = each["kind"]
    if type(kind) is not str or kind not in kinds:
        raise Unreadable(f"each.kind: expected one of {', '.join(kinds)}, found {show(kind)}")
    bind = each["bind"]
    if type(bind) is not dict or {name(v, "each.bind") for v in bind.values()} != set(whole.ranks):
        raise Unreadable("each.bind: expected the variables of the family, every one of them")
    seen: set[Key] = set()
    for k, case in enumerate(items(parts["cases"], "cases")):
        here = f"cases[{k}]"
        budget.spend(20)
        fields = members(case, here, ("instance", "data"))
        instance = named(fields["instance"], f"{here}.instance", number)
        if instance not in whole:
            raise Rejected(f"{here}: the instance is none of the family")
        key = identity(instance)
        if key in seen:
            raise Rejected(f"{here}: the instance stands in an earlier case already")
        seen.add(key)
        inner = fields["data"]
        if type(inner) is not dict:
            raise Unreadable(f"{here}.data: expected an object, found {show(inner)}")
        if set(inner) & set(bind):
            raise Unreadable(
                f"{here}.data: {min(set(inner) & set(bind))!r} comes from the instance"
            )
        completed = inner | {target: fields["instance"][v] for target, v in bind.items()}
        try:
            kinds[kind](completed, budget)
        except Rejected as rejected:
            raise Rejected(f"{here}: {rejected}") from None
        except Unreadable as unreadable:
            raise Unreadable(f"{here}: {unreadable}") from None
    if len(seen) != len(whole):
        raise Rejected(f"cases: {len(seen)} instances, the family has {len(whole)}")


def _text(instance: dict[str, Json]) -> str:
    text = ", ".join(f"{key} = {_plain(value)}" for key, value in instance.items())
    return text if len(text) <= 300 else f"{text[:300]}..."


def _plain(value: Json) -> str:
    if type(value) is list:
        return f"[{', '.join(map(_plain, value[:20]))}{', ...' if len(value) > 20 else ''}]"
    return show(value)
