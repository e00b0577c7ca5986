"""Builder of kind ball: an expression lies in an interval on a whole box."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...symbolic.certificate import envelope
from ...symbolic.rational import Rational, write
from ..evidence import Json
from .arrays import Array, write_instance
from .formula import Expression


@dataclass(frozen=True)
class Split:
    """A subdivision of a box at a value of one variable.

    Args:
        variable: its name and, in an array, its indices: ``("x",)``, ``("s", 0)``.
        at: strictly between the ends of its interval.
        below: how the lower half is divided further; None: not at all.
        above: the same for the upper half.
    """

    variable: tuple[str | int, ...]
    at: Rational
    below: Split | None = None
    above: Split | None = None

    def json(self) -> Json:
        """The subdivision as JSON."""
        return {
            "split": list(self.variable),
            "at": write(self.at),
            "below": self.below.json() if self.below else None,
            "above": self.above.json() if self.above else None,
        }


def certificate(
    claim: str,
    expression: Expression,
    *,
    box: Mapping[str, Array],
    enclosure: tuple[Rational | None, Rational | None],
    digits: int,
    given: Mapping[str, Array] | None = None,
    tree: Split | None = None,
) -> dict[str, Json]:
    """Write a ball certificate.

    Args:
        claim: the claim's id.
        expression: over the variables of ``box`` and ``given``.
        box: an interval (lower, upper) for every number, arrays of them for arrays.
        enclosure: (lower, upper); None for an end that is not claimed.
        digits: of the interval arithmetic, 10 to 1,000.
        given: exact values of further variables.
        tree: a subdivision of the box that makes the enclosures narrow enough.

    Example:
        >>> from headproof.proofs_check.certificates.formula import exp, var
        >>> c = certificate("", exp(var("x")), box={"x": (0, 1)}, enclosure=(1, 3), digits=20)
        >>> c["data"]["box"]
        {'x': [0, 1]}
    """
    data: dict[str, Json] = {
        "expression": expression.json(),
        "box": write_instance(box),
        "enclosure": [None if end is None else write(end) for end in enclosure],
        "digits": digits,
    }
    if given:
        data["given"] = write_instance(given)
    if tree is not None:
        data["tree"] = tree.json()
    return envelope("ball", claim, data)
