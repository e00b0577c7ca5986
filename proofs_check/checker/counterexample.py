"""Kind counterexample: a formula is false at an instance (CERTIFICATES.md, counterexample)."""

from __future__ import annotations

from .budget import Budget
from .errors import Rejected, Unreadable
from .fields import Json, members
from .formula import digits, evaluate
from .translator import Translator
from .values import named, number, ranks


def check(data: Json, budget: Budget) -> None:
    """Check the data of a counterexample.

    Raises:
        Rejected: the formula is true at the instance, has no value there, or is undecided.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("formula", "instance"), ("digits",))
    arithmetic = digits(parts["digits"], budget) if "digits" in parts else None
    instance = named(parts["instance"], "instance", number)
    translator = Translator(ranks(instance), budget, arithmetic)
    formula = translator.condition(parts["formula"], "formula")
    unused = sorted(set(instance) - translator.used)
    if unused:
        raise Unreadable(f"instance: {unused[0]!r} does not occur in the formula")
    truth = evaluate(formula, instance)
    if truth is None:
        assert arithmetic is not None
        raise arithmetic.undecided("whether the formula is false at the instance")
    if truth:
        raise Rejected("the formula is true at the instance")
