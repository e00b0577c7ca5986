"""The usual outcomes: from a derivation, a search, or a comparison of two implementations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from ..symbolic.derivations.derivation import Derivation
from ..symbolic.errors import HeadproofError
from .evidence import Certificate, Finding, Json, Outcome
from .search import SearchResult

Case = TypeVar("Case")


def derived(derivation: Derivation, *conclusions: str) -> Outcome:
    """The outcome of a derivation, for a statement that is some of its conclusions.

    Args:
        derivation: decided step by step when it was built.
        conclusions: the names of the conclusions that together are the statement.

    Raises:
        KeyError: the derivation has no conclusion of that name.
    """
    shown = [derivation.conclusion(name) for name in conclusions]
    # What another conclusion says about every size makes this one no more general.
    named = {name: derivation.conclusions[name] for name in conclusions}
    derivation = replace(derivation, conclusions=named)
    sizes = ", ".join(str(size) for size in derivation.sizes)
    return Outcome(
        Finding.HOLDS,
        scope=f"every {sizes}" if sizes else "one size",
        general=derivation.general,
        argued=derivation.argued,
        numbers={"steps": len(derivation.steps), "symbols": sizes},
        detail="\n".join(str(statement) for statement in shown),
    )


def searched(
    result: SearchResult[Case],
    what: str,
    refutation: Callable[[Case], Mapping[str, Certificate]],
) -> Outcome:
    """The outcome of a property search.

    Args:
        result: of the search.
        what: what was drawn.
        refutation: certificates that a case violates the property.

    Raises:
        HeadproofError: the search did not come to an end; nothing was found out.
    """
    if result.raised is not None:
        raise HeadproofError(f"{result.message}\n{result.raised.traceback}")
    numbers: dict[str, Json] = {"cases": result.cases, "seed": result.seed}
    scope = f"search over {what}"
    if result.counterexample is None:
        return Outcome(Finding.HOLDS, scope, numbers=numbers, detail=result.message)
    return Outcome(
        Finding.VIOLATED,
        scope,
        certificates=refutation(result.counterexample),
        numbers=numbers,
        detail=f"{result.message}: {result.counterexample}",
    )


def compared(worst: Fraction | float, cases: int, what: str, bound: str, **numbers: Any) -> Outcome:
    """The outcome of comparing two implementations of the same quantity.

    A disagreement is no counterexample to the statement: it has no certificate, and the verdict
    becomes `failed`.

    Args:
        worst: the largest ratio of a deviation to its error bound: at most 1 if they agree.
        cases: how many values were compared; at least one.
        what: what was compared with what.
        bound: the error bound, in words.
        numbers: more for the table.
    """
    agrees = cases > 0 and worst <= 1
    return Outcome(
        Finding.HOLDS if agrees else Finding.VIOLATED,
        scope=what,
        numbers={
            "cases": cases,
            "largest deviation / bound": f"{float(worst):.3g}",
            "error bound": bound,
            **numbers,
        },
    )
