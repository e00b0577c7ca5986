"""Evidence: the theorems that speak for a statement, as a producer hands them over."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill

from ...symbolic.errors import HeadproofError
from ..claim import Context
from ..evidence import Finding, Outcome
from ..runner.components import COMPONENTS, why_missing
from .shared import shared_verification
from .verification import Standing, TheoremResult, Verification


def theorems(context: Context) -> Outcome:
    """The outcome of the theorems that the manifest lists for the statement.

    Raises:
        HeadproofError: there is none, Rocq is missing, or one did not come out.
    """
    verification = _verification(context)
    found = verification.of(context.claim, context.statement)
    if not found:
        raise HeadproofError(f"the manifest lists no theorem for {context.statement}")
    broken = [
        f"{r.entry.theorem} {r.standing.value}: {'; '.join(r.reasons)}"
        for r in found
        if r.standing is not Standing.CHECKED
    ]
    if broken:
        raise HeadproofError("; ".join(broken))
    axioms = sorted({axiom for result in found for axiom in result.axioms})
    return Outcome(
        Finding.HOLDS,
        scope="every size: " + ", ".join(result.entry.statement for result in found),
        general=True,
        numbers={
            "theorems": ", ".join(result.entry.theorem for result in found),
            "axioms, at most": ", ".join(axioms) or "none",
            "checked by": f"coq {verification.coq}",
        },
        detail="\n\n".join(f"{_in_words(result)}\n{result.text}" for result in found),
    )


def _in_words(result: TheoremResult) -> str:
    """The comment of a statement, in lines no longer than those of the statement files."""
    return fill(f"(* {result.comment} *)", 100, subsequent_indent="   ", break_long_words=False)


def _verification(context: Context) -> Verification:
    coq = COMPONENTS["coqc"].find()
    if coq is None:
        raise HeadproofError(why_missing("coqc"))
    claims = context.together or frozenset({context.claim})
    if context.runs is not None:
        return shared_verification(context.runs / "formal", coq=coq, claims=claims)
    with TemporaryDirectory(prefix="headproof-formal-") as place:
        return shared_verification(Path(place), coq=coq, claims=claims)
