"""Builder of kind counterexample: a formula is false at an instance."""

from __future__ import annotations

from collections.abc import Mapping

from ...symbolic.certificate import envelope
from ..evidence import Json
from .arrays import Array, write_instance
from .formula import Condition


def certificate(
    claim: str, formula: Condition, instance: Mapping[str, Array], *, digits: int | None = None
) -> dict[str, Json]:
    """Write a counterexample.

    Args:
        claim: the claim's id.
        formula: hypotheses and conclusion, ``implies(hypotheses, conclusion)``.
        instance: the variables' values.
        digits: of the enclosures, if the formula has exp or log.

    Example:
        >>> from headproof.proofs_check.certificates.formula import var
        >>> certificate("", var("x") ** 2 <= var("x"), {"x": 2})["data"]["formula"]
        ['<=', ['^', ['var', 'x'], 2], ['var', 'x']]
    """
    data: dict[str, Json] = {"formula": formula.json(), "instance": write_instance(instance)}
    if digits is not None:
        data["digits"] = digits
    return envelope("counterexample", claim, data)
